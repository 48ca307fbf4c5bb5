"""Perft by root move, on one thread or several."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from engine.control import Control
from engine.errors import EngineError
from engine.games.blokus.generator import Generator
from engine.games.blokus.perft import perft
from engine.games.blokus.position import Position
from engine.games.blokus.records import UNDO
from engine.games.blokus.rules import make, unmake
from engine.games.blokus.state import MAX_MOVES
from engine.games.blokus.tables import T

DEEPEST = 100
"""No game has more than 84 moves."""


def divide(
    position: Position,
    depth: int,
    threads: int,
    control: Control,
    on_count: Callable[[int, int], None],
) -> tuple[list[tuple[int, int]], int, bool]:
    """(counts by root move, their sum, whether it was stopped). Blocks. Raises EngineError.

    Moves come from the position's generator. Unless it is the default one, every list is made in
    Python, on one thread, and slowly.
    """
    if depth > DEEPEST:
        raise EngineError(f"perft {depth}: expected a depth of at most {DEEPEST}")
    if depth == 0:
        return [], 1, False
    counts: list[tuple[int, int]] = []

    def below(move: int) -> int:
        return _below(position, move, depth - 1, control)

    moves = [] if position.over else position.legal(position.turn)
    at_once = min(threads, max(len(moves), 1)) if position.generator.plain else 1
    with ThreadPoolExecutor(at_once) as pool:
        for move, leaves in zip(moves, pool.map(below, moves), strict=True):
            if control.stopped:
                break
            counts.append((move, leaves))
            on_count(move, leaves)
    return counts, sum(leaves for _, leaves in counts), len(counts) < len(moves)


def _below(position: Position, move: int, depth: int, control: Control) -> int:
    """Leaves below one root move."""
    state = position.copy()
    make(state, T, move, np.zeros(1, UNDO)[0])
    if control.stopped or depth == 0:
        return 1
    if not position.generator.plain:
        return _by_lists(state, depth, position.generator, control)
    moves, undos = np.zeros(MAX_MOVES * depth, np.int32), np.zeros(depth + 1, UNDO)
    return int(perft(state, T, depth, moves, 0, undos, control.address))


def _by_lists(state: np.void, depth: int, generator: Generator, control: Control) -> int:
    """The same count from the lists of a generator, checked as its switches say."""
    generator.check(state)
    if state["over"]:
        return 0
    moves = generator.legal(state, int(state["turn"]))
    if depth == 1:
        return len(moves)
    total = 0
    undo: np.void = np.zeros(1, UNDO)[0]
    for move in moves:
        make(state, T, move, undo)
        total += _by_lists(state, depth - 1, generator, control)
        unmake(state, T, undo)
        if control.stopped:
            break
    return total
