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
    "material": ((88, 112), (335, 320), (355, 340), (480, 560), (1010, 1030), (0, 0)),
    # By the rank that a piece stands on, the first rank of its side first.
    "pawn ranks": ((0, 0), (-4, 0), (-4, -2), (4, 2), (12, 14), (28, 34), (50, 60), (0, 0)),
    "knight ranks": (
        (-28, -20), (-12, -10), (0, 0), (6, 8), (14, 10), (16, 6), (6, -2), (-24, -14),
    ),
    "bishop ranks": ((-8, -6), (4, -2), (6, 2), (5, 4), (5, 4), (4, 4), (-4, 0), (-12, -4)),
    "rook ranks": ((0, -4), (-6, -4), (-8, -2), (-8, 2), (-4, 6), (4, 8), (16, 10), (10, 6)),
    "queen ranks": ((0, -24), (2, -14), (2, -2), (0, 8), (-2, 16), (2, 14), (0, 12), (4, 0)),
    "king ranks": (
        (14, -34), (2, -12), (-24, 2), (-40, 12), (-48, 18), (-48, 18), (-48, 8), (-48, -12),
    ),
    # By its file: a and h, b and g, c and f, d and e.
    "pawn files": ((-10, 2), (0, 2), (2, 0), (8, -2)),
    "knight files": ((-22, -16), (-8, -6), (4, 4), (10, 8)),
    "bishop files": ((-6, -4), (2, 0), (2, 2), (4, 4)),
    "rook files": ((-4, 0), (0, 1), (4, 1), (6, 0)),
    "queen files": ((-4, -10), (-1, -2), (2, 4), (3, 8)),
    "king files": ((16, -18), (20, -4), (-8, 6), (-16, 10)),
    # By the number of squares that it can go to.
    "knight moves": (
        (-37, -34), (-23, -22), (-14, -13), (-7, -6), (0, 0), (6, 5), (11, 10), (16, 15), (21, 19),
    ),
    "bishop moves": (
        (-44, -48), (-32, -34), (-23, -25), (-16, -18), (-10, -11), (-5, -5), (0, 0), (5, 5),
        (9, 10), (13, 14), (17, 18), (20, 22), (24, 26), (27, 29),
    ),
    "rook moves": (
        (-26, -55), (-19, -40), (-14, -29), (-10, -20), (-6, -13), (-3, -6), (0, 0), (3, 6),
        (5, 11), (7, 16), (10, 21), (12, 25), (14, 30), (16, 34), (18, 38),
    ),
    "queen moves": (
        (-34, -79), (-28, -65), (-23, -55), (-20, -47), (-17, -40), (-14, -33), (-12, -28),
        (-10, -22), (-7, -17), (-5, -13), (-4, -8), (-2, -4), (0, 0), (2, 4), (3, 8), (5, 11),
        (6, 15), (8, 18), (9, 21), (11, 25), (12, 28), (13, 31), (14, 34), (16, 37), (17, 40),
        (18, 42), (19, 45), (21, 48),
    ),
    # Pawns with one of their own behind them.
    "doubled": ((-8, -18),),
    # Without a pawn on the files beside: where the enemy has a pawn on the file, where he has none.
    "isolated": ((-10, -14), (-10, -14)),
    "backward": ((-8, -10), (-8, -10)),
    # By rank: with a pawn beside, guarded by a pawn.
    "phalanx": ((6, 4), (6, 4), (6, 4), (6, 4), (6, 4), (6, 4), (6, 4), (6, 4)),
    "supported": ((8, 6), (8, 6), (8, 6), (8, 6), (8, 6), (8, 6), (8, 6), (8, 6)),
    # Passed pawns, by rank.
    "passed": ((0, 0), (0, 8), (0, 12), (8, 26), (26, 52), (54, 98), (90, 160), (0, 0)),
    # Guarded by a pawn; with a piece in front.
    "passer guarded": ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)),
    "passer blocked": (
        (0, 0), (0, 0), (0, 0), (-6, -24), (-12, -48), (-18, -72), (-24, -96), (0, 0),
    ),
    # For each step of the king's distance from the square in front: of the own king, of the enemy's.
    "own king": ((0, 0), (0, 0), (0, 0), (0, -5), (0, -10), (0, -15), (0, -20), (0, 0)),
    "enemy king": ((0, 0), (0, 0), (0, 0), (0, 9), (0, 18), (0, 27), (0, 36), (0, 0)),
    "bishop pair": ((26, 52),),
    # On a file without pawns, on one without own pawns.
    "rook open": ((32, 10),),
    "rook half open": ((14, 8),),
    # Knight, bishop.
    "outpost": ((44, 28), (22, 14)),
    # Bishop or knight behind a pawn.
    "behind pawn": ((6, 2),),
    # Attacked by a pawn: bishop or knight; rook or queen.
    "pawn threat": ((54, 42), (54, 42)),
    # By a bishop or knight: bishop or knight that no pawn guards; rook; queen.
    "minor threat": ((0, 0), (32, 30), (32, 30)),
    # By a rook: bishop or knight that no pawn guards; queen.
    "rook threat": ((0, 0), (24, 14)),
    # Attacked and not guarded: pawn, piece.
    "hanging": ((22, 16), (22, 16)),
    # A pawn can move so that it attacks a piece.
    "push threat": ((14, 10),),
    # The nearest own pawn in front of the king, by how many ranks it is ahead, 7 if there is none: on a
    # file beside the king's, on the king's own.
    "shelter": (
        (10, 0), (10, 0), (5, 0), (-2, 0), (-2, 0), (-2, 0), (-2, 0), (-14, 0), (10, 0), (10, 0),
        (5, 0), (-2, 0), (-2, 0), (-2, 0), (-2, 0), (-14, 0),
    ),
    # The nearest enemy pawn there: free to move on, stopped by the own pawn.
    "storm": (
        (-6, 0), (-6, 0), (-6, 0), (-12, 0), (-4, 0), (0, 0), (0, 0), (0, 0), (-6, 0), (-6, 0),
        (-6, 0), (-12, 0), (-4, 0), (0, 0), (0, 0), (0, 0),
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
    *(56, 48, 72, 88),  # knight, bishop, rook, queen near the king
    40,  # each square next to the king that one of them attacks
    64,  # such a square that is weak
    *(160, 112, 192, 160),  # a safe check by a knight, bishop, rook, queen
    336,  # no enemy queen: as much less
    96,  # as much is no danger
)
"""Danger to a king, in eighths of a unit, the `danger` of the tables."""
RING_SQUARE, WEAK_SQUARE, SAFE_CHECK, NO_QUEEN, NO_DANGER = 4, 5, 6, 10, 11
DANGER = 832
"""The square of the danger, divided by this, is hundredths of a pawn."""
EDGE, CORNER, NEAR = 40, 120, 25
"""A king alone, without pawns on the board: by its steps from the middle, from the diagonal between
the wrong corners (bishop and knight), and towards the other king."""

TEMPO = 14
