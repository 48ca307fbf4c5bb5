"""The facts of a Blokus position, as JSON.

For each colour, whoever is to move: what it has placed, where it may go on, and which squares some
legal move of it covers (its reach). A square is contested when a move of another colour covers it
too.
"""

import json
from typing import Any

import numpy as np
from numba import types

from engine.bits import shr, u
from engine.games.blokus.movegen import write_moves
from engine.games.blokus.notation import square_name
from engine.games.blokus.numba_types import MOVES_T, STATE_T, TABLES_T, Moves, State, Tables
from engine.games.blokus.pieces import NAMES
from engine.games.blokus.position import Position
from engine.games.blokus.scores import ALL_SQUARES, final_score, points
from engine.games.blokus.state import COLOURS, MARGIN, MAX_MOVES, ROWS
from engine.games.blokus.tables import BOX, T
from engine.jit import kernel

I64 = types.int64


@kernel(I64(STATE_T, TABLES_T, I64, MOVES_T, MOVES_T))
def reach(pos: State, t: Tables, colour: int, moves: Moves, rows: Moves) -> int:
    """Number of legal moves of a colour. The squares that they cover are added to the set of
    squares that begins at colour * ROWS of `rows`. `moves` has room for MAX_MOVES."""
    n = write_moves(pos, t, colour, moves)
    for i in range(n):
        move = int(moves[u(i)])
        base = (move >> 10) * BOX
        at = colour * ROWS + ((move & 1023) >> 5)
        for j in range(t.height[u(move >> 10)] - 2):
            rows[u(at + j)] |= shr(int(t.cells[u(base + j + 1)]), 1) << (move & 31)
    return n


def analyze(position: Position) -> str:
    """One line of JSON."""
    pos, variant = position.state, position.variant
    moves, rows = np.zeros(MAX_MOVES, np.int32), np.zeros(COLOURS * ROWS, np.int32)
    counts = [int(reach(pos, T, colour, moves, rows)) for colour in range(variant.colours)]
    sets = rows.reshape(COLOURS, ROWS)
    facts: dict[str, Any] = {
        "variant": variant.id,
        "ply": position.ply,
        "to_move": None if position.over else variant.ids[position.turn],
        "game_over": position.over,
        "legal_moves": 0 if position.over else counts[position.turn],
        "result": final_score(pos, variant).rstrip(),
    }
    for colour, name in enumerate(variant.ids):
        others = np.bitwise_or.reduce(np.delete(sets, colour, 0), 0)
        facts[name] = _facts_of_colour(pos, colour) | {
            "can_move": counts[colour] > 0,
            "mobility": counts[colour],
            "frontier": [square_name(sq) for sq in _frontier(pos, colour)],
            "forbidden": _forbidden(pos, colour),
            "reach": _count(sets[colour]),
            "contested": _count(sets[colour] & others),
        }
    return json.dumps(facts)


def _facts_of_colour(pos: np.void, colour: int) -> dict[str, Any]:
    squares = int(pos["squares"][colour])
    return {
        "squares": squares,
        "left": ALL_SQUARES - squares,
        "points": points(pos, colour),
        "pieces_left": [name for i, name in enumerate(NAMES) if pos["hand"][colour] >> i & 1],
    }


def _frontier(pos: np.void, colour: int) -> list[int]:
    """Attach squares where the colour may play, a1 first."""
    squares: list[int] = pos["frontier"][colour * 256 :][: pos["frontier_count"][colour]].tolist()
    return sorted(squares)


def _forbidden(pos: np.void, colour: int) -> int:
    """Squares of the board where the colour may not play: covered, or beside an own one."""
    size = int(pos["size"])
    rows = pos["forbidden"][colour * ROWS + MARGIN :][:size]
    return _count(rows & ((1 << size) - 1) << MARGIN)


def _count(rows: np.ndarray) -> int:
    return sum(int(row).bit_count() for row in rows)
