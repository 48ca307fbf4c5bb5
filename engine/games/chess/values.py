"""What pieces and squares are worth, in hundredths of a pawn.

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


MATERIAL = (  # pawn, knight, bishop, rook, queen, king
    (88, 112), (335, 320), (355, 340), (480, 560), (1010, 1030), (0, 0),
)  # fmt: skip

WORTH = (100, 320, 330, 500, 900, 0)
"""Pawn, knight, bishop, rook, queen, king, where an analysis adds up material."""

RANKS = (  # rank 1 first, the piece's own side
    ((0, -4, -4, 4, 12, 28, 50, 0), (0, 0, -2, 2, 14, 34, 60, 0)),
    ((-28, -12, 0, 6, 14, 16, 6, -24), (-20, -10, 0, 8, 10, 6, -2, -14)),
    ((-8, 4, 6, 5, 5, 4, -4, -12), (-6, -2, 2, 4, 4, 4, 0, -4)),
    ((0, -6, -8, -8, -4, 4, 16, 10), (-4, -4, -2, 2, 6, 8, 10, 6)),
    ((0, 2, 2, 0, -2, 2, 0, 4), (-24, -14, -2, 8, 16, 14, 12, 0)),
    ((14, 2, -24, -40, -48, -48, -48, -48), (-34, -12, 2, 12, 18, 18, 8, -12)),
)

FILES = (  # a-file to d-file, mirrored on the other side
    ((-10, 0, 2, 8), (2, 2, 0, -2)),
    ((-22, -8, 4, 10), (-16, -6, 4, 8)),
    ((-6, 2, 2, 4), (-4, 0, 2, 4)),
    ((-4, 0, 4, 6), (0, 1, 1, 0)),
    ((-4, -1, 2, 3), (-10, -2, 4, 8)),
    ((16, 20, -8, -16), (-18, -4, 6, 10)),
)


def piece_square_values() -> NDArray[np.int64]:
    """Packed values by piece code * 64 + square, those of black negative. Shape (1024,)."""
    values = np.zeros((16, 64), np.int64)
    for piece in range(6):
        for sq in range(64):
            file, rank = sq & 7, sq >> 3
            mg, eg = (
                MATERIAL[piece][phase]
                + RANKS[piece][phase][rank]
                + FILES[piece][phase][min(file, 7 - file)]
                for phase in (0, 1)
            )
            values[piece + 1, sq] = pair(mg, eg)
            values[piece + 9, sq ^ 56] = -pair(mg, eg)
    return values.reshape(1024)


MOBILITY = (  # (middlegame, endgame) weight, usual number of squares: knight, bishop, rook, queen
    (26, 24, 4), (24, 26, 6), (14, 30, 6), (12, 28, 12),
)  # fmt: skip


def mobility_values() -> NDArray[np.int64]:
    """Packed values by (piece - 1) * 32 + number of squares: the first few squares matter most.
    Shape (128,)."""
    values = np.zeros((4, 32), np.int64)
    for piece, (mg, eg, usual) in enumerate(MOBILITY):
        for n in range(32):
            x = (n + 0.5) ** 0.5 - (usual + 0.5) ** 0.5
            values[piece, n] = pair(round(mg * x), round(eg * x))
    return values.reshape(128)


# Pawns.
DOUBLED = pair(-8, -18)
ISOLATED = pair(-10, -14)
BACKWARD = pair(-8, -10)
PHALANX = pair(6, 4)
SUPPORTED = pair(8, 6)
PASSED = tuple(pair(mg, eg) for mg, eg in (
    (0, 0), (0, 8), (0, 12), (8, 26), (26, 52), (54, 98), (90, 160), (0, 0),
))  # fmt: skip
PASSER_BLOCKED = pair(-6, -24)
PASSER_KING_NEAR = pair(0, -5)
"""By distance of the own king from the square in front, on rank 5 and beyond doubled."""
PASSER_KING_FAR = pair(0, 9)
"""By distance of the enemy king from the square in front."""

# Pieces.
BISHOP_PAIR = pair(26, 52)
ROOK_OPEN = pair(32, 10)
ROOK_HALF_OPEN = pair(14, 8)
OUTPOST = pair(22, 14)
BEHIND_PAWN = pair(6, 2)

# Threats.
PAWN_THREAT = pair(54, 42)
MINOR_THREAT = pair(32, 30)
ROOK_THREAT = pair(24, 14)
HANGING = pair(22, 16)
PUSH_THREAT = pair(14, 10)

# King: units of danger, which count by their square.
RING_ATTACKER = (7, 6, 9, 11)
"""Knight, bishop, rook, queen near the king."""
RING_SQUARE = 5
"""Each attacked square next to the king."""
WEAK_SQUARE = 8
SAFE_CHECK = (20, 14, 24, 20)
NO_QUEEN = 42
DANGER = 13
"""The square of the units of danger, divided by this, is hundredths of a pawn."""
EDGE, CORNER, NEAR = 40, 120, 25
"""A king alone, without pawns on the board: by its steps from the middle, from the diagonal between
the wrong corners (bishop and knight), and towards the other king."""
SHELTER = (-14, 10, 5, -2)
"""Own pawn on a file beside the king: none, one rank in front, two, further."""
STORM = (0, -4, -12, -6)
"""Enemy pawn on such a file: none or far, at four, at three, at two ranks or less."""

TEMPO = 14
