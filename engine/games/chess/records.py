"""The smaller records: what take-back needs, the evaluation's cache, the facts of a position."""

import numpy as np

UNDO = np.dtype(
    [
        # Everything that a move overwrites and that cannot be worked out again.
        ("boards", np.int64, (10,)),
        ("key", np.int64),
        ("pawn_key", np.int64),
        ("psq", np.int64),
        ("halfmove", np.int64),
        ("trace", np.int64),  # see `make`
        ("move", np.int64),
    ],
    align=True,
)

PAWN_ENTRIES = 2048

PAWNS = np.dtype(
    [
        ("key", np.int64),  # of the pawns and both kings
        ("score", np.int64),  # structure and shelter, white minus black, packed
        ("passers", np.int64),  # passed pawns of both sides
        ("closed", np.int64, (2,)),  # files with a white, with a black pawn
        ("outposts", np.int64, (2,)),  # for pieces of white, of black
        ("pad", np.int64),  # one cache line
    ],
    align=True,
)

CACHE = np.dtype([("pawns", PAWNS, (PAWN_ENTRIES,)), ("terms", np.int64, (16,))], align=True)

MAX_XRAYS = 128
"""Room for the x-rays of one side: 15 queens look in 8 directions each."""

SKEWER = 1 << 18
"""Mark of an x-ray that is a skewer."""

ANALYSIS = np.dtype(
    [
        # By square, as sets of squares; nothing where no piece stands.
        ("reach", np.int64, (64,)),  # squares that the piece attacks
        ("attackers", np.int64, (64,)),  # enemy pieces that attack the piece
        ("defenders", np.int64, (64,)),  # own pieces that attack its square
        ("xray_attackers", np.int64, (64,)),  # enemy pieces that would, past one more piece
        ("targets", np.int64, (64,)),  # what the piece forks; nothing if it forks nothing
        # By colour, white and black, as sets of squares.
        ("pieces", np.int64, (2,)),
        ("attacks", np.int64, (2,)),
        ("attacked", np.int64, (2,)),
        ("hanging", np.int64, (2,)),
        ("pinned", np.int64, (2,)),
        ("skewered", np.int64, (2,)),
        ("forking", np.int64, (2,)),
        ("developed", np.int64, (2,)),
        ("pawns", np.int64, (2,)),
        ("doubled", np.int64, (2,)),
        ("isolated", np.int64, (2,)),
        ("backward", np.int64, (2,)),
        ("passed", np.int64, (2,)),
        # By colour, numbers.
        ("material", np.int64, (2,)),
        ("mobility", np.int64, (2,)),
        ("offense", np.int64, (2,)),
        ("defense", np.int64, (2,)),
        ("xray_count", np.int64, (2,)),
        # X-rays of the sliders of each colour, in ascending order of their squares:
        # slider << 12 | first << 6 | next, and the mark SKEWER. Those of colour c are
        # xrays[c * MAX_XRAYS :][: xray_count[c]].
        ("xrays", np.int32, (2 * MAX_XRAYS,)),
        # Of the side to move.
        ("checkers", np.int64),
        ("legal_moves", np.int64),
        ("phase", np.int64),
        ("eval", np.int64),
        # Legal moves after which the piece that moved forks, in ascending order of their
        # squares and then of promotion, N B R Q: fork_moves[:fork_count].
        ("fork_count", np.int64),
        ("fork_moves", np.uint16, (256,)),
    ],
    align=True,
)
