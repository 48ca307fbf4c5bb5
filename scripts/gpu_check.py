"""Speed of a graphics card, every result checked, written to a file as JSON.

    python scripts/gpu_check.py [--out FOLDER] [--seconds N]

Run by `scripts/gpu_check.sh`. Each position of perft is counted by root move, as `go perft` would,
without a hash table, and again with equal positions merged. Then the moves of many positions are
listed and their facts found, see `gpu_positions.py`. The deepest counts come last. What would not
be done in time, by the speed so far, is left out, and that is said. Exit status: 0 all right, 1 a
wrong result or no device.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NoReturn

from gpu_positions import FENS, MANY, many_rows

from engine.backends.cuda import Card
from engine.backends.perft import CardDivider
from engine.control import Control
from engine.divide import Counts
from engine.errors import BackendError
from engine.games.blokus.generator import Generator
from engine.games.blokus.position import Position as BlokusPosition
from engine.games.blokus.variants import CLASSIC
from engine.games.chess.position import Position
from engine.games.cotulenh.divide import divide as divide_cotulenh
from engine.games.cotulenh.position import Position as CotulenhPosition

ROOT = Path(__file__).resolve().parent.parent

CASES = {
    "startpos": {7: 3_195_901_860, 8: 84_998_978_956, 9: 2_439_530_234_167},
    "kiwipete": {5: 193_690_690, 6: 8_031_647_685, 7: 374_190_009_323},
    "endgame": {8: 3_009_794_393},
    "promotions": {6: 706_045_033},
    "middlegame": {6: 6_923_051_137, 7: 287_188_994_746},
}
"""Of chess positions the leaves by depth: numbers that many programs agree on."""

BLOKUS = {4: 11_316_496, 5: 1_898_244_648, 6: 318_414_175_524}
"""Leaves of the start position of classic Blokus; the last follows from a formula."""
COTULENH = {3: 1_578_791, 4: 183_650_112}
"""Leaves of the start position."""
COTULENH_UNKNOWN = {5: 21_000_000_000}
"""About how many there are: nobody knows the number, so `check_cotulenh` asks the CPU."""

REPEATS = 3
LONG = 2.0
"""Seconds from which on a count is not repeated."""
SLOW = 1e9
"""Leaves a second of a card before anything is known of it."""
MANY_SECONDS = 15
"""More than lists and facts of one game take."""


class Clock:
    """The time that is left."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds
        self.left_out: list[str] = []

    @property
    def left(self) -> float:
        return self._end - time.perf_counter()

    def allows(self, name: str, seconds: float) -> bool:
        """Whether so much time is left for something; if not, that is noted and said."""
        if seconds < self.left:
            return True
        self.leave_out(name, f"it would take about {seconds:.0f} s, {self.left:.0f} s are left")
        return False

    def leave_out(self, name: str, reason: str) -> None:
        self.left_out.append(name)
        print(f"left out: {name}: {reason}")

    @contextmanager
    def stopping(self) -> Iterator[Control]:
        """A control that stops when the time is up."""
        control = Control()
        timer = threading.Timer(max(self.left, 0.0), control.stop)
        timer.start()
        try:
            yield control
        finally:
            timer.cancel()


@dataclass(frozen=True)
class Count:
    """One count."""

    name: str
    fen: str | None
    position: Any
    depth: int
    leaves: int
    merge: bool


class Perft:
    """Counts of one game on a card."""

    def __init__(self, card: Card, clock: Clock) -> None:
        self._card = card
        self._clock = clock
        self._speed = SLOW
        self.rows: list[dict[str, Any]] = []
        self.counts: Counts = ([], 0, True)
        """Of the last count."""

    def run(self, counts: Iterable[Count]) -> None:
        for count in counts:
            self._one(count)

    def _one(self, count: Count) -> None:
        game = self._card.rules.name
        name = f"{count.name} {count.depth}{' merged' if count.merge else ''}"
        if not self._clock.allows(f"{game} {name}", 1 + count.leaves / self._speed):
            return
        divide = CardDivider(self._card, never, print, 1, count.merge)
        times: list[float] = []
        while not times or (len(times) < REPEATS and max(times) < LONG and self._clock.left > LONG):
            start = time.perf_counter()
            with self._clock.stopping() as control:
                self.counts = divide(count.position, count.depth, control, lambda move, n: None)
            if self.counts[2]:
                return self._clock.leave_out(f"{game} {name}", "the time was up")
            times.append(time.perf_counter() - start)
        leaves, best = self.counts[1], min(times)
        if not count.merge:
            self._speed = max(leaves / best, self._speed if self.rows else 0.0)
        unknown = count.leaves in COTULENH_UNKNOWN.values()
        right = unknown or leaves == count.leaves
        verdict = "to be checked" if unknown else "ok" if right else f"WRONG, not {count.leaves}"
        print(f"{game} {name}: {leaves} in {best:.4f} s, {leaves / best / 1e9:.1f} G/s {verdict}")
        self.rows.append(
            {
                "game": game,
                "position": count.name,
                **({"fen": count.fen} if count.fen else {}),
                "depth": count.depth,
                "merged": count.merge,
                "nodes": leaves,
                "right": right,
                "seconds": [round(one, 5) for one in times],
                "nodes_per_second": round(leaves / best),
            }
        )


def never(*arguments: Any) -> NoReturn:
    raise AssertionError("counted on the CPU")


def chess_counts() -> Iterator[Count]:
    for name, counts in CASES.items():
        fen = FENS[name]
        for depth, leaves in counts.items():
            for merge in (False, True):
                yield Count(name, fen, Position(fen), depth, leaves, merge)


def start_counts(position: Any, counts: dict[int, int], merge: bool) -> Iterator[Count]:
    for depth, leaves in counts.items():
        yield Count("startpos", None, position, depth, leaves, merge)


def check_cotulenh(perft: Perft, clock: Clock) -> None:
    """Hold the deepest count of CoTuLenh, of which nobody knows the number, against as many root
    moves as all cores of the CPU can count in time."""
    (depth,) = COTULENH_UNKNOWN
    if not perft.rows or perft.rows[-1]["depth"] != depth:
        return
    row = perft.rows[-1]
    on_card = iter(perft.counts[0])
    right = True

    def compare(move: int, n: int) -> None:
        nonlocal right
        right = right and next(on_card) == (move, n)

    cores = os.cpu_count() or 1
    print(f"counting the same on {cores} cores of the CPU for at most {clock.left:.0f} s")
    with clock.stopping() as control:
        counts, _, stopped = divide_cotulenh(CotulenhPosition(), depth, cores, control, compare)
    row["right"], row["root_moves_checked"] = right, len(counts)
    print(f"{len(counts)} of {len(perft.counts[0])} root moves are {'ok' if right else 'WRONG'}")
    if stopped:
        clock.leave_out("the other root moves of CoTuLenh on the CPU", "the time was up")


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


def measure(
    report: dict[str, Any], cards: Sequence[Card], facts: Sequence[Card], clock: Clock
) -> None:
    """Fill the report, the deepest counts last."""
    chess, blokus, cotulenh = perfts = [Perft(card, clock) for card in cards]
    positions: list[dict[str, Any]] = []
    start = BlokusPosition(CLASSIC, Generator())
    deepest = max(BLOKUS)
    chess.run(chess_counts())
    for merge in (False, True):
        blokus.run(start_counts(start, {d: n for d, n in BLOKUS.items() if d < deepest}, merge))
        cotulenh.run(start_counts(CotulenhPosition(), COTULENH, merge))
    for card, of_facts, many in zip(cards, facts, MANY, strict=True):
        if clock.allows(f"{card.rules.name} lists and facts", MANY_SECONDS):
            positions += many_rows(card, of_facts, many)
    blokus.run(start_counts(start, {deepest: BLOKUS[deepest]}, False))
    cotulenh.run(start_counts(CotulenhPosition(), COTULENH_UNKNOWN, False))
    check_cotulenh(cotulenh, clock)
    report["perft"] = [row for perft in perfts for row in perft.rows]
    report["positions"] = positions
    report["left_out"] = clock.left_out


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed of a graphics card.")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks", metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=420, metavar="N")
    arguments = parser.parse_args()
    clock = Clock(arguments.seconds)
    start = time.perf_counter()
    try:
        cards = [Card(many.rules) for many in MANY]
        facts = [Card(many.facts) for many in MANY]
    except BackendError as problem:
        sys.exit(f"gpu_check: {problem}")
    report = describe(cards[0])
    report["seconds_to_open"] = round(time.perf_counter() - start, 3)
    print(f"{report['card']}, driver {report['driver']}, ready in {report['seconds_to_open']} s")
    measure(report, cards, facts, clock)
    file = arguments.out / "gpu-{}.json".format(re.sub(r"[^a-z0-9]+", "-", report["card"].lower()))
    file.write_text(json.dumps(report, indent=1) + "\n")
    print(f"wrote {file}")
    return 0 if all(one["right"] for one in (*report["perft"], *report["positions"])) else 1


if __name__ == "__main__":
    sys.exit(main())
