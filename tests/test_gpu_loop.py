"""How leaves are counted in parts on a card, with a card that is the CPU."""

import re
from collections.abc import Callable
from copy import copy

import pytest
from device_runners import Host, TightMemory

from engine.backends import levels, perft
from engine.backends.check import CheckedDivider
from engine.backends.perft import CardDivider
from engine.backends.runner import Runner
from engine.control import Control
from engine.divide import Counts, Divide
from engine.errors import BackendError, CheckError, EngineError
from engine.games.chess.device import RULES
from engine.games.chess.divide import Divider
from engine.games.chess.position import Position
from engine.games.chess.state import BOARDS
from engine.games.chess.tables import T
from engine.tasks import Words

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEPTH, LEAVES = 4, 4085603


LOOPS = Host(RULES, T)


@pytest.fixture
def host() -> Host:
    """One with nothing set, and with bodies that are compiled already."""
    return copy(LOOPS)


def count(runner: Runner, depth: int = DEPTH) -> int:
    position = Position(KIWIPETE)
    boards = [int(position.state[name]) for name in BOARDS]
    return levels.Levels(runner).count(boards, position.turn, depth)


def ignore(move: int, n: int) -> None:
    """Takes counts that are looked at later."""


def divide(
    run: Divide, depth: int, control: Control | None = None,
    on_count: Callable[[int, int], None] = ignore,
) -> Counts:  # fmt: skip
    return run(Position(KIWIPETE), depth, control or Control(), on_count)


def test_parts_of_any_size_give_the_same_sum(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    assert count(host) == LEAVES
    few = host.runs
    for leaves, positions in ((5_000, 700), (200, 200), (1, 1), (300, 1 << 20)):
        host.runs = 0
        monkeypatch.setattr(levels, "MOST_LEAVES", leaves)
        monkeypatch.setattr(levels, "MOST_POSITIONS", positions)
        assert count(host, 3) == 97862
        if leaves < 1000:
            assert host.runs > few
    monkeypatch.undo()
    host.memory, host.runs = 200_000, 0
    assert count(host) == LEAVES
    assert host.runs > 5 * few
    host.memory = 0
    assert count(host, 3) == 97862


def test_after_a_lack_of_memory_parts_are_smaller(host: Host) -> None:
    for room in (100_000, 20_000, 6_000):
        host.xp = TightMemory(room)
        host.tidied = 0
        assert count(host) == LEAVES
        assert host.xp.refused > 0
        assert host.tidied > 0
        assert host.tidied < host.xp.refused + 1


def test_too_little_memory_for_one_position_is_said(host: Host) -> None:
    host.xp = TightMemory(80)
    with pytest.raises(BackendError, match="too little memory on the card"):
        count(host)


def test_divide_is_that_of_the_cpu(host: Host) -> None:
    position = Position(KIWIPETE)
    before = position.state.copy()
    told: list[tuple[int, int]] = []
    for depth in (0, 1, 4, 5):
        told.clear()
        on_card = CardDivider(host, Divider().run)
        ours = on_card(position, depth, Control(), lambda *one: told.append(one))
        assert ours == divide(Divider().run, depth)
        assert ours[0] == told
    assert position.state == before


def test_small_depths_stay_on_the_cpu_and_say_so(host: Host) -> None:
    said: list[str] = []
    on_card = CardDivider(host, Divider().run, said.append)
    divide(on_card, RULES.shallow)
    assert said == [f"depth {RULES.shallow} is counted on the CPU, a card pays off beyond"]
    assert host.runs == 0
    said.clear()
    divide(CardDivider(host, Divider().run, said.append, 1), 2)
    assert said == []
    assert host.runs > 0


def test_what_is_too_deep_is_refused_as_on_the_cpu(host: Host) -> None:
    with pytest.raises(EngineError, match="at most 200"):
        divide(CardDivider(host, Divider().run), 201)


def test_a_stop_leaves_out_what_is_not_finished(host: Host) -> None:
    control = Control()

    def stop_at_the_third(move: int, n: int) -> None:
        told.append((move, n))
        if len(told) == 3:
            control.stop()

    told: list[tuple[int, int]] = []
    counts, total, stopped = divide(CardDivider(host, Divider().run), 5, control, stop_at_the_third)
    assert stopped
    assert counts == told
    assert len(counts) == 3
    assert total == sum(n for _, n in counts)


def test_a_stop_is_heard_between_parts(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_LEAVES", 2_000)
    control = Control()
    parts = 0

    def stop_at_the_tenth(leaves: Callable[[], int]) -> None:
        nonlocal parts
        parts += 1
        if parts == 10:
            control.stop()

    position = Position(KIWIPETE)
    boards = [int(position.state[name]) for name in BOARDS]
    counting = levels.Levels(host, lambda: control.stopped, stop_at_the_tenth)
    counting.count(boards, position.turn, 5)
    assert parts == 10


def test_a_long_count_tells_how_far_it_is(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perft, "PATIENCE", 0.0)
    said: list[str] = []
    divide(CardDivider(host, Divider().run, said.append), 5)
    assert len(said) == 48  # one part for each root move
    for line in said:
        assert re.fullmatch(r"perft root move \d+ of 48, \d+ leaves in \d+ s, nps \d+", line), line
    assert said[-1].split()[6:8] == ["193690690", "leaves"]


def checked(host: Host, on_card: Divide | None = None) -> CheckedDivider:
    return CheckedDivider(
        on_card or CardDivider(host, Divider().run, shallow=1),
        Divider().run,
        Words(lambda state, move: f"m{move}", lambda state: '"position fen X'),
    )


def test_a_check_gives_the_counts_when_all_is_well(host: Host) -> None:
    told: list[tuple[int, int]] = []
    for depth in (0, 1, 2, 3):
        told.clear()
        result = divide(checked(host), depth, None, lambda *one: told.append(one))
        assert result == divide(Divider().run, depth)
        assert told == result[0]
    assert host.runs > 0


def test_a_check_stops_at_the_first_difference(host: Host) -> None:
    right, total, _ = divide(Divider().run, 3)

    def wrong(position: Position, depth: int, control: Control, on_count: object) -> Counts:
        return [*right[:4], (right[4][0], right[4][1] + 1), *right[5:]], total + 1, False

    told: list[int] = []
    with pytest.raises(CheckError) as caught:
        divide(checked(host, wrong), 3, None, lambda move, n: told.append(move))
    move, n = right[4]
    assert str(caught.value) == (
        f"the CPU has m{move}: {n}, the card has m{move}: {n + 1}; "
        'to see it again: triptych "position fen X; go perft 3"'
    )
    assert told == [move for move, _ in right[:4]]


@pytest.mark.parametrize("kept", [0, 3, 47])
def test_a_check_misses_no_root_move(host: Host, kept: int) -> None:
    right, _, _ = divide(Divider().run, 2)

    def short(position: Position, depth: int, control: Control, on_count: object) -> Counts:
        return right[:kept], sum(n for _, n in right[:kept]), False

    with pytest.raises(CheckError, match="the card has nothing"):
        divide(checked(host, short), 2)


def test_a_check_sees_a_root_move_too_many(host: Host) -> None:
    right, total, _ = divide(Divider().run, 2)

    def long(position: Position, depth: int, control: Control, on_count: object) -> Counts:
        return [*right, (1, 1)], total + 1, False

    with pytest.raises(CheckError, match=f"{total} leaves, the card has {total + 1} leaves"):
        divide(checked(host, long), 2)


def test_a_check_can_be_stopped(host: Host) -> None:
    control = Control()
    control.stop()
    counts, total, stopped = divide(checked(host), 4, control)
    assert (counts, total, stopped) == ([], 0, True)
