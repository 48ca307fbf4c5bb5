"""Playing a game to its end, quickly and not quite at random.

The largest pieces go first: the frontier is sorted by what fits (see `sketch`). Of a few random
moves the one that gains most is played.
"""

from typing import Any

from engine.bits import popcount, shr, u
from engine.games.blokus.movegen import played, window
from engine.games.blokus.pieces import MONOMINO
from engine.games.blokus.sketch import (
    GROUPS,
    Fits,
    Sketch,
    demote,
    drop,
    fit,
    is_open,
    largest,
    lay,
)
from engine.games.blokus.state import ROWS
from engine.games.blokus.tables import BOX
from engine.jit import helper, inline

WHOLE = 1 << 16
"""A won game, in rewards."""
TRIES = 2
"""Random moves to choose from."""


@inline
def random(w: Any) -> int:
    """The next random number of 32 bits (xorshift)."""
    x = w.random
    x ^= x << 13
    x ^= shr(x, 7)
    x ^= x << 17
    w.random = x
    return shr(x, 32)


@inline
def gain(board: Sketch, t: Any, colour: int, move: int) -> int:
    """What a move is worth to a hasty player: corners won, corners of others taken."""
    way = move >> 10
    y = ((move & 1023) >> 5) - 1
    x = (move & 31) - 1
    total = 0
    for i in range(t.height[u(way)]):
        row = y + i
        box = u(way * BOX + i)
        at = u(colour * ROWS + row)
        cells = int(t.cells[box]) << x
        total += popcount((int(t.corners[box]) << x) & ~int(board.forbidden[at]))
        for c in range(board.colours):
            if c != colour:
                other = u(c * ROWS + row)
                hit = cells & int(board.attach[other]) & ~int(board.forbidden[other])
                total += 2 * popcount(hit)
    return total


@inline
def draw(board: Sketch, f: Fits, w: Any, colour: int) -> int:
    """A random move with one of the largest pieces that fit, or -1 if the colour has no move."""
    gone = played(board, colour)
    base = colour * ROWS
    while True:
        group = largest(board, f, colour)
        if group == GROUPS:
            return -1
        first = int(board.start[u(colour * GROUPS + group)])
        luck = random(w)
        slot = first + shr(luck * (board.frontier_count[u(colour)] - first), 32)
        sq = int(board.frontier[u((colour << 8) + slot)])
        if not is_open(board, colour, sq):
            drop(board, colour, slot, group)
            continue
        blocked = gone | window(board.forbidden, base, sq)
        step = fit(f, blocked, group, random(w))
        if step >= 0:
            return step + sq
        demote(board, colour, slot, group)


@inline
def choose(board: Sketch, t: Any, f: Fits, w: Any, colour: int) -> int:
    """The best of a few random moves, or -1 if the colour has none."""
    best = draw(board, f, w, colour)
    if best < 0:
        return -1
    most = gain(board, t, colour, best)
    for _ in range(w.tries - 1):
        move = draw(board, f, w, colour)
        value = gain(board, t, colour, move)
        if value > most:
            best, most = move, value
    return best


@helper
def playout(board: Sketch, t: Any, f: Fits, w: Any) -> None:
    """Play on until no colour has a move."""
    colours = board.colours
    everybody = (1 << colours) - 1
    c = board.turn
    while board.stuck != everybody:
        if (board.stuck >> c) & 1 == 0:
            move = choose(board, t, f, w, c)
            if move < 0:
                board.stuck |= 1 << c
            else:
                lay(board, t, c, move)
        c += 1
        if c == colours:
            c = 0


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
