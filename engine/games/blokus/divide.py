"""Perft by root move, on one thread or several."""

from collections.abc import Callable

import numpy as np

from engine.control import Control
from engine.divide import ONE_LEAF, Counts, by_root
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
) -> Counts:
    """Blocks. Raises EngineError.

    Moves come from the position's generator. Unless it is the default one, every list is made in
    Python, on one thread, and slowly.
    """
    if depth > DEEPEST:
        raise EngineError(f"perft {depth}: expected a depth of at most {DEEPEST}")
    if depth == 0:
        return ONE_LEAF

    def below(move: int) -> int:
        return _below(position, move, depth - 1, control)

    moves = [] if position.over else position.legal(position.turn)
    at_once = threads if position.generator.plain else 1
    return by_root(moves, below, at_once, control, on_count)


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
