"""The verbs of Blokus on a STATE record, ready to call from Python.

`generate(pos, t, colour, moves) -> n`, `count(pos, t, colour) -> n`, `make(pos, t, move, undo)`,
`unmake(pos, t, undo)`. Any colour may be asked for its moves, whoever is to move; `make` plays for
`pos.turn`. `t` is the record of tables (`tables.T`), `moves` an array of int32 with room for
MAX_MOVES, `undo` one UNDO record.
"""

from numba import types

from engine.games.blokus.make import play, take_back
from engine.games.blokus.movegen import count_moves, write_moves
from engine.games.blokus.numba_types import MOVES_T, STATE_T, TABLES_T, Moves, State, Tables
from engine.jit import kernel

I64 = types.int64


@kernel(I64(STATE_T, TABLES_T, I64, MOVES_T))
def generate(pos: State, t: Tables, colour: int, moves: Moves) -> int:
    """Write the legal moves of a colour into `moves[:n]`, each once."""
    return write_moves(pos, t, colour, moves)


@kernel(I64(STATE_T, TABLES_T, I64))
def count(pos: State, t: Tables, colour: int) -> int:
    """Number of legal moves of a colour."""
    return count_moves(pos, t, colour)


make = play
unmake = take_back
