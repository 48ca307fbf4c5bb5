"""Speed of a graphics card, every result checked, written to a file as JSON.

    python scripts/gpu_check.py [--out FOLDER]

Run by `scripts/gpu_check.sh`. Each position of perft is counted by root move, as `go perft` would,
without a hash table. Then the moves of many positions of each game are listed and their facts
found, from records in the memory of the CPU to arrays there, and compared with what one thread of
the CPU gives. Exit status: 0 all right, 1 a wrong result or no device.
"""

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from engine.backends.cuda import Card
from engine.backends.facts import examiner
from engine.backends.moves import Lists, list_moves
from engine.backends.perft import CardDivider
from engine.control import Control
from engine.device import DeviceFacts, DeviceRules
from engine.divide import Divide
from engine.errors import BackendError
from engine.games.blokus.analysis import examine as examine_blokus
from engine.games.blokus.device import FACTS as BLOKUS_FACTS
from engine.games.blokus.device import RULES as BLOKUS_RULES
from engine.games.blokus.generator import Generator
from engine.games.blokus.position import Position as BlokusPosition
from engine.games.blokus.variants import CLASSIC
from engine.games.chess.analysis import examiner as chess_examiner
from engine.games.chess.device import FACTS, RULES
from engine.games.chess.divide import Divider
from engine.games.chess.notation import START
from engine.games.chess.position import Position, legal_moves
from engine.games.cotulenh.device import FACTS as COTULENH_FACTS
from engine.games.cotulenh.device import RULES as COTULENH_RULES
from engine.games.cotulenh.facts import examiner as cotulenh_examiner
from engine.games.cotulenh.position import Position as CotulenhPosition
from engine.games.cotulenh.position import legal_actions
from engine.games.cotulenh.records import WORK
from engine.tasks import Examine, Records

ROOT = Path(__file__).resolve().parent.parent

CASES = [
    ("startpos", START, {7: 3_195_901_860, 8: 84_998_978_956, 9: 2_439_530_234_167}),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        {5: 193_690_690, 6: 8_031_647_685, 7: 374_190_009_323},
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {8: 3_009_794_393}),
    (
        "promotions",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        {6: 706_045_033},
    ),
    (
        "middlegame",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        {6: 6_923_051_137, 7: 287_188_994_746},
    ),
]
"""Name, FEN, leaves by depth: numbers that many programs agree on."""

BLOKUS = {4: 11_316_496, 5: 1_898_244_648, 6: 318_414_175_524}
"""Leaves of the start position of classic Blokus; the last follows from a formula."""
COTULENH = {3: 1_578_791, 4: 183_650_112}
"""Leaves of the start position. Depth 5 has no known number: the CPU has to count it."""

REPEATS = 3
LONG = 2.0
"""Seconds from which on a count is not repeated."""


def measure(run: Divide, position: Any, depth: int) -> tuple[int, list[float]]:
    """(leaves, seconds of each run)."""
    times: list[float] = []
    while len(times) < REPEATS and max(times, default=0.0) < LONG:
        start = time.perf_counter()
        _, leaves, _ = run(position, depth, Control(), lambda move, n: None)
        times.append(time.perf_counter() - start)
    return leaves, times


def row(game: str, name: str, leaves: int, expected: int, times: list[float]) -> dict[str, Any]:
    """A row of the report, shown too."""
    best = min(times)
    verdict = "ok" if leaves == expected else f"WRONG, expected {expected}"
    print(f"{game} {name}: {leaves} in {best:.4f} s, {leaves / best / 1e9:.1f} G/s {verdict}")
    return {
        "game": game,
        "position": name,
        "nodes": leaves,
        "right": leaves == expected,
        "seconds": [round(one, 5) for one in times],
        "nodes_per_second": round(leaves / best),
    }


def chess_rows(card: Card) -> Iterator[dict[str, Any]]:
    run = CardDivider(card, Divider().run)
    measure(run, Position(), 7)  # fills the memory pool
    for name, fen, counts in CASES:
        for depth, expected in counts.items():
            leaves, times = measure(run, Position(fen), depth)
            found = row("chess", f"{name} {depth}", leaves, expected, times)
            yield {**found, "position": name, "fen": fen, "depth": depth}


def start_rows(card: Card, position: Any, counts: dict[int, int]) -> Iterator[dict[str, Any]]:
    def never(*arguments: Any) -> NoReturn:
        raise AssertionError("counted on the CPU")

    run = CardDivider(card, never)
    for depth, expected in counts.items():
        leaves, times = measure(run, position, depth)
        found = row(card.rules.name, f"startpos {depth}", leaves, expected, times)
        yield {**found, "position": "startpos", "depth": depth}


def chess_states() -> NDArray[np.void]:
    """The positions of some games that play moves in turn."""
    found = []
    for _, fen, _ in CASES:
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


def driver() -> str:
    """Version of the driver, if nvidia-smi is there to tell."""
    if shutil.which("nvidia-smi") is None:
        return "unknown"
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True).stdout.partition("\n")[0]


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def describe(card: Card) -> dict[str, Any]:
    runtime = card.xp.cuda.runtime
    name = runtime.getDeviceProperties(card.xp.cuda.Device().id)["name"].decode()
    cupy = next(n for n in ("cupy-cuda13x", "cupy-cuda12x", "cupy") if installed(n) != "unknown")
    return {
        "card": name,
        "capability": "{}.{}".format(*card.capability),
        "driver": driver(),
        "cuda": runtime.runtimeGetVersion(),
        "python": platform.python_version(),
        **{n: installed(n) for n in (cupy, "numba", "numba-cuda", "numpy")},
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed of a graphics card.")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks", metavar="FOLDER")
    folder = parser.parse_args().out
    start = time.perf_counter()
    try:
        card, blokus, cotulenh = cards = [Card(many.rules) for many in MANY]
        facts = [Card(many.facts) for many in MANY]
    except BackendError as problem:
        sys.exit(f"gpu_check: {problem}")
    report = describe(card)
    report["seconds_to_open"] = round(time.perf_counter() - start, 3)
    print(f"{report['card']}, driver {report['driver']}, ready in {report['seconds_to_open']} s")
    report["perft"] = rows = list(chess_rows(card))
    rows += start_rows(cotulenh, CotulenhPosition(), COTULENH)
    rows += start_rows(blokus, BlokusPosition(CLASSIC, Generator()), BLOKUS)
    report["positions"] = others = [
        row for each in zip(cards, facts, MANY, strict=True) for row in many_rows(*each)
    ]
    file = folder / "gpu-{}.json".format(re.sub(r"[^a-z0-9]+", "-", report["card"].lower()))
    file.write_text(json.dumps(report, indent=1) + "\n")
    print(f"wrote {file}")
    return 0 if all(one["right"] for one in (*rows, *others)) else 1


if __name__ == "__main__":
    sys.exit(main())
