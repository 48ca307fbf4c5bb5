"""Legal actions.

At the start of a turn every whole unit, and every piece of a stack as the first step of a
deployment, must leave the commander out of danger. Most actions cannot endanger it; `alarm` finds
out once for each position which might, and only these are tried.
"""

from numba import types

from engine.bits import lsb, u
from engine.games.cotulenh.apply import is_safe
from engine.games.cotulenh.board import line_step, side_of, single
from engine.games.cotulenh.danger import in_danger
from engine.games.cotulenh.deploy import write_commit, write_steps
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, WORK_T, State, Tables, Work
from engine.games.cotulenh.pieces import AIR_FORCE, ANTI_AIR, COMMANDER, MISSILE, NAVY
from engine.games.cotulenh.scan import scan
from engine.games.cotulenh.state import BORDER, HEROIC, KIND, MEMBERS, NOWHERE, TO, WHO, WHOLE
from engine.jit import helper, inline, kernel

Screen = tuple[int, int, int]
"""A set of squares, 64 in each number."""
Alarm = tuple[bool, bool, int, int, int]
"""(try everything, try what touches air defence, and a Screen: try what empties these squares)."""

DEFENDERS = (1 << ANTI_AIR) | (1 << MISSILE) | (1 << NAVY)
NEAR = 3
"""Pieces that cannot shoot over others reach no further."""


@inline
def add(screen: Screen, sq: int) -> Screen:
    a, b, c = screen
    bit = 1 << (sq & 63)
    if sq < 64:
        return a | bit, b, c
    if sq < 128:
        return a, b | bit, c
    return a, b, c | bit


@inline
def has(screen: Screen, sq: int) -> bool:
    a, b, c = screen
    word = a if sq < 64 else b if sq < 128 else c
    return (word >> (sq & 63)) & 1 != 0


@inline
def screen_near(pos: State, t: Tables, king: int, side: int, screen: Screen) -> Screen:
    """Squares with anything on them between the commander and an enemy close to it."""
    for direction in range(8):
        step = t.direction[u(direction)]
        for distance in range(2, NEAR + 1):
            word = int(pos.board[u((king + distance * step) & 255)])
            if word == BORDER:
                break
            if word != 0 and side_of(word) != side:
                for i in range(1, distance):
                    if pos.board[u(king + i * step)] != 0:
                        screen = add(screen, king + i * step)
    return screen


@inline
def screen_line(pos: State, king: int, other: int, screen: Screen) -> Screen:
    """Squares with anything on them between the commanders, if they share a line and there are
    at most two: a suicide attack empties two."""
    step = line_step(king, other)
    if step == 0:
        return screen
    n = 0
    first = 0
    second = 0
    sq = king + step
    while sq != other:
        if pos.board[u(sq)] != 0:
            second = first
            first = sq
            n += 1
        sq += step
    if n == 1 or n == 2:
        screen = add(screen, first)
        if n == 2:
            screen = add(screen, second)
    return screen


@inline
def plane_near(pos: State, t: Tables, king: int, enemy: int) -> bool:
    """Whether an enemy plane that air defence can stop aims at the commander."""
    for i in range(pos.count[u(enemy)]):
        sq = int(pos.squares[u(32 * enemy + i)])
        word = int(pos.board[u(sq)])
        if (word >> AIR_FORCE) & 1 and (word >> (HEROIC + AIR_FORCE)) & 1 == 0:
            if t.aim[u(256 + king - sq)]:
                return True
    return False


@helper
def alarm(pos: State, t: Tables) -> Alarm:
    """Which actions of the side to move might leave its commander in danger."""
    side = pos.turn
    king = pos.commander[u(side)]
    other = pos.commander[u(1 - side)]
    # With few enemies left, an action may make the last one heroic.
    everything = pos.guards[u(1 - side)] <= 2 or in_danger(pos, t, side) != 0
    screen = screen_near(pos, t, king, side, (0, 0, 0))
    if other != NOWHERE:
        screen = screen_line(pos, king, other, screen)
    a, b, c = screen
    return everything, plane_near(pos, t, king, 1 - side), a, b, c


@inline
def keep_safe(pos: State, t: Tables, alarms: Alarm, work: Work, first: int, n: int) -> int:
    """Drop those of `work.actions[first:n]`, all of one mover, that endanger the commander."""
    actions = work.actions
    everything, air, a, b, c = alarms
    screen = (a, b, c)
    king = pos.commander[u(pos.turn)]
    kept = first
    for k in range(first, n):
        action = int(actions[u(k)])
        origin, to = action & 255, (action >> TO) & 255
        words = int(pos.board[u(origin)]) | int(pos.board[u(to)])
        doubtful = everything or origin == king or to == king
        doubtful = doubtful or has(screen, origin) or has(screen, to)
        if doubtful or (air and words & DEFENDERS):
            who = (action >> WHO) & 15
            group = int(pos.board[u(origin)]) & MEMBERS if who == WHOLE else 1 << who
            if is_safe(pos, t, origin, to, action >> KIND, group, work.spare[0]) == 0:
                continue
        actions[u(kept)] = action
        kept += 1
    return kept


@helper
def write_first(pos: State, t: Tables, work: Work, n: int, quiet: int) -> int:
    """Append the actions that a turn can begin with, captures only if `quiet` is 0."""
    side = pos.turn
    if pos.commander[u(side)] == NOWHERE:
        return n
    work.spare[0].changes = 0
    alarms = alarm(pos, t)
    for i in range(pos.count[u(side)]):
        sq = int(pos.squares[u(32 * side + i)])
        word = int(pos.board[u(sq)])
        end = scan(pos, t, sq, word, WHOLE, work, n, quiet)
        n = keep_safe(pos, t, alarms, work, n, end)
        members = word & MEMBERS
        if members & (members - 1) == 0:
            continue
        rest = members
        while rest:
            who = lsb(rest)
            rest &= rest - 1
            end = scan(pos, t, sq, single(word, who), who, work, n, quiet)
            # Steps out of the commander's own stack are judged when the deployment ends.
            carried = word & (1 << COMMANDER)
            n = end if carried else keep_safe(pos, t, alarms, work, n, end)
    return n


@kernel(types.int64(STATE_T, TABLES_T, WORK_T, types.int64))
def write_actions(pos: State, t: Tables, work: Work, n: int) -> int:
    """Append the legal actions to `work.actions[:n]`, each once, and return the new n."""
    if pos.origin == NOWHERE:
        return write_first(pos, t, work, n, 1)
    return write_commit(pos, t, work, write_steps(pos, t, work, n))


@kernel(types.int64(STATE_T, TABLES_T, WORK_T, types.int64))
def write_captures(pos: State, t: Tables, work: Work, n: int) -> int:
    """Append the captures that a turn can begin with."""
    return write_first(pos, t, work, n, 0)
