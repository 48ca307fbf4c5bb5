"""The legal moves of many positions, by the bodies that count leaves."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.backends.runner import Runner, in_parts
from engine.device import DeviceRules
from engine.tasks import Records


class Lists(NamedTuple):
    """Those of position i are moves[starts[i] :][: counts[i]], in the order of generation."""

    moves: NDArray[Any]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]


def list_moves(runner: Runner, states: Records) -> Lists:
    """The moves of positions given as records. Blocks. Raises BackendError."""
    rules: DeviceRules = runner.rules
    counts = np.zeros(len(states), np.int64)
    starts = np.zeros(len(states), np.int64)
    lists: list[NDArray[Any]] = [np.zeros(0, rules.move)]
    for colour in rules.colours:
        mine = states["turn"] == colour if len(rules.colours) > 1 else np.ones(len(states), bool)
        chosen = np.flatnonzero(mine)

        def work(part: slice, colour: int = colour, chosen: NDArray[Any] = chosen) -> None:
            places = chosen[part]
            moves, numbers = _of_one_colour(runner, states[places], colour)
            starts[places] = sum(map(len, lists)) + np.cumsum(numbers) - numbers
            counts[places] = numbers
            lists.append(moves)

        in_parts(runner, len(chosen), work)
    return Lists(np.concatenate(lists), starts, counts)


def _of_one_colour(
    runner: Runner, states: Records, colour: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """(all moves, number of moves of each position). Raises MemoryError."""
    xp, rules, n = runner.xp, runner.rules, len(states)
    boards = xp.asarray(rules.level(states))
    counts = xp.empty(n, rules.count)
    runner.run("count", colour, n, boards, n, counts)
    ends = xp.cumsum(counts, dtype=np.int64)
    moves = xp.empty(int(ends[-1]), rules.move)
    runner.run("write", colour, n, boards, n, 0, 0, ends, counts, moves)
    return runner.fetch(moves), runner.fetch(counts).astype(np.int64)
