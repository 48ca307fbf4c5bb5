"""Counting leaves level by level, on anything that runs a body for many numbers at once.

From the moves of every position of a level come, by running sums, the places where each position
writes its own; from the moves come the positions of the next level. Moves of the last ply are
counted and not written. A level too large for the memory is done in parts, each down to the leaves
before the next, so that memory stays bounded at any depth. All sums are exact int64.

Where it is asked for, equal positions of a part are merged (`merging`), in each level that has so
many plies left below it that this pays: `DeviceRules.merge`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine.backends.merging import (
    MERGE_BYTES,
    Array,
    Level,
    merged,
    sums_by_position,
    ways_to_children,
    weighed,
)
from engine.backends.runner import Runner, too_little_memory
from engine.device import DeviceRules
from engine.divide import too_many

LEAF_BYTES, WEIGHED_LEAF_BYTES = 8, 32
"""Bytes of a move whose replies are only counted, more than enough; and where equal positions were
merged."""
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
        merge: bool = False,
    ) -> None:
        self._runner = runner
        self._rules: DeviceRules = runner.rules
        self._stopped = stopped
        self._on_leaves = on_leaves
        self._merge = merge
        self._leaves = MOST_LEAVES
        self._positions = MOST_POSITIONS
        self._before = 0
        self._seen = runner.xp.zeros((), np.int64)

    def count(self, position: Sequence[int], colour: int, depth: int) -> int:
        """Leaves `depth` >= 1 plies below. Blocks. Raises BackendError when the memory does not
        suffice for the smallest parts, EngineError when there are more leaves than int64 holds."""
        xp = self._runner.xp
        self._divide_memory(depth)
        boards = xp.asarray(np.array(position, np.int64))
        try:
            counts = xp.empty(1, self._rules.count)
            self._runner.run("count", colour, 1, boards, 1, counts)
            leaves = int(self._below(Level(boards, counts), colour, depth))
        except MemoryError as problem:
            raise too_little_memory() from problem
        self._before += leaves
        self._seen = xp.zeros((), np.int64)
        return leaves

    def _divide_memory(self, depth: int) -> None:
        """Half of what is free, a quarter for the leaves and a quarter for the levels above."""
        # The move, the position it leads to, the number of its replies, and their running sum. A
        # copy of the last is there while it is worked out.
        rules, quarter = self._rules, self._runner.free() // 4
        each = np.dtype(rules.move).itemsize + 8 * rules.words + np.dtype(rules.count).itemsize + 24
        if self._merge:
            each += 8 * rules.words + MERGE_BYTES
        self._positions = min(MOST_POSITIONS, quarter // max(depth - 2, 1) // each)
        leaf = WEIGHED_LEAF_BYTES if self._merge else LEAF_BYTES
        self._leaves = min(MOST_LEAVES, quarter // leaf)

    def _below(self, level: Level, colour: int, depth: int) -> Array:
        """Leaves below a level whose moves are counted, as an array of no dimension. Raises
        MemoryError, EngineError."""
        xp, counts = self._runner.xp, level.counts
        if depth == 1:
            return counts.sum(dtype=np.int64)
        if level.ways is not None:
            weighed(counts, level.ways)  # the ways to the next level must fit into their type
        ends = xp.cumsum(counts, dtype=np.int64)
        total = xp.zeros((), np.int64)
        todo = self._cut(ends, Part(0, len(ends), 0, int(ends[-1])), depth)
        while todo and not self._stopped():
            part = todo.pop()
            try:
                total += self._leaves_of(part, level, ends, colour, depth)
                continue
            except MemoryError:
                # Arrays of the attempt live until this block is left: go on below.
                pass
            self._runner.tidy()
            todo += self._halves(ends, part, depth)
        return total

    def _leaves_of(self, part: Part, level: Level, ends: Array, colour: int, depth: int) -> Array:
        """Leaves below some positions of a level."""
        if depth == 2:
            return self._note(self._last(part, level, ends, colour), part, level)
        other = self._rules.colours[colour - 1]  # of one colour the same
        children = self._children(part, level, ends, colour)
        if self._merge and depth > self._rules.merge:
            children = merged(self._runner, other, children)
        return self._below(children, other, depth - 1)

    def _moves(self, part: Part, level: Level, ends: Array, colour: int) -> Array:
        """The moves of some positions."""
        first, last, base, m = part
        boards, counts, _ = level
        moves = self._runner.xp.empty(m, self._rules.move)
        n = len(counts)
        self._runner.run("write", colour, last - first, boards, n, first, base, ends, counts, moves)
        return moves

    def _marks(self, part: Part, ends: Array) -> Array:
        """The positions that some of the moves belong to, see `MARK`."""
        xp = self._runner.xp
        numbers = part.base + xp.arange(0, part.moves + MARK, MARK, dtype=np.int64)
        return xp.minimum(xp.searchsorted(ends, numbers, side="right"), part.last - 1)

    def _last(self, part: Part, level: Level, ends: Array, colour: int) -> Array:
        """Replies to the moves of some positions, for each move or for each position."""
        run, boards, counts = self._runner.run, level.boards, level.counts
        first, last, base, m = part
        n = len(counts)
        moves = self._moves(part, level, ends, colour)
        if "leaves" in self._rules.bodies:
            found = self._runner.xp.empty(last - first, np.int64)
            run("leaves", colour, last - first, boards, n, first, base, ends, counts, moves, found)
            return found
        marks = self._marks(part, ends)
        found = self._runner.xp.empty(m, self._rules.count)
        run("leaf", colour, m, boards, n, base, ends, marks, moves, found)
        if level.ways is None:
            return found
        return sums_by_position(self._runner.xp, found, ends[first:last] - base)

    def _children(self, part: Part, level: Level, ends: Array, colour: int) -> Level:
        """The positions after the moves of some positions."""
        xp, rules, m = self._runner.xp, self._rules, part.moves
        moves = self._moves(part, level, ends, colour)
        marks = self._marks(part, ends)
        found = xp.empty(m, rules.count)
        boards = xp.empty(rules.words * m, np.int64)
        n = len(level.counts)
        self._runner.run(
            "make", colour, m, level.boards, n, part.base, ends, marks, moves, boards, m, found
        )
        return Level(boards, found, ways_to_children(xp, level.ways, ends, part.base, m))

    def _note(self, found: Array, part: Part, level: Level) -> Array:
        """The sum of the leaves below some positions. Raises EngineError."""
        if level.ways is None:
            self._seen += (total := found.sum(dtype=np.int64))
        else:
            self._seen += (total := weighed(found, level.ways[part.first : part.last]))
            if int(self._seen) < 0:
                raise too_many()
        self._on_leaves(lambda: self._before + int(self._seen))
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
