"""What every node of the search does."""

from engine.bits import atomic_load, u
from engine.games.cotulenh.numba_types import State
from engine.games.cotulenh.ordering import Thread
from engine.games.cotulenh.records import MAX_PLY
from engine.games.cotulenh.thread import MATED_SOON
from engine.jit import inline

DRAWN_CLOCK = 100


@inline
def poll(s: Thread) -> None:
    """Count a node; every 512 of them look whether the search must end."""
    s.nodes += 1
    if s.node_limit and s.nodes >= s.node_limit:
        s.stopped = 1
    if s.nodes & 511 == 0 and atomic_load(s.control):
        s.stopped = 1


@inline
def is_draw(s: Thread, pos: State, ply: int) -> bool:
    """Fifty moves or a repetition, at the beginning of a turn. One repetition inside the search is
    enough; of positions of the game it takes two."""
    if pos.halfmove >= DRAWN_CLOCK:
        return True
    here = s.root_key + ply
    # A turn is at most five actions; entries further back than the last capture cannot be equal.
    last = max(here - 5 * pos.halfmove, 0)
    seen = 0
    for i in range(here - 1, last - 1, -1):
        if s.keys[u(i)] == pos.key:
            if i > s.root_key:
                return True
            seen += 1
            if seen == 2:
                return True
    return False


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
    if score > MATED_SOON:
        return score - ply
    if score < -MATED_SOON:
        return score + ply
    return score


@inline
def keep_line(s: Thread, ply: int, action: int) -> None:
    """The line of this ply is the action and the line of the next ply."""
    at = ply * MAX_PLY
    s.pv[u(at)] = action
    length = s.pv_length[u(ply + 1)]
    for i in range(length):
        s.pv[u(at + 1 + i)] = s.pv[u(at + MAX_PLY + i)]
    s.pv_length[u(ply)] = length + 1
