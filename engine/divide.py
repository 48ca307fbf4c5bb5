"""Perft by root move, on one thread or several, whatever the game."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from engine.control import Control
from engine.errors import EngineError

Counts = tuple[list[tuple[int, int]], int, bool]
"""(leaves by root move, their sum, whether it was stopped)."""

Divide = Callable[[Any, int, Control, Callable[[int, int], None]], Counts]
"""Counts the leaves of a position: `divide(position, depth, control, on_count)`. Blocks.
`on_count(move, leaves)` is called in the order of the moves. Raises EngineError."""

MOST_LEAVES = (1 << 63) - 1
"""The largest int64. A count that reaches it is one of more."""

ONE_LEAF: Counts = ([], 1, False)
"""What depth 0 gives."""


def too_many() -> EngineError:
    """What to raise for such a count."""
    return EngineError("more than 9.2e18 leaves, so many cannot be counted")


def by_root(
    moves: Sequence[int],
    below: Callable[[int], int],
    threads: int,
    control: Control,
    on_count: Callable[[int, int], None],
) -> Counts:
    """Call `below`, which counts the leaves behind a move, for each move. Blocks.

    `on_count(move, leaves)` is called in the order of the moves. After a stop the moves that were
    not finished are left out; `below` sees to it that it ends soon then.
    """
    counts: list[tuple[int, int]] = []
    with ThreadPoolExecutor(min(max(threads, 1), max(len(moves), 1))) as pool:
        for move, leaves in zip(moves, pool.map(below, moves), strict=True):
            if control.stopped:
                break
            counts.append((move, leaves))
            on_count(move, leaves)
    return counts, sum(leaves for _, leaves in counts), len(counts) < len(moves)
