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

STARTS = (0, 2, 4, 7, 11)
"""Pieces a colour has placed when a stage begins."""
STAGES = len(STARTS)
# Status of a square for opponents: 3 an open corner of theirs, 2 a neighbour of one where that
# opponent may play, 1 within reach of their pieces, 0 nothing of that. The classes:
#
#   cover    status + 4 if it is an open corner of the colour + 8 if it is one of its mate
#   edge     0 off the board, 1 an opponent's, 2 the mate's, 3-6 closed to the colour, 7-10 an open
#            corner of the colour, 11-14 any other square; the last three by status
#   corner   0 off the board, 1 covered by others, 2 closed, 3 an open corner already,
#            4-23 a new one: 4 for each free neighbour, and the status
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
    """The stage of the game for a colour."""
    played = PIECES - popcount(board.hand[u(colour)])
    stage = -1
    for first in STARTS:
        stage += played >= first
    return stage


@inline
def others(board: Sketch, players: int, colour: int, rows: Any, y: int) -> Any:
    """What others have in a row of the board: open corners of opponents, the neighbours of these,
    squares within their reach, and their pieces; pieces and open corners of the colour's mate."""
    corners, reach = COLOURS * ROWS, 2 * COLOURS * ROWS
    friend = (colour + 2) & 3 if players == 2 and board.colours == 4 else colour
    mate = joint = 0
    if friend != colour:
        mate = int(board.own[u(friend * ROWS + y)])
        joint = int(rows[u(corners + friend * ROWS + y)])
    tips = near = far = foe = 0
    for d in range(board.colours):
        if d != colour and d != friend:
            at = d * ROWS + y
            here = int(rows[u(corners + at)])
            around = int(rows[u(corners + at - 1)]) | int(rows[u(corners + at + 1)])
            around |= (here << 1) | (here >> 1)
            tips |= here
            near |= around & ~int(board.forbidden[u(at)])
            far |= int(rows[u(reach + at)])
            foe |= int(board.own[u(at)])
    return tips, near, far, foe, mate, joint


@helper
def classify(board: Sketch, players: int, colour: int, rows: Any, classes: Any) -> None:
    """Write the classes of all squares and their surroundings for a colour to move:
    classes[square], [CELLS + square], [2 * CELLS + square]. `rows` are the planes of `net`, all 0
    outside of the board."""
    draw_planes(board, rows)
    base = colour * ROWS
    for y in range(MARGIN - 1, MARGIN + board.size + 1):
        inside = 0
        if MARGIN <= y < MARGIN + board.size:
            inside = ((1 << board.size) - 1) << MARGIN
        tips, near, far, foe, mate, joint = others(board, players, colour, rows, y)
        shut = int(board.forbidden[u(base + y)])
        known = int(board.attach[u(base + y)]) & ~shut
        up = ~int(board.forbidden[u(base + y + 1)])
        down = ~int(board.forbidden[u(base + y - 1)])
        for x in range(MARGIN - 1, MARGIN + board.size + 1):
            status = 0
            if (tips >> x) & 1:
                status = 3
            elif (near >> x) & 1:
                status = 2
            elif (far >> x) & 1:
                status = 1
            mine = (known >> x) & 1
            cover = status + 4 * mine + 8 * ((joint >> x) & 1)
            edge = corner = 0
            if (inside >> x) & 1:
                if (foe >> x) & 1:
                    edge = corner = 1
                elif (mate >> x) & 1:
                    edge = 2
                    corner = 1
                elif (shut >> x) & 1:
                    edge = 3 + status
                    corner = 2
                else:
                    edge = 11 - 4 * mine + status
                    free = ((up >> x) & 1) + ((down >> x) & 1)
                    free += 2 - ((shut >> (x + 1)) & 1) - ((shut >> (x - 1)) & 1)
                    corner = 3 if mine else 4 + 4 * free + status
            sq = y * STRIDE + x
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
