"""Perft by first action, on one thread or several."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from engine.control import Control
from engine.errors import EngineError
from engine.games.cotulenh.perft import perft
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.records import MAX_PLY, UNDO, WORK
from engine.games.cotulenh.rules import make
from engine.games.cotulenh.tables import T


def divide(
    position: Position,
    depth: int,
    threads: int,
    control: Control,
    on_count: Callable[[int, int], None],
) -> tuple[list[tuple[int, int]], int, bool]:
    """(leaves by first action, their sum, whether it was stopped). Raises EngineError."""
    if depth >= MAX_PLY:
        raise EngineError(f"perft {depth}: expected a depth below {MAX_PLY}")
    if depth == 0:
        return [], 1, False
    counts: list[tuple[int, int]] = []

    def below(action: int) -> int:
        if control.stopped:
            return 0
        state, work = position.state.copy(), np.zeros(1, WORK)[0]
        undos = np.zeros(depth + 1, UNDO)
        make(state, T, action, undos[0], work)
        if depth == 1:
            return 1
        return int(perft(state, T, depth - 1, undos, work, control.address))

    actions = position.legal()
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        for action, leaves in zip(actions, pool.map(below, actions), strict=True):
            if control.stopped:
                break
            counts.append((action, leaves))
            on_count(action, leaves)
    return counts, sum(leaves for _, leaves in counts), len(counts) < len(actions)
