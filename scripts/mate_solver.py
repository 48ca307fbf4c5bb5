"""Whether a mate can be forced within N moves, by trying everything.

Nothing is left out but what has been answered before, so a "no" is as good as a "yes". The
fifty-move rule and repetitions are not looked at: a mate within a few moves knows neither.
"""

import math
from typing import Any

import numpy as np
from numba import from_dtype, types

from engine.bits import u
from engine.games.chess.attacks import Tables
from engine.games.chess.make import load_boards, play, take_back
from engine.games.chess.movegen import attackers, count_moves, write_moves
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.position import Position
from engine.games.chess.records import UNDO
from engine.games.chess.rules import make
from engine.games.chess.tables import T
from engine.jit import kernel

LONGEST = 8
ENTRIES = 1 << 20

SOLVER = np.dtype(
    [
        ("nodes", np.int64),
        ("limit", np.int64),
        ("moves", np.uint16, (2 * LONGEST * 256,)),
        ("undo", UNDO, (2 * LONGEST,)),
        # What is known of a position with the mating side to move, by key: in how many moves it
        # mates, 0 if that is not known, and in how many it does not.
        ("keys", np.int64, (ENTRIES,)),
        ("mates", np.int8, (ENTRIES,)),
        ("fails", np.int8, (ENTRIES,)),
    ],
    align=True,
)
SOLVER_T = from_dtype(SOLVER)
Memory = Any
I64 = types.int64


class OutOfNodes(Exception):
    """The limit came before an answer."""


@kernel(I64(SOLVER_T, TABLES_T, STATE_T, I64, I64))
def can_mate(w: Memory, t: Tables, pos: State, n: int, ply: int) -> int:
    """1 if the side to move can force mate within n moves, 0 if not, -1 once the nodes are used up.

    Moves that give check come first; with the last move nothing else can mate.
    """
    slot = pos.key & (ENTRIES - 1)
    if w.keys[u(slot)] == pos.key:
        if w.mates[u(slot)] and w.mates[u(slot)] <= n:
            return 1
        if w.fails[u(slot)] >= n:
            return 0
    w.nodes += 1
    if w.nodes > w.limit:
        return -1
    base = ply << 8
    end = write_moves(pos.turn, t, load_boards(pos), w.moves, base, -1)
    result = 0
    for quiet in range(2 if n > 1 else 1):
        for i in range(base, end):
            play(pos, t, int(w.moves[u(i)]), w.undo[u(ply)])
            checked = attackers(pos.turn, t, load_boards(pos)) != 0
            answer = 0
            if checked and n == 1:
                answer = int(count_moves(pos.turn, t, load_boards(pos)) == 0)
            elif checked == (quiet == 0):
                last = write_moves(pos.turn, t, load_boards(pos), w.moves, base + 256, -1)
                answer = int(checked or last > base + 256)
                for j in range(base + 256, last):
                    play(pos, t, int(w.moves[u(j)]), w.undo[u(ply + 1)])
                    answer = can_mate(w, t, pos, n - 1, ply + 2)
                    take_back(pos, w.undo[u(ply + 1)])
                    if answer != 1:
                        break
            take_back(pos, w.undo[u(ply)])
            if answer != 0:
                result = answer
                break
        if result != 0:
            break
    if result < 0:
        return result
    if w.keys[u(slot)] != pos.key:
        w.keys[u(slot)] = pos.key
        w.mates[u(slot)] = 0
        w.fails[u(slot)] = 0
    if result:
        w.mates[u(slot)] = n
    else:
        w.fails[u(slot)] = n
    return result


class Solver:
    """Answers within a number of nodes for each question."""

    def __init__(self, limit: float = math.inf) -> None:
        self.memory: np.void = np.zeros(1, SOLVER)[0]
        self.limit = int(min(limit, 2.0**62))

    def mates(self, position: Position, n: int) -> bool:
        """Whether the side to move can force mate within n moves. Raises OutOfNodes."""
        return self._ask(position.copy(), n)

    def mating_moves(self, position: Position, n: int) -> list[int]:
        """The moves after which it can. Raises OutOfNodes."""
        return [move for move in position.legal() if self._forces(position, move, n)]

    def _forces(self, position: Position, move: int, n: int) -> bool:
        after = Position(position.fen(True), True)
        after.play(move)
        replies = after.legal()
        if not replies:
            return after.checkers() != 0
        return n > 1 and all(self._ask(_child(after, reply), n - 1) for reply in replies)

    def _ask(self, state: np.void, n: int) -> bool:
        self.memory["nodes"], self.memory["limit"] = 0, self.limit
        answer = int(can_mate(self.memory, T, state, n, 0))
        if answer < 0:
            raise OutOfNodes
        return answer == 1


def _child(position: Position, move: int) -> np.void:
    state = position.copy()
    make(state, T, move, np.zeros(1, UNDO)[0])
    return state
