"""Forks: pieces that attack two or more enemies, each the king, worth more, or undefended.

`keep_forks` finds the legal moves that lead to a fork. No move is played: the squares that the
moved piece would attack, and who would defend what it hits, follow from the occupied squares
after the move.
"""

from typing import Any

import numpy as np

from engine.bits import lsb, u
from engine.games.chess.attacks import Tables, bishop_attacks, forward, rook_attacks
from engine.games.chess.movegen import castled
from engine.games.chess.numba_types import State
from engine.games.chess.state import (
    BISHOP,
    CASTLE,
    EN_PASSANT,
    KING,
    KNIGHT,
    PAWN,
    PROMOTE_KNIGHT,
    QUEEN,
    ROOK,
)
from engine.jit import helper, inline


@inline
def worth_more(pos: State, kind: int) -> int:
    """Pieces of both sides that are worth more than one of a kind; kings are worth most."""
    kings = (1 << pos.king) | (1 << pos.enemy_king)
    if kind == PAWN:
        return ~pos.pawns
    if kind == KNIGHT or kind == BISHOP:
        return pos.lines | kings
    if kind == ROOK:
        return (pos.diagonals & pos.lines) | kings
    if kind == QUEEN:
        return kings
    return 0


@inline
def attacks_from(t: Tables, colour: int, kind: int, sq: int, occupied: int) -> int:
    """Squares that a piece attacks."""
    if kind == PAWN:
        return t.pawn[u((colour << 6) + sq)]
    if kind == KNIGHT:
        return t.knight[u(sq)]
    if kind == KING:
        return t.king[u(sq)]
    attacks = 0
    if kind != ROOK:
        attacks = bishop_attacks(t, sq, occupied)
    if kind != BISHOP:
        attacks |= rook_attacks(t, sq, occupied)
    return attacks


@inline
def defended(pos: State, t: Tables, sq: int, enemy: int, occupied: int) -> bool:
    """Whether any of the pieces `enemy` of the side not to move attacks a square."""
    if enemy & (
        (t.knight[u(sq)] & pos.knights)
        | (t.pawn[u((pos.turn << 6) + sq)] & pos.pawns)
        | (t.king[u(sq)] & (1 << pos.enemy_king))
    ):
        return True
    return (
        (bishop_attacks(t, sq, occupied) & pos.diagonals)
        | (rook_attacks(t, sq, occupied) & pos.lines)
    ) & enemy != 0


@inline
def forks(pos: State, t: Tables, move: int) -> bool:
    """Whether the moved piece forks after a legal move. The king is what moves in castling."""
    start = move & 63
    to = (move >> 6) & 63
    kind = move >> 12
    occupied = (pos.us | pos.them) & ~(1 << start)
    enemy = pos.them & ~(1 << to)
    if kind == CASTLE:
        kind = KING
        rook = to
        to, rook_to = castled(start, rook)
        occupied = (occupied & ~(1 << rook)) | (1 << rook_to)
    elif kind == EN_PASSANT:
        kind = PAWN
        taken = forward(1 - pos.turn, 1 << to)
        occupied ^= taken
        enemy ^= taken
    elif kind >= PROMOTE_KNIGHT:
        kind -= PROMOTE_KNIGHT - KNIGHT
    elif kind > KING:
        kind = PAWN  # two steps
    occupied |= 1 << to
    hits = attacks_from(t, pos.turn, kind, to, occupied) & enemy
    if hits & (hits - 1) == 0:
        return False
    targets = hits & worth_more(pos, kind)
    hits ^= targets
    while hits and targets & (targets - 1) == 0:
        if not defended(pos, t, lsb(hits), enemy, occupied):
            targets |= hits & -hits
        hits &= hits - 1
    return targets & (targets - 1) != 0


@inline
def order(move: int) -> int:
    """Ascending by from-square, to-square, promotion."""
    return ((move & 63) << 10) | ((move >> 6) << 4 & 0x3F0) | (move >> 12)


@helper
def keep_forks(pos: State, t: Tables, moves: Any, n: int) -> int:
    """Keep those of the `n` legal moves that fork, sorted, and return how many they are."""
    kept = 0
    for i in range(n):
        # An unsigned number, shifted and then set to a signed one, would become a float.
        move = int(np.int64(moves[u(i)]))
        if not forks(pos, t, move):
            continue
        at = kept
        while at > 0 and order(int(np.int64(moves[u(at - 1)]))) > order(move):
            moves[u(at)] = moves[u(at - 1)]
            at -= 1
        moves[u(at)] = move
        kept += 1
    return kept
