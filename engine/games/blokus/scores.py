"""Points and results, at any moment of the game."""

import numpy as np

from engine.games.blokus.pieces import MONOMINO
from engine.games.blokus.variants import Variant

ALL_SQUARES = 89
"""Of the 21 pieces of a colour."""


def bonus(pos: np.void, colour: int) -> int:
    """15 for all pieces placed, 20 if the one-square piece came last."""
    if pos["hand"][colour]:
        return 0
    return 20 if pos["last"][colour] == MONOMINO else 15


def points(pos: np.void, colour: int) -> int:
    """Squares on the board and the bonus."""
    return int(pos["squares"][colour]) + bonus(pos, colour)


def final_score(pos: np.void, variant: Variant) -> str:
    """The reply of the command: `B+n`, `W+n` or `0` for two players, whose colours lie opposite
    each other; else the points of all colours, each with a blank behind it."""
    each = [points(pos, colour) for colour in range(variant.colours)]
    if variant.players > 2:
        return "".join(f"{n} " for n in each)
    margin = sum(each[0::2]) - sum(each[1::2])
    return f"{'B' if margin > 0 else 'W'}+{abs(margin)}" if margin else "0"
