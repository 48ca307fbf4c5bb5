"""Perft by first action, on one thread or several."""

from collections.abc import Callable

import numpy as np

from engine.alphabeta import MAX_PLY
from engine.control import Control
from engine.divide import ONE_LEAF, Counts, by_root
from engine.errors import EngineError
from engine.games.cotulenh.perft import perft
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.records import UNDO, WORK
from engine.games.cotulenh.rules import make
from engine.games.cotulenh.tables import T


def divide(
    position: Position,
    depth: int,
    threads: int,
    control: Control,
    on_count: Callable[[int, int], None],
) -> Counts:
    """Raises EngineError."""
    if depth >= MAX_PLY:
        raise EngineError(f"perft {depth}: expected a depth below {MAX_PLY}")
    if depth == 0:
        return ONE_LEAF

    def below(action: int) -> int:
        if control.stopped:
            return 0
        state, work = position.state.copy(), np.zeros(1, WORK)[0]
        undos = np.zeros(depth + 1, UNDO)
        make(state, T, action, undos[0], work)
        if depth == 1:
            return 1
        return int(perft(state, T, depth - 1, undos, work, control.address))

    return by_root(position.legal(), below, threads, control, on_count)
