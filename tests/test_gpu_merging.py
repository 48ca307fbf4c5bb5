"""Equal positions counted once, on a card that is the CPU: the sums stay what they are."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from device_games import CASES, Case, compare_merged
from device_runners import Host, TightMemory

from engine.backends import levels, perft
from engine.backends.levels import Levels
from engine.backends.merging import Level, merged
from engine.backends.perft import CardDivider
from engine.control import Control
from engine.errors import EngineError
from engine.games.chess.device import RULES
from engine.games.chess.divide import Divider
from engine.games.chess.position import Position
from engine.games.chess.tables import T

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
KIWIPETE_LEAVES = {4: 4085603, 5: 193690690}
KINGS = "8/8/8/3k4/3p4/3P4/3K4/8 w - - 0 1"
LONE = "8/8/8/3k4/8/8/3K4/8 w - - 0 1"
EN_PASSANT = "4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1"
LOOPS = Host(replace(RULES, merge=2), T)


class Watched(Host):
    """Merges wherever it is possible, and counts the positions that are made."""

    def __init__(self) -> None:
        self.__dict__.update(LOOPS.__dict__)
        self.memory = 1 << 40  # not that it would be used
        self.made = 0

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        super().run(body, colour, n, *arguments)
        if body == "make":
            self.made += n


@pytest.fixture
def host() -> Watched:
    return Watched()


def count(runner: Any, fen: str, depth: int, merge: bool = True) -> int:
    position = Position(fen)
    words = RULES.level(position.state.reshape(1)).tolist()
    return Levels(runner, merge=merge).count(words, position.turn, depth)


def on_cpu(fen: str, depth: int) -> int:
    """Leaves, by way of a hash table."""
    divider = Divider()
    divider.resize(16)
    return divider.run(Position(fen), depth, Control(), lambda move, n: None)[1]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_merged_counts_are_those_of_the_cpu(case: Case) -> None:
    leaves, gone = compare_merged(case, Host(case.rules, case.tables), 200_000)
    assert leaves > 30_000
    assert gone > 100


def test_merging_is_optional_and_chosen_by_depth(host: Watched) -> None:
    made = []
    for merge, least in ((False, 2), (True, 9), (True, 4), (True, 3), (True, 2)):
        host.made = 0
        host.rules = replace(RULES, merge=least)
        assert count(host, KINGS, 8, merge) == on_cpu(KINGS, 8)
        made.append(host.made)
    assert made[0] == made[1] > made[2] > made[3]
    assert made[3] == made[4]  # nothing is made after the last level


def test_merged_in_parts_of_any_size(host: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    for leaves, positions, depth in ((5_000, 700, 8), (200, 200, 6), (30, 1 << 20, 6), (1, 1, 5)):
        monkeypatch.setattr(levels, "MOST_LEAVES", leaves)
        monkeypatch.setattr(levels, "MOST_POSITIONS", positions)
        assert count(host, KINGS, depth) == on_cpu(KINGS, depth)
    monkeypatch.undo()
    for memory, depth in ((500_000, 8), (20_000, 6), (0, 5)):
        host.memory = memory
        assert count(host, KINGS, depth) == on_cpu(KINGS, depth)


def test_merged_in_little_memory(host: Watched) -> None:
    assert count(host, KIWIPETE, 5) == KIWIPETE_LEAVES[5]
    for room in (100_000, 20_000):
        host.xp = TightMemory(room)
        host.tidied = 0
        assert count(host, KIWIPETE, 4) == KIWIPETE_LEAVES[4]
        assert host.tidied == host.xp.refused > 0


@pytest.mark.parametrize("bits", [0, 1, 255])
def test_positions_that_share_a_key_stay_apart(host: Watched, bits: int) -> None:
    expected, plain = on_cpu(KINGS, 8), host.run
    count(host, KINGS, 8)
    best = host.made

    def collide(body: str, colour: int, n: int, *arguments: Any) -> None:
        plain(body, colour, n, *arguments)
        if body == "key":
            keys = arguments[-1]
            keys &= bits

    host.run = collide  # type: ignore[method-assign]
    host.made = 0
    assert count(host, KINGS, 8) == expected
    assert host.made > best


def test_ways_add_up(host: Watched) -> None:
    """A level with each position up to four times, in any order."""
    position = Position(KIWIPETE)
    states = []
    for move in position.legal():
        child = Position(KIWIPETE)
        child.play(move)
        states.append(child.state.copy())
    numbers = np.random.default_rng(1).permutation(np.arange(4 * len(states)) % len(states))
    repeated = np.array(states)[numbers]
    some = np.arange(1, len(repeated) + 1) << 40
    counts = numbers.astype(np.uint8)
    for ways in (None, some):
        found = merged(host, 1, Level(RULES.level(repeated), counts, ways))
        assert sorted(found.counts) == list(range(len(states)))
        single = RULES.level(np.array(states)).reshape(RULES.words, -1)
        assert np.array_equal(found.boards.reshape(RULES.words, -1), single[:, found.counts])
        each = np.ones(len(repeated), np.int64) if ways is None else ways
        expected = np.bincount(numbers, each).astype(np.int64)  # exact: few bits are set
        assert found.ways is not None and found.ways.dtype == np.int64
        assert np.array_equal(found.ways, expected[found.counts])
    once = Level(RULES.level(np.array(states)), np.ones(len(states), np.uint8))
    assert merged(host, 1, once) is once


def test_an_en_passant_square_that_nobody_can_use_keeps_nothing_apart(host: Watched) -> None:
    for fen in (EN_PASSANT, "4k3/3p4/8/8/8/8/4P3/4K3 w - - 0 1"):
        for depth in (4, 5, 6):
            assert count(host, fen, depth) == on_cpu(fen, depth)
    words = RULES.level(Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").state.reshape(1)).tolist()
    squares = []
    plain = host.run

    def look(body: str, colour: int, n: int, *arguments: Any) -> None:
        plain(body, colour, n, *arguments)
        if body == "make":
            squares.append(arguments[6].reshape(RULES.words, -1)[-1].any())

    host.run = look  # type: ignore[method-assign]
    Levels(host).count(words, 0, 4)
    assert squares and not any(squares)


def test_more_ways_than_32_bits_hold(host: Watched) -> None:
    for depth in (16, 20):
        leaves = count(host, LONE, depth)
        assert leaves == on_cpu(LONE, depth) > 1 << 33
    assert host.made < 1_000_000


def test_more_leaves_than_64_bits_hold_are_refused(host: Watched) -> None:
    assert 1 << 61 < count(host, LONE, 22) == on_cpu(LONE, 22)
    divider = Divider()
    divider.resize(16)
    tell: Callable[[int, int], None] = lambda move, n: None  # noqa: E731
    on_card = CardDivider(host, divider.run, merge=True)
    for divide in (divider.run, on_card):
        # More in all, but not behind a single move; counted by python-chess too.
        assert divide(Position(LONE), 23, Control(), tell)[1] == 21_873_952_687_143_565_326
        for depth in (25, 30, 200):
            with pytest.raises(EngineError, match=r"^more than 9.2e18 leaves"):
                divide(Position(LONE), depth, Control(), tell)
    for depth in (23, 30, 200):
        with pytest.raises(EngineError, match=r"^more than 9.2e18 leaves"):
            count(host, LONE, depth)


def test_a_stop_is_heard_while_merging(host: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_LEAVES", 100)
    control = Control()
    parts = 0

    def stop_at_the_tenth(leaves: Callable[[], int]) -> None:
        nonlocal parts
        parts += 1
        if parts == 10:
            control.stop()

    words = RULES.level(Position(KINGS).state.reshape(1)).tolist()
    Levels(host, lambda: control.stopped, stop_at_the_tenth, merge=True).count(words, 0, 10)
    assert parts == 10


def test_divide_and_progress(host: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perft, "PATIENCE", 0.0)
    said: list[str] = []
    tell: Callable[[int, int], None] = lambda move, n: None  # noqa: E731
    position = Position(KIWIPETE)
    divide = CardDivider(host, Divider().run, said.append, merge=True)
    ours = divide(position, 5, Control(), tell)
    merging = host.made
    assert ours == Divider().run(position, 5, Control(), tell)
    assert said[-1].split()[6:8] == [str(KIWIPETE_LEAVES[5]), "leaves"]
    host.made = 0
    CardDivider(host, Divider().run)(position, 5, Control(), tell)
    assert merging == host.made  # the only level that could have had fewer is the last one
