"""Numba's names for the records of the Blokus kernels."""

from typing import Any

from numba import from_dtype, types

from engine.games.blokus.records import FACTS, UNDO
from engine.games.blokus.state import STATE
from engine.games.blokus.tables import TABLES

STATE_T = from_dtype(STATE)
TABLES_T = from_dtype(TABLES)
UNDO_T = from_dtype(UNDO)
FACTS_T = from_dtype(FACTS)
MOVES_T = types.Array(types.int32, 1, "C")

State = Any
"""A STATE record inside compiled code."""
Tables = Any
"""The TABLES record."""
Moves = Any
"""An array of int32."""
