"""What take-back needs, what a thread needs beside its position, the facts of a position."""

import numpy as np

from engine.alphabeta import MAX_PLY
from engine.games.cotulenh.state import CELLS, MAX_ACTIONS, MAX_STEPS, STATE

MAX_CHANGES = 160
"""Changes that one action makes to the board. A join puts back and redoes a turn, which touches
each of at most 38 occupied squares a few times; the difference is at most two words for each."""

UNDO = np.dtype(
    [
        # What stood on a square before, and its slot in the list of its side.
        ("square", np.uint8, (MAX_CHANGES,)),
        ("slot", np.uint8, (MAX_CHANGES,)),
        ("word", np.int32, (MAX_CHANGES,)),
        ("changes", np.int64),
        ("key", np.int64),
        ("turn", np.int64),
        ("halfmove", np.int64),
        ("fullmove", np.int64),
        ("origin", np.int64),
        ("start", np.int64),
        ("used", np.int64),
        ("captured", np.int64),
        ("steps", np.int64),
        ("step_kind", np.int64, (MAX_STEPS,)),
        ("step_to", np.int64, (MAX_STEPS,)),
        ("step_group", np.int64, (MAX_STEPS,)),
        ("start_key", np.int64),
        # Only when the action opened a deployment: the snapshot that it replaced.
        ("opened", np.int64),
        ("snapshot", np.int32, (CELLS,)),
    ],
    align=True,
)

WORK = np.dtype(
    [
        ("replay", STATE, (1,)),  # for joins
        ("spare", UNDO, (1,)),  # for trying actions
        # Lists of actions, MAX_ACTIONS for each ply, and one more list at the beginning, which
        # `play` overwrites.
        ("actions", np.int32, ((MAX_PLY + 1) * MAX_ACTIONS,)),
    ],
    align=True,
)

FACTS = np.dtype(
    [
        # Of each side, as if it were to move: the number of its actions without COMMIT, and
        # whether one of them captures on a square, at side * CELLS + sq.
        ("mobility", np.int64, (2,)),
        ("targets", np.uint8, (2 * CELLS,)),
        # Whether a piece of a side that the other side can capture on sq lacks defence.
        ("hanging", np.uint8, (2 * CELLS,)),
        # Whether the commander of a side is in danger.
        ("exposed", np.int64, (2,)),
        # Of the side to move.
        ("legal_moves", np.int64),
        ("check", np.int64),
        ("eval", np.int64),
    ],
    align=True,
)
