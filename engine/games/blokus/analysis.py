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
from engine.games.blokus.movegen import blocked_around, played, status
from engine.games.blokus.notation import square_name
from engine.games.blokus.numba_types import FACTS_T, STATE_T, TABLES_T, State, Tables
from engine.games.blokus.pieces import NAMES
from engine.games.blokus.position import Position
from engine.games.blokus.scores import ALL_SQUARES, final_score, points
from engine.games.blokus.state import COLOURS, MARGIN, ROWS
from engine.games.blokus.tables import BOX, T
from engine.jit import inline, kernel
from engine.tasks import Records

STATES_T = types.Array(STATE_T, 1, "C")

Facts = Any
"""A FACTS record."""


@inline
def cover(t: Tables, a: Facts, colour: int, move: int) -> None:
    """Add the squares of a move to the reach of a colour."""
    base = (move >> 10) * BOX
    first = colour * ROWS + ((move & 1023) >> 5)
    for j in range(t.height[u(move >> 10)] - 2):
        a.reach[u(first + j)] |= shr(int(t.cells[u(base + j + 1)]), 1) << (move & 31)


@inline
def find_facts(pos: State, t: Tables, a: Facts) -> None:
    """Fill a record of facts that is zero."""
    for colour in range(pos.colours):
        gone = played(pos, colour)
        n = 0
        for i in range(pos.frontier_count[u(colour)]):
            sq = int(pos.frontier[u((colour << 8) + i)])
            blocked = blocked_around(pos, colour, gone, sq)
            kind = status(blocked)
            for k in range(t.first[u(kind)], t.first[u(kind + 1)]):
                if t.ways[u(k)] & blocked == 0:
                    cover(t, a, colour, t.step[u(k)] + sq)
                    n += 1
        a.mobility[u(colour)] = n


@kernel(types.void(STATES_T, TABLES_T, types.Array(FACTS_T, 1, "C")))
def find_all(states: Any, t: Tables, found: Any) -> None:
    """Fill as many records of facts, all zero, as there are positions."""
    for i in range(len(states)):
        find_facts(states[u(i)], t, found[u(i)])


def examine(states: Records, found: Records) -> None:
    """See `engine.tasks.Examine`."""
    find_all(states, T, found)


def write(position: Position, facts: np.void) -> str:
    """A position and its facts as one line of JSON."""
    pos, variant = position.state, position.variant
    counts = facts["mobility"].tolist()
    sets = facts["reach"].reshape(COLOURS, ROWS)
    told: dict[str, Any] = {
        "variant": variant.id,
        "ply": position.ply,
        "to_move": None if position.over else variant.ids[position.turn],
        "game_over": position.over,
        "legal_moves": 0 if position.over else counts[position.turn],
        "result": final_score(pos, variant).rstrip(),
    }
    for colour, name in enumerate(variant.ids):
        others = np.bitwise_or.reduce(np.delete(sets, colour, 0), 0)
        told[name] = _facts_of_colour(pos, colour) | {
            "can_move": counts[colour] > 0,
            "mobility": counts[colour],
            "frontier": [square_name(sq) for sq in _frontier(pos, colour)],
            "forbidden": _forbidden(pos, colour),
            "reach": _count(sets[colour]),
            "contested": _count(sets[colour] & others),
        }
    return json.dumps(told)


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
