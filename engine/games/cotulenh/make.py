"""Playing an action and taking it back."""

from typing import Any

from numba import types

from engine.bits import u
from engine.games.cotulenh.apply import apply
from engine.games.cotulenh.board import captures, mix, put, revert
from engine.games.cotulenh.deploy import may_commit, replay, write_steps
from engine.games.cotulenh.numba_types import (
    STATE_T,
    TABLES_T,
    UNDO_T,
    WORK_T,
    State,
    Tables,
    Undo,
    Work,
)
from engine.games.cotulenh.state import (
    CELLS,
    COMBINE,
    COMMIT,
    JOIN,
    KIND,
    MAX_STEPS,
    MEMBERS,
    NOWHERE,
    STAY,
    SUICIDE,
    TO,
    WHO,
    WHOLE,
)
from engine.jit import helper, inline, kernel


@inline
def deployment_key(pos: State) -> int:
    """Key of what the board does not tell of an open deployment."""
    key = mix(pos.origin, pos.used) ^ pos.start_key
    for i in range(pos.steps):
        where = (pos.step_to[u(i)] << 8) | pos.step_kind[u(i)]
        key ^= mix(256 + i, (pos.step_group[u(i)] << 16) | where)
    return mix(pos.start & MEMBERS, key)


@inline
def copy_turn(to: Any, source: Any) -> None:
    """Everything of a STATE but the board and the snapshot, from or into an UNDO record."""
    to.key = source.key
    to.turn = source.turn
    to.halfmove = source.halfmove
    to.fullmove = source.fullmove
    to.origin = source.origin
    to.start = source.start
    to.used = source.used
    to.captured = source.captured
    to.steps = source.steps
    to.start_key = source.start_key
    for i in range(MAX_STEPS):
        to.step_kind[u(i)] = source.step_kind[u(i)]
        to.step_to[u(i)] = source.step_to[u(i)]
        to.step_group[u(i)] = source.step_group[u(i)]


@inline
def remember(pos: State, undo: Undo) -> None:
    """Note what `play` is going to change besides the board."""
    undo.changes = 0
    undo.opened = 0
    copy_turn(undo, pos)


@inline
def end_turn(pos: State, t: Tables, captured: bool) -> None:
    pos.halfmove = 0 if captured else pos.halfmove + 1
    pos.fullmove += pos.turn
    pos.turn ^= 1
    pos.key ^= t.zobrist_blue
    pos.origin = NOWHERE


@inline
def open_deployment(pos: State, origin: int, undo: Undo) -> None:
    undo.opened = 1
    for sq in range(CELLS):
        undo.snapshot[u(sq)] = pos.snapshot[u(sq)]
        pos.snapshot[u(sq)] = pos.board[u(sq)]
    pos.start_key = pos.key
    pos.origin = origin
    pos.start = pos.board[u(origin)]
    pos.used = 0
    pos.captured = 0
    pos.steps = 0


@inline
def copy_board(pos: State, t: Tables, work: Work, undo: Undo) -> None:
    """Make the board equal to that of the replay."""
    board = work.replay[0].board
    for sq in range(CELLS):
        if pos.board[u(sq)] != board[u(sq)]:
            put(pos, t, sq, int(board[u(sq)]), undo)


@helper
def join(pos: State, t: Tables, to: int, who: int, work: Work, undo: Undo) -> None:
    """Put a piece into the first step that went to a square, and the board as it would be then."""
    step = 0
    while (
        pos.step_to[u(step)] != to
        or pos.step_kind[u(step)] == STAY
        or pos.step_kind[u(step)] == SUICIDE
    ):
        step += 1
    replay(pos, t, step, who, work, 0)
    copy_board(pos, t, work, undo)
    pos.step_group[u(step)] |= 1 << who


@kernel(types.void(STATE_T, TABLES_T, types.int64, UNDO_T, WORK_T))
def play(pos: State, t: Tables, action: int, undo: Undo, work: Work) -> None:
    """Play a legal action. The first list of `work` is overwritten."""
    remember(pos, undo)
    origin, to, who, kind = action & 255, (action >> TO) & 255, (action >> WHO) & 15, action >> KIND
    if pos.origin != NOWHERE:
        pos.key ^= deployment_key(pos)
    if kind == COMMIT:
        end_turn(pos, t, pos.captured != 0)
        return
    taken = captures(kind)
    if who == WHOLE:
        apply(pos, t, origin, to, kind, int(pos.board[u(origin)]) & MEMBERS, undo)
        end_turn(pos, t, taken)
        return
    if pos.origin == NOWHERE:
        open_deployment(pos, origin, undo)
    if taken:
        pos.captured = 1
    if kind == JOIN and t.carrier[u(pos.start & MEMBERS)] != who:
        join(pos, t, to, who, work, undo)
    else:
        if kind == JOIN:
            kind = COMBINE
        apply(pos, t, origin, to, kind, 1 << who, undo)
        pos.step_kind[u(pos.steps)] = kind
        pos.step_to[u(pos.steps)] = to
        pos.step_group[u(pos.steps)] = 1 << who
        pos.steps += 1
    pos.used |= 1 << who
    if may_commit(pos, t):
        if pos.start & MEMBERS & ~pos.used == 0 or write_steps(pos, t, work, 0) == 0:
            end_turn(pos, t, pos.captured != 0)
            return
    pos.key ^= deployment_key(pos)


@kernel(types.void(STATE_T, TABLES_T, UNDO_T))
def take_back(pos: State, t: Tables, undo: Undo) -> None:
    """The position before `play`."""
    revert(pos, t, undo, 0)
    if undo.opened:
        for sq in range(CELLS):
            pos.snapshot[u(sq)] = undo.snapshot[u(sq)]
    copy_turn(pos, undo)


@kernel(types.int64(STATE_T, TABLES_T, types.int64, types.int64, WORK_T, UNDO_T))
def resume(pos: State, t: Tables, origin: int, steps: int, work: Work, undo: Undo) -> int:
    """Open a deployment whose first `steps` steps stand in the record already, and play them. 0 if
    one of them is not possible; then the position is of no use. `undo` is used up."""
    open_deployment(pos, origin, undo)
    pos.steps = steps
    if replay(pos, t, -1, 0, work, 0) == 0:
        return 0
    undo.changes = 0
    copy_board(pos, t, work, undo)
    for i in range(steps):
        pos.used |= pos.step_group[u(i)]
        kind = pos.step_kind[u(i)]
        if captures(kind):
            pos.captured = 1
    pos.key ^= deployment_key(pos)
    return 1
