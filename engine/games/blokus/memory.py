"""The tree that is kept between moves, what each thread works with, and how the search is tuned."""

import numpy as np

from engine.control import Control
from engine.games.blokus.net import OUTPUTS, VIEW
from engine.games.blokus.scores import ALL_SQUARES
from engine.games.blokus.search import assess, search
from engine.games.blokus.sketch import SKETCH, sketch_of
from engine.games.blokus.tables import T
from engine.games.blokus.tree import (
    LEAF,
    LIKELY,
    NODE,
    WHOLE,
    WORK,
    transplant,
)
from engine.games.blokus.weights import weights
from engine.memory import zeros

ROOM = 1 << 23
"""Nodes of one tree. Memory that is never used is never taken."""

TUNED = {"share": 4, "span": 40, "ripe": 1, "wide": 48, "explore": 0.7}
"""See `tree.WORK`. Of what was tried, in 120 games of Duo each, nothing was better beyond
doubt: `explore` 0.5 and 0.9 gave 47.5 and 42 %, `wide` 24 and 128 47 and 50 %, `share` 2 46 %."""


class Tree:
    """The tree that all threads share."""

    def __init__(self) -> None:
        self._arrays = [zeros(ROOM, NODE), zeros(ROOM, NODE)]
        self.used = 1
        """Nodes at the front of the array, before the search."""
        self.clear()

    @property
    def nodes(self) -> np.ndarray:
        """The nodes; the root comes first."""
        return self._arrays[0]

    def clear(self) -> None:
        """Forget the tree."""
        self.nodes[0] = np.zeros((), NODE)
        self.nodes[0]["count"] = LEAF
        self.used = 1

    def advance(self, colour: int, move: int) -> bool:
        """Make the child that a move leads to the new root. False, and no tree, if that colour was
        not to move at the root or nothing is known about the move."""
        children = self.children()
        found = np.flatnonzero(children["move"] == move)
        if not len(found) or self.nodes[0]["turn"] != colour:
            self.clear()
            return False
        child = int(self.nodes[0]["first"]) + int(found[0])
        if self.nodes[child]["count"] == LEAF:
            self.clear()
            return False
        self.used = transplant(self._arrays[0], child, self._arrays[1], ROOM)
        self._arrays.reverse()
        return True

    def children(self) -> np.ndarray:
        """The moves at the root."""
        root = self.nodes[0]
        return self.nodes[root["first"] : root["first"] + max(root["count"], 0)]


class Memory:
    """What one thread of the search works with."""

    def __init__(self, tree: Tree, number: int = 0) -> None:
        self.number = number
        self.tree = tree
        self._boards = np.zeros(2, SKETCH)
        self._view: np.void = zeros(1, VIEW)[0]
        self.work: np.void = zeros(1, WORK)[0]
        work = self.work
        for name, value in TUNED.items():
            work[name] = value
        work["likely"] = LIKELY
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Start the random numbers anew, others for each thread."""
        rng = np.random.Generator(np.random.PCG64([seed % 2**64, self.number]))
        self.work["random"] = rng.integers(1, 2**63)

    def begin(self, state: np.void, players: int, control: Control, threads: int = 1) -> None:
        """Get ready to search a position, that of the root if there is a tree. Each of so many
        threads gets its part of the room for new nodes."""
        self._boards[0] = sketch_of(state)
        work = self.work
        part = (ROOM - self.tree.used) // threads
        work["nodes"] = self.tree.used + self.number * part
        work["room"] = work["nodes"] + part
        work["players"], work["control"], work["simulations"] = players, control.address, 0

    def run(self, simulations: int) -> None:
        """Simulate, until the control given to `begin` is stopped at the latest."""
        words = self._boards.view(np.int64)
        prior, net = weights(int(self._boards[0]["size"]))
        search(
            self.tree.nodes, self._boards, words, T, prior, net, self._view, self.work, simulations
        )

    def assess(self, state: np.void, players: int) -> tuple[list[float], list[float]]:
        """What the network says of a position: the share of a win that each player can expect, and
        the squares that each colour will have covered."""
        self._boards[:] = sketch_of(state)
        self.work["players"] = players
        assess(self._boards, weights(int(state["size"]))[1], self._view, self.work)
        out = self._view["out"].reshape(-1, OUTPUTS)[: state["colours"]]
        return (self.work["reward"][:players] / WHOLE).tolist(), (ALL_SQUARES * out[:, 1]).tolist()
