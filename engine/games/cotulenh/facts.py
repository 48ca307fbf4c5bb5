"""The facts of a position as numbers: what each side can do, what hangs, who is in danger."""

from typing import Any

import numpy as np
from numba import types

from engine.bits import u
from engine.games.cotulenh.board import captures
from engine.games.cotulenh.danger import attacked, in_danger
from engine.games.cotulenh.deploy import load
from engine.games.cotulenh.evaluate import evaluate
from engine.games.cotulenh.movegen import write_actions
from engine.games.cotulenh.numba_types import (
    FACTS_T,
    STATE_T,
    TABLES_T,
    WORK_T,
    State,
    Tables,
    Work,
)
from engine.games.cotulenh.pieces import COMMANDER
from engine.games.cotulenh.records import WORK
from engine.games.cotulenh.rules import check
from engine.games.cotulenh.state import CELLS, COMMIT_ACTION, KIND, MAX_ACTIONS, TO
from engine.games.cotulenh.tables import T
from engine.jit import inline, kernel
from engine.tasks import Examine, Records

Facts = Any
"""A FACTS record."""


@inline
def note_actions(pos: State, t: Tables, work: Work, a: Facts) -> int:
    """Note what the side to move can do, and return the number of its legal actions."""
    side = pos.turn
    end = write_actions(pos, t, work, MAX_ACTIONS)
    mobility = 0
    for k in range(MAX_ACTIONS, end):
        action = int(work.actions[u(k)])
        if action != COMMIT_ACTION:
            mobility += 1
        if captures(action >> KIND):
            a.targets[u(side * CELLS + ((action >> TO) & 255))] = 1
    a.mobility[u(side)] = mobility
    return end - MAX_ACTIONS


@inline
def turn_over(pos: State, t: Tables, work: Work) -> State:
    """The same board without an open deployment, the other side to move. It lies in
    `work.replay`, which only an open deployment needs; its key means nothing."""
    other = work.replay[0]
    load(other, t, pos.board, work.spare[0])
    other.turn = 1 - pos.turn
    other.halfmove = pos.halfmove
    other.fullmove = pos.fullmove
    return other


@kernel(types.void(STATE_T, TABLES_T, WORK_T, FACTS_T))
def find_facts(pos: State, t: Tables, work: Work, a: Facts) -> None:
    """Fill a record of facts that is zero. `work.actions` has room for two lists."""
    a.legal_moves = note_actions(pos, t, work, a)
    note_actions(turn_over(pos, t, work), t, work, a)
    for side in range(2):
        a.exposed[u(side)] = in_danger(pos, t, side)
        for i in range(pos.count[u(side)]):
            sq = int(pos.squares[u(32 * side + i)])
            word = int(pos.board[u(sq)])
            if a.targets[u((1 - side) * CELLS + sq)] and (word >> COMMANDER) & 1 == 0:
                a.hanging[u(side * CELLS + sq)] = 1 - attacked(pos, t, sq, side)
    a.check = check(pos, t)
    a.eval = evaluate(pos, t)


@kernel(
    types.void(types.Array(STATE_T, 1, "C"), TABLES_T, WORK_T, types.Array(FACTS_T, 1, "C"))
)  # fmt: skip
def find_all(states: Any, t: Tables, work: Work, found: Any) -> None:
    """Fill as many records of facts, all zero, as there are positions."""
    for i in range(len(states)):
        find_facts(states[u(i)], t, work, found[u(i)])


def examiner() -> Examine:
    """An Examine with working memory of its own."""
    work: np.void = np.zeros(1, WORK)[0]

    def examine(states: Records, found: Records) -> None:
        find_all(states, T, work, found)

    return examine
