"""Perft by root move on a graphics card, of any game."""

import time
from collections.abc import Callable
from typing import Any

from engine.backends.levels import Levels
from engine.backends.runner import Runner
from engine.control import Control
from engine.divide import Counts, Divide

PATIENCE = 5.0
"""Seconds between two lines of progress."""


class CardDivider:
    """Counts leaves on a runner as the CPU does: same order, same numbers."""

    def __init__(
        self,
        runner: Runner,
        on_cpu: Divide,
        notice: Callable[[str], None] = lambda text: None,
        shallow: int | None = None,
        merge: bool = False,
    ) -> None:
        """Depths down to `shallow`, 1 or more and by default what the game says, are left to the
        CPU. `notice` takes lines for the user. With `merge` equal positions are counted once."""
        self._runner = runner
        self._on_cpu = on_cpu
        self._notice = notice
        self._merge = merge
        self._shallow = runner.rules.shallow if shallow is None else shallow

    def __call__(
        self, position: Any, depth: int, control: Control, on_count: Callable[[int, int], None]
    ) -> Counts:
        """See `engine.divide.Divide`. Raises BackendError too."""
        if depth <= self._shallow:
            self._notice(f"depth {depth} is counted on the CPU, a card pays off beyond")
        if not self._shallow < depth <= self._runner.rules.deepest:
            return self._on_cpu(position, depth, control, on_count)
        children = list(self._runner.rules.children(position))
        counts: list[tuple[int, int]] = []
        progress = _Progress(self._notice)
        levels = Levels(self._runner, lambda: control.stopped, progress.tell, self._merge)
        for move, words, colour in children:
            progress.at = f"root move {len(counts) + 1} of {len(children)}"
            leaves = levels.count(words, colour, depth - 1)
            if control.stopped:
                break
            counts.append((move, leaves))
            on_count(move, leaves)
        return counts, sum(leaves for _, leaves in counts), len(counts) < len(children)


class _Progress:
    """Lines about a long count, now and then."""

    def __init__(self, notice: Callable[[str], None]) -> None:
        self._notice = notice
        self._begun = time.monotonic()
        self._told = self._begun
        self.at = ""

    def tell(self, leaves: Callable[[], int]) -> None:
        now = time.monotonic()
        if now - self._told < PATIENCE:
            return
        self._told = now
        seconds = now - self._begun
        n = leaves()
        self._notice(f"perft {self.at}, {n} leaves in {seconds:.0f} s, nps {int(n / seconds)}")
