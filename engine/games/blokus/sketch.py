"""The position as a simulation needs it: a leaner record that is copied for each game.

Nothing is ever taken back here. The frontier may hold squares that have become forbidden; they are
dropped when they are come across. It is sorted by what still fits, largest pieces last:

    frontier[c << 8 :]   [ <= 2 squares | 3 squares | 4 squares | 5 squares ]
                         0              start[2]    start[1]    start[0]    frontier_count

An attach square enters in the last part. When no piece of that size fits there it moves to the part
before: squares only fill up and pieces only leave the hand, so it never moves back. Work spent on
finding nothing is thus spent once.
"""

from typing import Any

import numpy as np
from numba import from_dtype, types

from engine.bits import lsb, shr, u
from engine.games.blokus.movegen import played, status, window
from engine.games.blokus.pieces import SIZES
from engine.games.blokus.state import COLOURS, ROWS
from engine.games.blokus.tables import BOX, WAYS, T
from engine.jit import inline
from engine.memory import zeros

GROUPS = 4
"""Sizes of pieces: 5, 4, 3, and 2 or 1 squares."""

SKETCH = np.dtype(
    [
        # As in STATE, but `attach` and `frontier` keep squares that have become forbidden.
        ("forbidden", np.int32, (COLOURS * ROWS,)),
        ("attach", np.int32, (COLOURS * ROWS,)),
        ("frontier", np.uint16, (COLOURS * 256,)),
        ("frontier_count", np.int32, (COLOURS,)),
        ("start", np.int32, (COLOURS * GROUPS,)),  # colour * GROUPS + group
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

FITS = np.dtype(
    [
        # The ways of `tables.TABLES`, each list in four parts by the size of the piece and shuffled
        # within: part g of list s is ways[first[s * GROUPS + g] : first[s * GROUPS + g + 1]].
        ("ways", np.int64, (WAYS,)),
        ("step", np.int32, (WAYS,)),
        ("first", np.int64, (16 * GROUPS + 1,)),
        ("pieces", np.int64, (GROUPS,)),  # the pieces of each size, as a hand
    ],
    align=True,
)

SKETCH_T = from_dtype(SKETCH)
FITS_T = from_dtype(FITS)
WORDS_T = types.Array(types.int64, 1, "C")
Sketch = Any
"""A SKETCH record inside compiled code."""
Fits = Any
"""The FITS record."""


def _group(piece: int) -> int:
    return min(5 - SIZES[piece], GROUPS - 1)


def _build() -> np.void:
    fits: np.void = zeros(1, FITS)[0]
    rng = np.random.Generator(np.random.PCG64(20260103))
    at = 0
    for kind in range(16):
        listed = np.arange(T["first"][kind], T["first"][kind + 1])
        group = [_group(int(T["piece"][(int(T["step"][k]) + 1023) >> 10])) for k in listed]
        for g in range(GROUPS):
            fits["first"][kind * GROUPS + g] = at
            some = rng.permutation(listed[np.array(group) == g])
            fits["ways"][at : at + len(some)] = T["ways"][some]
            fits["step"][at : at + len(some)] = T["step"][some]
            at += len(some)
    fits["first"][16 * GROUPS] = at
    for piece in range(len(SIZES)):
        fits["pieces"][_group(piece)] |= 1 << piece
    return fits


FIT = _build()


def sketch_of(state: np.void) -> np.void:
    """What a simulation needs of a STATE record."""
    sketch: np.void = np.zeros(1, SKETCH)[0]
    for name in SKETCH.names or ():
        if name != "start":
            sketch[name] = state[name]
    return sketch


@inline
def copy(source: Any, target: Any) -> None:
    """Copy a sketch, both given as arrays of WORDS whole numbers."""
    for i in range(WORDS):
        target[u(i)] = source[u(i)]


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
def fit(f: Fits, blocked: int, group: int, luck: int) -> int:
    """The step to a piece of one size that fits into a window, or -1. `luck` is any number of 32
    bits: it says where in the list to begin."""
    part = status(blocked) * GROUPS + group
    low, high = f.first[u(part)], f.first[u(part + 1)]
    begin = low + shr(luck * (high - low), 32)
    for k in range(begin, high):
        if f.ways[u(k)] & blocked == 0:
            return int(f.step[u(k)])
    for k in range(low, begin):
        if f.ways[u(k)] & blocked == 0:
            return int(f.step[u(k)])
    return -1


@inline
def largest(board: Sketch, f: Fits, colour: int) -> int:
    """The first group, largest pieces first, with squares left and pieces in hand; GROUPS if there
    is none."""
    base = colour * GROUPS
    n = board.frontier_count[u(colour)]
    hand = board.hand[u(colour)]
    for group in range(GROUPS):
        if hand & f.pieces[u(group)] == 0 and group < GROUPS - 1:
            board.start[u(base + group)] = n
        elif board.start[u(base + group)] < n:
            return group
    return GROUPS


@inline
def drop(board: Sketch, colour: int, slot: int, group: int) -> None:
    """Take a square out of the frontier. Parts of larger pieces must be empty."""
    n = board.frontier_count[u(colour)] - 1
    board.frontier_count[u(colour)] = n
    base = colour << 8
    board.frontier[u(base + slot)] = board.frontier[u(base + n)]
    for g in range(group):
        board.start[u(colour * GROUPS + g)] = n


@inline
def demote(board: Sketch, colour: int, slot: int, group: int) -> None:
    """Note that no piece of a size fits a square."""
    if group == GROUPS - 1:
        drop(board, colour, slot, group)
        return
    at = u(colour * GROUPS + group)
    first = u((colour << 8) + board.start[at])
    here = u((colour << 8) + slot)
    board.frontier[first], board.frontier[here] = board.frontier[here], board.frontier[first]
    board.start[at] += 1


@inline
def settle(board: Sketch, f: Fits, colour: int) -> None:
    """Sort the whole frontier of a colour by what fits."""
    for group in range(GROUPS):
        board.start[u(colour * GROUPS + group)] = 0
    base = colour * ROWS
    gone = played(board, colour)
    slot = 0
    while slot < board.frontier_count[u(colour)]:
        blocked = gone | window(board.forbidden, base, int(board.frontier[u((colour << 8) + slot)]))
        best = 0
        while best < GROUPS and fit(f, blocked, best, 0) < 0:
            best += 1
        if best == GROUPS:
            drop(board, colour, slot, 0)
        else:
            slot += 1
    end = int(board.frontier_count[u(colour)])
    for group in range(GROUPS - 1):
        for slot in range(end):
            sq = int(board.frontier[u((colour << 8) + slot)])
            if fit(f, gone | window(board.forbidden, base, sq), group, 0) < 0:
                demote(board, colour, slot, group)
        end = int(board.start[u(colour * GROUPS + group)])
