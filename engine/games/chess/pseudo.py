"""Pseudo-legal moves and attacks of any arrangement of pieces, on seven bitboards in registers.

`pieces` is (pawns, knights, diagonals, lines, kings, us, them): the first five hold both sides,
`us` is the side that is asked about. There may be any number of kings, and pawns on any rank. A
pawn on its last rank attacks nothing and has no moves; two steps are for pawns on their second
rank alone. `movegen` is faster and stricter, and wants one king a side.
"""

from typing import Any

from engine.bits import lsb, popcount, select, u
from engine.games.chess.attacks import (
    Tables,
    bishop_attacks,
    east,
    forward,
    rook_attacks,
    west,
)
from engine.games.chess.movegen import EDGE_RANKS, RANK_3, RANK_6, castled
from engine.jit import inline

Pieces = tuple[int, int, int, int, int, int, int]
Moves = Any
"""An array of int64, a move in each: from, to << 16, promotion << 32, flags << 48."""

CAPTURE, PASSING, CASTLING, TWO_STEPS = 1, 2, 4, 8
"""Flags of a move. En passant is CAPTURE + PASSING."""

MAX_PSEUDO = 64 * 27 + 2
"""Room for the moves of one position: from no square can a piece reach more than 27, and a pawn
has no more than 12 moves; castling comes on top."""


@inline
def pawn_moves(colour: int, pawns: int, own: int, enemy: int) -> int:
    """Number of pseudo-legal pawn moves, en passant left out. A promotion is four."""
    empty = ~(own | enemy)
    one = forward(colour, pawns) & empty
    two = forward(colour, one & select(colour == 0, RANK_3, RANK_6)) & empty
    take_west = west(colour, pawns) & enemy
    take_east = east(colour, pawns) & enemy
    steps = popcount(one) + popcount(two) + popcount(take_west) + popcount(take_east)
    promotions = popcount(one & EDGE_RANKS)
    promotions += popcount(take_west & EDGE_RANKS) + popcount(take_east & EDGE_RANKS)
    return steps + 3 * promotions


@inline
def survey(colour: int, t: Tables, pieces: Pieces) -> tuple[int, int]:
    """(squares that our pieces attack, own ones included; number of our pseudo-legal moves,
    without castling and en passant)."""
    pawns, knights, diagonals, lines, kings, us, them = pieces
    occupied = us | them
    attacked = west(colour, pawns & us) | east(colour, pawns & us)
    n = pawn_moves(colour, pawns & us, us, them)
    rest = knights & us
    while rest:
        reach = t.knight[u(lsb(rest))]
        attacked |= reach
        n += popcount(reach & ~us)
        rest &= rest - 1
    rest = diagonals & us
    while rest:
        reach = bishop_attacks(t, lsb(rest), occupied)
        attacked |= reach
        n += popcount(reach & ~us)
        rest &= rest - 1
    rest = lines & us
    while rest:
        reach = rook_attacks(t, lsb(rest), occupied)
        attacked |= reach
        n += popcount(reach & ~us)
        rest &= rest - 1
    rest = kings & us
    while rest:
        reach = t.king[u(lsb(rest))]
        attacked |= reach
        n += popcount(reach & ~us)
        rest &= rest - 1
    return attacked, n


@inline
def reach_of(t: Tables, bit: int, sq: int, pieces: Pieces) -> int:
    """Squares attacked by the piece on `sq`, which is no pawn."""
    _, knights, diagonals, lines, kings, us, them = pieces
    if knights & bit:
        return t.knight[u(sq)]
    if kings & bit:
        return t.king[u(sq)]
    reach = 0
    if diagonals & bit:
        reach = bishop_attacks(t, sq, us | them)
    if lines & bit:
        reach |= rook_attacks(t, sq, us | them)
    return reach


@inline
def write_pawn(
    colour: int, t: Tables, bit: int, sq: int, pieces: Pieces, ep: int, moves: Moves, n: int
) -> int:
    """Append the moves of the pawn on `sq`."""
    _, _, _, _, _, us, them = pieces
    empty = ~(us | them)
    one = forward(colour, bit) & empty
    two = forward(colour, one & select(colour == 0, RANK_3, RANK_6)) & empty
    targets = (t.pawn[u((colour << 6) + sq)] & (them | ep)) | one | two
    while targets:
        to = lsb(targets)
        move = sq | (to << 16)
        if (EDGE_RANKS >> to) & 1:
            move |= ((them >> to) & CAPTURE) << 48
            for promotion in range(2, 6):
                moves[u(n)] = move | (promotion << 32)
                n += 1
        else:
            takes = (((them | ep) >> to) & 1) * CAPTURE + ((ep >> to) & 1) * PASSING
            moves[u(n)] = move | ((takes + ((two >> to) & 1) * TWO_STEPS) << 48)
            n += 1
        targets &= targets - 1
    return n


@inline
def write_castling(
    colour: int, t: Tables, pieces: Pieces, castling: int, moves: Moves, n: int
) -> int:
    """Append castling with those of our rooks that have the right to. The king's way must be free
    of pieces and of attacks, its own square included."""
    pawns, knights, diagonals, lines, kings, us, them = pieces
    king_bit = kings & us
    king = lsb(king_bit)
    lifted = pawns, knights, diagonals, lines, kings, them, us ^ king_bit
    danger, _ = survey(1 - colour, t, lifted)
    rooks = castling & us
    while rooks:
        rook_bit = rooks & -rooks
        rook = lsb(rooks)
        king_to, rook_to = castled(king, rook)
        i = u(((king & 7) << 3) + (rook & 7))
        bad = (us | them) & (t.castle_empty[i] << (king & 56))
        bad |= danger & (t.castle_safe[i] << (king & 56))
        if bad == 0:
            # A rook may have shielded the square that the king goes to.
            moved = (us ^ king_bit ^ rook_bit) | (1 << rook_to)
            after = pawns, knights, diagonals, lines, kings, them, moved
            if (survey(1 - colour, t, after)[0] >> king_to) & 1 == 0:
                moves[u(n)] = king | (king_to << 16) | (CASTLING << 48)
                n += 1
        rooks &= rooks - 1
    return n


@inline
def write_pseudo(
    colour: int, t: Tables, pieces: Pieces, castling: int, ep: int, moves: Moves, n: int
) -> int:
    """Write our pseudo-legal moves from index `n` on and return the index after the last: in
    ascending order of from, to and promotion, castling at the end.

    `castling` are the rooks that still have the right to castle, `ep` is the en passant square as
    a bit or 0.
    """
    pawns, _, _, _, _, us, them = pieces
    # The pawn that made two steps must stand behind an empty square.
    ep &= ~(us | them) & forward(colour, pawns & them)
    rest = us
    while rest:
        sq = lsb(rest)
        bit = rest & -rest
        if pawns & bit:
            n = write_pawn(colour, t, bit, sq, pieces, ep, moves, n)
        else:
            targets = reach_of(t, bit, sq, pieces) & ~us
            while targets:
                to = lsb(targets)
                moves[u(n)] = sq | (to << 16) | (((them >> to) & CAPTURE) << 48)
                n += 1
                targets &= targets - 1
        rest ^= bit
    if castling & us:
        n = write_castling(colour, t, pieces, castling, moves, n)
    return n


@inline
def may_hold_rights(colour: int, pieces: Pieces, castling: int) -> bool:
    """Whether these rights to castle fit our pieces: rooks of ours on our first rank, at most one
    on each side of our only king, which stands there too."""
    _, _, diagonals, lines, kings, us, _ = pieces
    rank = select(colour == 0, 0xFF, -1 << 56)
    rooks = castling & us
    king = kings & us
    return rooks == 0 or (
        rooks & ~(lines & ~diagonals & rank) == 0
        and king & rank != 0
        and king & (king - 1) == 0
        and popcount(rooks & (king - 1)) <= 1
        and popcount(rooks & -king) <= 1
    )
