"""The games that count on cards, and positions whose leaves the CPU counts as well."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from device_runners import Simulated

from engine.backends.levels import Levels
from engine.control import Control
from engine.device import Child, DeviceRules
from engine.divide import Counts, Divide
from engine.games.blokus import device as blokus
from engine.games.blokus.divide import divide as divide_blokus
from engine.games.blokus.generator import Generator
from engine.games.blokus.position import Position as BlokusPosition
from engine.games.blokus.variants import CLASSIC, VARIANTS
from engine.games.chess import device as chess
from engine.games.chess.divide import Divider
from engine.games.chess.position import Position as ChessPosition
from engine.games.chess.state import BOARDS
from engine.games.chess.tables import T
from engine.games.cotulenh import device as cotulenh
from engine.games.cotulenh.divide import divide as divide_cotulenh
from engine.games.cotulenh.position import Position as CotulenhPosition

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
BLACK = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1"
PROMOTION = "8/P1k5/8/8/8/8/5K1p/8 w - - 0 1"
FEW = "11/11/9f1/3c7/11/11/8C2/11/2m8/11/11/11 r - - 0 4"
STACKS = "2c3asa2/5h1h3/n6t2m/2i2g3ge/3e7/10i/8G2/2N3A4/4(ES)2t2E/4G3T2/6CH1A1/11 b - - 0 54"
EN_PASSANT = "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1"


def chess_positions() -> Iterator[Any]:
    yield from map(ChessPosition, (PROMOTION, EN_PASSANT, KIWIPETE, BLACK))


def blokus_positions() -> Iterator[Any]:
    """A game from its end on backwards, then the starts of all variants."""
    position = BlokusPosition(CLASSIC, Generator())
    while not position.over:
        moves = position.legal(position.turn)
        position.play(position.turn, moves[len(position.history) * 37 % len(moves)])
    while len(position.history) > 40:
        yield position
        for _ in range(6):
            position.undo()
    for variant in VARIANTS:
        yield BlokusPosition(variant, Generator())


def cotulenh_positions() -> Iterator[Any]:
    """Few pieces, then a game in which deployments are open now and then."""
    yield CotulenhPosition(FEW)
    position = CotulenhPosition(STACKS)
    yield position
    for number in range(20):
        actions = position.legal()
        position.play(actions[number * 37 % len(actions)])
        if position.deploying:
            yield position


def chess_words(position: Any) -> Child:
    return 0, [int(position.state[name]) for name in BOARDS], position.turn


def record_words(position: Any) -> Child:
    return 0, np.frombuffer(position.state.tobytes(), np.int64).tolist(), 0


def on_one_thread(divide: Any) -> Divide:
    def run(position: Any, depth: int, control: Any, on_count: Any) -> Counts:
        counts: Counts = divide(position, depth, 1, control, on_count)
        return counts

    return run


@dataclass(frozen=True)
class Case:
    """A game."""

    rules: DeviceRules
    positions: Callable[[], Iterator[Any]]
    """Some positions, the small ones first. Each may be changed when the next is asked for."""
    words: Callable[[Any], Child]
    """A position as a level of its own."""
    on_cpu: Divide
    tables: Any = None
    """Those of the CPU, if they are others."""


CASES = [
    Case(chess.RULES, chess_positions, chess_words, Divider().run, T),
    Case(blokus.RULES, blokus_positions, record_words, on_one_thread(divide_blokus)),
    Case(cotulenh.RULES, cotulenh_positions, record_words, on_one_thread(divide_cotulenh)),
]


def compare(case: Case, runner: Any, limit: int, most: int = 100) -> int:
    """Count the first positions of a game on a runner, as deep as there are at most `limit` leaves
    and no more than three plies. They must be those that the CPU counts. Gives their number."""
    total, deepest = 0, 0
    for position in islice(case.positions(), most):
        _, words, colour = case.words(position)
        for depth in (1, 2, 3):
            leaves = case.on_cpu(position, depth, Control(), lambda move, n: None)[1]
            if leaves > limit:
                break
            assert Levels(runner).count(words, colour, depth) == leaves, (case.rules.name, depth)
            total, deepest = total + leaves, max(deepest, depth)
    assert deepest == 3  # so all bodies have run
    return total


if __name__ == "__main__":
    # In a process of its own: Numba decides at its import whether it simulates.
    for simulated in CASES:
        runner = Simulated(simulated.rules, simulated.tables)
        number = compare(simulated, runner, 5_000, 3)
        sys.stdout.write(f"{simulated.rules.name} {number} {runner.runs}\n")
