"""How likely a move looks before it is searched: a sum of weights for what it covers and touches.

Each square of the board has three classes, as what a piece may cover, as an edge neighbour, and as
a diagonal neighbour, a corner. A move's logit is the sum of the weights of these classes, of the
ring around the middle of the board that each covered square lies in, and of its piece. There are
weights for each stage of the game.
"""

from typing import Any

import numpy as np
from numba import from_dtype

from engine.bits import popcount, u
from engine.games.blokus.net import draw_planes
from engine.games.blokus.pieces import ORIENTATIONS, PIECES
from engine.games.blokus.sketch import Sketch
from engine.games.blokus.state import CELLS, COLOURS, MARGIN, ROWS, STRIDE
from engine.games.blokus.tables import BOX, T
from engine.jit import helper, inline
from engine.memory import zeros

STAGES = 5
COVERS, EDGES, CORNERS, RINGS = 16, 15, 24, 10
EDGE = COVERS
CORNER = EDGE + EDGES
RING = CORNER + CORNERS
PIECE = RING + RINGS
WEIGHTS = PIECE + PIECES
"""Weights of one stage."""
UNIT = 1024
"""What stands for 1.0 in a logit."""
LIST = 32

PRIOR = np.dtype(
    [
        ("weights", np.int32, (STAGES * WEIGHTS,)),
        # By orientation: what to add to an anchor for the squares covered, the edge neighbours and
        # the corners, at LIST * orientation; and where each of the three ends.
        ("offset", np.int32, (len(ORIENTATIONS) * LIST,)),
        ("covers", np.int64, (len(ORIENTATIONS),)),
        ("edges", np.int64, (len(ORIENTATIONS),)),
        ("corners", np.int64, (len(ORIENTATIONS),)),
        ("ring", np.int32, (CELLS,)),
    ],
    align=True,
)
PRIOR_T = from_dtype(PRIOR)
Prior = Any


def build(size: int, weights: np.ndarray) -> np.void:
    """The record for a board size, from its weights, (STAGES, WEIGHTS)."""
    prior: np.void = zeros(1, PRIOR)[0]
    prior["weights"] = weights.ravel()
    for way in range(len(ORIENTATIONS)):
        at = way * LIST
        for part, name in (("cells", "covers"), ("edges", "edges"), ("corners", "corners")):
            for i in range(T["height"][way]):
                bits = int(T[part][way * BOX + i])
                for j in range(BOX):
                    if bits >> j & 1:
                        prior["offset"][at] = (i - 1) * STRIDE + j - 1
                        at += 1
            prior[name][way] = at
    for y in range(size):
        for x in range(size):
            far = max(abs(2 * x - size + 1), abs(2 * y - size + 1)) // 2
            prior["ring"][(y + MARGIN) * STRIDE + x + MARGIN] = far
    return prior


@inline
def stage_of(board: Sketch, colour: int) -> int:
    played = PIECES - popcount(board.hand[u(colour)])
    return 0 if played < 2 else 1 if played < 4 else 2 if played < 7 else 3 if played < 11 else 4


@helper
def classify(board: Sketch, players: int, colour: int, rows: Any, classes: Any) -> None:
    """Write the classes of all squares and their surroundings for a colour to move:
    classes[square], [CELLS + square], [2 * CELLS + square]. `rows` are the planes of `net`."""
    draw_planes(board, rows)
    friend = -1
    if players == 2 and board.colours == 4:
        friend = (colour + 2) & 3
    base = colour * ROWS
    corners = COLOURS * ROWS
    reach = 2 * COLOURS * ROWS
    size = board.size
    inside = ((1 << size) - 1) << MARGIN
    for y in range(MARGIN - 1, MARGIN + size + 1):
        open_ = near = far = foe = mate = joint = 0
        here = inside if MARGIN <= y < MARGIN + size else 0
        for d in range(board.colours):
            if d == colour:
                continue
            at = d * ROWS + y
            if d == friend:
                mate = int(board.own[u(at)])
                joint = int(rows[u(corners + at)]) & here
                continue
            foe |= int(board.own[u(at)])
            if here:
                seeds = int(rows[u(corners + at)])
                open_ |= seeds
                wide = (seeds << 1) | (seeds >> 1)
                if y > MARGIN:
                    wide |= int(rows[u(corners + at - 1)])
                if y < MARGIN + size - 1:
                    wide |= int(rows[u(corners + at + 1)])
                near |= wide & ~int(board.forbidden[u(at)])
                far |= int(rows[u(reach + at)])
        shut = int(board.forbidden[u(base + y)])
        known = int(board.attach[u(base + y)]) & ~shut
        free = ~shut
        up = ~int(board.forbidden[u(base + y + 1)])
        down = ~int(board.forbidden[u(base + y - 1)])
        for x in range(MARGIN - 1, MARGIN + size + 1):
            sq = y * STRIDE + x
            status = 0
            if (open_ >> x) & 1:
                status = 3
            elif (near >> x) & 1:
                status = 2
            elif (far >> x) & 1:
                status = 1
            mine = (known >> x) & 1
            cover = status + 4 * mine + 8 * ((joint >> x) & 1)
            if (here >> x) & 1 == 0:
                edge = 0
                corner = 0
            elif (shut >> x) & 1:
                corner = 2
                if (foe >> x) & 1:
                    edge = corner = 1
                elif (mate >> x) & 1:
                    edge = 2
                    corner = 1
                else:
                    edge = 3 + status
            else:
                edge = 7 + 4 * (1 - mine) + status
                if mine:
                    corner = 3
                else:
                    n = ((up >> x) & 1) + ((down >> x) & 1)
                    n += ((free >> (x + 1)) & 1) + ((free >> (x - 1)) & 1)
                    corner = 4 + 4 * n + status
            classes[u(sq)] = cover
            classes[u(CELLS + sq)] = EDGE + edge
            classes[u(2 * CELLS + sq)] = CORNER + corner


@helper
def weigh(board: Sketch, prior: Prior, colour: int, classes: Any) -> None:
    """Replace classes by their weights."""
    base = stage_of(board, colour) * WEIGHTS
    for y in range(MARGIN - 1, MARGIN + board.size + 1):
        for x in range(MARGIN - 1, MARGIN + board.size + 1):
            sq = y * STRIDE + x
            classes[u(sq)] = (
                prior.weights[u(base + classes[u(sq)])]
                + prior.weights[u(base + RING + prior.ring[u(sq)])]
            )
            for part in (CELLS, 2 * CELLS):
                classes[u(part + sq)] = prior.weights[u(base + classes[u(part + sq)])]


@inline
def logit(board: Sketch, t: Any, prior: Prior, colour: int, move: int, weights: Any) -> int:
    """The logit of a move, times UNIT."""
    way = move >> 10
    anchor = move & 1023
    total = prior.weights[u(stage_of(board, colour) * WEIGHTS + PIECE + t.piece[u(way)])]
    k = way * LIST
    while k < prior.covers[u(way)]:
        total += weights[u(anchor + prior.offset[u(k)])]
        k += 1
    while k < prior.edges[u(way)]:
        total += weights[u(CELLS + anchor + prior.offset[u(k)])]
        k += 1
    while k < prior.corners[u(way)]:
        total += weights[u(2 * CELLS + anchor + prior.offset[u(k)])]
        k += 1
    return total
