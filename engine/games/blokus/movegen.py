"""Legal moves, from the frontier.

A move must cover an attach square and no forbidden one. So each attach square is looked at once:
the forbidden squares around it are gathered into a window (see `tables`), and every way to cover
the square that misses them is a legal move. A move that covers several attach squares belongs to
the first of them: attach squares that come earlier count as forbidden. That is exact, and nothing
needs to be remembered or sorted.
"""

from engine.bits import shr, u
from engine.games.blokus.numba_types import Moves, State, Tables
from engine.games.blokus.state import ALL_PIECES, ROWS
from engine.games.blokus.tables import ABOVE, BELOW, EARLIER, LEFT, PIECE_BIT, RIGHT
from engine.jit import inline


@inline
def window(rows: Moves, base: int, sq: int) -> int:
    """The squares around `sq` that are in a set of squares, whose rows begin at `base`."""
    y = base + (sq >> 5)
    x = sq & 31
    bits = shr(int(rows[u(y - 4)]), x) & 1
    bits |= (shr(int(rows[u(y - 3)]), x - 1) & 7) << 1
    bits |= (shr(int(rows[u(y - 2)]), x - 2) & 31) << 4
    bits |= (shr(int(rows[u(y - 1)]), x - 3) & 127) << 9
    bits |= (shr(int(rows[u(y)]), x - 4) & 511) << 16
    bits |= (shr(int(rows[u(y + 1)]), x - 3) & 127) << 25
    bits |= (shr(int(rows[u(y + 2)]), x - 2) & 31) << 32
    bits |= (shr(int(rows[u(y + 3)]), x - 1) & 7) << 37
    return bits | ((shr(int(rows[u(y + 4)]), x) & 1) << 40)


@inline
def earlier(rows: Moves, base: int, sq: int) -> int:
    """The part of `window` that comes before `sq`. Of the rest nothing is computed in the end."""
    return window(rows, base, sq) & EARLIER


@inline
def status(blocked: int) -> int:
    """Which list of ways a window asks for."""
    return (
        (shr(blocked, LEFT) & 1)
        | ((shr(blocked, RIGHT) & 1) << 1)
        | ((shr(blocked, BELOW) & 1) << 2)
        | ((shr(blocked, ABOVE) & 1) << 3)
    )


@inline
def played(pos: State, colour: int) -> int:
    """The pieces that are not in hand, as the bits that ways have for them."""
    return (~pos.hand[u(colour)] & ALL_PIECES) << PIECE_BIT


@inline
def blocked_around(pos: State, colour: int, gone: int, sq: int) -> int:
    """What bars ways to cover the frontier square `sq`: forbidden squares, earlier frontier squares
    and the pieces that are `gone`."""
    base = colour * ROWS
    return gone | window(pos.forbidden, base, sq) | earlier(pos.attach, base, sq)


@inline
def count_moves(pos: State, t: Tables, colour: int) -> int:
    """Number of legal moves of a colour, whoever is to move."""
    gone = played(pos, colour)
    n = 0
    for i in range(pos.frontier_count[u(colour)]):
        sq = int(pos.frontier[u((colour << 8) + i)])
        blocked = blocked_around(pos, colour, gone, sq)
        kind = status(blocked)
        for k in range(t.first[u(kind)], t.first[u(kind + 1)]):
            n += t.ways[u(k)] & blocked == 0
    return n


@inline
def write_moves(pos: State, t: Tables, colour: int, moves: Moves) -> int:
    """Write the legal moves of a colour into `moves[:n]`, each once, and return n."""
    gone = played(pos, colour)
    n = 0
    for i in range(pos.frontier_count[u(colour)]):
        sq = int(pos.frontier[u((colour << 8) + i)])
        blocked = blocked_around(pos, colour, gone, sq)
        kind = status(blocked)
        for k in range(t.first[u(kind)], t.first[u(kind + 1)]):
            # Written always, kept if legal: no branch to guess.
            moves[u(n)] = t.step[u(k)] + sq
            n += t.ways[u(k)] & blocked == 0
    return n


@inline
def can_move(pos: State, t: Tables, colour: int) -> bool:
    """Whether a colour has a legal move."""
    base = colour * ROWS
    gone = played(pos, colour)
    for i in range(pos.frontier_count[u(colour)]):
        sq = int(pos.frontier[u((colour << 8) + i)])
        blocked = gone | window(pos.forbidden, base, sq)
        kind = status(blocked)
        for k in range(t.first[u(kind)], t.first[u(kind + 1)]):
            if t.ways[u(k)] & blocked == 0:
                return True
    return False
