"""Static exchange evaluation: who wins the captures on one square."""

from numba import types

from engine.bits import lsb, select, u
from engine.games.chess.attacks import Tables, bishop_attacks, rook_attacks
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.state import CASTLE, EN_PASSANT, PROMOTE_KNIGHT
from engine.jit import inline, kernel

VALUES = (100, 320, 330, 500, 950, 20000, 0, 0)
"""By code & 7 minus 1: pawn to king."""


@inline
def value(code: int) -> int:
    return VALUES[u((code & 7) - 1)]


@inline
def all_attackers(t: Tables, pos: State, sq: int, occupied: int) -> int:
    """Pieces of both sides that attack a square."""
    white = select(pos.turn == 0, pos.us, pos.them)
    black = select(pos.turn == 0, pos.them, pos.us)
    return (
        (bishop_attacks(t, sq, occupied) & pos.diagonals)
        | (rook_attacks(t, sq, occupied) & pos.lines)
        | (t.knight[u(sq)] & pos.knights)
        | (t.king[u(sq)] & ((1 << pos.king) | (1 << pos.enemy_king)))
        | (t.pawn[u(sq)] & pos.pawns & black)
        | (t.pawn[u(64 + sq)] & pos.pawns & white)
    )


@inline
def cheapest(pos: State, side: int) -> int:
    """One piece of the set, of the least valuable kind in it, as a bit."""
    found = side & pos.pawns
    if found == 0:
        found = side & pos.knights
    if found == 0:
        found = side & pos.diagonals & ~pos.lines
    if found == 0:
        found = side & pos.lines & ~pos.diagonals
    if found == 0:
        found = side & pos.diagonals
    if found == 0:
        found = side
    return found & -found


@kernel(types.int64(TABLES_T, STATE_T, types.int64, types.int64))
def see_at_least(t: Tables, pos: State, move: int, threshold: int) -> bool:
    """Whether the captures that begin with this move win at least `threshold`, both sides always
    taking with their cheapest piece and stopping when it suits them. Pins are ignored."""
    start = move & 63
    to = (move >> 6) & 63
    kind = move >> 12
    if kind == CASTLE or kind == EN_PASSANT or kind >= PROMOTE_KNIGHT:
        return threshold <= 0 or kind >= PROMOTE_KNIGHT
    taken = int(pos.board[u(to)])
    balance = -threshold
    if taken:
        balance += value(taken)
    if balance < 0:
        return False
    balance -= value(int(pos.board[u(start)]))
    if balance >= 0:
        return True
    occupied = (pos.us | pos.them) & ~(1 << start) | (1 << to)
    remaining = all_attackers(t, pos, to, occupied) & ~(1 << start)
    side = pos.them
    other = pos.us
    # True while the side that made the last capture comes out ahead.
    ours = False
    while True:
        mine = remaining & side
        if mine == 0:
            break
        taker = cheapest(pos, mine)
        code = int(pos.board[u(lsb(taker))])
        occupied ^= taker
        remaining &= occupied
        remaining |= bishop_attacks(t, to, occupied) & pos.diagonals & occupied
        remaining |= rook_attacks(t, to, occupied) & pos.lines & occupied
        side, other = other, side
        balance = -balance - 1 - value(code)
        ours = not ours
        if balance >= 0:
            # The king cannot take a defended piece.
            if code & 7 == 6 and remaining & side:
                ours = not ours
            break
    return not ours
