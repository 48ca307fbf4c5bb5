"""The memory of one search thread, as one record.

A dead end, a turn that cannot be finished, is worth -INFINITE to the side in it.
"""

import numpy as np
from numba import from_dtype

from engine.alphabeta import MAX_PLY
from engine.games.cotulenh.records import UNDO
from engine.games.cotulenh.state import MAX_ACTIONS
from engine.memory import zeros

GAME_KEYS = 256
HISTORY_LIMIT = 1 << 14

THREAD = np.dtype(
    [
        ("table", np.int64),  # address of the transposition table
        ("buckets", np.int64),
        ("generation", np.int64),
        ("control", np.int64),  # address of the stop flag
        ("node_limit", np.int64),  # 0 for none
        ("nodes", np.int64),
        ("seldepth", np.int64),
        ("stopped", np.int64),  # 1 once the search must unwind; scores mean nothing then
        ("root_depth", np.int64),
        ("root_count", np.int64),
        ("root_actions", np.int32, (MAX_ACTIONS,)),
        ("scores", np.int32, ((MAX_PLY + 1) * MAX_ACTIONS,)),  # beside WORK's actions
        ("killers", np.int32, (2 * (MAX_PLY + 2),)),
        ("history", np.int32, (2 * 16 * 256,)),  # side, carrier or member, target
        ("pv", np.int32, (MAX_PLY * MAX_PLY,)),
        ("pv_length", np.int64, (MAX_PLY + 1,)),
        # Keys of the game, turn by turn, and of the current line; the root stands at `root_key`.
        ("keys", np.int64, (GAME_KEYS + MAX_PLY + 8,)),
        ("root_key", np.int64),
        ("undo", UNDO, (MAX_PLY + 2,)),
    ],
    align=True,
)
THREAD_T = from_dtype(THREAD)


def new_thread() -> np.void:
    """Fresh memory."""
    thread: np.void = zeros(1, THREAD)[0]
    return thread
