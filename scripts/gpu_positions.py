"""The moves and the facts of many positions, by a graphics card and by one thread of the CPU.

From records in the memory of the CPU to arrays there; what the card gives must be what the CPU
gives. A part of `gpu_check.py`.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.backends.cuda import Card
from engine.backends.facts import examiner
from engine.backends.moves import Lists, list_moves
from engine.device import DeviceFacts, DeviceRules
from engine.games.blokus.analysis import examine as examine_blokus
from engine.games.blokus.device import FACTS as BLOKUS_FACTS
from engine.games.blokus.device import RULES as BLOKUS_RULES
from engine.games.blokus.generator import Generator
from engine.games.blokus.position import Position as BlokusPosition
from engine.games.blokus.variants import CLASSIC
from engine.games.chess.analysis import examiner as chess_examiner
from engine.games.chess.device import FACTS, RULES
from engine.games.chess.notation import START
from engine.games.chess.position import Position, legal_moves
from engine.games.cotulenh.device import FACTS as COTULENH_FACTS
from engine.games.cotulenh.device import RULES as COTULENH_RULES
from engine.games.cotulenh.facts import examiner as cotulenh_examiner
from engine.games.cotulenh.position import Position as CotulenhPosition
from engine.games.cotulenh.position import legal_actions
from engine.games.cotulenh.records import WORK
from engine.tasks import Examine, Records

REPEATS = 3
FENS = {
    "startpos": START,
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "endgame": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "promotions": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "middlegame": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}


def chess_states() -> NDArray[np.void]:
    """The positions of some games that play moves in turn."""
    found = []
    for fen in FENS.values():
        position = Position(fen)
        for number in range(40):
            moves = position.legal()
            if moves:
                position.play(moves[number * 37 % len(moves)])
                found.append(position.state.copy())
    return np.array(found)


def blokus_states() -> NDArray[np.void]:
    """The positions of a game."""
    position, found = BlokusPosition(CLASSIC, Generator()), []
    while not position.over:
        found.append(position.copy())
        moves = position.legal(position.turn)
        position.play(position.turn, moves[position.ply * 37 % len(moves)])
    return np.array(found)


def cotulenh_states() -> NDArray[np.void]:
    """The positions of the beginning of a game."""
    position, found = CotulenhPosition(), []
    for number in range(60):
        found.append(position.state.copy())
        actions = position.legal()
        position.play(actions[number * 37 % len(actions)])
    return np.array(found)


@dataclass(frozen=True)
class Many:
    """Positions of a game, to be repeated until there are `number`."""

    rules: DeviceRules
    facts: DeviceFacts
    states: Callable[[], NDArray[np.void]]
    legal: Callable[[Any], list[int]]
    examiner: Callable[[], Examine]
    number: int
    sample: int = 2_000
    """Positions whose moves are listed on the CPU too."""


MANY = [
    Many(RULES, FACTS, chess_states, legal_moves, chess_examiner, 400_000),
    Many(
        BLOKUS_RULES, BLOKUS_FACTS, blokus_states,
        lambda state: Generator().legal(state, int(state["turn"])), lambda: examine_blokus, 40_000,
    ),
    Many(
        COTULENH_RULES, COTULENH_FACTS, cotulenh_states,
        lambda state: legal_actions(state, np.zeros(1, WORK)[0]), cotulenh_examiner, 40_000,
    ),
]  # fmt: skip


def many_rows(card: Card, facts: Card, many: Many) -> Iterator[dict[str, Any]]:
    """Moves and facts of many positions, by the card and by the CPU."""
    states = np.resize(many.states(), many.number)
    expected: Records = np.zeros(len(states), many.facts.facts)
    found = np.zeros_like(expected)
    lists, times = timed(lambda: list_moves(card, states))
    moves = [move for state in states[: many.sample] for move in many.legal(state)]
    right = lists.moves[np.concatenate(places(lists, many.sample))].tolist() == moves
    yield position_row(card, "legalmoves", right, len(states), times)
    by_card, by_cpu = examiner(facts), many.examiner()
    _, times = timed(lambda: by_card(states, found))
    _, cpu_times = timed(lambda: by_cpu(states, expected))
    row = position_row(card, "analyze", found.tobytes() == expected.tobytes(), len(states), times)
    ratio = round(min(cpu_times) / min(times), 2)
    print(f"{ratio} times as fast as one thread of the CPU, text left out")
    yield {**row, "ratio_to_one_thread": ratio}


def places(lists: Lists, n: int) -> list[NDArray[np.int64]]:
    """Where the moves of the first positions stand."""
    return [
        np.arange(start, start + count)
        for start, count in zip(lists.starts[:n], lists.counts[:n], strict=True)
    ]


def timed(work: Callable[[], Any]) -> tuple[Any, list[float]]:
    """(what came out last, seconds of each run)."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return result, times


def position_row(card: Card, work: str, right: bool, n: int, times: list[float]) -> dict[str, Any]:
    """A row of the report, shown too."""
    speed = n / min(times)
    verdict = "ok" if right else "WRONG"
    print(f"{card.rules.name} {work}: {speed / 1e6:.2f} million positions/s {verdict}")
    return {
        "game": card.rules.name,
        "work": work,
        "positions": n,
        "right": right,
        "seconds": [round(one, 5) for one in times],
        "positions_per_second": round(speed),
    }
