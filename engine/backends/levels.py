"""Counting leaves level by level, on anything that runs a body for many numbers at once.

From the moves of every position of a level come, by running sums, the places where each position
writes its own; from the moves come the positions of the next level. Moves of the last ply are
counted and not written. A level too large for the memory is done in parts, each down to the leaves
before the next, so that memory stays bounded at any depth. All sums are exact int64.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

Array = Any
"""An array of NumPy or CuPy."""

POSITION_BYTES = 16
"""Bytes of a move of an inner level besides the position it leads to: the move, the number of its
replies, their running sum. A copy of the last is there while it is worked out."""
LEAF_BYTES = 8
"""Bytes of a move whose replies are only counted, more than enough."""
MOST_POSITIONS = 1 << 23
MOST_LEAVES = 1 << 27
"""More at a time would not be faster, and a stop would have to wait for longer."""
MARK = 128
"""Of every so many moves the position is looked up beforehand."""
SLACK = 256
"""More moves than any position has."""


class Runner(Protocol):
    """What runs the bodies `count`, `write`, `make` and `leaf` of a game."""

    @property
    def xp(self) -> Any:
        """The array module, numpy or cupy."""

    @property
    def words(self) -> int:
        """Words of a position."""

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        """`body(colour, i, tables, *arguments)` for each i < n."""

    def free(self) -> int:
        """Bytes of memory that arrays may take."""


class Levels:
    """Leaves below one position. `stopped()` is asked between parts; once it says yes, the number
    returned means nothing."""

    def __init__(self, runner: Runner, stopped: Callable[[], bool] = lambda: False) -> None:
        self._runner = runner
        self._stopped = stopped
        self._leaves = MOST_LEAVES
        self._positions = MOST_POSITIONS

    def count(self, position: Sequence[int], colour: int, depth: int) -> int:
        """Leaves `depth` >= 1 plies below. Blocks."""
        xp = self._runner.xp
        half = self._runner.free() // 2
        each = 8 * self._runner.words + POSITION_BYTES + 8
        self._positions = min(MOST_POSITIONS, half // 2 // max(depth - 2, 1) // each)
        self._leaves = min(MOST_LEAVES, half // 2 // LEAF_BYTES)
        boards = xp.asarray(np.array(position, np.int64))
        counts = xp.empty(1, np.uint8)
        self._runner.run("count", colour, 1, boards, 1, counts)
        return int(self._below(boards, counts, colour, depth))

    def _below(self, boards: Array, counts: Array, colour: int, depth: int) -> Array:
        """Leaves below a level whose moves are counted, as an array of no dimension."""
        xp, run = self._runner.xp, self._runner.run
        if depth == 1:
            return counts.sum(dtype=np.int64)
        n = len(counts)
        ends = xp.cumsum(counts, dtype=np.int64)
        total = xp.zeros((), np.int64)
        for first, last, base, m in self._parts(ends, depth):
            if self._stopped():
                break
            moves, found = xp.empty(m, np.uint16), xp.empty(m, np.uint8)
            run("write", colour, last - first, boards, n, first, base, ends, counts, moves)
            numbers = base + xp.arange(0, m + MARK, MARK, dtype=np.int64)
            marks = xp.minimum(xp.searchsorted(ends, numbers, side="right"), last - 1)
            if depth == 2:
                run("leaf", colour, m, boards, n, base, ends, marks, moves, found)
                total += found.sum(dtype=np.int64)
            else:
                children = xp.empty(self._runner.words * m, np.int64)
                run("make", colour, m, boards, n, base, ends, marks, moves, children, m, found)
                del moves, marks
                total += self._below(children, found, 1 - colour, depth - 1)
        return total

    def _parts(self, ends: Array, depth: int) -> Iterator[tuple[int, int, int, int]]:
        """(first position, position after the last, moves before, moves) of each part."""
        xp = self._runner.xp
        total = int(ends[-1])
        if total == 0:
            return
        room = max(self._leaves if depth == 2 else self._positions, 2 * SLACK) - SLACK
        parts = -(-total // room)
        size = -(-total // parts)
        marks = xp.arange(1, parts, dtype=np.int64) * size
        cuts = xp.searchsorted(ends, marks, side="right")
        before = ends[cuts - 1] if parts > 1 else marks
        borders = [0, *cuts.tolist(), len(ends)]
        done = [0, *before.tolist(), total]
        for k in range(parts):
            if done[k + 1] > done[k]:
                yield borders[k], borders[k + 1], done[k], done[k + 1] - done[k]
