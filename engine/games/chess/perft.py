"""Counting leaves: the boards go down the tree in registers, mailbox and lists beside them."""

from numba import types

from engine.bits import atomic_load
from engine.games.chess.attacks import Tables
from engine.games.chess.make import State, move_pieces, put_back
from engine.games.chess.movegen import Boards, Moves, child_boards, count_moves, write_moves
from engine.games.chess.numba_types import BOARDS_T, MOVES_T, STATE_T, TABLES_T
from engine.jit import kernel

I64 = types.int64


@kernel(I64(I64, TABLES_T, BOARDS_T, STATE_T, MOVES_T, I64, I64, I64, I64))
def perft(
    colour: int,
    t: Tables,
    boards: Boards,
    pos: State,
    moves: Moves,
    n: int,
    depth: int,
    bulk: int,
    control: int,
) -> int:
    """Leaves `depth` > `bulk` plies down. `moves` is free from index n on.

    With `bulk` 1 the moves of the last ply are counted and not made, with 0 every move is made.
    Once the stop flag at address `control` is set, the number returned means nothing.
    """
    if depth > 3 and atomic_load(control):
        return 0
    end = write_moves(colour, t, boards, moves, n, -1)
    total = 0
    for i in range(n, end):
        move = int(moves[i])
        child = child_boards(colour, t, boards, move)
        trace = move_pieces(pos, move)
        if depth == 2 and bulk:
            total += count_moves(1 - colour, t, child)
        elif depth == 1:
            total += 1
        else:
            total += perft(1 - colour, t, child, pos, moves, end, depth - 1, bulk, control)
        put_back(pos, move, trace)
    return total
