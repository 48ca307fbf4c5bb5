"""How fast are Blokus moves listed and counted, and positions searched? CPU time, on one core.

Positions come from random games, so many plies in; each has its time, the best of some turns, and
of these the median and the worst are told. No speed without the right moves: every list is first
compared with the slow generator's, every perft with the known count.
"""

import random
import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from speed_peers import WrongAnswer

from engine.control import Control
from engine.games.blokus.divide import divide
from engine.games.blokus.generator import SWITCHES, Generator, difference
from engine.games.blokus.memory import Memory, Tree
from engine.games.blokus.movegen import write_moves
from engine.games.blokus.naive import scan
from engine.games.blokus.numba_types import MOVES_T, STATE_T, TABLES_T, Moves, State, Tables
from engine.games.blokus.position import Position
from engine.games.blokus.rules import generate
from engine.games.blokus.state import MAX_MOVES
from engine.games.blokus.tables import T
from engine.games.blokus.variants import CLASSIC, DUO, Variant
from engine.jit import kernel

PLIES = {CLASSIC: (0, 5, 10, 20, 30, 40), DUO: (0, 5, 10, 20)}
PERFTS = ((CLASSIC, 5, 1_898_244_648), (DUO, 3, 89_204_762))
GAMES = 100
"""Positions for each number of plies."""
SEARCHED, SIMULATIONS = 20, 4000
"""Positions that are searched, and for how long."""
ROUNDS, TURNS = 200, 5
"""Lists of one position in one turn; turns of which the best counts."""


@kernel(types.int64(STATE_T, TABLES_T, MOVES_T, types.int64))
def list_often(pos: State, t: Tables, moves: Moves, rounds: int) -> int:
    """List the moves of the colour to move so many times; returns the sum of their numbers."""
    total = 0
    for _ in range(rounds):
        total += write_moves(pos, t, pos.turn, moves)
    return total


def positions(variant: Variant, plies: int, games: int) -> list[Position]:
    """Positions so many plies into random games that are not over there; always the same."""
    found: list[Position] = []
    generator = Generator()
    generator.switches = dict(SWITCHES)
    seed = 0
    while len(found) < games:
        rng = random.Random(f"{variant.id} {plies} {seed}")
        position = Position(variant, generator)
        while not position.over and position.ply < plies:
            position.play(position.turn, rng.choice(position.legal(position.turn)))
        if not position.over:
            found.append(position)
        seed += 1
    return found


def time_lists(some: Sequence[Position], rounds: int, turns: int) -> list[float]:
    """Microseconds for one list of moves, for each position. Raises WrongAnswer."""
    moves = np.zeros(MAX_MOVES, np.int32)
    times = []
    for position in some:
        check(position, moves)
        spent = []
        for _ in range(turns):
            start = time.process_time()
            list_often(position.state, T, moves, rounds)
            spent.append(time.process_time() - start)
        times.append(min(spent) / rounds * 1e6)
    return times


def check(position: Position, moves: Any) -> None:
    """Raises WrongAnswer unless both generators give the same moves, each once."""
    pos, colour = position.state, position.turn
    fast = moves[: generate(pos, T, colour, moves)].tolist()
    slow = moves[: scan(pos, T, colour, 0, 0, 0, moves)].tolist()
    fault = difference(fast, slow)
    if fault:
        raise WrongAnswer(f"{position.fen()}: {fault}")


def time_perft(variant: Variant, depth: int, nodes: int) -> float:
    """Leaves a CPU second. Raises WrongAnswer."""
    (position,) = positions(variant, 0, 1)
    start = time.process_time()
    _, found, _ = divide(position, depth, 1, Control(), lambda move, leaves: None)
    spent = time.process_time() - start
    if found != nodes:
        raise WrongAnswer(f"perft {depth} of {variant.id}: expected {nodes}, found {found}")
    return found / spent


def time_search(some: Sequence[Position]) -> float:
    """Thousand simulations a second."""
    memory = Memory(Tree())
    control = Control()
    start = time.process_time()
    for position in some:
        memory.tree.clear()
        memory.begin(position.record_for(position.turn), position.variant.players, control)
        memory.run(SIMULATIONS)
    return len(some) * SIMULATIONS / (time.process_time() - start) / 1000


def measure() -> dict[str, tuple[float, ...]]:
    """Label of a row -> its numbers."""
    rows: dict[str, tuple[float, ...]] = {}
    for variant, all_plies in PLIES.items():
        for plies in all_plies:
            some = positions(variant, plies, GAMES)
            times = time_lists(some, ROUNDS, TURNS)
            searched = time_search(some[:SEARCHED])
            rows[f"{variant.id}, {plies} plies"] = (statistics.median(times), max(times), searched)
    for variant, depth, nodes in PERFTS:
        rows[f"{variant.id}, perft {depth}"] = (time_perft(variant, depth, nodes) / 1e6,)
    return rows
