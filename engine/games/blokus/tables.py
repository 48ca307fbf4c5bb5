"""What is known of pieces before a game begins, as one read-only record, `T`.

A window is what surrounds a square: the 41 squares that a piece of five squares which covers it
can reach. Bit 20 is the square itself, and the bits follow the order of squares, bottom row first:

                      40
                   37 38 39
                32 33 34 35 36
             25 26 27 28 29 30 31
          16 17 18 19 20 21 22 23 24
              9 10 11 12 13 14 15
                 4  5  6  7  8
                    1  2  3
                       0

There are 414 ways to cover a square, each a set of window bits. Bit 41 + p of a way says that it
uses piece p, so one intersection tells whether the squares are free and the piece in hand. Ways
stand in sixteen lists, by which of the four edge neighbours are blocked: the list leaves out what
would cover one of these.
"""

import numpy as np

from engine.games.blokus.pieces import ORIENTATIONS, PIECES
from engine.games.blokus.state import CELLS, COLOURS, STRIDE, square
from engine.games.blokus.variants import STARTS
from engine.memory import zeros

REACH = 4
LEFT, RIGHT, BELOW, ABOVE = 19, 21, 12, 28
"""Window bits of the edge neighbours."""
EARLIER = (1 << 20) - 1
"""Window bits of the squares that come before the square itself."""

PIECE_BIT = 41
BOX = 7
"""Rows of the largest piece and its neighbours."""
WAYS = 4096
"""Room for the sixteen lists."""

TABLES = np.dtype(
    [
        # Ways to cover a square: list s is ways[first[s] : first[s + 1]]. `step` added to the
        # square is the move.
        ("ways", np.int64, (WAYS,)),
        ("step", np.int32, (WAYS,)),
        ("first", np.int64, (17,)),
        # By orientation: rows of the box around it and its neighbours. Bit j of row i is the square
        # at column x - 1 + j and row y - 1 + i of a piece whose anchor is (x, y).
        ("cells", np.int32, (len(ORIENTATIONS) * BOX,)),
        ("edges", np.int32, (len(ORIENTATIONS) * BOX,)),
        ("corners", np.int32, (len(ORIENTATIONS) * BOX,)),
        ("height", np.int64, (len(ORIENTATIONS),)),  # of the box, 3 to 7
        ("piece", np.int64, (len(ORIENTATIONS),)),
        # Its squares one by one: what to add to the anchor, at 5 * orientation, in ascending order;
        # and which of them are corners of the piece, bit k for the k-th. A corner has a diagonal
        # direction in which neither neighbour belongs to the piece.
        ("offset", np.int64, (len(ORIENTATIONS) * 5,)),
        ("corner", np.int64, (len(ORIENTATIONS),)),
        ("piece_size", np.int64, (PIECES,)),
        ("start", np.int64, (2 * COLOURS,)),  # start squares; those of 14 x 14 from COLOURS on
        ("zobrist", np.int64, (COLOURS * CELLS,)),  # colour * CELLS + square
        ("zobrist_turn", np.int64, (COLOURS,)),
        ("zobrist_last", np.int64, (COLOURS,)),  # the one-square piece came last
    ],
    align=True,
)


def window_bit(dx: int, dy: int) -> int:
    """Bit of a square of the window, seen from its centre."""
    before = sum(9 - 2 * abs(row) for row in range(-REACH, dy))
    return before + dx + REACH - abs(dy)


def _fill_ways(t: np.void) -> None:
    ways = []
    for number, way in enumerate(ORIENTATIONS):
        for x, y in way.squares:
            bits = sum(1 << window_bit(i - x, j - y) for i, j in way.squares)
            step = (number << 10) - y * STRIDE - x
            ways.append((bits | 1 << (PIECE_BIT + way.piece), step))
    at = 0
    for status in range(16):
        t["first"][status] = at
        sides = (LEFT, RIGHT, BELOW, ABOVE)
        blocked = sum(1 << bit for i, bit in enumerate(sides) if status >> i & 1)
        for bits, step in ways:
            if bits & blocked == 0:
                t["ways"][at], t["step"][at] = bits, step
                at += 1
    t["first"][16] = at


def _fill_boxes(t: np.void) -> None:
    for number, way in enumerate(ORIENTATIONS):
        cells = {(x + 1, y + 1) for x, y in way.squares}
        near = {(x + i, y + j) for x, y in cells for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        across = {(x + i, y + j) for x, y in cells for i in (1, -1) for j in (1, -1)}
        for name, squares in (
            ("cells", cells),
            ("edges", near - cells),
            ("corners", across - near - cells),
        ):
            for x, y in squares:
                t[name][number * BOX + y] |= 1 << x
        for k, (x, y) in enumerate(way.squares):
            t["offset"][number * 5 + k] = y * STRIDE + x
            if any((x + i, y) not in way.squares and (x, y + j) not in way.squares
                   for i in (1, -1) for j in (1, -1)):  # fmt: skip
                t["corner"][number] |= 1 << k
        t["height"][number] = way.height + 2
        t["piece"][number] = way.piece
        t["piece_size"][way.piece] = len(way.squares)


def _fill_starts(t: np.void) -> None:
    for at, size in ((0, 20), (COLOURS, 14)):
        for colour, (x, y) in enumerate(STARTS[size]):
            t["start"][at + colour] = square(x, y)


def _fill_keys(t: np.void) -> None:
    rng = np.random.Generator(np.random.PCG64(20260102))
    low, high = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    for name in ("zobrist", "zobrist_turn", "zobrist_last"):
        t[name] = rng.integers(low, high, t[name].shape, np.int64, endpoint=True)


def build() -> np.void:
    """All tables, as one record of type TABLES."""
    t: np.void = zeros(1, TABLES)[0]
    _fill_ways(t)
    _fill_boxes(t)
    _fill_starts(t)
    _fill_keys(t)
    return t


T = build()
