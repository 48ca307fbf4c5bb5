"""The facts of a position, in one pass over its piece lists.

    piece lists --> reach of each piece --> attackers and defenders of each piece
                                       \\-> x-rays of each slider --> pins, skewers

What a piece attacks is looked up once and noted on each piece it hits. A line slider or diagonal
slider is then looked up a second time without the pieces it hits, which shows the ones behind
them. All other facts follow from these sets, without looking at the board again, and the moves
that fork are found without playing them: from the squares that the moved piece would attack.

Definitions of every fact: `protocol/PROTOCOL.md`, under `analyze`.
"""

from typing import Any

import numpy as np
from numba import types

from engine.bits import lsb, popcount, select, u
from engine.games.chess.attacks import (
    Tables,
    between,
    bishop_attacks,
    rook_attacks,
)
from engine.games.chess.evaluation import Cache, evaluate, phase_of
from engine.games.chess.forks import keep_forks, worth_more
from engine.games.chess.make import load_boards
from engine.games.chess.movegen import (
    ep_takers,
    may_castle,
    write_moves,
)
from engine.games.chess.numba_types import ANALYSIS_T, CACHE_T, STATE_T, STATES_T, TABLES_T, State
from engine.games.chess.pseudo import pawn_moves
from engine.games.chess.records import CACHE, MAX_XRAYS, SKEWER
from engine.games.chess.state import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from engine.games.chess.structure import (
    backward,
    doubled,
    isolated,
    king_defense,
    passed,
    pawn_defense,
)
from engine.games.chess.tables import T
from engine.games.chess.values import WORTH
from engine.jit import helper, inline, kernel
from engine.tasks import Examine, Records

Facts = Any
"""An ANALYSIS record."""

EXCHANGE = (1, 3, 3, 5, 9, 99)
"""What a skewer compares. The king stands above all."""


@inline
def kind_on(pos: State, sq: int) -> int:
    return (int(pos.board[u(sq)]) & 7) - 1


@inline
def note(a: Facts, sq: int, reach: int, own: int, enemy: int) -> None:
    """A piece on `sq` attacks the squares `reach`."""
    a.reach[u(sq)] = reach
    bit = 1 << sq
    hits = reach & enemy
    while hits:
        a.attackers[u(lsb(hits))] |= bit
        hits &= hits - 1
    hits = reach & own
    while hits:
        a.defenders[u(lsb(hits))] |= bit
        hits &= hits - 1


@inline
def keep_xray(a: Facts, colour: int, xray: int) -> None:
    """Insert an x-ray into the sorted list of its colour."""
    base = colour * MAX_XRAYS
    at = base + a.xray_count[u(colour)]
    while at > base and a.xrays[u(at - 1)] & (SKEWER - 1) > xray & (SKEWER - 1):
        a.xrays[u(at)] = a.xrays[u(at - 1)]
        at -= 1
    a.xrays[u(at)] = xray
    a.xray_count[u(colour)] += 1


@helper
def look_through(
    pos: State, t: Tables, a: Facts, colour: int, kind: int, sq: int, behind: int
) -> None:
    """Note what stands `behind` the first pieces that a slider on `sq` sees, all of it enemies."""
    occupied = pos.us | pos.them
    own = select(pos.turn == colour, pos.us, pos.them)
    while behind:
        last = lsb(behind)
        bit = behind & -behind
        behind ^= bit
        first_bit = between(t, sq, last) & occupied
        first = lsb(first_bit)
        xray = (sq << 12) | (first << 6) | last
        if first_bit & own == 0:
            front, back = kind_on(pos, first), kind_on(pos, last)
            if back == KING:
                a.pinned[u(1 - colour)] |= first_bit
            elif front != PAWN and EXCHANGE[front] >= EXCHANGE[back]:
                a.skewered[u(1 - colour)] |= first_bit
                xray |= SKEWER
            if (kind == ROOK and front >= QUEEN) or (kind == BISHOP and front >= ROOK):
                a.xray_attackers[u(last)] |= 1 << sq
        keep_xray(a, colour, xray)


@helper
def look(pos: State, t: Tables, a: Facts, colour: int, own: int, enemy: int) -> None:
    """Walk the piece lists of a side: attacks, attackers, defenders, x-rays, material, and the
    moves of its pieces, pawns left out."""
    occupied = own | enemy
    attacks = 0
    mobility = 0
    material = 0
    for kind in range(6):
        code = 1 + kind + 8 * colour
        n = int(pos.count[u(code)])
        material += n * WORTH[kind]
        for i in range(n):
            sq = int(pos.squares[u(16 * code + i)])
            reach = 0
            if kind == PAWN:
                reach = t.pawn[u((colour << 6) + sq)]
            elif kind == KNIGHT:
                reach = t.knight[u(sq)]
            elif kind == KING:
                reach = t.king[u(sq)]
            else:
                behind = 0
                if kind != ROOK:
                    reach = bishop_attacks(t, sq, occupied)
                    behind = bishop_attacks(t, sq, occupied & ~reach) & ~reach
                if kind != BISHOP:
                    line = rook_attacks(t, sq, occupied)
                    behind |= rook_attacks(t, sq, occupied & ~line) & ~line
                    reach |= line
                look_through(pos, t, a, colour, kind, sq, behind & enemy)
            note(a, sq, reach, own, enemy)
            attacks |= reach
            if kind != PAWN:
                mobility += popcount(reach & ~own)
    a.attacks[u(colour)] = attacks
    a.material[u(colour)] = material
    a.mobility[u(colour)] = mobility


@inline
def special_moves(pos: State, t: Tables, a: Facts, colour: int) -> int:
    """Number of castling moves, and of en passant captures of the side to move. That no square on
    the king's way is attacked belongs to castling; whether a pawn is pinned does not count."""
    boards = load_boards(pos)
    pawns, knights, diagonals, lines, us, them, king, enemy_king, castling, ep = boards
    n = 0
    if pos.turn == colour:
        n = popcount(ep_takers(colour, boards))
    else:
        us, them, king, enemy_king = them, us, enemy_king, king
    seen = pawns, knights, diagonals, lines, us, them, king, enemy_king, castling, ep
    rooks = castling & us
    while rooks:
        # An attack that passes through the king attacks the king, so it need not be lifted.
        if may_castle(t, seen, a.attacks[u(1 - colour)], a.pinned[u(colour)], lsb(rooks)):
            n += 1
        rooks &= rooks - 1
    return n


@helper
def judge(pos: State, t: Tables, a: Facts, colour: int, own: int, enemy: int) -> None:
    """What follows from the noted attacks: hanging pieces, pawns, mobility, defence."""
    attacked = 0
    hanging = 0
    rest = own
    while rest:
        sq = lsb(rest)
        bit = rest & -rest
        attackers = a.attackers[u(sq)]
        if attackers:
            attacked |= bit
            if popcount(attackers) > popcount(a.defenders[u(sq)]):
                hanging |= bit
        rest ^= bit
    king = 1 << select(pos.turn == colour, pos.king, pos.enemy_king)
    first_rank = select(colour == 0, 0xFF, -1 << 56)
    minors = pos.knights | (pos.diagonals & ~pos.lines)
    pawns = pos.pawns & own
    enemy_pawns = pos.pawns & enemy
    c = u(colour)
    a.pieces[c] = own
    a.attacked[c] = attacked
    a.hanging[c] = hanging & ~king
    a.developed[c] = minors & own & ~first_rank
    a.pawns[c] = pawns
    a.doubled[c] = doubled(pawns)
    a.isolated[c] = isolated(pawns)
    a.backward[c] = backward(colour, pawns, enemy_pawns)
    a.passed[c] = passed(colour, pawns, enemy_pawns)
    a.mobility[c] += pawn_moves(colour, pawns, own, enemy) + special_moves(pos, t, a, colour)
    a.offense[c] = a.material[c] + a.mobility[c]
    a.defense[c] = pawn_defense(colour, pawns, enemy_pawns)
    a.defense[c] += king_defense(colour, pawns, enemy_pawns, king)


@helper
def find_forks(pos: State, a: Facts, colour: int, own: int, enemy: int) -> None:
    """Which pieces of a side fork, and what."""
    forking = 0
    while own:
        sq = lsb(own)
        bit = own & -own
        own ^= bit
        hits = a.reach[u(sq)] & enemy
        if hits & (hits - 1) == 0:
            continue
        targets = hits & worth_more(pos, kind_on(pos, sq))
        hits ^= targets
        while hits:
            if a.defenders[u(lsb(hits))] == 0:
                targets |= hits & -hits
            hits &= hits - 1
        if targets & (targets - 1):
            a.targets[u(sq)] = targets
            forking |= bit
    a.forking[u(colour)] = forking


@inline
def clear(a: Facts) -> None:
    """Empty what is filled bit by bit."""
    for sq in range(64):
        a.reach[u(sq)] = 0
        a.attackers[u(sq)] = 0
        a.defenders[u(sq)] = 0
        a.xray_attackers[u(sq)] = 0
        a.targets[u(sq)] = 0
    for colour in range(2):
        a.pinned[u(colour)] = 0
        a.skewered[u(colour)] = 0
        a.xray_count[u(colour)] = 0


@inline
def find_facts(pos: State, t: Tables, a: Facts) -> None:
    """Fill `a` with all facts of a position but `eval`."""
    white = select(pos.turn == 0, pos.us, pos.them)
    black = select(pos.turn == 0, pos.them, pos.us)
    clear(a)
    look(pos, t, a, 0, white, black)
    look(pos, t, a, 1, black, white)
    judge(pos, t, a, 0, white, black)
    judge(pos, t, a, 1, black, white)
    find_forks(pos, a, 0, white, black)
    find_forks(pos, a, 1, black, white)
    a.checkers = a.attackers[u(pos.king)]
    a.legal_moves = write_moves(pos.turn, t, load_boards(pos), a.fork_moves, 0, -1)
    a.fork_count = keep_forks(pos, t, a.fork_moves, a.legal_moves)
    a.phase = phase_of(pos)


@kernel(types.void(STATE_T, TABLES_T, CACHE_T, ANALYSIS_T))
def analyze(pos: State, t: Tables, cache: Cache, a: Facts) -> None:
    """Fill `a` with the facts of a position. What lies beyond its counts means nothing."""
    find_facts(pos, t, a)
    a.eval = evaluate(pos, t, cache)


ANALYSES_T = types.Array(ANALYSIS_T, 1, "C")


@kernel(types.void(STATES_T, types.int64, TABLES_T, CACHE_T, ANALYSES_T))
def analyze_all(states: Any, n: int, t: Tables, cache: Cache, analyses: Any) -> None:
    """Fill `analyses[:n]` with the facts of `states[:n]`."""
    for i in range(n):
        analyze(states[u(i)], t, cache, analyses[u(i)])


def examiner() -> Examine:
    """An Examine with a cache of its own."""
    cache: np.void = np.zeros(1, CACHE)[0]

    def examine(states: Records, found: Records) -> None:
        analyze_all(states, len(states), T, cache, found)

    return examine
