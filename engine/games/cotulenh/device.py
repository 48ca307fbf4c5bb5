"""CoTuLenh for a graphics card: what `engine.records_on_card` must know of it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.alphabeta import MAX_PLY
from engine.bits import at, u
from engine.device import Child, DeviceFacts, DeviceRules
from engine.games.cotulenh.facts import find_facts
from engine.games.cotulenh.make import play, take_back
from engine.games.cotulenh.movegen import write_actions
from engine.games.cotulenh.numba_types import TABLES_T, State, Tables
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.records import FACTS as FACTS_RECORD
from engine.games.cotulenh.records import UNDO, WORK
from engine.games.cotulenh.rules import make
from engine.games.cotulenh.state import CELLS, MAX_ACTIONS, NOWHERE, STATE
from engine.games.cotulenh.tables import T
from engine.jit import inline
from engine.records_on_card import counting, examining
from engine.tasks import Records

UNDO_BYTES = UNDO.itemsize
WORK_BYTES = WORK["replay"].itemsize + WORK["spare"].itemsize + 2 * 4 * MAX_ACTIONS
"""The part of a WORK record that is used: the list that `play` overwrites and one more."""


@inline
def count(pos: State, t: Tables, scratch: int) -> int:
    """Write the actions of a position into the second list of the scratch memory, and return their
    number."""
    return write_actions(pos, t, at(scratch + UNDO_BYTES, WORK), MAX_ACTIONS) - MAX_ACTIONS


@inline
def write(pos: State, t: Tables, scratch: int, moves: Any, n: int) -> None:
    """The actions, by way of the scratch memory."""
    actions = at(scratch + UNDO_BYTES, WORK).actions
    for k in range(count(pos, t, scratch)):
        moves[u(n + k)] = actions[u(MAX_ACTIONS + k)]


@inline
def play_action(pos: State, t: Tables, scratch: int, action: int) -> None:
    """Play an action."""
    play(pos, t, action, at(scratch, UNDO), at(scratch + UNDO_BYTES, WORK))


@inline
def take_action_back(pos: State, t: Tables, scratch: int) -> None:
    """Take the last action back."""
    take_back(pos, t, at(scratch, UNDO))


@inline
def same_deployment(pos: State, other: State) -> bool:
    """Whether two open deployments are the same, step by step."""
    if pos.start != other.start or pos.used != other.used or pos.steps != other.steps:
        return False
    for i in range(pos.steps):
        if pos.step_kind[u(i)] != other.step_kind[u(i)] or pos.step_to[u(i)] != other.step_to[u(i)]:
            return False
        if pos.step_group[u(i)] != other.step_group[u(i)]:
            return False
    differs = 0
    for sq in range(CELLS):
        differs |= pos.snapshot[u(sq)] ^ other.snapshot[u(sq)]
    return differs == 0


@inline
def same(pos: State, other: State) -> bool:
    """Whether two positions have equal actions now and later. Lists may be in another order; air
    defence and commanders follow from the board; clocks, and whether the turn has captured, do not
    matter; what an ended deployment has left means nothing."""
    if pos.turn != other.turn or pos.origin != other.origin:
        return False
    for sq in range(CELLS):
        if pos.board[u(sq)] != other.board[u(sq)]:
            return False
    return pos.origin == NOWHERE or same_deployment(pos, other)


def children(position: Position) -> Iterator[Child]:
    """See `DeviceRules.children`."""
    for action in position.legal():
        child, work = position.state.copy(), np.zeros(1, WORK)[0]
        make(child, T, action, np.zeros(1, UNDO)[0], work)
        yield action, np.frombuffer(child.tobytes(), np.int64).tolist(), 0


def level(states: Records) -> NDArray[np.int64]:
    """See `DeviceRules.level`."""
    return states.view(np.int64)


@inline
def examine(pos: State, t: Tables, scratch: int, a: Any) -> None:
    """See `facts.find_facts`."""
    find_facts(pos, t, at(scratch, WORK), a)


RULES = DeviceRules(
    name="cotulenh",
    bodies=counting(STATE, TABLES_T, count, write, play_action, take_action_back, same),
    tables=lambda: T,
    children=children,
    level=level,
    words=STATE.itemsize >> 3,
    move=np.int32,
    count=np.uint16,
    most=MAX_ACTIONS,
    by_word=False,
    # As in Blokus, with 10 KB. Counted on the CPU: with few pieces 2.0 positions are one after ply
    # 4, none before; with stacks, whose pieces can leave in any order, 1.01 after ply 3.
    merge=2,
    shallow=2,
    deepest=MAX_PLY - 1,
    scratch=UNDO_BYTES + WORK_BYTES,
)

FACTS = DeviceFacts(
    name="cotulenh-facts",
    bodies=examining(STATE, FACTS_RECORD, TABLES_T, examine),
    tables=lambda: T,
    state=STATE,
    facts=FACTS_RECORD,
    scratch=WORK_BYTES,
)
