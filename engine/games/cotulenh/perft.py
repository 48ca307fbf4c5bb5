"""Counting leaves."""

from typing import Any

from numba import types

from engine.bits import atomic_load, u
from engine.games.cotulenh.make import play, take_back
from engine.games.cotulenh.movegen import write_actions
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, UNDO_T, WORK_T, State, Tables, Work
from engine.games.cotulenh.state import MAX_ACTIONS
from engine.jit import kernel

I64 = types.int64


@kernel(I64(STATE_T, TABLES_T, I64, types.Array(UNDO_T, 1, "C"), WORK_T, I64))
def perft(pos: State, t: Tables, depth: int, undos: Any, work: Work, stop: int) -> int:
    """Leaves `depth` actions down, at most MAX_PLY. `undos` has a record for each depth from 1 on;
    `stop` is the address of the stop flag."""
    first = depth * MAX_ACTIONS
    end = write_actions(pos, t, work, first)
    if depth == 1:
        return end - first
    total = 0
    for i in range(first, end):
        play(pos, t, int(work.actions[u(i)]), undos[u(depth)], work)
        total += perft(pos, t, depth - 1, undos, work, stop)
        take_back(pos, t, undos[u(depth)])
        if atomic_load(stop):
            break
    return total
