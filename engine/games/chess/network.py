"""The judgement that the search goes by: the terms, and a small network that adds to them.

The network sees the board with both sides' eyes.

What a colour sees is one input for each piece on the board, numbered

    (kind + 6 if it is the other colour's) * 64 + square

with the board turned so that the colour's own pawns go up, and turned over left to right if its
king stands on the files e to h: as without castling the two halves of a board are worth the same,
each position teaches about both.

What it says is added to the evaluation by terms, so that it need not learn what a queen is worth,
and does not forget it where it has seen little.

The first layer turns this into HIDDEN numbers for each colour, sums of one column of weights for
each input. They are kept up by difference: an `EYE` remembers the board that its sums belong to,
and only what changed since is added and taken away. The second layer squares the numbers, between 0
and 1, and weighs them, with weights that depend on how many pieces are left; what the other side
sees counts against. So the network cannot say that to move is worth something: it would learn the
hopes of the searches that it is taught by, and those confuse a search.

`scripts/chess_train.py` makes the weights.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, types

from engine.bits import at, differing, lsb, popcount, select, u
from engine.games.chess.attacks import Tables
from engine.games.chess.evaluation import SCALE, evaluate
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.records import CACHE
from engine.jit import inline, kernel
from engine.memory import zeros
from engine.vectors import add_row, subtract_row, weigh_squares

HIDDEN = 128
INPUTS = 768
STAGES = 8
"""Sets of weights of the second layer, by the number of pieces."""
ONE = 255
"""What stands for 1.0 in the first layer."""
FINE = 64
"""What stands for 1.0 in the second; no weight is beyond 127, so that its product with a number of
the first layer has room in 16 bits, and the sum of all, squared, in 32."""
PAWN = 400
"""An output of 1.0, in hundredths of a pawn."""

LIMIT = 150
"""The network adds no more than this, in hundredths of a pawn. Beyond, it speaks of games that are
decided, and the terms know better what wins: with this limit more mates were found."""

MOST = 12_000
"""No judgement is beyond this, which leaves the larger scores to mates."""

NET = np.dtype(
    [
        ("columns", np.int16, (INPUTS * HIDDEN,)),
        ("bias", np.int16, (HIDDEN,)),
        ("heads", np.int16, (STAGES * HIDDEN,)),
    ],
    align=True,
)

EYE = np.dtype([("sums", np.int16, (HIDDEN,)), ("board", np.uint8, (64,))], align=True)
"""What one colour sees; the sums are those of the board."""

SIGHT = np.dtype([("net", np.int64), ("eyes", EYE, (4,)), ("cache", CACHE)], align=True)
"""The address of the network, and for each colour one eye for each half of the board that its king
may stand on. Every thread has its own."""

NET_T = from_dtype(NET)
SIGHT_T = from_dtype(SIGHT)
Net = Any
Eye = Any
Sight = Any


def build(parts: Mapping[str, np.ndarray]) -> np.void:
    """The record of the weights `columns`, `bias` and `heads`."""
    net: np.void = zeros(1, NET)[0]
    for name in ("columns", "bias", "heads"):
        net[name] = parts[name].ravel()
    return net


def load() -> np.void:
    with np.load(Path(__file__).with_name("weights.npz")) as parts:
        return build(parts)


NETWORK = load()


def open_eyes(sight: np.void) -> None:
    """Let the eyes begin with an empty board."""
    sight["net"] = NETWORK.__array_interface__["data"][0]
    sight["eyes"]["board"] = 0
    sight["eyes"]["sums"] = NETWORK["bias"]


@inline
def column(colour: int, flip: int, code: int, sq: int) -> int:
    """Where the weights of a piece begin, for the eyes of a colour."""
    kind = (code & 7) - 1 + select((code & 8) == 8 * colour, 0, 6)
    return ((kind << 6) + (sq ^ flip)) * HIDDEN


@inline
def look(net: Net, eye: Eye, pos: State, colour: int, flip: int) -> None:
    """Bring the sums of an eye to the position."""
    changed = differing(pos.board, eye.board)
    while changed:
        sq = lsb(changed)
        changed &= changed - 1
        before = int(eye.board[u(sq)])
        after = int(pos.board[u(sq)])
        eye.board[u(sq)] = after
        if before:
            subtract_row(eye.sums, net.columns, column(colour, flip, before, sq))
        if after:
            add_row(eye.sums, net.columns, column(colour, flip, after, sq))


@inline
def see(net: Net, sight: Sight, pos: State, colour: int, king: int, head: int) -> int:
    """What the eyes of a colour contribute."""
    half = (king >> 2) & 1
    eye = sight.eyes[u(2 * colour + half)]
    look(net, eye, pos, colour, 56 * colour + 7 * half)
    return weigh_squares(eye.sums, net.heads, head, ONE)


@kernel(types.int64(SIGHT_T, TABLES_T, STATE_T))
def judge(sight: Sight, t: Tables, pos: State) -> int:
    """Value for the side to move, in hundredths of a pawn."""
    net = at(sight.net, NET)
    stage = (popcount(pos.us | pos.them) - 1) >> 2
    turn = pos.turn
    total = see(net, sight, pos, turn, pos.king, stage * HIDDEN)
    total -= see(net, sight, pos, 1 - turn, pos.enemy_king, stage * HIDDEN)
    value = min(max(total // ONE * PAWN // (ONE * FINE), -LIMIT), LIMIT)
    # A draw by the fifty-move rule comes nearer with each quiet move.
    value = value * (200 - min(pos.halfmove, 100)) // 200
    terms = evaluate(pos, t, sight.cache)
    # Where the terms know that little can be won, the network hopes in vain.
    value = value * sight.cache.terms[SCALE] >> 6
    return min(max(value + terms, -MOST), MOST)
