"""What one search thread keeps between moves, and how the search is tuned."""

import numpy as np

from engine.control import Control
from engine.games.blokus.net import OUTPUTS, VIEW
from engine.games.blokus.scores import ALL_SQUARES
from engine.games.blokus.search import assess, search
from engine.games.blokus.sketch import SKETCH, sketch_of
from engine.games.blokus.tables import T
from engine.games.blokus.tree import (
    JITTER,
    LEAF,
    LIKELY,
    MORE_JITTER,
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


class Memory:
    """The tree of one thread and what it works with."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self._trees = [zeros(ROOM, NODE), zeros(ROOM, NODE)]
        self._boards = np.zeros(2, SKETCH)
        self._view: np.void = zeros(1, VIEW)[0]
        self.work: np.void = zeros(1, WORK)[0]
        work = self.work
        for name, value in TUNED.items():
            work[name] = value
        work["room"] = ROOM
        work["likely"] = LIKELY
        work["jitter"] = MORE_JITTER if number else JITTER
        self.seed(0)
        self.clear()

    @property
    def nodes(self) -> np.ndarray:
        """The tree; its root comes first."""
        return self._trees[0]

    def seed(self, seed: int) -> None:
        """Start the random numbers anew, others for each thread."""
        rng = np.random.Generator(np.random.PCG64([seed % 2**64, self.number]))
        self.work["random"] = rng.integers(1, 2**63)

    def clear(self) -> None:
        """Forget the tree."""
        self.nodes[0] = np.zeros((), NODE)
        self.nodes[0]["count"] = LEAF
        self.work["nodes"] = 1

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
        self.work["nodes"] = transplant(self._trees[0], child, self._trees[1], ROOM)
        self._trees.reverse()
        return True

    def children(self) -> np.ndarray:
        """The moves at the root."""
        root = self.nodes[0]
        return self.nodes[root["first"] : root["first"] + max(root["count"], 0)]

    def begin(self, state: np.void, players: int, control: Control) -> None:
        """Get ready to search a position, that of the root if there is a tree."""
        self._boards[0] = sketch_of(state)
        work = self.work
        work["players"], work["control"], work["simulations"] = players, control.address, 0

    def run(self, simulations: int) -> None:
        """Simulate, until the control given to `begin` is stopped at the latest."""
        words = self._boards.view(np.int64)
        prior, net = weights(int(self._boards[0]["size"]))
        search(self.nodes, self._boards, words, T, prior, net, self._view, self.work, simulations)

    def assess(self, state: np.void, players: int) -> tuple[list[float], list[float]]:
        """What the network says of a position: the share of a win that each player can expect, and
        the squares that each colour will have covered."""
        self._boards[:] = sketch_of(state)
        self.work["players"] = players
        assess(self._boards, weights(int(state["size"]))[1], self._view, self.work)
        squares = ALL_SQUARES * self._view["out"].reshape(-1, OUTPUTS)[:, 1]
        return (self.work["reward"][:players] / WHOLE).tolist(), squares[
            : state["colours"]
        ].tolist()
