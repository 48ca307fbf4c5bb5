"""The smaller records: what take-back needs, and the cache of the evaluation."""

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
