"""Legal moves the slow way: the reference for `movegen`, and selectable at run time.

Three switches, in any combination, and always the same moves:

* `frontier`: start from each attach square and lay every piece over it; else scan the whole board,
  every orientation at every anchor.
* `masks`: see with sets of squares whether a piece fits and touches; else go square by square
  through the mailbox, and use nothing but the mailbox.
* `corners`: only a corner of a piece may be what touches; see below.

**Heuristic anchors.** To lay a piece over an attach square, one of its squares is chosen as the
anchor. The plan was to try only promising ones and, for an orientation that gave no move with
these, to fall back on all. That loses moves: an orientation that fits with a promising anchor may
fit with another one too, and then nobody looks. (With the corners as the promising ones it happens
on the first move in Duo: the X fits with an arm on the start square, so the X centred there would
never be found.) Here both halves are exact:

* Promising are the corners of the piece, the squares with a diagonal direction in which neither
  neighbour belongs to the piece. For a colour with a piece on the board no others are needed: an
  attach square s has an own square q across, the two squares between s and q are edge neighbours of
  q and so forbidden, hence the piece that covers s covers neither of them, and so s is a corner.
* The argument needs q. A first piece covers its start square with any of its squares. So the
  fallback to all squares belongs to the orientations of a colour's first piece, whether or not a
  corner gave moves.
"""

from numba import types

from engine.bits import u
from engine.games.blokus.numba_types import MOVES_T, STATE_T, TABLES_T, Moves, State, Tables
from engine.games.blokus.pieces import ORIENTATIONS
from engine.games.blokus.state import (
    ALL_PIECES,
    COLOURS,
    FREE,
    MARGIN,
    ROWS,
    STRIDE,
)
from engine.games.blokus.tables import BOX
from engine.jit import inline, kernel

WAYS = len(ORIENTATIONS)
I64 = types.int64


@inline
def fits_rows(pos: State, t: Tables, colour: int, way: int, anchor: int) -> bool:
    """Whether a piece misses the forbidden squares, by sets of squares."""
    base = colour * ROWS + (anchor >> 5) - 1
    for i in range(1, t.height[u(way)] - 1):
        cells = (int(t.cells[u(way * BOX + i)]) >> 1) << (anchor & 31)
        if cells & pos.forbidden[u(base + i)]:
            return False
    return True


@inline
def fits_cells(pos: State, t: Tables, colour: int, way: int, anchor: int) -> bool:
    """Whether all squares are free and have no own one beside them, by the mailbox."""
    own = 1 + colour
    for k in range(t.piece_size[u(t.piece[u(way)])]):
        sq = anchor + t.offset[u(5 * way + k)]
        if pos.cells[u(sq)] != FREE:
            return False
        if pos.cells[u(sq + 1)] == own or pos.cells[u(sq - 1)] == own:
            return False
        if pos.cells[u(sq + STRIDE)] == own or pos.cells[u(sq - STRIDE)] == own:
            return False
    return True


@inline
def touches(pos: State, t: Tables, colour: int, masks: int, first: int, sq: int) -> bool:
    """Whether covering a square makes a contact that a legal move needs."""
    if masks:
        return int(pos.attach[u(colour * ROWS + (sq >> 5))]) >> (sq & 31) & 1 != 0
    if first:
        return sq == t.start[u((COLOURS if pos.size == 14 else 0) + colour)]
    own = 1 + colour
    return (
        pos.cells[u(sq + STRIDE + 1)] == own
        or pos.cells[u(sq + STRIDE - 1)] == own
        or pos.cells[u(sq - STRIDE + 1)] == own
        or pos.cells[u(sq - STRIDE - 1)] == own
    )


@inline
def candidates(t: Tables, way: int, corners: int, first: int) -> int:
    """The squares of a piece that may make contact, bit k for the k-th."""
    return t.corner[u(way)] if corners and not first else 31


@inline
def contact(
    pos: State, t: Tables, colour: int, masks: int, first: int, way: int, anchor: int, among: int
) -> int:
    """The first of some squares of a piece that makes contact; -1 if none does."""
    for k in range(t.piece_size[u(t.piece[u(way)])]):
        if among >> k & 1:
            sq = anchor + t.offset[u(5 * way + k)]
            if touches(pos, t, colour, masks, first, sq):
                return k
    return -1


@inline
def legal(
    pos: State, t: Tables, colour: int, masks: int, first: int, way: int, anchor: int, among: int
) -> int:
    """The first square that makes contact, if the move is legal; else -1."""
    if masks:
        if not fits_rows(pos, t, colour, way, anchor):
            return -1
    elif not fits_cells(pos, t, colour, way, anchor):
        return -1
    return contact(pos, t, colour, masks, first, way, anchor, among)


@kernel(I64(STATE_T, TABLES_T, I64, I64, I64, I64, MOVES_T))
def scan(
    pos: State, t: Tables, colour: int, frontier: int, masks: int, corners: int, moves: Moves
) -> int:
    """Write the legal moves of a colour into `moves[:n]`, each once, and return n. The three
    switches are 0 or 1."""
    hand = pos.hand[u(colour)]
    first = hand == ALL_PIECES
    n = 0
    for way in range(WAYS):
        piece = t.piece[u(way)]
        if hand >> piece & 1 == 0:
            continue
        among = candidates(t, way, corners, first)
        if frontier:
            for i in range(pos.frontier_count[u(colour)]):
                sq = int(pos.frontier[u((colour << 8) + i)])
                for k in range(t.piece_size[u(piece)]):
                    anchor = sq - t.offset[u(5 * way + k)]
                    # A move that covers several attach squares is found at each, and counted at
                    # the first of them.
                    if among >> k & 1 and k == legal(
                        pos, t, colour, masks, first, way, anchor, among
                    ):
                        moves[u(n)] = (way << 10) | anchor
                        n += 1
        else:
            for y in range(MARGIN, MARGIN + pos.size):
                for x in range(MARGIN, MARGIN + pos.size):
                    anchor = y * STRIDE + x
                    if legal(pos, t, colour, masks, first, way, anchor, among) >= 0:
                        moves[u(n)] = (way << 10) | anchor
                        n += 1
    return n
