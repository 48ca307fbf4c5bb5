"""What take-back needs: everything that a move overwrites and that cannot be worked out again."""

import numpy as np

UNDO = np.dtype(
    [
        ("boards", np.int64, (10,)),
        ("key", np.int64),
        ("pawn_key", np.int64),
        ("psq", np.int64),
        ("halfmove", np.int64),
        ("trace", np.int64),
        ("move", np.int64),
    ],
    align=True,
)
