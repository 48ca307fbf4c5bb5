"""Numba's names for the records of the CoTuLenh kernels."""

from typing import Any

from numba import from_dtype

from engine.games.cotulenh.records import FACTS, UNDO, WORK
from engine.games.cotulenh.state import STATE
from engine.games.cotulenh.tables import TABLES

STATE_T = from_dtype(STATE)
TABLES_T = from_dtype(TABLES)
UNDO_T = from_dtype(UNDO)
WORK_T = from_dtype(WORK)
FACTS_T = from_dtype(FACTS)

State = Any
"""A STATE record inside compiled code."""
Tables = Any
"""The TABLES record."""
Undo = Any
"""An UNDO record."""
Work = Any
"""A WORK record."""
