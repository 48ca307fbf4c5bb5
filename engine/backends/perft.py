"""Chess perft by root move on a graphics card."""

from collections.abc import Callable

import numpy as np

from engine.backends.cuda import Card
from engine.backends.levels import Levels, Runner
from engine.control import Control
from engine.games.chess.device import BODIES, WORDS
from engine.games.chess.divide import Divider
from engine.games.chess.position import Position
from engine.games.chess.records import UNDO
from engine.games.chess.rules import make
from engine.games.chess.state import BOARDS
from engine.games.chess.tables import T, build

SHALLOW = 4
"""Down to this depth the CPU is done before a card has begun."""


def open_card() -> Card:
    """The first CUDA device, ready to count. Blocks for some seconds when it must compile. Raises
    BackendError when there is none, or no CuPy."""
    return Card(BODIES, build(pext=False), WORDS)


class CardDivider:
    """Counts leaves on a runner, as `Divider` does on the CPU: same order, same numbers."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def run(
        self,
        position: Position,
        depth: int,
        control: Control,
        on_count: Callable[[int, int], None],
    ) -> tuple[list[tuple[int, int]], int, bool]:
        """(counts by root move, their sum, whether it was stopped). Blocks."""
        if depth <= SHALLOW:
            return Divider().run(position, depth, control, on_count)
        levels = Levels(self._runner, lambda: control.stopped)
        counts: list[tuple[int, int]] = []
        moves = position.legal()
        for move in moves:
            child = position.copy()
            make(child, T, move, np.zeros(1, UNDO)[0])
            boards = [int(child[name]) for name in BOARDS]
            leaves = levels.count(boards, int(child["turn"]), depth - 1)
            if control.stopped:
                break
            counts.append((move, leaves))
            on_count(move, leaves)
        return counts, sum(leaves for _, leaves in counts), len(counts) < len(moves)
