"""What every node of the search does."""

from engine.bits import u
from engine.games.cotulenh.numba_types import State
from engine.games.cotulenh.ordering import Thread
from engine.jit import inline

DRAWN_CLOCK = 100


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
