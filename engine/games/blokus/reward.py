"""What a position is worth to each player: by the rules when the game has ended, by the network
before."""

from typing import Any

import numpy as np

from engine.bits import u
from engine.games.blokus.net import OUTPUTS, Net, View, look
from engine.games.blokus.pieces import MONOMINO
from engine.games.blokus.scores import ALL_SQUARES
from engine.games.blokus.sketch import Sketch
from engine.games.blokus.tree import WHOLE
from engine.jit import inline


@inline
def points(board: Sketch, colour: int) -> int:
    """Squares on the board and the bonus."""
    total = board.squares[u(colour)]
    if board.hand[u(colour)] == 0:
        total += 20 if board.last[u(colour)] == MONOMINO else 15
    return int(total)


@inline
def between(value: int, most: int) -> int:
    """`value`, kept between -most and most."""
    return max(-most, min(most, value))


@inline
def judge(board: Sketch, w: Any) -> None:
    """Write the reward of each player at the end of a game: most of it for the place, some for the
    points. From 0 to WHOLE."""
    if w.players == 2:
        margin = 0
        for c in range(board.colours):
            margin += points(board, c) * (1 - 2 * (c & 1))
        place = WHOLE // 2 * (1 + between(margin, 1))
        share = WHOLE // 2 + between(margin, w.span) * (WHOLE // 2 // w.span)
        w.reward[0] = (place * (16 - w.share) + share * w.share) >> 4
        w.reward[1] = WHOLE - w.reward[0]
        return
    total = 0
    for c in range(w.players):
        total += points(board, c)
    others = w.players - 1
    for c in range(w.players):
        mine = points(board, c)
        place = 0
        for other in range(w.players):
            if other != c:
                place += 1 + between(mine - points(board, other), 1)
        margin = mine - (total - mine) // others
        share = WHOLE // 2 + between(margin, w.span) * (WHOLE // 2 // w.span)
        place = place * (WHOLE // 2) // others
        w.reward[u(c)] = (place * (16 - w.share) + share * w.share) >> 4


@inline
def odds(difference: float) -> float:
    """The chance to win, by the difference of utilities."""
    return 1.0 / (1.0 + np.exp(-difference))


@inline
def guess(board: Sketch, net: Net, view: View, w: Any) -> None:
    """Write the reward that each player can expect."""
    look(board, net, view)
    part = w.share / 16.0
    scale = ALL_SQUARES / (2 * w.span)
    if w.players == 2:
        utility = margin = 0.0
        for c in range(board.colours):
            sign = 1 - 2 * (c & 1)
            utility += sign * view.out[u(c * OUTPUTS)]
            margin += sign * view.out[u(c * OUTPUTS + 1)]
        share = max(0.0, min(1.0, 0.5 + margin * scale))
        mine = odds(utility) * (1 - part) + share * part
        w.reward[0] = int(mine * WHOLE)
        w.reward[1] = WHOLE - w.reward[0]
        return
    total = 0.0
    for c in range(w.players):
        total += view.out[u(c * OUTPUTS + 1)]
    others = w.players - 1
    for c in range(w.players):
        place = 0.0
        for other in range(w.players):
            if other != c:
                place += odds(view.out[u(c * OUTPUTS)] - view.out[u(other * OUTPUTS)])
        margin = view.out[u(c * OUTPUTS + 1)] * (1 + 1.0 / others) - total / others
        share = max(0.0, min(1.0, 0.5 + margin * scale))
        w.reward[u(c)] = int((place / others * (1 - part) + share * part) * WHOLE)
