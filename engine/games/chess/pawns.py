"""The part of the evaluation that pawns and kings decide.

Structure, passed pawns, the shelter of the kings, squares for outposts.
"""

from typing import Any

from engine.bits import lsb, popcount, select, u
from engine.games.chess import values as v
from engine.games.chess.attacks import Tables, east, west
from engine.games.chess.numba_types import State
from engine.games.chess.structure import FILE_A, ahead, backward, files, isolated, neighbours
from engine.jit import helper, inline

Entry = Any
"""A PAWNS record."""

OUTPOSTS = (0x0000FFFFFF000000, 0x000000FFFFFF0000)
"""Ranks 4 to 6 of each side."""


@inline
def relative_rank(colour: int, sq: int) -> int:
    return select(colour == 0, sq >> 3, 7 - (sq >> 3))


@inline
def distance(a: int, b: int) -> int:
    """Moves of a king between two squares."""
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


@inline
def by_rank(t: Tables, first: int, colour: int, pawns: int) -> int:
    """The sum of a row of eight values, one for each rank, over pawns of a colour."""
    score = 0
    while pawns:
        score += t.worth[u(first + relative_rank(colour, lsb(pawns)))]
        pawns &= pawns - 1
    return score


@helper
def pawn_structure(t: Tables, colour: int, own: int, enemy: int) -> tuple[int, int]:
    """(score of the structure, passed pawns)."""
    enemy_front = ahead(1 - colour, enemy)
    enemy_takes = west(1 - colour, enemy) | east(1 - colour, enemy)
    behind = ahead(1 - colour, own)
    takes = west(colour, own) | east(colour, own)
    stopped = enemy_front | west(1 - colour, enemy_front) | east(1 - colour, enemy_front)
    stopped |= enemy_takes | neighbours(enemy_front)
    passed = own & ~stopped & ~behind
    phalanx = own & neighbours(own)
    supported = own & takes
    alone, late = isolated(own), backward(colour, own, enemy)
    closed = files(enemy)
    score = t.worth[v.DOUBLED] * popcount(own & behind)
    score += t.worth[v.ISOLATED] * popcount(alone & closed)
    score += t.worth[v.ISOLATED + 1] * popcount(alone & ~closed)
    score += t.worth[v.BACKWARD] * popcount(late & closed)
    score += t.worth[v.BACKWARD + 1] * popcount(late & ~closed)
    score += by_rank(t, v.PHALANX, colour, phalanx)
    score += by_rank(t, v.SUPPORTED, colour, supported)
    return score, passed


@inline
def outposts(colour: int, pawns: int, enemy_pawns: int) -> int:
    """Squares in the enemy's half guarded by a pawn of ours, where no enemy pawn can come to
    attack."""
    reachable = neighbours(ahead(1 - colour, enemy_pawns))
    guarded = west(colour, pawns) | east(colour, pawns)
    return guarded & ~reachable & select(colour == 0, OUTPOSTS[0], OUTPOSTS[1])


@helper
def passed_pawns(
    t: Tables, colour: int, pos: State, passers: int, own: int, king: int, enemy_king: int
) -> int:
    """Value of our passed pawns: rank, the square in front, the kings."""
    score = 0
    occupied = pos.us | pos.them
    pawns = pos.pawns & own
    guarded = west(colour, pawns) | east(colour, pawns)
    while passers:
        sq = lsb(passers)
        rank = relative_rank(colour, sq)
        stop = select(colour == 0, sq + 8, sq - 8)
        score += t.worth[u(v.PASSED + rank)]
        score += t.worth[u(v.PASSER_KING_NEAR + rank)] * distance(king, stop)
        score += t.worth[u(v.PASSER_KING_FAR + rank)] * distance(enemy_king, stop)
        if (occupied >> stop) & 1:
            score += t.worth[u(v.PASSER_BLOCKED + rank)]
        if (guarded >> sq) & 1:
            score += t.worth[u(v.PASSER_GUARDED + rank)]
        passers &= passers - 1
    return score


@inline
def nearest(colour: int, pawns: int, rank: int) -> int:
    """By how many ranks the nearest of some pawns is ahead of a rank; 7 if none is."""
    best = 7
    while pawns:
        gap = relative_rank(colour, lsb(pawns)) - rank
        if gap >= 0:
            best = min(best, gap)
        pawns &= pawns - 1
    return best


@helper
def shelter(t: Tables, colour: int, pos: State, own: int, enemy: int, king: int) -> int:
    """Pawns before the king, and those that storm it."""
    total = 0
    centre = min(max(king & 7, 1), 6)
    rank = relative_rank(colour, king)
    for file in range(centre - 1, centre + 2):
        lane = FILE_A << file
        guard = nearest(colour, pos.pawns & own & lane, rank)
        raider = nearest(colour, pos.pawns & enemy & lane, rank)
        total += t.worth[u(v.SHELTER + 8 * int(file == king & 7) + guard)]
        total += t.worth[u(v.STORM + 8 * int(raider == guard + 1) + raider)]
    return total


@helper
def fill_entry(
    t: Tables, pos: State, entry: Entry, key: int, white: int, black: int, wk: int, bk: int
) -> None:
    """Work out what the pawns and kings alone decide."""
    mine = pos.pawns & white
    theirs = pos.pawns & black
    score, passers = pawn_structure(t, 0, mine, theirs)
    black_score, black_passers = pawn_structure(t, 1, theirs, mine)
    score += shelter(t, 0, pos, white, black, wk)
    black_score += shelter(t, 1, pos, black, white, bk)
    entry.key = key
    entry.score = score - black_score
    entry.passers = passers | black_passers
    entry.closed[0] = files(mine)
    entry.closed[1] = files(theirs)
    entry.outposts[0] = outposts(0, mine, theirs)
    entry.outposts[1] = outposts(1, theirs, mine)
