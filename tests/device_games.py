"""The games that count on cards, and positions whose leaves the CPU counts as well."""

import sys
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any
from unittest.mock import patch

import numpy as np
from device_runners import Simulated

from engine.backends import levels
from engine.backends.facts import examiner
from engine.backends.levels import Levels
from engine.backends.merging import Level, merged
from engine.backends.moves import list_moves
from engine.control import Control
from engine.device import DeviceFacts, DeviceRules
from engine.divide import Counts, Divide
from engine.games.blokus import device as blokus
from engine.games.blokus.analysis import examine as examine_blokus
from engine.games.blokus.divide import divide as divide_blokus
from engine.games.blokus.generator import Generator
from engine.games.blokus.position import Position as BlokusPosition
from engine.games.blokus.variants import CLASSIC, DUO, VARIANTS
from engine.games.chess import device as chess
from engine.games.chess.analysis import examiner as chess_examiner
from engine.games.chess.arrays import HostRows
from engine.games.chess.divide import Divider
from engine.games.chess.position import Position as ChessPosition
from engine.games.chess.position import legal_moves
from engine.games.chess.rows_on_card import ROWS, CardRows
from engine.games.chess.tables import T
from engine.games.cotulenh import device as cotulenh
from engine.games.cotulenh.divide import divide as divide_cotulenh
from engine.games.cotulenh.facts import examiner as cotulenh_examiner
from engine.games.cotulenh.position import Position as CotulenhPosition
from engine.games.cotulenh.position import legal_actions
from engine.games.cotulenh.records import WORK
from engine.tasks import Records, Tasks

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
BLACK = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1"
PROMOTION = "8/P1k5/8/8/8/8/5K1p/8 w - - 0 1"
KINGS = "8/8/8/3k4/3p4/3P4/3K4/8 w - - 0 1"
FEW = "11/11/9f1/3c7/11/11/8C2/11/2m8/11/11/11 r - - 0 4"
CARRIED = "11/11/11/3c7/11/11/11/5(TC)5/11/11/11/11 r - - 0 4"
DUEL = "11/11/11/3c7/11/11/7C3/11/11/11/11/11 r - - 0 4"
STACKS = "2c3asa2/5h1h3/n6t2m/2i2g3ge/3e7/10i/8G2/2N3A4/4(ES)2t2E/4G3T2/6CH1A1/11 b - - 0 54"
EN_PASSANT = "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1"


def chess_positions() -> Iterator[Any]:
    yield from map(ChessPosition, (PROMOTION, KINGS, EN_PASSANT, KIWIPETE, BLACK))


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
    yield from map(CotulenhPosition, (FEW, CARRIED, DUEL))
    position = CotulenhPosition(STACKS)
    yield position
    for number in range(20):
        actions = position.legal()
        position.play(actions[number * 37 % len(actions)])
        if position.deploying:
            yield position


def chess_game() -> Iterator[Any]:
    position = ChessPosition(KIWIPETE)
    for number in range(40):
        moves = position.legal()
        position.play(moves[number * 37 % len(moves)])
        yield position


def blokus_game() -> Iterator[Any]:
    position = BlokusPosition(DUO, Generator())
    while not position.over:
        moves = position.legal(position.turn)
        position.play(position.turn, moves[len(position.history) * 37 % len(moves)])
        yield position


def cotulenh_game() -> Iterator[Any]:
    position = CotulenhPosition()
    for number in range(40):
        actions = position.legal()
        position.play(actions[number * 37 % len(actions)])
        yield position


def on_one_thread(divide: Any) -> Divide:
    def run(position: Any, depth: int, control: Any, on_count: Any) -> Counts:
        counts: Counts = divide(position, depth, 1, control, on_count)
        return counts

    return run


@dataclass(frozen=True)
class Case:
    """A game."""

    rules: DeviceRules
    facts: DeviceFacts
    positions: Callable[[], Iterator[Any]]
    """Some positions, the small ones first. Each may be changed when the next is asked for."""
    game: Callable[[], Iterator[Any]]
    """The positions of a game, for what is fast. Likewise."""
    on_cpu: Tasks
    tables: Any = None
    """Those of the CPU, if they are others."""

    @property
    def name(self) -> str:
        return self.rules.name

    def states(self, most: int) -> Records:
        """The records of some positions, then of a game: so many, or fewer if there are no more."""
        some = islice(chain(self.positions(), self.game()), most)
        return np.array([position.state.copy() for position in some])


def blokus_legal(state: np.void) -> list[int]:
    return Generator().legal(state, int(state["turn"]))


def cotulenh_legal(state: np.void) -> list[int]:
    return legal_actions(state, np.zeros(1, WORK)[0])


CASES = [
    Case(
        chess.RULES, chess.FACTS, chess_positions, chess_game,
        Tasks(Divider().run, legal_moves, chess_examiner), T,
    ),
    Case(
        blokus.RULES, blokus.FACTS, blokus_positions, blokus_game,
        Tasks(on_one_thread(divide_blokus), blokus_legal, lambda: examine_blokus),
    ),
    Case(
        cotulenh.RULES, cotulenh.FACTS, cotulenh_positions, cotulenh_game,
        Tasks(on_one_thread(divide_cotulenh), cotulenh_legal, cotulenh_examiner),
    ),
]  # fmt: skip


def compare(case: Case, runner: Any, limit: int, most: int = 100) -> int:
    """Count the first positions of a game on a runner, as deep as there are at most `limit` leaves
    and no more than three plies. They must be those that the CPU counts. Gives their number."""
    total, deepest = 0, 0
    for position in islice(case.positions(), most):
        words = case.rules.level(position.state.reshape(1)).tolist()
        colour = position.turn if len(case.rules.colours) > 1 else 0
        for depth in (1, 2, 3):
            leaves = case.on_cpu.divide(position, depth, Control(), lambda move, n: None)[1]
            if leaves > limit:
                break
            assert Levels(runner).count(words, colour, depth) == leaves, (case.name, depth)
            total, deepest = total + leaves, max(deepest, depth)
    assert deepest == 3  # so all bodies have run
    return total


def compare_merged(case: Case, runner: Any, limit: int, most: int = 100) -> tuple[int, int]:
    """Count the first positions of a game on a runner with equal positions merged at all depths,
    down to at most `limit` leaves. They must be those that the CPU counts. Gives the number of
    leaves and how many positions vanished."""
    runner = copy(runner)
    runner.rules = replace(case.rules, merge=2)
    total, gone = 0, 0

    def watched(runner: Any, colour: int, level: Level) -> Level:
        nonlocal gone
        found = merged(runner, colour, level)
        gone += len(level.counts) - len(found.counts)
        return found

    with patch.object(levels, "merged", watched):
        for position in islice(case.positions(), most):
            words = case.rules.level(position.state.reshape(1)).tolist()
            colour = position.turn if len(case.rules.colours) > 1 else 0
            for depth in range(1, 9):
                leaves = case.on_cpu.divide(position, depth, Control(), lambda move, n: None)[1]
                if leaves > limit:
                    break
                found = Levels(runner, merge=True).count(words, colour, depth)
                assert found == leaves, (case.name, depth)
                total += leaves
    return total, gone


def compare_lists(case: Case, runner: Any, most: int = 100) -> int:
    """List the moves of some positions of a game on a runner, all at once. They must be those
    of the CPU, in the same order. Gives their number."""
    states = case.states(most)
    moves, starts, counts = list_moves(runner, states)
    for state, start, n in zip(states, starts, counts, strict=True):
        assert moves[start : start + n].tolist() == case.on_cpu.legal(state), case.name
    assert len(moves) == counts.sum()
    return len(moves)


def compare_facts(case: Case, runner: Any, most: int = 100) -> int:
    """Find the facts of some positions of a game on a runner. They must be those of the CPU,
    byte for byte. Gives the number of bytes that are not 0."""
    states = case.states(most)
    found, expected = (
        np.ones(len(states), case.facts.facts),
        np.zeros(len(states), case.facts.facts),
    )
    examiner(runner)(states, found)
    case.on_cpu.examiner()(states, expected)
    for i in range(len(states)):
        assert found[i].tobytes() == expected[i].tobytes(), (case.name, i)
    return int(np.count_nonzero(found.view(np.uint8)))


def chess_boards() -> tuple[Any, ...]:
    """The same positions of chess as the arrays of `engine.games.chess.arrays`: pieces, colours,
    side to move, rights to castle, en passant squares."""
    states = CASES[0].states(100)
    pieces = (states["board"] & 7).astype(np.int8)
    colours = np.where(pieces == 0, -1, states["board"] >> 3).astype(np.int8)
    targets = [int(ep).bit_length() - 1 for ep in states["ep"]]
    return pieces, colours, states["turn"], states["castling"], np.array(targets, np.int64)


def compare_rows(runner: Any) -> int:
    """Attack maps, evaluations and pseudo-legal moves of these boards on a runner of `ROWS`. They
    must be those of the CPU. Gives the number of moves."""
    boards = chess_boards()
    there, on_card, on_cpu = map(runner.xp.asarray, boards), CardRows(runner), HostRows()
    given = [runner.xp.ascontiguousarray(array) for array in there]
    for name, n in (("map_attacks", 2), ("rate", 2), ("write_moves", 5)):
        found = getattr(on_card, name)(*given[:n], refuse)
        expected = getattr(on_cpu, name)(*map(np.ascontiguousarray, boards[:n]), refuse)
        for mine, theirs in zip(found, expected, strict=True):
            assert np.array_equal(runner.fetch(mine), theirs), name
    return len(expected[0])


def refuse(i: int) -> None:
    raise AssertionError(f"position {i} is refused")


if __name__ == "__main__":
    # In a process of its own: Numba decides at its import whether it simulates.
    for simulated in CASES:
        runner = Simulated(simulated.rules, simulated.tables)
        number = compare(simulated, runner, 5_000, 3)
        listed = compare_lists(simulated, runner, 12)
        number += compare_merged(simulated, runner, 6_000, 3)[0]
        facts = compare_facts(simulated, Simulated(simulated.facts, simulated.tables), 12)
        sys.stdout.write(f"{simulated.name} {number} {runner.runs} {listed} {facts}\n")
    sys.stdout.write(f"rows {compare_rows(Simulated(ROWS, T))}\n")
