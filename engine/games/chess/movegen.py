"""Strictly legal move generation on ten bitboards that live in registers.

`boards` is the tuple of `state.BOARDS`. What may not be touched is worked out first, so no
move is ever tried and taken back:

    danger      squares the enemy attacks, seen with our king lifted off the board
    pin_d       squares between our king and enemy sliders that pin along a diagonal, the
                sliders included; a pinned piece is one of ours that stands here
    pin_l       the same along ranks and files
    evasion     squares where a move ends a check: everything when there is none, nothing (for
                other pieces than the king) in a double check

`colour` is the side to move. It is an argument, not a second copy of the code.
"""

from typing import Any

from engine.bits import lsb, popcount, select, u
from engine.games.chess.attacks import (
    Tables,
    between,
    bishop_attacks,
    east,
    forward,
    rook_attacks,
    west,
)
from engine.games.chess.state import CASTLE, DOUBLE_PUSH, EN_PASSANT, KING, KNIGHT, PROMOTE_KNIGHT
from engine.jit import inline

Boards = tuple[int, int, int, int, int, int, int, int, int, int]
Moves = Any
"""An array of uint16."""

EDGE_RANKS = -0xFFFFFFFFFFFF01
"""Ranks 1 and 8: a pawn that arrives there promotes."""
RANK_3, RANK_6 = 0xFF0000, 0xFF0000000000
"""A pawn that got there in one step, on its own side of the board, may make a second one."""


@inline
def attackers(colour: int, t: Tables, boards: Boards) -> int:
    """Enemy pieces that attack our king."""
    pawns, knights, diagonals, lines, us, them, king, _, _, _ = boards
    occupied = us | them
    return (
        (bishop_attacks(t, king, occupied) & diagonals)
        | (rook_attacks(t, king, occupied) & lines)
        | (t.knight[u(king)] & knights)
        | (t.pawn[u((colour << 6) + king)] & pawns)
    ) & them


@inline
def threats(colour: int, t: Tables, boards: Boards) -> tuple[int, int, int, int]:
    """(danger, pin_d, pin_l, evasion) for the side to move."""
    pawns, knights, diagonals, lines, us, them, king, enemy_king, _, _ = boards
    occupied = us | them
    lifted = occupied ^ (1 << king)
    enemy_pawns = pawns & them
    danger = west(1 - colour, enemy_pawns) | east(1 - colour, enemy_pawns)
    danger |= t.king[u(enemy_king)]
    pieces = knights & them
    while pieces:
        danger |= t.knight[u(lsb(pieces))]
        pieces &= pieces - 1
    pieces = diagonals & them
    while pieces:
        danger |= bishop_attacks(t, lsb(pieces), lifted)
        pieces &= pieces - 1
    pieces = lines & them
    while pieces:
        danger |= rook_attacks(t, lsb(pieces), lifted)
        pieces &= pieces - 1

    seen_d = bishop_attacks(t, king, occupied)
    seen_l = rook_attacks(t, king, occupied)
    pin_d = 0
    pieces = bishop_attacks(t, king, occupied ^ (seen_d & us)) & ~seen_d & diagonals & them
    while pieces:
        pin_d |= between(t, king, lsb(pieces)) | (pieces & -pieces)
        pieces &= pieces - 1
    pin_l = 0
    pieces = rook_attacks(t, king, occupied ^ (seen_l & us)) & ~seen_l & lines & them
    while pieces:
        pin_l |= between(t, king, lsb(pieces)) | (pieces & -pieces)
        pieces &= pieces - 1

    evasion = -1
    if (danger >> king) & 1:
        checkers = (
            (seen_d & diagonals)
            | (seen_l & lines)
            | (t.knight[u(king)] & knights)
            | (t.pawn[u((colour << 6) + king)] & pawns)
        ) & them
        evasion = 0
        if checkers & (checkers - 1) == 0:
            evasion = between(t, king, lsb(checkers)) | checkers
    return danger, pin_d, pin_l, evasion


@inline
def pawn_targets(
    colour: int, boards: Boards, target: int, pin_d: int, pin_l: int
) -> tuple[int, int, int, int]:
    """Squares that pawns reach: (one step, two steps, capture west, capture east)."""
    pawns, _, _, _, us, them, _, _, _, _ = boards
    empty = ~(us | them)
    walkers = pawns & us & ~pin_d
    one = forward(colour, walkers & ~pin_l) & empty
    one |= forward(colour, walkers & pin_l) & pin_l & empty
    two = forward(colour, one & select(colour == 0, RANK_3, RANK_6)) & empty & target
    takers = pawns & us & ~pin_l
    prey = them & target
    take_west = (west(colour, takers & ~pin_d) | (west(colour, takers & pin_d) & pin_d)) & prey
    take_east = (east(colour, takers & ~pin_d) | (east(colour, takers & pin_d) & pin_d)) & prey
    return one & target, two, take_west, take_east


@inline
def ep_legal(colour: int, t: Tables, boards: Boards, taker: int) -> bool:
    """Whether the pawn on bit `taker` may take en passant: two pawns leave the board at once, so
    the king is looked at again from scratch."""
    pawns, knights, diagonals, lines, us, them, king, _, _, ep = boards
    taken = forward(1 - colour, ep)
    after = ((us | them) ^ taker ^ taken) | ep
    attackers = (
        (bishop_attacks(t, king, after) & diagonals)
        | (rook_attacks(t, king, after) & lines)
        | (t.knight[u(king)] & knights)
        | (t.pawn[u((colour << 6) + king)] & pawns & ~taken)
    ) & them
    return attackers == 0


@inline
def ep_takers(colour: int, boards: Boards) -> int:
    """Pawns that stand right for an en passant capture."""
    pawns, _, _, _, us, _, _, _, _, ep = boards
    return (west(1 - colour, ep) | east(1 - colour, ep)) & pawns & us


@inline
def may_castle(t: Tables, boards: Boards, danger: int, pin_l: int, rook: int) -> bool:
    """Whether the king may castle with our rook on square `rook`, which still has the right.

    A rook that is pinned shields the king's own target square: only in Chess960.
    """
    _, _, _, _, us, them, king, _, _, _ = boards
    i = u(((king & 7) << 3) + (rook & 7))
    rank = king & 56
    bad = (us | them) & (t.castle_empty[i] << rank)
    bad |= danger & (t.castle_safe[i] << rank)
    return bad | (pin_l & (1 << rook)) == 0


@inline
def count_moves(colour: int, t: Tables, boards: Boards) -> int:
    """Number of legal moves, without writing them down."""
    _, knights, diagonals, lines, us, them, king, _, castling, ep = boards
    danger, pin_d, pin_l, evasion = threats(colour, t, boards)
    n = popcount(t.king[u(king)] & ~us & ~danger)
    if evasion == 0:
        return n
    occupied = us | them
    target = ~us & evasion
    one, two, take_west, take_east = pawn_targets(colour, boards, target, pin_d, pin_l)
    n += popcount(one) + popcount(two) + popcount(take_west) + popcount(take_east)
    if (one | take_west | take_east) & EDGE_RANKS:
        n += 3 * (
            popcount(one & EDGE_RANKS)
            + popcount(take_west & EDGE_RANKS)
            + popcount(take_east & EDGE_RANKS)
        )
    pins = pin_d | pin_l
    pieces = knights & us & ~pins
    while pieces:
        n += popcount(t.knight[u(lsb(pieces))] & target)
        pieces &= pieces - 1
    pieces = diagonals & us & ~pins
    while pieces:
        n += popcount(bishop_attacks(t, lsb(pieces), occupied) & target)
        pieces &= pieces - 1
    pieces = lines & us & ~pins
    while pieces:
        n += popcount(rook_attacks(t, lsb(pieces), occupied) & target)
        pieces &= pieces - 1
    if pins & us:
        pieces = diagonals & us & pin_d
        while pieces:
            n += popcount(bishop_attacks(t, lsb(pieces), occupied) & target & pin_d)
            pieces &= pieces - 1
        pieces = lines & us & pin_l
        while pieces:
            n += popcount(rook_attacks(t, lsb(pieces), occupied) & target & pin_l)
            pieces &= pieces - 1
    if ep:
        pieces = ep_takers(colour, boards)
        while pieces:
            if ep_legal(colour, t, boards, pieces & -pieces):
                n += 1
            pieces &= pieces - 1
    if evasion == -1:
        pieces = castling & us
        while pieces:
            if may_castle(t, boards, danger, pin_l, lsb(pieces)):
                n += 1
            pieces &= pieces - 1
    return n


@inline
def write_targets(moves: Moves, n: int, targets: int, stem: int) -> int:
    """Append one move for each target square; `stem` holds the from-square and the kind."""
    while targets:
        moves[u(n)] = stem | (lsb(targets) << 6)
        n += 1
        targets &= targets - 1
    return n


@inline
def write_pawns(moves: Moves, n: int, targets: int, back: int, kind: int) -> int:
    """Append pawn moves that end on `targets` and began `back` squares earlier."""
    plain = targets & ~EDGE_RANKS
    while plain:
        to = lsb(plain)
        moves[u(n)] = (to - back) | (to << 6) | (kind << 12)
        n += 1
        plain &= plain - 1
    last = targets & EDGE_RANKS
    while last:
        to = lsb(last)
        stem = (to - back) | (to << 6)
        for promotion in range(PROMOTE_KNIGHT, PROMOTE_KNIGHT + 4):
            moves[u(n)] = stem | (promotion << 12)
            n += 1
        last &= last - 1
    return n


@inline
def write_moves(colour: int, t: Tables, boards: Boards, moves: Moves, n: int, wanted: int) -> int:
    """Write legal moves from index `n` on and return the index after the last.

    `wanted` is a set of squares where moves may end: -1 for all moves, the enemy's squares for
    captures. Promotions and en passant captures are always written.
    """
    _, knights, diagonals, lines, us, them, king, _, castling, ep = boards
    danger, pin_d, pin_l, evasion = threats(colour, t, boards)
    n = write_targets(moves, n, t.king[u(king)] & ~us & ~danger & wanted, king | (KING << 12))
    if evasion == 0:
        return n
    occupied = us | them
    target = ~us & evasion
    one, two, take_west, take_east = pawn_targets(colour, boards, target, pin_d, pin_l)
    up = select(colour == 0, 8, -8)
    n = write_pawns(moves, n, one & (wanted | EDGE_RANKS), up, 0)
    n = write_pawns(moves, n, two & wanted, up + up, DOUBLE_PUSH)
    n = write_pawns(moves, n, take_west, up - 1, 0)
    n = write_pawns(moves, n, take_east, up + 1, 0)
    target &= wanted
    pieces = knights & us & ~(pin_d | pin_l)
    while pieces:
        sq = lsb(pieces)
        n = write_targets(moves, n, t.knight[u(sq)] & target, sq | (KNIGHT << 12))
        pieces &= pieces - 1
    # A queen is written in two parts, once as a diagonal and once as a line slider. The kind of
    # move follows from the boards it stands on: 2 bishop, 3 rook, 4 queen.
    pieces = diagonals & us & ~pin_l
    while pieces:
        sq = lsb(pieces)
        reach = bishop_attacks(t, sq, occupied) & target
        reach &= select((pin_d >> sq) & 1 != 0, pin_d, -1)
        n = write_targets(moves, n, reach, sq | ((2 + 2 * ((lines >> sq) & 1)) << 12))
        pieces &= pieces - 1
    pieces = lines & us & ~pin_d
    while pieces:
        sq = lsb(pieces)
        reach = rook_attacks(t, sq, occupied) & target
        reach &= select((pin_l >> sq) & 1 != 0, pin_l, -1)
        n = write_targets(moves, n, reach, sq | ((3 + ((diagonals >> sq) & 1)) << 12))
        pieces &= pieces - 1
    if ep:
        pieces = ep_takers(colour, boards)
        while pieces:
            if ep_legal(colour, t, boards, pieces & -pieces):
                moves[u(n)] = lsb(pieces) | (lsb(ep) << 6) | (EN_PASSANT << 12)
                n += 1
            pieces &= pieces - 1
    if evasion == -1 and wanted == -1:
        pieces = castling & us
        while pieces:
            rook = lsb(pieces)
            if may_castle(t, boards, danger, pin_l, rook):
                moves[u(n)] = king | (rook << 6) | (CASTLE << 12)
                n += 1
            pieces &= pieces - 1
    return n


@inline
def child_boards(colour: int, t: Tables, boards: Boards, move: int) -> Boards:
    """The boards after a move, seen from the other side. After any double push `ep` is set,
    whether or not a capture is possible."""
    pawns, knights, diagonals, lines, us, them, king, enemy_king, castling, _ = boards
    start = move & 63
    to = (move >> 6) & 63
    kind = move >> 12
    start_bit = 1 << start
    to_bit = 1 << to
    keep = ~(start_bit | to_bit)
    k = u(kind)
    pawns = (pawns & keep) | (to_bit & t.to_pawns[k])
    knights = (knights & keep) | (to_bit & t.to_knights[k])
    diagonals = (diagonals & keep) | (to_bit & t.to_diagonals[k])
    lines = (lines & keep) | (to_bit & t.to_lines[k])
    us ^= start_bit | to_bit
    them &= keep
    king = select(kind == KING, to, king)
    castling &= keep & t.keeps_castling[u((colour << 4) + kind)]
    ep = forward(1 - colour, to_bit & t.two_steps[k])
    if kind & 14 == CASTLE:
        if kind == EN_PASSANT:
            taken = forward(1 - colour, to_bit)
            them ^= taken
            pawns ^= taken
        else:
            king, rook_to = castled(start, to)
            lines |= 1 << rook_to
            us |= (1 << king) | (1 << rook_to)
    return pawns, knights, diagonals, lines, them, us, enemy_king, king, castling, ep


@inline
def castled(king: int, rook: int) -> tuple[int, int]:
    """Where king and rook stand after castling."""
    rank = king & 56
    east_side = rook > king
    return rank + select(east_side, 6, 2), rank + select(east_side, 5, 3)
