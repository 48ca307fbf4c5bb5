"""Counting leaves level by level, on anything that runs a body for many numbers at once.

From the moves of every position of a level come, by running sums, the places where each position
writes its own; from the moves come the positions of the next level. Moves of the last ply are
counted and not written. A level too large for the memory is done in parts, each down to the leaves
before the next, so that memory stays bounded at any depth. All sums are exact int64.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.backends.runner import Runner, too_little_memory
from engine.device import DeviceRules

Array = Any
"""An array of NumPy or CuPy."""

LEAF_BYTES = 8
"""Bytes of a move whose replies are only counted, more than enough."""
MOST_POSITIONS = 1 << 23
MOST_LEAVES = 1 << 27
"""More at a time would not be faster, and a stop would have to wait for longer."""
MARK = 128
"""Of every so many moves the position is looked up beforehand."""


class Part(NamedTuple):
    """Some positions of a level, and their moves."""

    first: int
    last: int
    """The position after the last one."""
    base: int
    """Moves of the positions before."""
    moves: int


class Levels:
    """Leaves below one position. Between parts `stopped()` is asked, and once it says yes, the
    number returned means nothing; `on_leaves` gets a function that tells the leaves so far, some of
    them perhaps twice."""

    def __init__(
        self,
        runner: Runner,
        stopped: Callable[[], bool] = lambda: False,
        on_leaves: Callable[[Callable[[], int]], None] = lambda leaves: None,
    ) -> None:
        self._runner = runner
        self._rules: DeviceRules = runner.rules
        self._stopped = stopped
        self._on_leaves = on_leaves
        self._leaves = MOST_LEAVES
        self._positions = MOST_POSITIONS
        self._seen = runner.xp.zeros((), np.int64)

    def count(self, position: Sequence[int], colour: int, depth: int) -> int:
        """Leaves `depth` >= 1 plies below. Blocks. Raises BackendError when the memory does not
        suffice for the smallest parts."""
        xp = self._runner.xp
        self._divide_memory(depth)
        boards = xp.asarray(np.array(position, np.int64))
        try:
            counts = xp.empty(1, self._rules.count)
            self._runner.run("count", colour, 1, boards, 1, counts)
            return int(self._below(boards, counts, colour, depth))
        except MemoryError as problem:
            raise too_little_memory() from problem

    def _divide_memory(self, depth: int) -> None:
        """Half of what is free, a quarter for the leaves and a quarter for the levels above."""
        # The move, the position it leads to, the number of its replies, and their running sum. A
        # copy of the last is there while it is worked out.
        rules, quarter = self._rules, self._runner.free() // 4
        each = np.dtype(rules.move).itemsize + 8 * rules.words + np.dtype(rules.count).itemsize + 24
        self._positions = min(MOST_POSITIONS, quarter // max(depth - 2, 1) // each)
        self._leaves = min(MOST_LEAVES, quarter // LEAF_BYTES)

    def _below(self, boards: Array, counts: Array, colour: int, depth: int) -> Array:
        """Leaves below a level whose moves are counted, as an array of no dimension. Raises
        MemoryError."""
        xp = self._runner.xp
        if depth == 1:
            return counts.sum(dtype=np.int64)
        ends = xp.cumsum(counts, dtype=np.int64)
        total = xp.zeros((), np.int64)
        todo = self._cut(ends, Part(0, len(ends), 0, int(ends[-1])), depth)
        while todo and not self._stopped():
            part = todo.pop()
            try:
                total += self._leaves_of(part, boards, ends, counts, colour, depth)
                continue
            except MemoryError:
                # Arrays of the attempt live until this block is left: go on below.
                pass
            self._runner.tidy()
            todo += self._halves(ends, part, depth)
        return total

    def _leaves_of(
        self, part: Part, boards: Array, ends: Array, counts: Array, colour: int, depth: int
    ) -> Array:
        """Leaves below some positions of a level."""
        xp, run, rules = self._runner.xp, self._runner.run, self._rules
        first, last, base, m = part
        n = len(counts)
        moves = xp.empty(m, rules.move)
        run("write", colour, last - first, boards, n, first, base, ends, counts, moves)
        if depth == 2 and "leaves" in rules.bodies:
            found = xp.empty(last - first, np.int64)
            run("leaves", colour, last - first, boards, n, first, base, ends, counts, moves, found)
            return self._note(found)
        numbers = base + xp.arange(0, m + MARK, MARK, dtype=np.int64)
        marks = xp.minimum(xp.searchsorted(ends, numbers, side="right"), last - 1)
        found = xp.empty(m, rules.count)
        if depth == 2:
            run("leaf", colour, m, boards, n, base, ends, marks, moves, found)
            return self._note(found)
        children = xp.empty(rules.words * m, np.int64)
        run("make", colour, m, boards, n, base, ends, marks, moves, children, m, found)
        del moves, marks
        other = rules.colours[colour - 1]  # of one colour the same
        return self._below(children, found, other, depth - 1)

    def _note(self, found: Array) -> Array:
        """The sum of some leaves."""
        total = found.sum(dtype=np.int64)
        self._seen += total
        self._on_leaves(lambda: int(self._seen))
        return total

    def _room(self, depth: int) -> int:
        """Moves that a part may have, but for those of one position."""
        limit = self._leaves if depth == 2 else self._positions
        return max(limit - self._rules.most, limit // 2, 1)

    def _halves(self, ends: Array, part: Part, depth: int) -> list[Part]:
        """A part that did not fit, in two; later ones will not be so large. Raises MemoryError if
        it cannot be cut."""
        first, last, base, moves = part
        if last - first == 1:
            raise MemoryError
        if depth == 2:
            self._leaves = min(self._leaves, moves // 2)
        else:
            self._positions = min(self._positions, moves // 2)
        middle = (first + last) // 2
        before = int(ends[middle - 1])
        halves = [
            Part(first, middle, base, before - base),
            Part(middle, last, before, base + moves - before),
        ]
        return [half for half in halves if half.moves]

    def _cut(self, ends: Array, part: Part, depth: int) -> list[Part]:
        """The same positions in parts of equal size, as large as may be; without those that have no
        moves."""
        xp = self._runner.xp
        first, last, base, moves = part
        pieces = min(-(-moves // self._room(depth)), last - first)
        if pieces <= 1:
            return [part] if moves else []
        marks = base + xp.arange(1, pieces, dtype=np.int64) * (-(-moves // pieces))
        cuts = first + xp.searchsorted(ends[first:last], marks, side="right")
        before = xp.where(cuts > first, ends[cuts - 1], base)
        borders = [first, *cuts.tolist(), last]
        done = [base, *before.tolist(), base + moves]
        return [
            Part(borders[k], borders[k + 1], done[k], done[k + 1] - done[k])
            for k in range(pieces)
            if done[k + 1] > done[k]
        ]
