"""Which action to try first."""

from typing import Any

from engine.bits import u
from engine.games.cotulenh.board import captures, carrier_of
from engine.games.cotulenh.evaluate import worth
from engine.games.cotulenh.numba_types import State, Tables, Work
from engine.games.cotulenh.pieces import COMMANDER
from engine.games.cotulenh.state import (
    COMBINE,
    COMMIT,
    JOIN,
    KIND,
    STAY,
    SUICIDE,
    TO,
    WHO,
    WHOLE,
)
from engine.games.cotulenh.thread import HISTORY_LIMIT
from engine.jit import helper, inline

Thread = Any
"""A THREAD record."""

FIRST = 1 << 28
TAKES_COMMANDER = 1 << 27
TAKES = 1 << 24
KILLER = 1 << 20


@inline
def tag(action: int) -> int:
    """Sixteen bits that tell the actions of one position apart, nearly always; never 0."""
    return ((action * 0x9E3779B1) >> 13 & 0xFFFF) | 1


@inline
def takes(action: int) -> bool:
    return captures(action >> KIND)


@inline
def history_at(pos: State, t: Tables, action: int) -> int:
    """Index into the history: side, what moves, where to."""
    who = (action >> WHO) & 15
    if who == WHOLE:
        who = carrier_of(t, int(pos.board[u(action & 255)]))
    return (pos.turn << 12) | (who << 8) | ((action >> TO) & 255)


@helper
def score_actions(
    s: Thread, pos: State, t: Tables, work: Work, first: int, end: int, wanted: int, ply: int
) -> None:
    """Mark each action with its place in the order: higher is earlier. `wanted` is the tag of the
    table's action."""
    for i in range(first, end):
        action = int(work.actions[u(i)])
        kind = action >> KIND
        score = 0
        if wanted and tag(action) == wanted:
            score = FIRST
        elif takes(action):
            victim = int(pos.board[u((action >> TO) & 255)])
            if (victim >> COMMANDER) & 1:
                score = TAKES_COMMANDER
            else:
                mover = int(pos.board[u(action & 255)])
                cost = 0 if kind == STAY else worth(mover)
                score = TAKES + 16 * worth(victim) - (16 * cost if kind == SUICIDE else cost)
        elif kind == COMMIT:
            score = KILLER >> 1
        else:
            if s.killers[u(2 * ply)] == action:
                score = KILLER + 1
            elif s.killers[u(2 * ply + 1)] == action:
                score = KILLER
            else:
                score = int(s.history[u(history_at(pos, t, action))])
                if kind == COMBINE or kind == JOIN:
                    score -= 200
                if (action >> WHO) & 15 != WHOLE:
                    score -= 100
        s.scores[u(i)] = score


@inline
def pick(s: Thread, work: Work, i: int, end: int) -> int:
    """Bring the best of the rest to index `i`."""
    best = i
    for k in range(i + 1, end):
        if s.scores[u(k)] > s.scores[u(best)]:
            best = k
    action = int(work.actions[u(best)])
    score = s.scores[u(best)]
    work.actions[u(best)] = work.actions[u(i)]
    s.scores[u(best)] = s.scores[u(i)]
    work.actions[u(i)] = action
    s.scores[u(i)] = score
    return action


@inline
def credit(s: Thread, at: int, bonus: int) -> None:
    """Move a history value towards its limit."""
    old = int(s.history[u(at)])
    s.history[u(at)] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@helper
def reward(
    s: Thread, pos: State, t: Tables, work: Work, first: int, i: int, depth: int, ply: int
) -> None:
    """Action `i` caused a cut: remember it, and that those before it did not."""
    action = int(work.actions[u(i)])
    if takes(action) or action >> KIND == COMMIT:
        return
    if s.killers[u(2 * ply)] != action:
        s.killers[u(2 * ply + 1)] = s.killers[u(2 * ply)]
        s.killers[u(2 * ply)] = action
    bonus = min(depth * depth * 16, 1200)
    credit(s, history_at(pos, t, action), bonus)
    for k in range(first, i):
        other = int(work.actions[u(k)])
        if not takes(other) and other >> KIND != COMMIT:
            credit(s, history_at(pos, t, other), -bonus)
