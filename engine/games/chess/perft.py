"""Counting leaves: the boards go down the tree in registers, mailbox and lists beside them.

The optional hash table keeps counts by position and depth. A slot is two words, the second the
count, the first the second half of a 128-bit key, mixed with the count. The first half of the key
picks the slot. Both halves are made by multiplication from all ten boards, so that two positions
that fit together in some pattern of bits still get unrelated keys; and as everything but the
index is compared, a wrong count needs an accident of 64 bits among the positions of one slot.
"""

from numba import types

from engine.bits import atomic_load, load, shr, store
from engine.divide import MOST_LEAVES
from engine.games.chess.attacks import Tables
from engine.games.chess.make import move_pieces, put_back
from engine.games.chess.movegen import Boards, Moves, child_boards, count_moves, write_moves
from engine.games.chess.numba_types import BOARDS_T, MOVES_T, STATE_T, TABLES_T, State
from engine.jit import inline, kernel

I64 = types.int64


@inline
def perft_key(boards: Boards, salt: int) -> tuple[int, int]:
    """Two independent 64-bit keys of a position at a depth."""
    a = salt * 0x1E3779B97F4A7C15
    b = salt * 0x7F51AFD7ED558CCD
    for i in range(10):
        a = (a ^ boards[i]) * 0x5851F42D4C957F2D
        a ^= shr(a, 29)
        b = (b + boards[i]) * 0x14057B7EF767814F
        b ^= shr(b, 32)
    return shr(a, 11), b


@kernel(I64(I64, TABLES_T, BOARDS_T, STATE_T, MOVES_T, I64, I64, I64, I64, I64, I64))
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
    table: int,
    slots: int,
) -> int:
    """Leaves `depth` > `bulk` plies down. `moves` is free from index n on.

    With `bulk` 1 the moves of the last ply are counted and not made, with 0 every move is made.
    More leaves than int64 holds, which only a hash table makes possible, give MOST_LEAVES. Once the
    stop flag at address `control` is set, the number returned means nothing. `table` is
    the address of a hash table of `slots` slots, a power of two, or 0 for none.
    """
    if depth > 3 and atomic_load(control):
        return 0
    slot = 0
    check = 0
    if slots and depth > 2:
        index, check = perft_key(boards, colour + 2 * depth)
        slot = table + ((index & (slots - 1)) << 4)
        known = load(slot + 8)
        if known and load(slot) ^ known == check:
            return known
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
            total += perft(
                1 - colour, t, child, pos, moves, end, depth - 1, bulk, control, table, slots
            )
            if total < 0:
                total = MOST_LEAVES
        put_back(pos, move, trace)
    if slots and depth > 2 and not atomic_load(control):
        store(slot, check ^ total)
        store(slot + 8, total)
    return total
