"""What the Blokus search knows: the same as plain Python makes of the board and the numbers."""

import numpy as np
import pytest

from engine.control import Control
from engine.games.blokus import net, prior
from engine.games.blokus.generator import Generator
from engine.games.blokus.memory import Memory, Tree
from engine.games.blokus.pieces import PIECES, SIZES
from engine.games.blokus.position import Position
from engine.games.blokus.search import assess
from engine.games.blokus.sketch import sketch_of
from engine.games.blokus.state import COLOURS, MARGIN, ROWS, STRIDE
from engine.games.blokus.variants import VARIANTS, Variant
from engine.games.blokus.weights import weights

IDS = [variant.id for variant in VARIANTS]


def walk(variant: Variant, seed: int, plies: int) -> list[np.void]:
    """The records of a random game that prefers large pieces."""
    rng = np.random.default_rng(seed)
    position = Position(variant, Generator())
    states = [position.state.copy()]
    while not position.over and len(states) <= plies:
        moves = sorted(position.legal(position.turn))
        position.play(position.turn, moves[-1 - int(rng.integers(min(len(moves), 40)))])
        states.append(position.state.copy())
    return states


def look(states: tuple[np.void, np.void], variant: Variant) -> np.ndarray:
    """The outputs for the second position, when the first is the root."""
    memory = Memory(Tree())
    boards = np.array([sketch_of(state) for state in states])
    memory.work["players"] = variant.players
    assess(boards, weights(variant.size)[1], memory._view, memory.work)
    out: np.ndarray = memory._view["out"].reshape(COLOURS, net.OUTPUTS)[: variant.colours].copy()
    return out


Squares = set[tuple[int, int]]


def holds(state: np.void, name: str, colour: int, x: int, y: int) -> bool:
    return bool(int(state[name][colour * ROWS + y + MARGIN]) >> (x + MARGIN) & 1)


def planes(state: np.void, variant: Variant, colour: int) -> tuple[Squares, Squares, Squares]:
    """What a colour covers, its open corners, and what is within reach of its pieces."""
    board = [(x, y) for x in range(variant.size) for y in range(variant.size)]
    free = {s for s in board if not holds(state, "forbidden", colour, *s)}
    tips = {s for s in free if holds(state, "attach", colour, *s)}
    hand = int(state["hand"][colour])
    reach = set(tips)
    edge = tips
    for _ in range(max((SIZES[p] for p in range(PIECES) if hand >> p & 1), default=1) - 1):
        edge = {step for s in edge for step in around(*s)} & free - reach
        reach |= edge
    return {s for s in board if holds(state, "own", colour, *s)}, tips, reach


def around(x: int, y: int) -> Squares:
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def seen(state: np.void, variant: Variant, colour: int) -> list[int]:
    """The features that one colour sees, square by square."""
    size, colours = variant.size, variant.colours
    found = [net.TURN + (int(state["turn"]) - colour) % colours, net.PLAYERS + variant.players]
    for other in range(colours):
        back = (other - colour) % colours
        hand = int(state["hand"][other])
        found += [net.HANDS + back * PIECES + p for p in range(PIECES) if hand >> p & 1]
        for kind, squares in enumerate(planes(state, variant, other)):
            for x, y in squares:
                for _ in range(colour if size == 20 else 2 * colour):
                    x, y = size - 1 - y, x
                found.append((kind * COLOURS + back) * net.AREA + y * size + x)
    return found


def slow(state: np.void, variant: Variant) -> np.ndarray:
    record = weights(variant.size)[1]
    columns = record["columns"].reshape(-1, net.HIDDEN).astype(int)
    heads = record["heads"].reshape(COLOURS, net.OUTPUTS, net.HIDDEN).astype(int)
    colours = variant.colours
    sums = [record["bias"] + columns[seen(state, variant, c)].sum(0) for c in range(colours)]
    lit = [np.clip(one, 0, net.ONE) for one in sums]
    out = [
        record["offset"] + sum(heads[k] @ lit[(c + k) % colours] for k in range(colours))
        for c in range(colours)
    ]
    return np.array(out) / (net.ONE * net.FINE)


@pytest.mark.parametrize("variant", VARIANTS, ids=IDS)
def test_the_network_sees_what_is_on_the_board(variant: Variant) -> None:
    for state in walk(variant, 3, 200)[::11]:
        assert look((state, state), variant) == pytest.approx(slow(state, variant))


@pytest.mark.parametrize("variant", VARIANTS, ids=IDS)
def test_the_way_from_the_root_makes_no_difference(variant: Variant) -> None:
    states = walk(variant, 5, 200)
    for k in range(0, len(states), 5):
        direct = look((states[k], states[k]), variant)
        for root in (0, max(k - 5, 0), len(states) - 1):
            assert (look((states[root], states[k]), variant) == direct).all()


def test_a_smaller_board_after_a_larger_one_is_seen_alone() -> None:
    large, small = VARIANTS[0], next(v for v in VARIANTS if v.size == 14)
    memory = Memory(Tree())
    for variant in (large, small):
        state = walk(variant, 1, 20)[-1]
        boards = np.array([sketch_of(state)] * 2)
        memory.work["players"] = variant.players
        assess(boards, weights(variant.size)[1], memory._view, memory.work)
    out = memory._view["out"].reshape(COLOURS, -1)[:2]
    assert (out == slow(state, small)).all()


class Surroundings:
    """The classes of squares for a colour to move."""

    def __init__(self, state: np.void, variant: Variant, colour: int) -> None:
        self.state, self.size, self.colour = state, variant.size, colour
        self.mate = (colour + 2) % 4 if variant.players == 2 and variant.colours == 4 else colour
        self.tips = planes(state, variant, colour)[1]
        self.others = {
            c: planes(state, variant, c)
            for c in range(variant.colours)
            if c not in (colour, self.mate)
        }

    def status(self, x: int, y: int) -> int:
        found = 0
        for c, (_, tips, reach) in self.others.items():
            if (x, y) in tips:
                found = max(found, 3)
            elif around(x, y) & tips and not holds(self.state, "forbidden", c, x, y):
                found = max(found, 2)
            elif (x, y) in reach:
                found = max(found, 1)
        return found

    def classes(self, x: int, y: int) -> tuple[int, int]:
        """As an edge neighbour, and as a corner."""
        if not (0 <= x < self.size and 0 <= y < self.size):
            return 0, 0
        value = int(self.state["cells"][(y + MARGIN) * STRIDE + x + MARGIN])
        if value and value - 1 == self.mate != self.colour:
            return 2, 1
        if value and value - 1 != self.colour:
            return 1, 1
        if holds(self.state, "forbidden", self.colour, x, y):
            return 3 + self.status(x, y), 2
        if (x, y) in self.tips:
            return 7 + self.status(x, y), 3
        free = sum(not holds(self.state, "forbidden", self.colour, *s) for s in around(x, y))
        return 11 + self.status(x, y), 4 + 4 * free + self.status(x, y)


@pytest.mark.parametrize("variant", VARIANTS, ids=IDS)
def test_squares_are_weighed_by_what_surrounds_them(variant: Variant) -> None:
    state = walk(variant, 9, 5 * variant.colours)[-1]
    colour = int(state["turn"])
    memory = Memory(Tree())
    memory.begin(state, variant.players, Control())
    memory.run(0)
    around_here = Surroundings(state, variant, colour)
    maps = memory._view["maps"].reshape(3, -1)
    placed = PIECES - int(state["hand"][colour]).bit_count()
    stage = max(k for k, first in enumerate(prior.STARTS) if placed >= first)
    numbers = weights(variant.size)[0]["weights"].reshape(prior.STAGES, -1)[stage]
    for y in range(-1, variant.size + 1):
        for x in range(-1, variant.size + 1):
            sq = (y + MARGIN) * STRIDE + x + MARGIN
            edge, corner = around_here.classes(x, y)
            assert maps[1][sq] == numbers[prior.EDGE + edge], (x, y)
            assert maps[2][sq] == numbers[prior.CORNER + corner], (x, y)


@pytest.mark.parametrize("variant", VARIANTS, ids=IDS)
def test_the_most_likely_moves_come_first_and_shares_add_up(variant: Variant) -> None:
    memory = Memory(Tree())
    memory.begin(walk(variant, 2, 9)[-1], variant.players, Control())
    memory.run(200)
    for index in range(int(memory.work["nodes"])):
        node = memory.tree.nodes[index]
        if node["count"] > 0:
            below = memory.tree.nodes[node["first"] : node["first"] + node["count"]]
            assert below["prior"].sum() == pytest.approx(1, abs=1e-4)
            assert (np.diff(below["prior"]) <= 0).all()
            assert len(set(below["move"].tolist())) == len(below)
