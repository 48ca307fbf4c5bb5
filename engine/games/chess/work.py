"""The working memory of one search thread, as one record."""

import math

import numpy as np
from numba import from_dtype

from engine.alphabeta import MAX_PLY
from engine.games.chess.margins import MARGINS, START
from engine.games.chess.network import SIGHT, open_eyes
from engine.games.chess.records import UNDO
from engine.memory import zeros

GAME_KEYS = 256
"""Keys of earlier positions of the game that are kept for repetitions; more plies than this
without a capture or pawn move are a draw anyway."""

HISTORY_LIMIT = 16_384
FOLLOW_LIMIT = 30_000

BEFORE = 6
"""`path[ply + BEFORE]` is the move made at `ply`, so that six plies back can be asked for."""

WORK = np.dtype(
    [
        ("table", np.int64),  # address of the transposition table
        ("buckets", np.int64),
        ("generation", np.int64),
        ("control", np.int64),  # address of the stop flag
        ("node_limit", np.int64),  # 0 for none
        ("nodes", np.int64),
        ("seldepth", np.int64),
        ("stopped", np.int64),  # 1 once the search must unwind; scores mean nothing then
        ("root_depth", np.int64),  # of the current iteration
        ("window", np.int64),  # width of the window at the root
        ("null_from", np.int64),  # below this ply no null move is tried
        # Root moves, best first once searched.
        ("root_count", np.int64),
        ("root_moves", np.uint16, (256,)),
        ("root_nodes", np.int64, (256,)),
        # One block of 256 for each ply: moves and their scores for ordering; `first_most` reads
        # a little further.
        ("moves", np.uint16, (MAX_PLY * 256,)),
        ("scores", np.int32, (MAX_PLY * 256 + 8,)),
        # Per ply.
        ("evals", np.int64, (MAX_PLY + 4,)),
        ("killers", np.uint16, (2 * (MAX_PLY + 4),)),
        ("path", np.int64, (MAX_PLY + 8,)),  # code * 64 + to of the move made, 0 for none
        ("moved", np.int64, (MAX_PLY + 4,)),  # the move made
        ("quiet", np.int64, (MAX_PLY + 4,)),  # 1 if it is quiet
        ("number", np.int64, (MAX_PLY + 4,)),  # its place in the order of moves, from 1
        ("worth", np.int64, (MAX_PLY + 4,)),  # what history said of it
        ("line", np.int64, (MAX_PLY + 4,)),  # 1 if the position is, or was, on the main line
        ("since", np.int64, (MAX_PLY + 4,)),  # plies since the last null move
        ("cutoffs", np.int64, (MAX_PLY + 4,)),  # how often a move refuted a position there
        ("doubles", np.int64, (MAX_PLY + 4,)),  # extensions by two plies so far
        ("excluded", np.int64, (MAX_PLY + 4,)),  # move left out by a singular search
        ("pv", np.uint16, (MAX_PLY * MAX_PLY,)),
        ("pv_length", np.int64, (MAX_PLY + 1,)),
        # Keys of the game and of the current line; the root stands at index `root_key`.
        ("keys", np.int64, (GAME_KEYS + MAX_PLY + 8,)),
        ("root_key", np.int64),
        # How well moves did elsewhere: by colour, from, to; by piece and to; after the move before.
        ("history", np.int32, (2 * 4096,)),
        ("captures", np.int32, (1024 * 8,)),  # (code * 64 + to) * 8 + victim
        ("replies", np.uint16, (1024,)),
        ("follow", np.int16, (1024 * 512,)),  # (code * 64 + to) * 512 + piece * 64 + to
        ("margins", MARGINS),
        ("logs", np.int64, (64 * 64,)),  # 1024 * ln depth * ln number, at depth * 64 + number
        ("sight", SIGHT),
        ("undo", UNDO, (MAX_PLY + 4,)),
    ],
    align=True,
)
PER_PLY = (
    *("killers", "path", "moved", "quiet", "number", "worth", "line", "cutoffs", "doubles"),
    *("excluded", "evals", "pv_length"),
)
"""What a new search begins without."""

WORK_T = from_dtype(WORK)


def new_work() -> np.void:
    """Fresh working memory."""
    work: np.void = zeros(1, WORK)[0]
    open_eyes(work["sight"])
    for name, (value, _) in START.items():
        work["margins"][name] = value
    for depth in range(1, 64):
        for number in range(1, 64):
            work["logs"][depth * 64 + number] = int(1024 * math.log(depth) * math.log(number))
    return work
