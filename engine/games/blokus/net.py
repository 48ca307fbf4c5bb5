"""The judgement of a position: a small network that looks at the board with each colour's eyes.

What a colour sees, turned so that its own start is always at the same place:

    planes      squares covered, open corners, and squares within reach of a piece: each for the
                colour itself and for those that follow it
    hands       the pieces left, for the same
    turn        whose turn it is
    players     how many there are

The first layer turns this into HIDDEN numbers for each colour. They are sums of columns of
`columns`, so only what differs from the root of the search needs to be added or taken away. The
second layer weighs the numbers of all colours, between 0 and 1, and gives two outputs for each:
its utility (the logarithm of the odds between two players is the difference of their colours'
utilities) and the squares it will have covered in the end.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import from_dtype

from engine.bits import lsb, u
from engine.games.blokus.pieces import PIECES, SIZES
from engine.games.blokus.sketch import Sketch
from engine.games.blokus.state import CELLS, COLOURS, MARGIN, ROWS, STRIDE
from engine.jit import helper, inline
from engine.memory import zeros

HIDDEN = 64
AREA = 400
KINDS = 3
PLANES = KINDS * COLOURS * ROWS
HANDS = KINDS * COLOURS * AREA
TURN = HANDS + COLOURS * PIECES
PLAYERS = TURN + COLOURS
FEATURES = PLAYERS + COLOURS + 1
ONE = 256
"""What stands for 1.0 in the first layer."""
FINE = 1024
"""What stands for 1.0 in the second."""
OUTPUTS = 2
LONGER = tuple(
    sum(1 << piece for piece in range(PIECES) if SIZES[piece] > size) for size in range(1, 5)
)
"""Pieces of more than 1, 2, 3 and 4 squares, as hands: each lets a colour reach one further."""

NET = np.dtype(
    [
        ("columns", np.int16, (FEATURES * HIDDEN,)),
        ("bias", np.int16, (HIDDEN,)),
        # Output o for what the colour k places further on sees: at (k * OUTPUTS + o) * HIDDEN.
        ("heads", np.int16, (COLOURS * OUTPUTS * HIDDEN,)),
        ("offset", np.int64, (OUTPUTS,)),
        # Cell of a square as a colour sees it, times HIDDEN; at colour * CELLS + square.
        ("place", np.int32, (COLOURS * CELLS,)),
    ],
    align=True,
)

VIEW = np.dtype(
    [
        (
            "rows",
            np.int32,
            (PLANES,),
        ),  # of the position looked at; (kind * COLOURS + colour) * ROWS
        ("root_rows", np.int32, (PLANES,)),
        ("root_hand", np.int64, (COLOURS,)),
        ("sums", np.int16, (COLOURS * HIDDEN,)),
        ("root_sums", np.int16, (COLOURS * HIDDEN,)),
        ("out", np.float64, (COLOURS * OUTPUTS,)),
        ("maps", np.int32, (3 * CELLS,)),  # see `prior.classify`
    ],
    align=True,
)

NET_T = from_dtype(NET)
VIEW_T = from_dtype(VIEW)
Net = Any
View = Any


def places(size: int) -> np.ndarray:
    """Cell of each square as each colour sees it, (COLOURS, CELLS)."""
    found = np.zeros((COLOURS, CELLS), np.int32)
    for colour in range(COLOURS):
        for y in range(size):
            for x in range(size):
                i, j = x, y
                for _ in range(colour if size == 20 else 2 * colour):
                    i, j = size - 1 - j, i
                found[colour, (y + MARGIN) * STRIDE + x + MARGIN] = j * size + i
    return found


def used(size: int) -> np.ndarray:
    """The features that a board of a size has."""
    colours = 2 if size == 14 else COLOURS
    planes = np.arange(KINDS * COLOURS * AREA).reshape(KINDS, COLOURS, AREA)
    hands = np.arange(HANDS, TURN).reshape(COLOURS, PIECES)
    rest = np.arange(TURN, FEATURES)
    there = (planes[:, :colours, : size * size], hands[:colours], rest)
    return np.concatenate([part.ravel() for part in there])


def build(size: int, parts: Mapping[str, np.ndarray]) -> np.void:
    """The record for a board size. `columns` has a row for each feature of `used`."""
    net: np.void = zeros(1, NET)[0]
    net["columns"].reshape(FEATURES, HIDDEN)[used(size)] = parts["columns"]
    for name in ("bias", "heads", "offset"):
        net[name] = parts[name].ravel()
    net["place"] = (places(size) * HIDDEN).ravel()
    return net


@inline
def draw_planes(board: Sketch, rows: Any) -> None:
    """Write the planes of a position."""
    low = MARGIN
    high = MARGIN + board.size
    for c in range(board.colours):
        base = c * ROWS
        hand = board.hand[u(c)]
        steps = 0
        for longer in LONGER:
            steps += hand & longer != 0
        for y in range(low, high):
            at = base + y
            rows[u(at)] = board.own[u(at)]
            seeds = board.attach[u(at)] & ~board.forbidden[u(at)]
            rows[u(COLOURS * ROWS + at)] = seeds
            rows[u(2 * COLOURS * ROWS + at)] = seeds
        reach = 2 * COLOURS * ROWS + base
        for _ in range(steps):
            below = 0
            for y in range(low, high):
                here = int(rows[u(reach + y)])
                wide = here | (here << 1) | (here >> 1) | below | int(rows[u(reach + y + 1)])
                rows[u(reach + y)] = wide & ~board.forbidden[u(base + y)]
                below = here


@inline
def add(net: Net, view: View, colour: int, column: int) -> None:
    """Add a feature to what a colour sees."""
    for h in range(HIDDEN):
        view.sums[u(colour * HIDDEN + h)] += net.columns[u(column + h)]


@inline
def take(net: Net, view: View, colour: int, column: int) -> None:
    """Take a feature away from what a colour sees."""
    for h in range(HIDDEN):
        view.sums[u(colour * HIDDEN + h)] -= net.columns[u(column + h)]


@helper
def accumulate(board: Sketch, net: Net, view: View) -> None:
    """Bring `sums` from the root to a position, all but the turn."""
    colours = board.colours
    others = colours - 1
    draw_planes(board, view.rows)
    for k in range(COLOURS * HIDDEN):
        view.sums[u(k)] = view.root_sums[u(k)]
    for kind in range(KINDS):
        for d in range(colours):
            plane = kind * COLOURS + d
            for y in range(MARGIN, MARGIN + board.size):
                now = int(view.rows[u(plane * ROWS + y)])
                odd = now ^ int(view.root_rows[u(plane * ROWS + y)])
                while odd:
                    x = lsb(odd)
                    odd &= odd - 1
                    for c in range(colours):
                        seen = (kind * COLOURS + ((d - c) & others)) * (AREA * HIDDEN)
                        seen += net.place[u(c * CELLS + y * STRIDE + x)]
                        if (now >> x) & 1:
                            add(net, view, c, seen)
                        else:
                            take(net, view, c, seen)
    for d in range(colours):
        now = board.hand[u(d)]
        odd = now ^ view.root_hand[u(d)]
        while odd:
            piece = lsb(odd)
            odd &= odd - 1
            for c in range(colours):
                seen = (HANDS + ((d - c) & others) * PIECES + piece) * HIDDEN
                if (now >> piece) & 1:
                    add(net, view, c, seen)
                else:
                    take(net, view, c, seen)


@inline
def set_root(board: Sketch, net: Net, view: View, players: int) -> None:
    """Make a position the one that others are compared with."""
    for k in range(PLANES):
        view.root_rows[u(k)] = view.rows[u(k)] = 0
    for c in range(COLOURS):
        view.root_hand[u(c)] = 0
        for h in range(HIDDEN):
            view.root_sums[u(c * HIDDEN + h)] = (
                net.bias[u(h)] + net.columns[u((PLAYERS + players) * HIDDEN + h)]
            )
    accumulate(board, net, view)
    for k in range(PLANES):
        view.root_rows[u(k)] = view.rows[u(k)]
    for c in range(COLOURS):
        view.root_hand[u(c)] = board.hand[u(c)]
    for k in range(COLOURS * HIDDEN):
        view.root_sums[u(k)] = view.sums[u(k)]


@helper
def look(board: Sketch, net: Net, view: View) -> None:
    """Write the outputs for a position: `out[colour * OUTPUTS + o]`."""
    accumulate(board, net, view)
    colours = board.colours
    others = colours - 1
    for c in range(colours):
        add(net, view, c, (TURN + ((board.turn - c) & others)) * HIDDEN)
    for k in range(COLOURS * HIDDEN):
        view.sums[u(k)] = max(0, min(ONE, view.sums[u(k)]))
    for c in range(colours):
        for o in range(OUTPUTS):
            total = net.offset[u(o)]
            for k in range(colours):
                head = (k * OUTPUTS + o) * HIDDEN
                seer = ((c + k) & others) * HIDDEN
                for h in range(HIDDEN):
                    total += np.int32(view.sums[u(seer + h)]) * np.int32(net.heads[u(head + h)])
            view.out[u(c * OUTPUTS + o)] = total / (ONE * FINE)
