"""The part of the evaluation that pawns and kings decide.

Structure, passed pawns, the shelter of the kings, squares for outposts.
"""

from typing import Any

from engine.bits import lsb, popcount, select
from engine.games.chess import values as v
from engine.games.chess.attacks import east, west
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


@helper
def pawn_structure(colour: int, own: int, enemy: int) -> tuple[int, int]:
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
    score = v.DOUBLED * popcount(own & behind)
    score += v.ISOLATED * popcount(isolated(own))
    score += v.BACKWARD * popcount(backward(colour, own, enemy))
    score += v.PHALANX * popcount(phalanx)
    score += v.SUPPORTED * popcount(supported)
    return score, passed


@inline
def outposts(colour: int, pawns: int, enemy_pawns: int) -> int:
    """Squares in the enemy's half guarded by a pawn of ours, where no enemy pawn can come to
    attack."""
    reachable = neighbours(ahead(1 - colour, enemy_pawns))
    guarded = west(colour, pawns) | east(colour, pawns)
    return guarded & ~reachable & select(colour == 0, OUTPOSTS[0], OUTPOSTS[1])


@helper
def passed_pawns(colour: int, pos: State, passers: int, king: int, enemy_king: int) -> int:
    """Value of our passed pawns: rank, the square in front, the kings."""
    score = 0
    occupied = pos.us | pos.them
    while passers:
        sq = lsb(passers)
        rank = relative_rank(colour, sq)
        score += v.PASSED[rank]
        stop = select(colour == 0, sq + 8, sq - 8)
        if rank >= 3:
            score += v.PASSER_KING_NEAR * distance(king, stop) * (rank - 2)
            score += v.PASSER_KING_FAR * distance(enemy_king, stop) * (rank - 2)
            if (occupied >> stop) & 1:
                score += v.PASSER_BLOCKED * (rank - 2)
        passers &= passers - 1
    return score


@helper
def shelter(colour: int, pos: State, own: int, enemy: int, king: int) -> int:
    """Pawns before the king, and those that storm it: middlegame hundredths of a pawn."""
    total = 0
    centre = min(max(king & 7, 1), 6)
    rank = relative_rank(colour, king)
    for file in range(centre - 1, centre + 2):
        lane = FILE_A << file
        guards = pos.pawns & own & lane
        best = 9
        while guards:
            gap = relative_rank(colour, lsb(guards)) - rank
            if gap >= 0:
                best = min(best, gap)
            guards &= guards - 1
        total += v.SHELTER[0 if best == 9 else 1 if best <= 1 else 2 if best == 2 else 3]
        raiders = pos.pawns & enemy & lane
        near = 9
        while raiders:
            gap = relative_rank(colour, lsb(raiders)) - rank
            if gap >= 0:
                near = min(near, gap)
            raiders &= raiders - 1
        total += v.STORM[3 if near <= 2 else 2 if near == 3 else 1 if near == 4 else 0]
    return total


@helper
def fill_entry(
    pos: State, entry: Entry, key: int, white: int, black: int, wk: int, bk: int
) -> None:
    """Work out what the pawns and kings alone decide."""
    mine = pos.pawns & white
    theirs = pos.pawns & black
    score, passers = pawn_structure(0, mine, theirs)
    black_score, black_passers = pawn_structure(1, theirs, mine)
    safety = shelter(0, pos, white, black, wk) - shelter(1, pos, black, white, bk)
    entry.key = key
    entry.score = score - black_score + (safety << 32)
    entry.passers = passers | black_passers
    entry.closed[0] = files(mine)
    entry.closed[1] = files(theirs)
    entry.outposts[0] = outposts(0, mine, theirs)
    entry.outposts[1] = outposts(1, theirs, mine)
