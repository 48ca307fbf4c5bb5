"""The CoTuLenh position as one record, the picture of the board, a stack and an action.

Squares are 16 * row + column, row 0 for rank 12 and column 0 for file a; columns 11 to 15 and rows
12 to 15 are border.

         a b c d e f g h i j k
    12   ~ ~ c . . . . . . . .        ~ sea: files a and b
    ...                               c coast: both
     7   ~ ~ c r r = . = . . .        r river: both
     6   ~ ~ c r r = . = . . .        = bridge and . land
    ...
     1   ~ ~ c . . . . . . . .

What stands on a square is one word:

    22       21        11 10         0
    +--------+-----------+-----------+
    | colour |  heroic   |  members  |
    +--------+-----------+-----------+

bit k of members for a piece of kind k (`pieces`), bit k of heroic if that piece is heroic. A word
of 0 is an empty square.

An action is twenty-three bits:

    22  20 19 16 15      8 7        0
    +-----+-----+---------+---------+
    | kind| who |   to    |  from   |
    +-----+-----+---------+---------+

    kind 0  quiet            3  suicide capture, both go
         1  capture          4  combination
         2  stay capture     5  join: onto a piece that left the same stack earlier in the turn
                             6  commit: ends the deployment; all other bits 0
    who  the piece that leaves its stack, or WHOLE
"""

import numpy as np

RED, BLUE = 0, 1
CELLS = 256
FILES, RANKS = 11, 12

MEMBERS = (1 << 11) - 1
HEROIC = 11
COLOUR = 22
BORDER = 1 << 30

QUIET, CAPTURE, STAY, SUICIDE, COMBINE, JOIN, COMMIT = range(7)
KIND, WHO, TO = 20, 16, 8
WHOLE = 15
COMMIT_ACTION = COMMIT << KIND

MAX_ACTIONS = 1024
"""Room for the actions of one position. A mover meets at most 40 squares, with two actions each for
a whole unit; 19 pieces in 19 movers, or fewer stacks with up to four movers, stay below 1,000."""

MAX_STEPS = 3
NOWHERE = -1
MARGIN = 48
"""Zones reach three rows beyond the board; the arrays of air defence have room for that."""
ZONE = CELLS + 2 * MARGIN

STATE = np.dtype(
    [
        ("board", np.int32, (CELLS,)),  # words; BORDER off the board
        # Squares of the pieces and stacks of a side, in no particular order:
        # squares[32 * side :][: count[side]], and slot[sq] says where in its list sq stands.
        ("squares", np.uint8, (64,)),
        ("count", np.int32, (2,)),
        ("slot", np.uint8, (CELLS,)),
        ("commander", np.int64, (2,)),  # square, alone or carried; NOWHERE when captured
        ("guards", np.int64, (2,)),  # squares whose carrier is not the commander
        # Air defence of a side, at side * ZONE + MARGIN + sq: how many of its zones cover the
        # square, and the squares of these defenders, all combined by xor.
        ("cover", np.int8, (2 * ZONE,)),
        ("coverer", np.uint8, (2 * ZONE,)),
        ("turn", np.int64),
        ("halfmove", np.int64),  # turns since the last capture
        ("fullmove", np.int64),
        # The open deployment. origin is NOWHERE when there is none, and then the rest means
        # nothing: the word on the origin at the start of the turn, the members that have acted,
        # whether anything was captured, and the steps so far: kind, target, members that moved.
        ("origin", np.int64),
        ("start", np.int64),
        ("used", np.int64),
        ("captured", np.int64),
        ("steps", np.int64),
        ("step_kind", np.int64, (MAX_STEPS,)),
        ("step_to", np.int64, (MAX_STEPS,)),
        ("step_group", np.int64, (MAX_STEPS,)),
        # The board when the turn began, and its key.
        ("snapshot", np.int32, (CELLS,)),
        ("start_key", np.int64),
        # Zobrist key of the board, the side to move and the open deployment.
        ("key", np.int64),
    ],
    align=True,
)


def square(file: int, rank: int) -> int:
    """Number of a square; file 0 to 10 for a to k, rank 1 to 12."""
    return 16 * (12 - rank) + file
