"""What an action does to the board, promotions included, and whether it may be done."""

from numba import types

from engine.bits import u
from engine.games.cotulenh.board import put, revert, side_of, without
from engine.games.cotulenh.danger import in_danger, promote
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, UNDO_T, State, Tables, Undo
from engine.games.cotulenh.state import (
    CAPTURE,
    COLOUR,
    COMBINE,
    HEROIC,
    QUIET,
    STAY,
    SUICIDE,
)
from engine.jit import inline, kernel

I64 = types.int64


@inline
def part_of(word: int, group: int) -> int:
    """Some members of a stack as a word of their own."""
    return word & (group | (group << HEROIC) | (1 << COLOUR))


@kernel(types.void(STATE_T, TABLES_T, I64, I64, I64, I64, UNDO_T))
def apply(pos: State, t: Tables, origin: int, to: int, kind: int, group: int, undo: Undo) -> None:
    """Move the members `group` of what stands on `origin`, all of it or some."""
    word = int(pos.board[u(origin)])
    side = side_of(word)
    mover = part_of(word, group)
    rest = without(word, group)
    if kind == QUIET or kind == CAPTURE:
        put(pos, t, origin, rest, undo)
        put(pos, t, to, mover, undo)
    elif kind == COMBINE:
        put(pos, t, origin, rest, undo)
        put(pos, t, to, mover | int(pos.board[u(to)]), undo)
    elif kind == STAY:
        put(pos, t, to, 0, undo)
    elif kind == SUICIDE:
        put(pos, t, origin, rest, undo)
        put(pos, t, to, 0, undo)
    promote(pos, t, side, undo)


@kernel(I64(STATE_T, TABLES_T, I64, I64, I64, I64, UNDO_T))
def is_safe(pos: State, t: Tables, origin: int, to: int, kind: int, group: int, undo: Undo) -> int:
    """1 if the mover's commander is out of danger after an action. The position is unchanged."""
    side = side_of(int(pos.board[u(origin)]))
    changes = undo.changes
    apply(pos, t, origin, to, kind, group, undo)
    safe = 1 - in_danger(pos, t, side)
    revert(pos, t, undo, changes)
    return safe
