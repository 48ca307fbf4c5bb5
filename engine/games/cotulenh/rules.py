"""The verbs of CoTuLenh on a STATE record, ready to call from Python.

`generate(pos, t, work, n) -> n`, `make(pos, t, action, undo, work)`,
`unmake(pos, t, undo)`, `check(pos, t)`. `t` is the record of tables (`tables.T`), `work` one WORK
record, `undo` one UNDO record.
"""

from typing import Any

from numba import types

from engine.bits import u
from engine.games.cotulenh.danger import attacked, in_danger
from engine.games.cotulenh.deploy import load
from engine.games.cotulenh.make import play, resume, take_back
from engine.games.cotulenh.movegen import write_actions
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, UNDO_T, State, Tables
from engine.games.cotulenh.state import NOWHERE
from engine.jit import kernel

I64 = types.int64


@kernel(I64(STATE_T, TABLES_T))
def check(pos: State, t: Tables) -> int:
    """1 if the side to move is attacked at its commander, or has none."""
    sq = pos.commander[u(pos.turn)]
    return 1 if sq == NOWHERE else attacked(pos, t, sq, 1 - pos.turn)


@kernel(types.void(STATE_T, TABLES_T, types.Array(types.int32, 1, "C"), UNDO_T))
def set_up(pos: State, t: Tables, words: Any, undo: Any) -> None:
    """Everything that follows from the words on the board. Turn and counters are the caller's."""
    load(pos, t, words, undo)


generate = write_actions
__all__ = ["attacked", "check", "generate", "in_danger", "make", "resume", "set_up", "unmake"]

make = play
unmake = take_back
