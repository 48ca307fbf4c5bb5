"""What the alpha-beta searches of all games share: scores, their way through the table, the line.

Scores are seen from the side to move. `thread` is a game's record of the memory of one search
thread; which fields of it a function needs, it says.
"""

from typing import Any

from engine.bits import atomic_load, u
from engine.jit import inline
from engine.types import Score

Thread = Any

MAX_PLY = 128
"""Deepest ply of a search, quiescence included."""
INFINITE = 32_000
MATE = 31_000
"""Being mated at ply p is -MATE + p."""
MATED_SOON = MATE - 2 * MAX_PLY
"""Scores beyond this, either way, are mates."""
NO_EVAL = -32_700
"""Marks a position in check, which has no static evaluation."""


def as_score(value: int, bound: str = "") -> Score:
    """A score for people: mates in moves of one side, two plies each."""
    if value > MATED_SOON:
        return Score(mate=(MATE - value + 1) // 2, bound=bound)
    if value < -MATED_SOON:
        return Score(mate=-(MATE + value) // 2, bound=bound)
    return Score(cp=value, bound=bound)


@inline
def poll(thread: Thread) -> None:
    """Count a node, unless the search is unwinding; every 1024 of them look whether it must end.
    Of the thread: nodes, node_limit (0 for none), control (address of the stop flag), stopped."""
    thread.nodes += 1 - thread.stopped
    if thread.node_limit and thread.nodes >= thread.node_limit:
        thread.stopped = 1
    if thread.nodes & 1023 == 0 and atomic_load(thread.control):
        thread.stopped = 1


@inline
def to_table(score: int, ply: int) -> int:
    """Mates are stored as seen from the position, not from the root."""
    if score > MATED_SOON:
        return score + ply
    if score < -MATED_SOON:
        return score - ply
    return score


@inline
def from_table(score: int, ply: int) -> int:
    """Mates as seen from the root again. One that the table has passed on so often that it is as
    far away as a mate can be stays a mate."""
    if score > MATED_SOON:
        return max(score - ply, MATED_SOON + 1)
    if score < -MATED_SOON:
        return min(score + ply, -MATED_SOON - 1)
    return score


@inline
def keep_line(thread: Thread, ply: int, move: int) -> None:
    """The line of this ply is the move and the line of the next ply. Of the thread: pv, rows of
    MAX_PLY moves, and pv_length."""
    at = ply * MAX_PLY
    thread.pv[u(at)] = move
    length = thread.pv_length[u(ply + 1)]
    for i in range(length):
        thread.pv[u(at + 1 + i)] = thread.pv[u(at + MAX_PLY + i)]
    thread.pv_length[u(ply)] = length + 1
