"""From clock to milliseconds: a plan never uses time that is not there."""

import itertools

import pytest

from engine.timeman import FIXED_SEARCH, Budget, budget
from engine.types import Limits

CLOCKS = (-500, 0, 1, 15, 20, 21, 50, 100, 1_000, 60_000, 7_200_000)
INCREMENTS = (0, 10, 1_000, 60_000)
MOVES = (None, -1, 0, 1, 2, 5, 40, 1_000)
OVERHEADS = (0, 20, 5_000)


@pytest.mark.parametrize("overhead", OVERHEADS)
@pytest.mark.parametrize("side", [0, 1])
def test_no_plan_goes_beyond_the_clock(overhead: int, side: int) -> None:
    """The increment, however large, is not on the clock yet."""
    for clock, inc, moves in itertools.product(CLOCKS, INCREMENTS, MOVES):
        clocks = (clock, 7) if side == 0 else (7, clock)
        incs = (inc, 3) if side == 0 else (3, inc)
        limits = Limits(time=clocks, inc=incs, movestogo=moves)
        plan = budget(limits, side, overhead)
        usable = max(clock - overhead, 0)
        assert plan.soft is not None and plan.hard is not None
        assert 0 <= plan.soft <= plan.hard <= usable, limits
        assert (plan.hard > 0) == (usable > 0), limits


def test_a_dead_clock_leaves_no_time() -> None:
    for clock in (0, -1, -100_000, 20):
        assert budget(Limits(time=(clock, None), inc=(5_000, 0)), 0, 20) == Budget(0, 0)


def test_the_last_move_of_a_control_keeps_a_reserve() -> None:
    for clock in (100, 1_000, 60_000):
        plan = budget(Limits(time=(None, clock), inc=(0, 10_000), movestogo=1), 1, 10)
        assert plan.hard is not None
        assert 0.05 * (clock - 10) < (clock - 10) - plan.hard < 0.5 * (clock - 10)


def test_more_moves_on_the_same_clock_get_less_each() -> None:
    plans = [budget(Limits(time=(60_000, None), movestogo=n), 0, 20).soft for n in range(1, 60)]
    assert plans == sorted((plan for plan in plans if plan is not None), reverse=True)
    assert len(set(plans)) == len(plans)


def test_a_whole_game_fits_on_the_clock() -> None:
    """Every move taking all that it is allowed, the flag never falls, and forty moves in there
    is still time to play."""
    for seconds, inc, control in ((60, 0, None), (10, 0.1, None), (1, 1, None), (60, 0, 40)):
        clock = seconds * 1000.0
        for played in range(40):
            moves = None if control is None else control - played
            limits = Limits(time=(int(clock), None), inc=(int(inc * 1000), 0), movestogo=moves)
            plan = budget(limits, 0, 10)
            assert plan.soft is not None
            clock -= plan.soft + 10
            assert clock > 0, limits
            clock += inc * 1000
        assert clock > (0 if control else seconds * 1000 * 0.05)


def test_the_other_clock_does_not_count() -> None:
    mine = budget(Limits(time=(60_000, 1), inc=(100, 0)), 0, 20)
    assert mine == budget(Limits(time=(60_000, None), inc=(100, 9_999)), 0, 20)
    assert mine != budget(Limits(time=(60_000, 1), inc=(100, 0)), 1, 20)
    assert budget(Limits(time=(None, 1_000)), 0, 20) == Budget(None, FIXED_SEARCH)


@pytest.mark.parametrize(
    ("limits", "hard"),
    [
        (Limits(), FIXED_SEARCH),
        (Limits(searchmoves=("e2e4",)), FIXED_SEARCH),
        (Limits(ponder=True), FIXED_SEARCH),
        (Limits(movetime=500), 480),
        (Limits(movetime=20), 0),
        (Limits(movetime=5), 0),
        (Limits(movetime=0), 0),
        (Limits(movetime=-5), 0),
        (Limits(movetime=500, depth=3, time=(100, 100)), 480),
        (Limits(depth=4), None),
        (Limits(nodes=4), None),
        (Limits(mate=4), None),
        (Limits(infinite=True), None),
        (Limits(infinite=True, time=(1_000, 1_000)), None),
        (Limits(infinite=True, movetime=1_000), None),
    ],
)
def test_limits_other_than_the_clock(limits: Limits, hard: float | None) -> None:
    plan = budget(limits, 0, 20)
    assert plan.hard == hard
    assert plan.soft is None
