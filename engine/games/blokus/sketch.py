"""The position as the search needs it: a leaner record that is copied for each simulation.

Nothing is ever taken back here. The frontier may hold squares that have become forbidden; they are
dropped when moves are listed.
"""

from typing import Any

import numpy as np
from numba import from_dtype, types

from engine.bits import lsb, u
from engine.games.blokus.state import COLOURS, ROWS
from engine.games.blokus.tables import BOX
from engine.jit import inline

SKETCH = np.dtype(
    [
        # As in STATE, but `attach` and `frontier` keep squares that have become forbidden.
        ("own", np.int32, (COLOURS * ROWS,)),
        ("forbidden", np.int32, (COLOURS * ROWS,)),
        ("attach", np.int32, (COLOURS * ROWS,)),
        ("frontier", np.uint16, (COLOURS * 256,)),
        ("frontier_count", np.int32, (COLOURS,)),
        ("hand", np.int64, (COLOURS,)),
        ("squares", np.int64, (COLOURS,)),
        ("last", np.int64, (COLOURS,)),
        ("stuck", np.int64),
        ("turn", np.int64),
        ("colours", np.int64),
        ("ply", np.int64),
        ("size", np.int64),
    ],
    align=True,
)
WORDS = SKETCH.itemsize // 8

SKETCH_T = from_dtype(SKETCH)
WORDS_T = types.Array(types.int64, 1, "C")
Sketch = Any
"""A SKETCH record inside compiled code."""


def sketch_of(state: np.void) -> np.void:
    """What a simulation needs of a STATE record."""
    sketch: np.void = np.zeros(1, SKETCH)[0]
    for name in SKETCH.names or ():
        sketch[name] = state[name]
    return sketch


@inline
def lay(board: Sketch, t: Any, colour: int, move: int) -> None:
    """Play a legal move. Who is to move next is not looked at."""
    way = move >> 10
    y = ((move & 1023) >> 5) - 1
    x = (move & 31) - 1
    n = int(board.frontier_count[u(colour)])
    for i in range(t.height[u(way)]):
        row = y + i
        box = u(way * BOX + i)
        cells = int(t.cells[box]) << x
        for c in range(board.colours):
            board.forbidden[u(c * ROWS + row)] |= cells
        at = u(colour * ROWS + row)
        board.own[at] |= cells
        closed = int(board.forbidden[at]) | (int(t.edges[box]) << x)
        board.forbidden[at] = closed
        known = int(board.attach[at])
        new = (int(t.corners[box]) << x) & ~closed & ~known
        board.attach[at] = known | new
        while new:
            board.frontier[u((colour << 8) + n)] = (row << 5) + lsb(new)
            n += 1
            new &= new - 1
    board.frontier_count[u(colour)] = n
    piece = t.piece[u(way)]
    board.hand[u(colour)] ^= 1 << piece
    board.squares[u(colour)] += t.piece_size[u(piece)]
    board.last[u(colour)] = piece
    board.ply += 1


@inline
def is_open(board: Sketch, colour: int, sq: int) -> bool:
    """Whether a square of the frontier is not forbidden yet."""
    return (int(board.forbidden[u(colour * ROWS + (sq >> 5))]) >> (sq & 31)) & 1 == 0


@inline
def sweep(board: Sketch, colour: int) -> None:
    """Drop the squares of the frontier that have become forbidden."""
    base = colour << 8
    n = 0
    for k in range(board.frontier_count[u(colour)]):
        sq = int(board.frontier[u(base + k)])
        board.frontier[u(base + n)] = sq
        n += is_open(board, colour, sq)
    board.frontier_count[u(colour)] = n
