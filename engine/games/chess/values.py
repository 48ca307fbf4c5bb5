"""What pieces, squares and patterns are worth, in hundredths of a pawn.

Values come in pairs, middlegame and endgame, packed into one integer as `mg << 32` plus `eg`:
pairs add, subtract and scale by small numbers as one. `pair` packs, `middlegame` and `endgame`
unpack.

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
    "material": ((93, 127), (344, 347), (364, 377), (489, 617), (1024, 1157), (0, 0)),
    # By the rank that a piece stands on, the first rank of its side first.
    "pawn ranks": ((0, 0), (-5, -4), (-4, -10), (2, -10), (16, 18), (51, 83), (50, 110), (0, 0)),
    "knight ranks": (
        (-26, -12), (-14, -6), (-1, 5), (12, 19), (19, 20), (18, 9), (4, 2), (-26, -10),
    ),
    "bishop ranks": ((-9, 3), (1, -2), (7, 5), (10, 15), (10, 16), (11, 14), (-1, 7), (-7, 10)),
    "rook ranks": ((-1, -3), (-9, -3), (-11, 1), (-3, 14), (1, 18), (15, 24), (23, 34), (10, 33)),
    "queen ranks": ((-7, -19), (-2, -6), (-1, 9), (1, 26), (9, 40), (16, 44), (11, 48), (24, 44)),
    "king ranks": (
        (23, -39), (-2, -15), (-37, -6), (-59, -5), (-48, 9), (-34, 35), (-24, 30), (-36, 12),
    ),
    # By its file: a and h, b and g, c and f, d and e.
    "pawn files": ((-7, 17), (3, 6), (4, 5), (8, 1)),
    "knight files": ((-19, -3), (-6, 5), (5, 12), (11, 19)),
    "bishop files": ((-7, 8), (4, 13), (5, 16), (6, 17)),
    "rook files": ((-4, 15), (1, 18), (7, 22), (9, 15)),
    "queen files": ((-4, 31), (-2, 44), (7, 43), (7, 50)),
    "king files": ((21, -21), (20, -2), (-8, 6), (-19, 11)),
    # By the number of squares that it can go to.
    "knight moves": (
        (-37, -67), (-24, -29), (-14, -12), (-5, 1), (2, 10), (8, 19), (13, 24), (18, 29), (23, 32),
    ),
    "bishop moves": (
        (-40, -56), (-26, -40), (-19, -25), (-13, -13), (-8, -3), (-4, 5), (0, 11), (3, 16),
        (5, 19), (9, 23), (12, 24), (11, 28), (15, 29), (20, 31),
    ),
    "rook moves": (
        (-35, -72), (-18, -47), (-12, -28), (-8, -18), (-3, -8), (-1, 1), (1, 10), (3, 15), (5, 22),
        (7, 27), (9, 31), (12, 35), (14, 42), (17, 45), (16, 47),
    ),
    "queen moves": (
        (-35, -79), (-30, -83), (-26, -84), (-23, -79), (-20, -68), (-17, -57), (-14, -47),
        (-12, -31), (-10, -19), (-8, -10), (-6, 0), (-5, 11), (-3, 21), (0, 27), (2, 34), (3, 38),
        (5, 42), (10, 46), (12, 48), (14, 53), (22, 51), (30, 46), (25, 52), (30, 52), (25, 50),
        (33, 57), (22, 44), (22, 48),
    ),
    # Pawns with one of their own behind them.
    "doubled": ((-10, -21),),
    # Without a pawn on the files beside: where the enemy has a pawn on the file, where he has none.
    "isolated": ((-9, -12), (-10, -15)),
    "backward": ((-5, -8), (-7, -13)),
    # By rank: with a pawn beside, guarded by a pawn.
    "phalanx": ((6, 4), (6, 3), (5, 4), (6, 7), (6, 15), (24, 27), (22, 31), (6, 4)),
    "supported": ((8, 6), (8, 6), (8, 9), (7, 9), (9, 6), (10, 12), (19, 10), (8, 6)),
    # Passed pawns, by rank.
    "passed": ((0, 0), (6, 7), (4, 12), (5, 28), (3, 57), (10, 113), (90, 210), (0, 0)),
    # Guarded by a pawn; with a piece in front.
    "passer guarded": ((0, 0), (0, 0), (1, -5), (6, -2), (9, 3), (19, 1), (11, 4), (0, 0)),
    "passer blocked": (
        (0, 0), (2, -7), (1, -7), (-5, -16), (-6, -32), (-11, -62), (-32, -108), (0, 0),
    ),
    # For each step of the king's distance from the square in front: of the own king, of the enemy's.
    "own king": ((0, 0), (0, -1), (0, -1), (0, -6), (4, -12), (4, -19), (5, -22), (0, 0)),
    "enemy king": ((0, 0), (-2, 2), (-2, 3), (0, 12), (-1, 23), (-2, 39), (-4, 49), (0, 0)),
    "bishop pair": ((27, 48),),
    # On a file without pawns, on one without own pawns.
    "rook open": ((32, 11),),
    "rook half open": ((15, 14),),
    # Knight, bishop.
    "outpost": ((31, 13), (18, 9)),
    # Bishop or knight behind a pawn.
    "behind pawn": ((5, 5),),
    # Attacked by a pawn: bishop or knight; rook or queen.
    "pawn threat": ((52, 54), (54, 17)),
    # By a bishop or knight: bishop or knight that no pawn guards; rook; queen.
    "minor threat": ((6, 22), (41, 25), (38, 7)),
    # By a rook: bishop or knight that no pawn guards; queen.
    "rook threat": ((10, 18), (57, 6)),
    # Attacked and not guarded: pawn, piece.
    "hanging": ((16, 43), (12, 15)),
    # A pawn can move so that it attacks a piece.
    "push threat": ((12, 14),),
    # The nearest own pawn in front of the king, by how many ranks it is ahead, 7 if there is none: on a
    # file beside the king's, on the king's own.
    "shelter": (
        (13, 0), (12, -2), (3, 2), (-2, -2), (-5, -4), (-6, 0), (-10, 12), (-13, 1), (10, 0),
        (13, 0), (7, 2), (0, -1), (-5, -1), (-9, -2), (-13, -4), (-16, 3),
    ),
    # The nearest enemy pawn there: free to move on, stopped by the own pawn.
    "storm": (
        (-19, 9), (-5, -3), (-17, 7), (-11, 4), (-4, 3), (-1, 4), (0, 1), (-2, 2), (-6, 0), (-6, 0),
        (0, -17), (-6, -6), (-2, 1), (3, -1), (7, -14), (0, 0),
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
    *(40, 39, 63, 45),  # knight, bishop, rook, queen near the king
    28,  # each square next to the king that one of them attacks
    39,  # such a square that is weak
    *(127, 59, 144, 112),  # a safe check by a knight, bishop, rook, queen
    273,  # no enemy queen: as much less
    39,  # as much is no danger
)
"""Danger to a king, in eighths of a unit, the `danger` of the tables."""
RING_SQUARE, WEAK_SQUARE, SAFE_CHECK, NO_QUEEN, NO_DANGER = 4, 5, 6, 10, 11
DANGER = 832
"""The square of the danger, divided by this, is hundredths of a pawn."""
EDGE, CORNER, NEAR = 40, 120, 25
"""A king alone, without pawns on the board: by its steps from the middle, from the diagonal between
the wrong corners (bishop and knight), and towards the other king."""

TEMPO = 14
