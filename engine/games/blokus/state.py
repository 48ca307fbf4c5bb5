"""The Blokus position as one record, the picture of the board and of a move.

Squares stand in rows of 32, with a border of at least four on each side, so that a piece of five
squares can be laid over any square of the board without leaving the array:

    sq = (y + 4) * 32 + x + 4        x, y from 0, a1 is (0, 0)

    row 24-27   # # # # # # # # # #
    row 23      # # # # a20 ... t20 # # # #     20 x 20; on 14 x 14 the border begins at row 18
    ...
    row 4       # # # # a1  ... t1  # # # #
    row 0-3     # # # # # # # # # #

A set of squares is an array of 28 rows, bit x + 4 of row y + 4.

A move is seventeen bits:

    16           10 9          0
    +--------------+------------+
    | orientation  |   anchor   |
    +--------------+------------+

The orientation is an index into `pieces.ORIENTATIONS`; the anchor is the square at the lower left
corner of the box around the piece, which need not belong to it. No two moves cover the same
squares.
"""

import numpy as np

STRIDE, MARGIN, ROWS = 32, 4, 28
CELLS = ROWS * STRIDE
COLOURS = 4

FREE, BORDER = 0, 7
"""In the mailbox; a square of colour c holds 1 + c."""

SIZES = {"classic": 20, "duo": 14}

MAX_FRONTIER = 255
"""Room for the attach squares of one colour. Each piece adds at most eight corners, so 21 pieces
have at most 168."""

MAX_MOVES = 30_433
"""As many as there are placements on 20 x 20. The most seen in a game is below 1,000."""

ALL_PIECES = (1 << 21) - 1

STATE = np.dtype(
    [
        # The mailbox: FREE, 1 + colour, or BORDER.
        ("cells", np.uint8, (CELLS,)),
        # Sets of squares, 28 rows; those by colour begin at colour * ROWS.
        ("occupied", np.int32, (ROWS,)),  # covered by anybody
        ("own", np.int32, (COLOURS * ROWS,)),  # covered by the colour
        # Where the colour may not play: border, covered squares, and edge neighbours of own ones.
        ("forbidden", np.int32, (COLOURS * ROWS,)),
        # The frontier: attach squares that are not forbidden. As a set, and as a list:
        # frontier[colour * 256 :][: frontier_count[colour]] in no particular order, and
        # slot[colour * CELLS + sq] says where in the list sq stands. Before the first piece of a
        # colour its start square is its only one.
        ("attach", np.int32, (COLOURS * ROWS,)),
        ("frontier", np.uint16, (COLOURS * 256,)),
        ("frontier_count", np.int32, (COLOURS,)),
        ("slot", np.uint8, (COLOURS * CELLS,)),
        # Pieces in hand, bit p for piece p; squares on the board; the piece placed last, or -1.
        ("hand", np.int64, (COLOURS,)),
        ("squares", np.int64, (COLOURS,)),
        ("last", np.int64, (COLOURS,)),
        # Colours that have no legal move any more, bit c for colour c; they never will again.
        ("stuck", np.int64),
        # The colour to move: the first with a legal move after the one that moved last. When no
        # colour has one, the game is over and `turn` is the successor of the last mover.
        ("turn", np.int64),
        ("over", np.int64),  # 1 when no colour has a legal move
        ("ply", np.int64),  # moves played
        ("size", np.int64),  # of the board, 20 or 14
        ("colours", np.int64),  # 4 or 2
        # Zobrist key of what lies where, who is to move, and which colours placed the
        # one-square piece last.
        ("key", np.int64),
    ],
    align=True,
)


def square(x: int, y: int) -> int:
    """Number of the square in column x and row y, both from 0."""
    return (y + MARGIN) * STRIDE + x + MARGIN
