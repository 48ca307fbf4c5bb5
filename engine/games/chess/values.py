"""What pieces, squares and patterns are worth, in hundredths of a pawn.

Values come in pairs, middlegame and endgame, packed into one integer as `mg << 32` plus `eg`:
pairs add, subtract and scale by small numbers as one. `pair` packs, `explain.unpack` unpacks.

The value of a piece on a square is material + rank + file: three short rows instead of 64
numbers, which is nearly as good and can be read.
"""

import numpy as np
from numpy.typing import NDArray


def pair(mg: int, eg: int) -> int:
    return (mg << 32) + eg


WORTH = (100, 320, 330, 500, 900, 0)
"""Pawn, knight, bishop, rook, queen, king, where an analysis adds up material."""

# fmt: off
PAIRS: dict[str, tuple[tuple[int, int], ...]] = {
    # Pawn, knight, bishop, rook, queen, king.
    "material": ((93, 132), (339, 351), (360, 384), (478, 627), (1004, 1167), (0, 0)),
    # By the rank that a piece stands on, the first rank of its side first.
    "pawn ranks": ((0, 0), (-6, 0), (-4, -9), (1, -9), (16, 18), (52, 86), (53, 115), (0, 0)),
    "knight ranks": (
        (-27, -6), (-16, -5), (-1, 7), (14, 22), (20, 19), (13, 9), (-5, 0), (-36, -5),
    ),
    "bishop ranks": ((-8, 10), (-1, 0), (8, 3), (6, 18), (8, 14), (9, 20), (0, 11), (-7, 14)),
    "rook ranks": ((-4, 4), (-12, -4), (-13, 2), (0, 15), (3, 18), (19, 25), (17, 38), (-3, 44)),
    "queen ranks": ((-9, -18), (-2, -10), (-2, 2), (-1, 31), (8, 44), (17, 48), (8, 59), (11, 59)),
    "king ranks": (
        (24, -37), (-4, -16), (-36, -8), (-67, -6), (-48, 12), (-31, 34), (-11, 36), (-25, 15),
    ),
    # By its file: a and h, b and g, c and f, d and e.
    "pawn files": ((-7, 21), (3, 12), (4, 6), (8, 4)),
    "knight files": ((-22, -3), (-7, 10), (4, 13), (11, 19)),
    "bishop files": ((-9, 12), (3, 16), (3, 22), (5, 19)),
    "rook files": ((-10, 22), (0, 24), (7, 25), (11, 22)),
    "queen files": ((-7, 40), (-3, 48), (5, 49), (6, 49)),
    "king files": ((21, -22), (21, 1), (-6, 5), (-22, 10)),
    # By the number of squares that it can go to.
    "knight moves": (
        (-41, -71), (-25, -32), (-14, -13), (-5, 2), (1, 13), (7, 23), (12, 27), (18, 30), (22, 30),
    ),
    "bishop moves": (
        (-43, -55), (-26, -43), (-19, -25), (-14, -12), (-8, 0), (-4, 8), (0, 13), (3, 19), (6, 21),
        (10, 25), (10, 24), (6, 28), (11, 28), (14, 33),
    ),
    "rook moves": (
        (-46, -77), (-22, -46), (-14, -25), (-9, -14), (-4, -5), (-3, 5), (1, 13), (4, 18), (7, 23),
        (8, 30), (9, 35), (15, 39), (16, 46), (18, 49), (24, 47),
    ),
    "queen moves": (
        (-35, -79), (-32, -103), (-26, -93), (-23, -104), (-21, -77), (-17, -63), (-14, -54),
        (-13, -26), (-12, -9), (-10, -6), (-8, 4), (-6, 18), (-5, 27), (-3, 33), (2, 42), (1, 55),
        (1, 60), (8, 61), (11, 59), (11, 66), (31, 60), (38, 56), (39, 41), (59, 37), (43, 27),
        (62, 39), (22, 2), (35, 51),
    ),
    # Pawns with one of their own behind them.
    "doubled": ((-10, -22),),
    # Without a pawn on the files beside: where the enemy has a pawn on the file, where he has none.
    "isolated": ((-7, -11), (-9, -18)),
    "backward": ((-5, -9), (-8, -12)),
    # By rank: with a pawn beside, guarded by a pawn.
    "phalanx": ((6, 4), (5, 0), (4, 4), (6, 7), (5, 18), (29, 35), (41, 34), (6, 4)),
    "supported": ((8, 6), (8, 6), (7, 10), (6, 7), (7, 4), (2, 17), (12, -4), (8, 6)),
    # Passed pawns, by rank.
    "passed": ((0, 0), (2, 5), (5, 14), (1, 33), (-1, 65), (0, 109), (93, 215), (0, 0)),
    # Guarded by a pawn; with a piece in front.
    "passer guarded": ((0, 0), (0, 0), (5, -7), (2, 0), (10, 7), (27, -2), (4, -10), (0, 0)),
    "passer blocked": (
        (0, 0), (-1, -10), (-6, -3), (-4, -17), (-1, -34), (-10, -58), (-47, -103), (0, 0),
    ),
    # For each step of a king's distance from the square in front: of the own king, of the enemy's.
    "own king": ((0, 0), (-1, -1), (1, -2), (1, -7), (4, -13), (6, -17), (5, -21), (0, 0)),
    "enemy king": ((0, 0), (0, 2), (-2, 3), (-1, 12), (-1, 22), (-5, 38), (-3, 47), (0, 0)),
    "bishop pair": ((26, 48),),
    # On a file without pawns, on one without own pawns.
    "rook open": ((33, 11),),
    "rook half open": ((13, 14),),
    # Knight, bishop.
    "outpost": ((25, 14), (16, 10)),
    # Bishop or knight behind a pawn.
    "behind pawn": ((5, 6),),
    # Attacked by a pawn: bishop or knight; rook or queen.
    "pawn threat": ((54, 66), (62, 23)),
    # By a bishop or knight: bishop or knight that no pawn guards; rook; queen.
    "minor threat": ((7, 26), (42, 28), (43, 17)),
    # By a rook: bishop or knight that no pawn guards; queen.
    "rook threat": ((14, 20), (69, 13)),
    # Attacked and not guarded: pawn, piece.
    "hanging": ((15, 42), (12, 15)),
    # A pawn can move so that it attacks a piece.
    "push threat": ((11, 16),),
    # The nearest own pawn in front of the king, by how many ranks it is ahead, 7 if there is none:
    # on a file beside the king's, on the king's own.
    "shelter": (
        (13, -1), (12, -1), (3, 3), (-2, -2), (-3, -3), (-10, -4), (-27, 32), (-11, -1), (10, 0),
        (13, 0), (7, 3), (-2, -3), (-4, -3), (-9, -4), (10, 6), (-15, 3),
    ),
    # The nearest enemy pawn there: free to move on, stopped by the own pawn.
    "storm": (
        (-18, 12), (3, -2), (-22, 9), (-11, 4), (-3, 4), (-1, 5), (-1, 1), (-5, 3), (-6, 0),
        (-18, 9), (-1, -21), (-2, -11), (0, -4), (4, -4), (16, -20), (0, 0),
    ),
}
# fmt: on
"""(middlegame, endgame) of all that counts by the piece. `scripts/chess_fit.py` found them."""

FIRST = {}
"""Where the values of each name begin in a row of all of them, the `worth` of the tables."""

COUNT = 0
for _name, _pairs in PAIRS.items():
    FIRST[_name] = COUNT
    COUNT += len(_pairs)

PIECES = ("pawn", "knight", "bishop", "rook", "queen", "king")

DOUBLED = FIRST["doubled"]
ISOLATED = FIRST["isolated"]
BACKWARD = FIRST["backward"]
PHALANX = FIRST["phalanx"]
SUPPORTED = FIRST["supported"]
PASSED = FIRST["passed"]
PASSER_GUARDED = FIRST["passer guarded"]
PASSER_BLOCKED = FIRST["passer blocked"]
PASSER_KING_NEAR = FIRST["own king"]
PASSER_KING_FAR = FIRST["enemy king"]
BISHOP_PAIR = FIRST["bishop pair"]
ROOK_OPEN = FIRST["rook open"]
ROOK_HALF_OPEN = FIRST["rook half open"]
OUTPOST = FIRST["outpost"]
BEHIND_PAWN = FIRST["behind pawn"]
PAWN_THREAT = FIRST["pawn threat"]
MINOR_THREAT = FIRST["minor threat"]
ROOK_THREAT = FIRST["rook threat"]
HANGING = FIRST["hanging"]
PUSH_THREAT = FIRST["push threat"]
SHELTER = FIRST["shelter"]
STORM = FIRST["storm"]


def all_values() -> NDArray[np.int64]:
    """The values of `PAIRS` in a row, packed. Shape (COUNT,)."""
    return np.array([pair(*values) for pairs in PAIRS.values() for values in pairs], np.int64)


def piece_square_values(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Packed values by piece code * 64 + square, those of black negative. Shape (1024,)."""
    values = np.zeros((16, 64), np.int64)
    for piece, name in enumerate(PIECES):
        for sq in range(64):
            file, rank = sq & 7, sq >> 3
            value = worth[FIRST["material"] + piece]
            value += worth[FIRST[f"{name} ranks"] + rank]
            value += worth[FIRST[f"{name} files"] + min(file, 7 - file)]
            values[piece + 1, sq] = value
            values[piece + 9, sq ^ 56] = -value
    return values.reshape(1024)


def mobility_values(worth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Packed values by (piece - 1) * 32 + number of squares. Shape (128,)."""
    values = np.zeros((4, 32), np.int64)
    for piece, name in enumerate(PIECES[1:5]):
        first, count = FIRST[f"{name} moves"], len(PAIRS[f"{name} moves"])
        values[piece, :count] = worth[first : first + count]
    return values.reshape(128)


DANGERS = (
    *(30, 32, 50, 44),  # knight, bishop, rook, queen near the king
    25,  # each square next to the king that one of them attacks
    34,  # such a square that is weak
    *(136, 57, 142, 115),  # a safe check by a knight, bishop, rook, queen
    217,  # no enemy queen: as much less
    31,  # as much is no danger
)
"""Danger to a king, in eighths of a unit, the `danger` of the tables."""
RING_SQUARE, WEAK_SQUARE, SAFE_CHECK, NO_QUEEN, NO_DANGER = 4, 5, 6, 10, 11
DANGER = 832
"""The square of the danger, divided by this, is hundredths of a pawn."""
EDGE, CORNER, NEAR = 40, 120, 25
"""A king alone, without pawns on the board: by its steps from the middle, from the diagonal between
the wrong corners (bishop and knight), and towards the other king."""

TEMPO = 14
