"""Numba's names for the records and tuples of the chess kernels."""

from numba import from_dtype, types

from engine.games.chess.state import STATE
from engine.games.chess.tables import TABLES
from engine.games.chess.undo import UNDO

STATE_T = from_dtype(STATE)
TABLES_T = from_dtype(TABLES)
UNDO_T = from_dtype(UNDO)
BOARDS_T = types.UniTuple(types.int64, 10)
MOVES_T = types.Array(types.uint16, 1, "C")
