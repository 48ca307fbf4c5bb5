"""Numba's names for the records and tuples of the chess kernels."""

from typing import Any

from numba import from_dtype, types

from engine.games.chess.records import ANALYSIS, CACHE, UNDO
from engine.games.chess.state import STATE
from engine.games.chess.tables import TABLES

STATE_T = from_dtype(STATE)
TABLES_T = from_dtype(TABLES)
UNDO_T = from_dtype(UNDO)
CACHE_T = from_dtype(CACHE)
ANALYSIS_T = from_dtype(ANALYSIS)

State = Any
"""A STATE record inside compiled code."""

BOARDS_T = types.UniTuple(types.int64, 10)
STATES_T = types.Array(STATE_T, 1, "C")
MOVES_T = types.Array(types.uint16, 1, "C")
