"""The verbs of chess on a STATE record, ready to call from Python.

`generate(pos, t, moves) -> n`, `count(pos, t) -> n`, `make(pos, t, move, undo)`,
`unmake(pos, undo)`, `checkers(pos, t) -> bits`: the contract of `engine/README.md`. `t` is the
record of tables (`tables.T`), `moves` an array of uint16 with room for MAX_MOVES, `undo` one UNDO
record.
"""

from numba import types

from engine.bits import popcount
from engine.games.chess.attacks import Tables
from engine.games.chess.make import load_boards, play, take_back
from engine.games.chess.movegen import Moves, attackers, count_moves, write_moves
from engine.games.chess.numba_types import MOVES_T, STATE_T, TABLES_T, State
from engine.jit import inline, kernel

I64 = types.int64

LIGHT = 0x55AA55AA55AA55AA
"""The light squares."""


@kernel(I64(STATE_T, TABLES_T, MOVES_T))
def generate(pos: State, t: Tables, moves: Moves) -> int:
    """Write the legal moves into `moves[:n]`, each once, in a fixed order."""
    return write_moves(pos.turn, t, load_boards(pos), moves, 0, -1)


@kernel(I64(STATE_T, TABLES_T))
def count(pos: State, t: Tables) -> int:
    """Number of legal moves."""
    return count_moves(pos.turn, t, load_boards(pos))


make = play
unmake = take_back


@kernel(I64(STATE_T, TABLES_T))
def checkers(pos: State, t: Tables) -> int:
    """The enemy pieces that give check, as a bitboard."""
    return attackers(pos.turn, t, load_boards(pos))


@inline
def is_dead(pos: State) -> bool:
    """Whether no sequence of moves can lead to mate: bare kings, one minor piece, or bishops of
    one colour of square."""
    if pos.pawns | pos.lines:
        return False
    if pos.knights:
        return popcount(pos.us | pos.them) == 3
    return pos.diagonals & LIGHT == 0 or pos.diagonals & ~LIGHT == 0


@kernel(types.boolean(STATE_T))
def insufficient(pos: State) -> bool:
    """`is_dead` for Python."""
    return is_dead(pos)
