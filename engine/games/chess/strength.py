"""Playing weaker, for `UCI_LimitStrength`: what an Elo means to the search.

Two things make the play weaker. The search ends after a number of nodes, as if it had less time;
and it takes one of its best moves by scores to which noise has been added, which at the
lower end lets it blunder. The noise comes from the position and the number of the game, so the same
commands give the same moves.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

PLACES = 4
"""How many of the best moves are told apart, the noise chooses among them."""


@dataclass(frozen=True)
class Level:
    """How strong to play."""

    elo: int
    nodes: int
    noise: int
    """Standard deviation of what is added to scores, hundredths of a pawn."""

    def choose(self, scores: Sequence[int], seed: int) -> int:
        """The index of the move to play. The same seed chooses the same."""
        noise = random.Random(seed)
        heard = [score + noise.gauss(0, self.noise) for score in scores]
        return heard.index(max(heard))


LEVELS = (
    Level(1100, 1, 230),
    Level(1500, 400, 20),
    Level(1900, 7_000, 10),
)
"""Measured on the scale of Stockfish's UCI_Elo, see "Playing weaker" in protocol/PROTOCOL.md. A new
row, a stronger evaluation or another search means new matches."""


def level_of(elo: int) -> Level:
    """The level for an Elo from the first of `LEVELS` to the last. Between two of them the
    logarithm of the nodes, and the noise, are on straight lines."""
    below = max((level for level in LEVELS if level.elo <= elo), key=lambda level: level.elo)
    above = min((level for level in LEVELS if level.elo >= elo), key=lambda level: level.elo)
    part = (elo - below.elo) / max(above.elo - below.elo, 1)
    nodes = below.nodes * (above.nodes / below.nodes) ** part
    return Level(elo, round(nodes), round(below.noise + part * (above.noise - below.noise)))
