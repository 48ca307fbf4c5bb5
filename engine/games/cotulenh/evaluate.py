"""Static evaluation: one walk over the pieces of both sides."""

from numba import types

from engine.bits import lsb, u
from engine.games.cotulenh import values as v
from engine.games.cotulenh.board import heroic_in
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, State, Tables
from engine.games.cotulenh.pieces import AIR_FORCE, NAVY
from engine.games.cotulenh.state import MARGIN, MEMBERS, NOWHERE, ZONE
from engine.jit import inline, kernel

I64 = types.int64


@inline
def distance(a: int, b: int) -> int:
    """Steps of a king between two squares."""
    return max(abs((a >> 4) - (b >> 4)), abs((a & 15) - (b & 15)))


@inline
def worth(word: int) -> int:
    """Value of a piece or stack."""
    total = 0
    rest = word & MEMBERS
    while rest:
        kind = lsb(rest)
        rest &= rest - 1
        total += v.VALUE[kind]
        if heroic_in(word, kind):
            total += v.HEROIC_BONUS[kind]
    return total


@inline
def side_value(pos: State, t: Tables, side: int) -> int:
    """What a side has, where it stands, and what it threatens."""
    own = pos.commander[u(side)]
    enemy = pos.commander[u(1 - side)]
    total = 0
    planes = 0
    for i in range(pos.count[u(side)]):
        sq = int(pos.squares[u(32 * side + i)])
        word = int(pos.board[u(sq)])
        near = 0 if enemy == NOWHERE else max(10 - distance(sq, enemy), 0)
        home = own != NOWHERE and distance(sq, own) <= 2
        aim = 0 if enemy == NOWHERE else t.aim[u(256 + enemy - sq)]
        rest = word & MEMBERS
        while rest:
            kind = lsb(rest)
            rest &= rest - 1
            heroic = heroic_in(word, kind)
            total += v.VALUE[kind] + v.NEAR[kind] * near
            if heroic:
                total += v.HEROIC_BONUS[kind]
            if home:
                total += v.GUARD[kind]
            if kind == AIR_FORCE:
                planes = 1
            if aim:
                reach = t.attack[u(4 * kind + 2 * heroic + ((aim & 7) >> 2))]
                if kind == NAVY:
                    reach -= 1
                if aim >> 3 <= reach:
                    total += v.AIMED[kind]
    if planes and enemy != NOWHERE and pos.cover[u((1 - side) * ZONE + MARGIN + enemy)] > 0:
        total -= v.COVERED
    return total


@kernel(I64(STATE_T, TABLES_T))
def evaluate(pos: State, t: Tables) -> int:
    """Value for the side to move."""
    red = side_value(pos, t, 0)
    blue = side_value(pos, t, 1)
    score = red - blue if pos.turn == 0 else blue - red
    return score * (200 - min(pos.halfmove, 100)) // 200 + v.TEMPO
