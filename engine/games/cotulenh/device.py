"""Counting leaves on a graphics card: what one of its threads does.

A level is one STATE record after the other, and arrays are given by their addresses.
`engine.device` says what each body is for; `RULES` is what `engine/backends` gets.
"""

from collections.abc import Iterator

import numpy as np
from numba import types

from engine.alphabeta import MAX_PLY
from engine.bits import at, u
from engine.device import Child, DeviceRules
from engine.games.cotulenh.make import play, take_back
from engine.games.cotulenh.movegen import write_actions
from engine.games.cotulenh.numba_types import TABLES_T, State, Tables
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.records import UNDO, WORK
from engine.games.cotulenh.rules import make
from engine.games.cotulenh.state import MAX_ACTIONS, STATE
from engine.games.cotulenh.tables import T
from engine.jit import inline
from engine.threads import copy_words, owner

BYTES = STATE.itemsize
UNDO_BYTES = UNDO.itemsize
WORK_BYTES = WORK["replay"].itemsize + WORK["spare"].itemsize + 2 * 4 * MAX_ACTIONS
"""The part of a WORK record that is used: the list that `play` overwrites and one more."""


@inline
def write(pos: State, t: Tables, scratch: int) -> int:
    """Write the actions of a position into the second list, and return their number."""
    return write_actions(pos, t, at(scratch + UNDO_BYTES, WORK), MAX_ACTIONS) - MAX_ACTIONS


@inline
def count_one(
    colour: int, i: int, t: Tables, scratch: int, boards: int, capacity: int, counts: int
) -> None:
    """The number of actions of position i."""
    at(counts, np.uint16)[u(i)] = write(at(boards + i * BYTES, STATE), t, scratch)


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
    """The actions of position `first + i`."""
    p = first + i
    n = write(at(boards + p * BYTES, STATE), t, scratch)
    start = at(ends, np.int64)[u(p)] - n - base
    actions = at(scratch + UNDO_BYTES, WORK).actions
    for k in range(n):
        at(moves, np.int32)[u(start + k)] = actions[u(MAX_ACTIONS + k)]


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
    """The position after action j, and the number of its actions."""
    parent = owner(at(ends, np.int64), at(marks, np.int64), base, j)
    child = children + j * BYTES
    copy_words(child, boards + parent * BYTES, BYTES >> 3)
    pos = at(child, STATE)
    undo, work = at(scratch, UNDO), at(scratch + UNDO_BYTES, WORK)
    play(pos, t, int(at(moves, np.int32)[u(j)]), undo, work)
    at(counts, np.uint16)[u(j)] = write(pos, t, scratch)


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
    """The number of actions after all those of position `first + i`, each played on the position
    itself and taken back."""
    p = first + i
    pos = at(boards + p * BYTES, STATE)
    undo, work = at(scratch, UNDO), at(scratch + UNDO_BYTES, WORK)
    end = at(ends, np.int64)[u(p)] - base
    total = 0
    for k in range(end - int(at(counts, np.uint16)[u(p)]), end):
        play(pos, t, int(at(moves, np.int32)[u(k)]), undo, work)
        total += write(pos, t, scratch)
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
    for action in position.legal():
        child, work = position.state.copy(), np.zeros(1, WORK)[0]
        make(child, T, action, np.zeros(1, UNDO)[0], work)
        yield action, np.frombuffer(child.tobytes(), np.int64).tolist(), 0


RULES = DeviceRules(
    name="cotulenh",
    bodies=BODIES,
    tables=lambda: T,
    children=children,
    words=BYTES >> 3,
    move=np.int32,
    count=np.uint16,
    most=MAX_ACTIONS,
    shallow=2,
    deepest=MAX_PLY - 1,
    scratch=UNDO_BYTES + WORK_BYTES,
)
