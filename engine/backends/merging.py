"""Equal positions of a level made one, which remembers how many ways lead to it.

Sorted by a key that equal positions have in common, they become neighbours, and the game compares
neighbours with all that decides about their moves. So the result is exact: positions that differ
and happen to share a key can only keep equal ones apart.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.backends.runner import Runner
from engine.divide import MOST_LEAVES, too_many

Array = Any
"""An array of NumPy or CuPy."""

MERGE_BYTES = 96
"""Bytes of a position for its key, its place in the order and sums, more than enough. Beside them
lie its words, and once more if it is kept."""


class Level(NamedTuple):
    """Positions that are equally far from the root."""

    boards: Array
    """As the game lays them out."""
    counts: Array
    """Moves of each."""
    ways: Array | None = None
    """How many ways lead to each, int64; None where it is one each."""


def merged(runner: Runner, colour: int, level: Level) -> Level:
    """The same level without repetitions; itself if there are none. Raises MemoryError."""
    xp, rules = runner.xp, runner.rules
    n = len(level.counts)
    keys = xp.empty(n, np.int64)
    runner.run("key", colour, n, level.boards, n, keys)
    order = xp.argsort(keys)
    del keys
    fresh = xp.empty(n, np.uint8)
    runner.run("fresh", colour, n, level.boards, n, order, fresh)
    firsts = xp.flatnonzero(fresh)
    if len(firsts) == n:
        return level
    if level.ways is None:
        ways = xp.diff(firsts, append=n)
    else:
        running = xp.cumsum(level.ways[order])
        ways = xp.diff(running[xp.append(firsts[1:], n) - 1], prepend=0)
    kept = order[firsts]
    shape, axis = ((rules.words, n), 1) if rules.by_word else ((n, rules.words), 0)
    boards = xp.take(level.boards.reshape(shape), kept, axis=axis).ravel()
    return Level(boards, level.counts[kept], ways)


def ways_to_children(xp: Any, ways: Array | None, ends: Array, base: int, moves: int) -> Any:
    """How many ways lead to the positions after some moves, those from number `base` on. `ends` is
    the running sum of the moves of the level."""
    if ways is None:
        return None
    numbers = xp.arange(base, base + moves, dtype=np.int64)
    return ways[xp.searchsorted(ends, numbers, side="right")]


def sums_by_position(xp: Any, found: Array, ends: Array) -> Array:
    """Of numbers found for moves the sums for each position. `ends` says where its moves end."""
    running = xp.cumsum(found, dtype=np.int64)
    return xp.diff(xp.where(ends > 0, running[ends - 1], 0), prepend=0)


def weighed(numbers: Array, ways: Array) -> Array:
    """The sum of numbers, each as often as there are ways, as an array of no dimension. Raises
    EngineError if it does not fit into int64."""
    if (
        float((numbers * ways.astype(np.float64)).sum()) > 0.999 * MOST_LEAVES
    ):  # a sum of rounded numbers
        raise too_many()
    return (numbers * ways).sum()
