"""Counting leaves on a graphics card: what one of its threads does.

A level is one STATE record after the other, and arrays are given by their addresses.
`engine.device` says what each body is for; `RULES` is what `engine/backends` gets.
"""

from collections.abc import Iterator

import numpy as np
from numba import types

from engine.bits import at, u
from engine.device import Child, DeviceRules
from engine.games.blokus.divide import DEEPEST
from engine.games.blokus.make import play, take_back
from engine.games.blokus.movegen import count_moves, earlier, played, status, window
from engine.games.blokus.numba_types import TABLES_T, State, Tables
from engine.games.blokus.position import Position
from engine.games.blokus.records import UNDO
from engine.games.blokus.rules import make
from engine.games.blokus.state import MAX_MOVES, ROWS, STATE
from engine.games.blokus.tables import T
from engine.jit import inline
from engine.threads import copy_words, owner

BYTES = STATE.itemsize


@inline
def count(pos: State, t: Tables) -> int:
    """The number of moves of the colour to move; none when the game is over."""
    return 0 if pos.over else count_moves(pos, t, pos.turn)


@inline
def count_one(
    colour: int, i: int, t: Tables, scratch: int, boards: int, capacity: int, counts: int
) -> None:
    """The number of moves of position i."""
    at(counts, np.uint16)[u(i)] = count(at(boards + i * BYTES, STATE), t)


@inline
def write_one(
    colour: int,
    i: int,
    t: Tables,
    scratch: int,
    boards: int,
    capacity: int,
    first: int,
    base: int,
    ends: int,
    counts: int,
    moves: int,
) -> None:
    """The moves of position `first + i`, in the order of `movegen.write_moves`, which writes one
    word too many: here that would be a move of the next position."""
    p = first + i
    number = int(at(counts, np.uint16)[u(p)])
    if number == 0:
        return
    pos, found = at(boards + p * BYTES, STATE), at(moves, np.int32)
    n = at(ends, np.int64)[u(p)] - number - base
    side = pos.turn
    gone = played(pos, side)
    for k in range(pos.frontier_count[u(side)]):
        sq = int(pos.frontier[u((side << 8) + k)])
        blocked = gone | window(pos.forbidden, side * ROWS, sq)
        blocked |= earlier(pos.attach, side * ROWS, sq)
        kind = status(blocked)
        for way in range(t.first[u(kind)], t.first[u(kind + 1)]):
            if t.ways[u(way)] & blocked == 0:
                found[u(n)] = t.step[u(way)] + sq
                n += 1


@inline
def make_one(
    colour: int,
    j: int,
    t: Tables,
    scratch: int,
    boards: int,
    capacity: int,
    base: int,
    ends: int,
    marks: int,
    moves: int,
    children: int,
    room: int,
    counts: int,
) -> None:
    """The position after move j, and the number of its moves."""
    parent = owner(at(ends, np.int64), at(marks, np.int64), base, j)
    child = children + j * BYTES
    copy_words(child, boards + parent * BYTES, BYTES >> 3)
    pos = at(child, STATE)
    play(pos, t, int(at(moves, np.int32)[u(j)]), at(scratch, UNDO))
    at(counts, np.uint16)[u(j)] = count(pos, t)


@inline
def leaves_one(
    colour: int,
    i: int,
    t: Tables,
    scratch: int,
    boards: int,
    capacity: int,
    first: int,
    base: int,
    ends: int,
    counts: int,
    moves: int,
    sums: int,
) -> None:
    """The number of moves after all those of position `first + i`, each played on the position
    itself and taken back."""
    p = first + i
    pos, undo = at(boards + p * BYTES, STATE), at(scratch, UNDO)
    end = at(ends, np.int64)[u(p)] - base
    total = 0
    for k in range(end - int(at(counts, np.uint16)[u(p)]), end):
        play(pos, t, int(at(moves, np.int32)[u(k)]), undo)
        total += count(pos, t)
        take_back(pos, t, undo)
    at(sums, np.int64)[u(i)] = total


_I64 = types.int64
_POSITIONS = (TABLES_T, _I64, _I64, _I64)

BODIES = {
    "count": (count_one, (*_POSITIONS, _I64)),
    "write": (write_one, (*_POSITIONS, *(_I64,) * 5)),
    "make": (make_one, (*_POSITIONS, *(_I64,) * 7)),
    "leaves": (leaves_one, (*_POSITIONS, *(_I64,) * 6)),
}


def children(position: Position) -> Iterator[Child]:
    """See `DeviceRules.children`."""
    for move in [] if position.over else position.legal(position.turn):
        child = position.copy()
        make(child, T, move, np.zeros(1, UNDO)[0])
        yield move, np.frombuffer(child.tobytes(), np.int64).tolist(), 0


RULES = DeviceRules(
    name="blokus",
    bodies=BODIES,
    tables=lambda: T,
    children=children,
    words=BYTES >> 3,
    move=np.int32,
    count=np.uint16,
    most=MAX_MOVES,
    shallow=2,
    deepest=DEEPEST,
    scratch=UNDO.itemsize,
)
