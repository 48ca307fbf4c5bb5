"""Deployments: several pieces leave one stack in one turn.

A join puts a piece onto a group that left the stack earlier in the turn, as if it had left with
it. Whether it could have, a replay of the turn tells: from the snapshot of its beginning, on a
position of its own.
"""

from typing import Any

from numba import types

from engine.bits import lsb, u
from engine.games.cotulenh.apply import apply, is_safe, part_of
from engine.games.cotulenh.board import carrier_of, put, single
from engine.games.cotulenh.danger import in_danger
from engine.games.cotulenh.numba_types import (
    STATE_T,
    TABLES_T,
    WORK_T,
    State,
    Tables,
    Undo,
    Work,
)
from engine.games.cotulenh.pieces import COMMANDER
from engine.games.cotulenh.scan import fits, scan
from engine.games.cotulenh.state import (
    BORDER,
    CELLS,
    COMBINE,
    COMMIT_ACTION,
    HEROIC,
    JOIN,
    KIND,
    MEMBERS,
    NOWHERE,
    STAY,
    SUICIDE,
    TO,
    WHO,
    ZONE,
)
from engine.jit import inline, kernel

I64 = types.int64


@inline
def load(pos: State, t: Tables, words: Any, undo: Undo) -> None:
    """Set up a board from its words, and everything that follows from them. `undo` is used up."""
    for sq in range(CELLS):
        pos.board[u(sq)] = t.empty[u(sq)]
    for i in range(2 * ZONE):
        pos.cover[u(i)] = 0
        pos.coverer[u(i)] = 0
    for side in range(2):
        pos.count[u(side)] = 0
        pos.guards[u(side)] = 0
        pos.commander[u(side)] = NOWHERE
    pos.key = 0
    pos.origin = NOWHERE
    for sq in range(CELLS):
        word = int(words[u(sq)])
        if word != 0 and word != BORDER:
            undo.changes = 0
            put(pos, t, sq, word, undo)
    undo.changes = 0


@kernel(I64(STATE_T, TABLES_T, I64, I64, I64, I64, I64, WORK_T, I64))
def can_step(
    pos: State, t: Tables, origin: int, to: int, kind: int, who: int, first: int, work: Work, n: int
) -> int:
    """1 if a piece of the stack on `origin` can make a step, its first of the turn or a later one.
    `work.actions` is overwritten from index `n` on."""
    word = int(pos.board[u(origin)])
    wanted = origin | (to << TO) | (who << WHO) | (kind << KIND)
    end = scan(pos, t, origin, single(word, who), who, work, n, 1)
    for k in range(n, end):
        if work.actions[u(k)] == wanted:
            if first and word & (1 << COMMANDER) == 0:
                return is_safe(pos, t, origin, to, kind, 1 << who, work.spare[0])
            return 1
    return 0


@inline
def followed(pos: State) -> bool:
    """Whether a second step went onto the piece of the first. A replay need not find a ray for it:
    it is enough if it can join, so if both could leave in one step."""
    return pos.steps > 1 and pos.step_kind[1] == COMBINE and pos.step_to[1] == pos.step_to[0]


@kernel(I64(STATE_T, TABLES_T, I64, I64, WORK_T, I64))
def replay(pos: State, t: Tables, joined: int, who: int, work: Work, n: int) -> int:
    """Replay the turn on `work.replay` with one more piece in the step `joined`, as heroic as it
    was when the turn began. 0 if a step is not possible any more, else 1. `work.actions` is
    overwritten from index `n` on."""
    copy = work.replay[0]
    spare = work.spare[0]
    load(copy, t, pos.snapshot, spare)
    origin = pos.origin
    by_join = 0
    for i in range(pos.steps):
        to = pos.step_to[u(i)]
        kind = pos.step_kind[u(i)]
        group = pos.step_group[u(i)]
        if i == joined:
            group |= 1 << who
            if (int(copy.board[u(origin)]) ^ pos.start) >> (HEROIC + who) & 1:
                put(copy, t, origin, int(copy.board[u(origin)]) ^ 1 << (HEROIC + who), spare)
        first = 1 if i == 0 else 0
        if not can_step(copy, t, origin, to, kind, t.carrier[u(group)], first, work, n):
            if by_join == 0 or kind != COMBINE:
                return 0
        if first and followed(pos):
            both = t.carrier[u(group | pos.step_group[1])]
            by_join = can_step(copy, t, origin, to, kind, both, 1, work, n)
        word = int(copy.board[u(origin)])
        if kind == COMBINE:
            if not fits(t, part_of(word, group), int(copy.board[u(to)]), to):
                return 0
        apply(copy, t, origin, to, kind, group, spare)
    return 1


@inline
def joinable(pos: State, t: Tables, step: int, who: int) -> bool:
    """Whether a step is the first that went to its square, and with one more piece still a stack
    that can stand there. A replay must agree."""
    kind = pos.step_kind[u(step)]
    if kind == STAY or kind == SUICIDE:
        return False
    for i in range(step):
        if pos.step_to[u(i)] == pos.step_to[u(step)]:
            if pos.step_kind[u(i)] != STAY and pos.step_kind[u(i)] != SUICIDE:
                return False
    return fits(t, 1 << who, pos.step_group[u(step)], pos.step_to[u(step)])


@kernel(I64(STATE_T, TABLES_T, WORK_T, I64))
def write_steps(pos: State, t: Tables, work: Work, n: int) -> int:
    """Append the steps and joins of the open deployment to `work.actions[:n]`."""
    actions = work.actions
    origin = pos.origin
    rest = pos.start & MEMBERS & ~pos.used
    while rest:
        who = lsb(rest)
        rest &= rest - 1
        joins = 0
        first = n
        for i in range(pos.steps):
            if joinable(pos, t, i, who) and replay(pos, t, i, who, work, n):
                joins |= 1 << i
        end = scan(pos, t, origin, single(int(pos.board[u(origin)]), who), who, work, n, 1)
        for k in range(first, end):
            to = (int(actions[u(k)]) >> TO) & 255
            replaced = False
            for i in range(pos.steps):
                if (joins >> i) & 1 and pos.step_to[u(i)] == to:
                    replaced = True
            if not replaced:
                actions[u(n)] = actions[u(k)]
                n += 1
        for i in range(pos.steps):
            if (joins >> i) & 1:
                actions[u(n)] = origin | (pos.step_to[u(i)] << TO) | (who << WHO) | (JOIN << KIND)
                n += 1
    return n


@kernel(I64(STATE_T, TABLES_T))
def may_commit(pos: State, t: Tables) -> int:
    """1 if the open deployment can end now."""
    if pos.steps == 0:
        return 0
    word = int(pos.board[u(pos.origin)])
    if word != 0 and word >> 22 & 1 == pos.turn:
        if t.terrain[u(pos.origin)] & t.stands[u(carrier_of(t, word))] == 0:
            return 0
    if pos.commander[u(pos.turn)] == NOWHERE:
        return 1
    return 1 - in_danger(pos, t, pos.turn)


@inline
def write_commit(pos: State, t: Tables, work: Work, n: int) -> int:
    """Append COMMIT if it is allowed."""
    if may_commit(pos, t):
        work.actions[u(n)] = COMMIT_ACTION
        n += 1
    return n
