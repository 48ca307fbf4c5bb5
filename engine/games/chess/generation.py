"""Legal moves for the search, written into the working memory of its thread."""

from typing import Any

from numba import types

from engine.games.chess.attacks import Tables
from engine.games.chess.make import load_boards
from engine.games.chess.movegen import write_moves
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.work import WORK_T
from engine.jit import kernel

Work = Any
I64 = types.int64


@kernel(I64(WORK_T, TABLES_T, STATE_T, I64, I64))
def generate_at(w: Work, t: Tables, pos: State, ply: int, wanted: int) -> int:
    """Legal moves into the block of this ply; returns the index after the last."""
    return write_moves(pos.turn, t, load_boards(pos), w.moves, ply << 8, wanted)
