"""Code for graphics cards: on the CPU as far as that goes, on a card where there is one.

Needs neither python-chess nor the other helpers of these tests, so that it also runs on a machine
that has a card and little else (`scripts/gpu_check.sh`).
"""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from device_games import (
    CASES,
    Case,
    chess_boards,
    compare,
    compare_facts,
    compare_lists,
    compare_merged,
    compare_rows,
)
from device_runners import Host, TightMemory

from engine.backends import levels
from engine.backends.cuda import Card
from engine.backends.facts import examiner
from engine.backends.missing import missing
from engine.backends.moves import list_moves
from engine.backends.perft import CardDivider
from engine.backends.runner import Runner
from engine.control import Control
from engine.errors import BackendError
from engine.games.chess import arrays
from engine.games.chess.device import FACTS, RULES
from engine.games.chess.divide import Divider
from engine.games.chess.position import Position
from engine.games.chess.rows_on_card import ROWS
from engine.games.chess.state import BOARDS, STATE
from engine.games.chess.tables import T

Row = dict[str, Any]

COUNTED: list[Row] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "perft.jsonl").read_text().splitlines()
]
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def host() -> Host:
    return Host(RULES, T)


def leaves(runner: Runner, row: Row) -> int:
    position = Position(row["fen"], row.get("chess960", False))
    boards = [int(position.state[name]) for name in BOARDS]
    return levels.Levels(runner).count(boards, position.turn, row["depth"])


def test_the_bodies_count_right_on_the_cpu(host: Host) -> None:
    rows = [row for row in COUNTED if row["depth"] >= 1 and row["nodes"] < 300_000]
    assert len(rows) > 100
    assert any(row.get("chess960") for row in rows)
    for row in rows:
        assert leaves(host, row) == row["nodes"], row


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_game_counts_the_same_in_parts(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = Host(case.rules, case.tables)
    whole = compare(case, runner, 5_000, 4)
    few = runner.runs
    monkeypatch.setattr(levels, "MOST_LEAVES", 300)
    monkeypatch.setattr(levels, "MOST_POSITIONS", 100)
    assert compare(case, runner, 5_000, 4) == whole
    assert runner.runs > few


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_game_lists_and_examines_the_same_in_parts(case: Case) -> None:
    """The bodies on the CPU."""
    lists, facts = Host(case.rules, case.tables), Host(case.facts, case.tables)
    moves, said = compare_lists(case, lists), compare_facts(case, facts)
    assert moves > 1_000 and said > 400
    longest = int(list_moves(lists, case.states(100)).counts.max())
    lists.xp = TightMemory(longest * np.dtype(case.rules.move).itemsize)
    facts.xp = TightMemory(3 * case.facts.facts.itemsize)
    assert compare_lists(case, lists) == moves
    assert compare_facts(case, facts) == said
    for runner in (lists, facts):
        assert runner.tidied == runner.xp.refused > 1
    lists.xp = facts.xp = TightMemory(1)
    for compare_all, runner in ((compare_lists, lists), (compare_facts, facts)):
        with pytest.raises(BackendError, match="too little memory on the card"):
            compare_all(case, runner)


def test_arrays_as_a_card_works_on_them() -> None:
    assert compare_rows(Host(ROWS, T)) > 1_000


def test_no_positions_are_no_work(host: Host) -> None:
    nothing = np.zeros(0, STATE)
    assert list(map(len, list_moves(host, nothing))) == [0, 0, 0]
    examiner(Host(FACTS, T))(nothing, np.zeros(0, FACTS.facts))


def test_what_is_missing_is_said_in_one_line() -> None:
    said = missing()
    assert "\n" not in said
    if find_spec("cupy") is None:
        assert said.startswith("no CuPy here: pip install 'triptych[gpu-cu13]'")


@pytest.fixture(scope="module")
def card() -> Card:
    problem = missing()
    if problem:
        pytest.skip(
            f"counts on a real graphics card, and there is none to use ({problem}). "
            "scripts/gpu_check.sh runs this where there is one; "
            "tests/test_gpu_code.py runs the same compiled code on the CPU"
        )
    return Card(RULES)


@pytest.mark.gpu
def test_a_card_counts_right(card: Card) -> None:
    rows = [row for row in COUNTED if row["depth"] >= 1]
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
    ours = CardDivider(card, Divider().run)(position, 5, Control(), tell)
    assert ours == Divider().run(position, 5, Control(), tell)


@pytest.mark.gpu
def test_arrays_stay_on_a_card(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare_rows(Card(ROWS)) > 1_000
    boards = chess_boards()
    given = [card.xp.asarray(array) for array in boards]
    monkeypatch.setattr(arrays.card_rows(), "fetch", None)
    for call, n in (
        (arrays.compute_attack_maps, 2),
        (arrays.evaluate, 2),
        (arrays.generate_pseudo_legal_moves, 5),
    ):
        for mine, theirs in zip(call(*given[:n]), call(*boards[:n]), strict=True):
            assert isinstance(mine, card.xp.ndarray)
            assert np.array_equal(card.xp.asnumpy(mine), theirs)


@pytest.mark.gpu
@pytest.mark.parametrize("game", CASES, ids=[case.name for case in CASES])
def test_every_game_on_a_card(card: Card, game: Case) -> None:
    runner = Card(game.rules)
    assert compare(game, runner, 5_000_000) > 1_000_000
    assert compare_merged(game, runner, 200_000, 6)[1] > 100
    assert compare_lists(game, runner) > 1_000
    assert compare_facts(game, Card(game.facts)) > 400
