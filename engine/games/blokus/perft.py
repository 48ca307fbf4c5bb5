"""Counting leaves."""

from typing import Any

from numba import types

from engine.bits import atomic_load, u
from engine.games.blokus.make import play, take_back
from engine.games.blokus.movegen import count_moves, write_moves
from engine.games.blokus.numba_types import MOVES_T, STATE_T, TABLES_T, UNDO_T, Moves, State, Tables
from engine.jit import kernel

I64 = types.int64


@kernel(I64(STATE_T, TABLES_T, I64, MOVES_T, I64, types.Array(UNDO_T, 1, "C"), I64))
def perft(pos: State, t: Tables, depth: int, moves: Moves, base: int, undos: Any, stop: int) -> int:
    """Leaves `depth` plies down. `moves` has room for MAX_MOVES a ply from index `base` on, `undos`
    for one record a ply; `stop` is the address of the stop flag."""
    if pos.over:
        return 0
    if depth == 1:
        return count_moves(pos, t, pos.turn)
    n = write_moves(pos, t, pos.turn, moves[base:])
    total = 0
    for i in range(n):
        play(pos, t, int(moves[u(base + i)]), undos[u(depth)])
        total += perft(pos, t, depth - 1, moves, base + n, undos, stop)
        take_back(pos, t, undos[u(depth)])
        if atomic_load(stop):
            break
    return total
