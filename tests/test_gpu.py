"""Perft for graphics cards: on the CPU as far as that goes, on a card where there is one.

Needs neither python-chess nor the other helpers of these tests, so that it also runs on a machine
that has a card and little else (`scripts/gpu_check.sh`).
"""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from engine.backends import compiler, levels
from engine.backends.cuda import Card
from engine.backends.perft import CardDivider, open_card
from engine.control import Control
from engine.errors import BackendError
from engine.games.chess.device import BODIES, WORDS
from engine.games.chess.divide import Divider
from engine.games.chess.position import Position
from engine.games.chess.state import BOARDS
from engine.games.chess.tables import T

Row = dict[str, Any]

ROWS: list[Row] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "perft.jsonl").read_text().splitlines()
]
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def loop(body: Any) -> Any:
    """A body run for one number after the other."""

    def run(colour: int, n: int, arguments: Any) -> None:
        for i in range(n):
            body(colour, i, *arguments)

    return numba.njit(run)


class Host:
    """A runner on the CPU: the same bodies, NumPy's arrays."""

    xp = np
    words = WORDS

    def __init__(self) -> None:
        self._loops = {name: loop(body) for name, (body, _) in BODIES.items()}
        self.memory = 1 << 30
        self.runs = 0

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        self.runs += 1
        self._loops[body](colour, n, (T, *arguments))

    def free(self) -> int:
        return self.memory


@pytest.fixture(scope="module")
def host() -> Host:
    return Host()


def leaves(runner: levels.Runner, row: Row) -> int:
    position = Position(row["fen"], row.get("chess960", False))
    boards = [int(position.state[name]) for name in BOARDS]
    return levels.Levels(runner).count(boards, position.turn, row["depth"])


def test_the_bodies_count_right_on_the_cpu(host: Host) -> None:
    rows = [row for row in ROWS if row["depth"] >= 1 and row["nodes"] < 300_000]
    assert len(rows) > 100
    assert any(row.get("chess960") for row in rows)
    for row in rows:
        assert leaves(host, row) == row["nodes"], row


def test_parts_of_any_size_give_the_same_sum(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"fen": KIWIPETE, "depth": 4, "nodes": 4085603}
    host.runs = 0
    assert leaves(host, row) == row["nodes"]
    few = host.runs
    monkeypatch.setattr(levels, "MOST_LEAVES", 5_000)
    monkeypatch.setattr(levels, "MOST_POSITIONS", 700)
    assert leaves(host, row) == row["nodes"]
    assert host.runs > 5 * few
    monkeypatch.undo()
    monkeypatch.setattr(host, "memory", 200_000)
    host.runs = 0
    assert leaves(host, row) == row["nodes"]
    assert host.runs > 5 * few


def test_divide_is_that_of_the_cpu(host: Host) -> None:
    position = Position(KIWIPETE)
    told: list[tuple[int, int]] = []
    before = position.state.copy()
    for depth in (0, 1, 4, 5):
        told.clear()
        ours = CardDivider(host).run(position, depth, Control(), lambda *one: told.append(one))
        assert ours == Divider().run(position, depth, Control(), lambda move, n: None)
        assert ours[0] == told
    assert position.state == before


def test_a_stop_leaves_out_what_is_not_finished(host: Host) -> None:
    control = Control()

    def stop_at_the_third(move: int, n: int) -> None:
        told.append((move, n))
        if len(told) == 3:
            control.stop()

    told: list[tuple[int, int]] = []
    counts, total, stopped = CardDivider(host).run(
        Position(KIWIPETE), 5, control, stop_at_the_third
    )
    assert stopped
    assert counts == told
    assert len(counts) == 3
    assert total == sum(n for _, n in counts)


def without_a_device() -> str:
    """What is missing for counting on a card; empty if nothing is."""
    try:
        open_card()
    except BackendError as problem:
        return str(problem)
    return ""


def test_what_is_missing_is_said_in_one_line() -> None:
    missing = without_a_device()
    assert "\n" not in missing
    if find_spec("cupy") is None:
        assert missing == "no CuPy here: pip install 'triptych[gpu-cu13]'"


needs_compiler = pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason="no numba-cuda here: pip install 'triptych[gpu-ci]'"
)


@needs_compiler
@pytest.mark.parametrize("capability", [(8, 0), (9, 0)])
@pytest.mark.parametrize("name", BODIES)
def test_bodies_compile_and_link_without_a_device(name: str, capability: tuple[int, int]) -> None:
    body, arguments = BODIES[name]
    for colour in (0, 1):
        ptx = compiler.to_ptx(body, arguments, colour, capability)
        assert "call" not in ptx  # everything is merged into the kernel
        code = compiler.link(ptx, capability)
        assert code.cubin.startswith(b"\x7fELF")
        assert 32 < code.registers <= 64
        assert code.spilled <= 160


@pytest.fixture(scope="module")
def card() -> Card:
    missing = without_a_device()
    if missing:
        pytest.skip(missing)
    return open_card()


@pytest.mark.gpu
def test_a_card_counts_right(card: Card) -> None:
    rows = [row for row in ROWS if row["depth"] >= 1]
    for row in rows:
        assert leaves(card, row) == row["nodes"], row


@pytest.mark.gpu
def test_parts_on_a_card(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_LEAVES", 500_000)
    monkeypatch.setattr(levels, "MOST_POSITIONS", 20_000)
    assert leaves(card, {"fen": KIWIPETE, "depth": 5}) == 193690690


@pytest.mark.gpu
def test_divide_on_a_card(card: Card) -> None:
    position = Position(KIWIPETE)
    tell: Callable[[int, int], None] = lambda move, n: None  # noqa: E731
    ours = CardDivider(card).run(position, 5, Control(), tell)
    assert ours == Divider().run(position, 5, Control(), tell)
