"""The smaller records: what take-back needs, the facts of a position."""

import numpy as np

from engine.games.blokus.state import COLOURS, ROWS
from engine.games.blokus.tables import BOX

MAX_EDITS = 64
"""Changes that one move makes to the frontiers: at most 5 squares leave each of the three other
lists, 5 + 12 leave the own list and 8 enter it."""

UNDO = np.dtype(
    [
        # Rows around the piece, of each colour, as they were.
        ("forbidden", np.int32, (COLOURS * BOX,)),
        ("attach", np.int32, (COLOURS * BOX,)),
        # Changes of the lists in the order they were made: slot << 13 | added << 12 |
        # colour << 10 | square.
        ("edits", np.int32, (MAX_EDITS,)),
        ("edit_count", np.int64),
        ("move", np.int64),
        ("last", np.int64),
        ("stuck", np.int64),
        ("turn", np.int64),
        ("over", np.int64),
        ("key", np.int64),
    ],
    align=True,
)

FACTS = np.dtype(
    [
        # Of each colour, whoever is to move: the number of its legal moves, and the squares that
        # they cover, as a set of ROWS rows.
        ("mobility", np.int64, (COLOURS,)),
        ("reach", np.int32, (COLOURS * ROWS,)),
    ],
    align=True,
)
