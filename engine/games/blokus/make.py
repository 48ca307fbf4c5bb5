"""Playing a move and taking it back, step by step on every field.

A piece touches at most seven rows: its own and those beside them. In these rows the masks of the
orientation, shifted into place, say what becomes covered, what becomes forbidden to the colour,
and where its new corners are. The frontier lists follow, one entry for each square that enters or
leaves; a list loses a square by putting its last one into the gap.
"""

from typing import Any

from numba import types

from engine.bits import lsb, u
from engine.games.blokus.movegen import can_move
from engine.games.blokus.numba_types import STATE_T, TABLES_T, UNDO_T, State, Tables
from engine.games.blokus.pieces import MONOMINO
from engine.games.blokus.state import CELLS, ROWS
from engine.games.blokus.tables import BOX
from engine.jit import inline, kernel

Undo = Any

ADDED = 1 << 12


@inline
def leave(pos: State, undo: Undo, colour: int, row: int, squares: int) -> None:
    """Take squares of one row out of a frontier list."""
    while squares:
        sq = (row << 5) + lsb(squares)
        slot = int(pos.slot[u(colour * CELLS + sq)])
        last = pos.frontier_count[u(colour)] - 1
        pos.frontier_count[u(colour)] = last
        mover = pos.frontier[u((colour << 8) + last)]
        pos.frontier[u((colour << 8) + slot)] = mover
        pos.slot[u(colour * CELLS + int(mover))] = slot
        undo.edits[u(undo.edit_count)] = (slot << 13) | (colour << 10) | sq
        undo.edit_count += 1
        squares &= squares - 1


@inline
def enter(pos: State, undo: Undo, colour: int, row: int, squares: int) -> None:
    """Put squares of one row at the end of a frontier list."""
    while squares:
        sq = (row << 5) + lsb(squares)
        slot = pos.frontier_count[u(colour)]
        pos.frontier_count[u(colour)] = slot + 1
        pos.frontier[u((colour << 8) + slot)] = sq
        pos.slot[u(colour * CELLS + sq)] = slot
        undo.edits[u(undo.edit_count)] = ADDED | (colour << 10) | sq
        undo.edit_count += 1
        squares &= squares - 1


@inline
def revert_edits(pos: State, undo: Undo) -> None:
    """Undo `leave` and `enter`, last change first."""
    for i in range(undo.edit_count - 1, -1, -1):
        edit = int(undo.edits[u(i)])
        sq, colour, slot = edit & 1023, (edit >> 10) & 3, edit >> 13
        base = colour << 8
        if edit & ADDED:
            pos.frontier_count[u(colour)] -= 1
            continue
        last = pos.frontier_count[u(colour)]
        pos.frontier_count[u(colour)] = last + 1
        if slot != last:
            mover = pos.frontier[u(base + slot)]
            pos.frontier[u(base + last)] = mover
            pos.slot[u(colour * CELLS + int(mover))] = last
        pos.frontier[u(base + slot)] = sq
        pos.slot[u(colour * CELLS + sq)] = slot


@inline
def cover(pos: State, t: Tables, colour: int, move: int, undo: Undo) -> None:
    """Lay a piece on the board."""
    way = move >> 10
    y = ((move & 1023) >> 5) - 1
    x = (move & 31) - 1
    key = pos.key
    for i in range(t.height[u(way)]):
        row = y + i
        cells = int(t.cells[u(way * BOX + i)]) << x
        for c in range(pos.colours):
            at = u(c * ROWS + row)
            closed = int(pos.forbidden[at])
            attach = int(pos.attach[at])
            undo.forbidden[u(c * BOX + i)] = closed
            undo.attach[u(c * BOX + i)] = attach
            closed |= cells
            new = 0
            if c == colour:
                closed |= int(t.edges[u(way * BOX + i)]) << x
                new = (int(t.corners[u(way * BOX + i)]) << x) & ~closed & ~attach
            pos.forbidden[at] = closed
            leave(pos, undo, c, row, attach & closed)
            enter(pos, undo, c, row, new)
            pos.attach[at] = (attach & ~closed) | new
        pos.occupied[u(row)] |= cells
        pos.own[u(colour * ROWS + row)] |= cells
        while cells:
            sq = (row << 5) + lsb(cells)
            pos.cells[u(sq)] = 1 + colour
            key ^= t.zobrist[u(colour * CELLS + sq)]
            cells &= cells - 1
    pos.key = key


@inline
def pass_turn(pos: State, t: Tables, colour: int) -> None:
    """Find the next colour with a legal move after `colour`. Those without one are stuck."""
    n = pos.colours
    for i in range(1, n + 1):
        c = (colour + i) % n
        if (pos.stuck >> c) & 1 == 0:
            if can_move(pos, t, c):
                pos.turn = c
                return
            pos.stuck |= 1 << c
    pos.turn = (colour + 1) % n
    pos.over = 1


@kernel(types.void(STATE_T, TABLES_T, types.int64, UNDO_T))
def play(pos: State, t: Tables, move: int, undo: Undo) -> None:
    """Play a legal move of the colour to move. Set `pos.turn` first to play out of turn; that is
    taken back too."""
    colour = pos.turn
    piece = t.piece[u(move >> 10)]
    undo.edit_count = 0
    undo.move = move
    undo.last = pos.last[u(colour)]
    undo.stuck = pos.stuck
    undo.turn = colour
    undo.over = pos.over
    undo.key = pos.key
    cover(pos, t, colour, move, undo)
    pos.hand[u(colour)] ^= 1 << piece
    pos.squares[u(colour)] += t.piece_size[u(piece)]
    if undo.last == MONOMINO:
        pos.key ^= t.zobrist_last[u(colour)]
    if piece == MONOMINO:
        pos.key ^= t.zobrist_last[u(colour)]
    pos.last[u(colour)] = piece
    pos.ply += 1
    pass_turn(pos, t, colour)
    pos.key ^= t.zobrist_turn[u(colour)] ^ t.zobrist_turn[u(pos.turn)]


@kernel(types.void(STATE_T, TABLES_T, UNDO_T))
def take_back(pos: State, t: Tables, undo: Undo) -> None:
    """The position before `play`."""
    colour = undo.turn
    move = undo.move
    way = move >> 10
    y = ((move & 1023) >> 5) - 1
    x = (move & 31) - 1
    revert_edits(pos, undo)
    for i in range(t.height[u(way)]):
        row = y + i
        cells = int(t.cells[u(way * BOX + i)]) << x
        for c in range(pos.colours):
            pos.forbidden[u(c * ROWS + row)] = undo.forbidden[u(c * BOX + i)]
            pos.attach[u(c * ROWS + row)] = undo.attach[u(c * BOX + i)]
        pos.occupied[u(row)] &= ~cells
        pos.own[u(colour * ROWS + row)] &= ~cells
        while cells:
            pos.cells[u((row << 5) + lsb(cells))] = 0
            cells &= cells - 1
    piece = t.piece[u(way)]
    pos.hand[u(colour)] ^= 1 << piece
    pos.squares[u(colour)] -= t.piece_size[u(piece)]
    pos.last[u(colour)] = undo.last
    pos.stuck = undo.stuck
    pos.turn = colour
    pos.over = undo.over
    pos.key = undo.key
    pos.ply -= 1
