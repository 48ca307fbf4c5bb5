"""How positions are written down for the chess network to learn from."""

from typing import Any

import numpy as np
from numba import from_dtype, types

from engine.games.chess.assemble import ANY_EAST, ANY_WEST, clear, fill_pieces, fill_sides
from engine.games.chess.attacks import Tables
from engine.games.chess.numba_types import State
from engine.jit import inline

SEEN = np.dtype(
    [
        # The mailbox, two squares a byte, the lower square in the lower four bits.
        ("board", np.uint8, (32,)),
        ("turn", np.uint8),
        # 1 won, 0 drawn, -1 lost for the side to move; UNKNOWN, or LOUD where, besides, the best
        # move takes or promotes.
        ("result", np.int8),
        ("score", np.int16),  # of the search, for the side to move
    ]
)

UNKNOWN = 2
LOUD = 3

SEEN_T = types.Array(from_dtype(SEEN), 1, "C")


@inline
def set_up(pos: State, t: Tables, row: Any) -> bool:
    """Make the position of a row; false if it is not legal. Kings and rooks that stand where they
    began may castle: rows do not tell, and mostly it is so."""
    clear(pos)
    occupied, white = 0, 0
    for sq in range(64):
        code = (int(row.board[sq >> 1]) >> (4 * (sq & 1))) & 15
        pos.board[sq] = code
        if code:
            occupied |= 1 << sq
            if code < 8:
                white |= 1 << sq
    pos.turn = row.turn
    fill_pieces(pos, t, occupied)
    both = ANY_WEST | ANY_EAST
    legal: bool = fill_sides(pos, t, (white, occupied ^ white), (both, both), 0, False)
    return legal
