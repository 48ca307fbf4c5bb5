"""Bodies that work on whole records.

`counting` makes those of a game whose position is a record, too large to copy for each leaf. A
level is one record after the other, and arrays are given by their addresses. A thread has memory
of its own, `scratch`, for what the game's functions need:

    count(pos, t, scratch) -> n             the number of moves
    write(pos, t, scratch, moves, n)        write the moves from moves[n] on, and no more
    play(pos, t, scratch, move)             play a move, and keep what take-back needs
    take_back(pos, t, scratch)              take it back
    same(pos, other)                        whether all is equal that decides about moves to come

A position has a field `key` that is equal in such positions.

`examining` makes the one that finds the facts of a position, a record too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from engine.bits import at, u
from engine.device import Bodies
from engine.jit import inline
from engine.threads import copy_words, owner

I64 = types.int64


def counting(
    state: np.dtype[Any],
    tables: Any,
    count: Callable[..., int],
    write: Callable[..., None],
    play: Callable[..., None],
    take_back: Callable[..., None],
    same: Callable[..., bool],
) -> Bodies:
    """What `DeviceRules.bodies` asks for, from the NumPy type of a position, Numba's type of the
    tables, and the game's functions, all of them inlined."""
    size = state.itemsize
    words = size >> 3

    @inline
    def count_one(
        colour: int, i: int, t: Any, scratch: int, boards: int, capacity: int, counts: int
    ) -> None:
        at(counts, np.uint16)[u(i)] = count(at(boards + i * size, state), t, scratch)

    @inline
    def write_one(
        colour: int, i: int, t: Any, scratch: int, boards: int, capacity: int,
        first: int, base: int, ends: int, counts: int, moves: int,
    ) -> None:  # fmt: skip
        p = first + i
        start = at(ends, np.int64)[u(p)] - int(at(counts, np.uint16)[u(p)]) - base
        write(at(boards + p * size, state), t, scratch, at(moves, np.int32), start)

    @inline
    def make_one(
        colour: int, j: int, t: Any, scratch: int, boards: int, capacity: int,
        base: int, ends: int, marks: int, moves: int, children: int, room: int, counts: int,
    ) -> None:  # fmt: skip
        parent = owner(at(ends, np.int64), at(marks, np.int64), base, j)
        child = children + j * size
        copy_words(child, boards + parent * size, words)
        pos = at(child, state)
        play(pos, t, scratch, int(at(moves, np.int32)[u(j)]))
        at(counts, np.uint16)[u(j)] = count(pos, t, scratch)

    @inline
    def leaves_one(
        colour: int, i: int, t: Any, scratch: int, boards: int, capacity: int,
        first: int, base: int, ends: int, counts: int, moves: int, sums: int,
    ) -> None:  # fmt: skip
        p = first + i
        pos = at(boards + p * size, state)
        end = at(ends, np.int64)[u(p)] - base
        total = 0
        for k in range(end - int(at(counts, np.uint16)[u(p)]), end):
            play(pos, t, scratch, int(at(moves, np.int32)[u(k)]))
            total += count(pos, t, scratch)
            take_back(pos, t, scratch)
        at(sums, np.int64)[u(i)] = total

    @inline
    def key_one(
        colour: int, i: int, t: Any, scratch: int, boards: int, capacity: int, keys: int
    ) -> None:
        at(keys, np.int64)[u(i)] = at(boards + i * size, state).key

    @inline
    def fresh_one(
        colour: int, i: int, t: Any, scratch: int, boards: int, capacity: int,
        order: int, fresh: int,
    ) -> None:  # fmt: skip
        a = boards + at(order, np.int64)[u(i)] * size
        b = boards + at(order, np.int64)[u(max(i - 1, 0))] * size
        at(fresh, np.uint8)[u(i)] = i == 0 or not same(at(a, state), at(b, state))

    positions = (tables, I64, I64, I64)
    return {
        "count": (count_one, (*positions, I64)),
        "write": (write_one, (*positions, *(I64,) * 5)),
        "make": (make_one, (*positions, *(I64,) * 7)),
        "leaves": (leaves_one, (*positions, *(I64,) * 6)),
        "key": (key_one, (*positions, I64)),
        "fresh": (fresh_one, (*positions, I64, I64)),
    }


def examining(
    state: np.dtype[Any],
    facts: np.dtype[Any],
    tables: Any,
    examine: Callable[..., None],
) -> Bodies:
    """What `DeviceFacts.bodies` asks for, from the game's `examine(pos, t, scratch, found)`, which
    fills a record of facts that was zero. It is inlined."""
    size, room = state.itemsize, facts.itemsize

    @inline
    def examine_one(colour: int, i: int, t: Any, scratch: int, states: int, found: int) -> None:
        examine(at(states + i * size, state), t, scratch, at(found + i * room, facts))

    return {"examine": (examine_one, (tables, I64, I64, I64))}
