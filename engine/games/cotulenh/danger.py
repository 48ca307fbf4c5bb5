"""Air defence, attacks, and what endangers a commander."""

from numba import types

from engine.bits import lsb, u
from engine.games.cotulenh.board import heroic_in, line_step, put, side_of
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, UNDO_T, State, Tables, Undo
from engine.games.cotulenh.pieces import AIR_FORCE, NAVY
from engine.games.cotulenh.state import HEROIC, MARGIN, MEMBERS, NOWHERE, ZONE
from engine.jit import helper, inline, kernel

I64 = types.int64

CLEAR = 0
SHOT = -1


@inline
def track(pos: State, defender: int, tracker: int, sq: int) -> int:
    """What air defence of a side makes of a plane that comes to `sq`.

    The tracker is CLEAR until the plane meets a zone, then 1 + the square of its defender, which
    leaves the plane a suicide attack; SHOT once it has met two or left the one.
    """
    at = u(defender * ZONE + MARGIN + sq)
    covers = pos.cover[at]
    if covers == 0:
        return CLEAR if tracker == CLEAR else SHOT
    met = 1 + int(pos.coverer[at])
    if covers > 1 or (tracker != CLEAR and tracker != met):
        return SHOT
    return met


@inline
def survives(pos: State, sq: int, step: int, distance: int, defender: int) -> bool:
    """Whether a plane that flies so many steps from `sq` is not shot on the way or at its end."""
    tracker = CLEAR
    for _ in range(distance):
        sq += step
        tracker = track(pos, defender, tracker, sq)
        if tracker == SHOT:
            return False
    return True


@kernel(I64(STATE_T, TABLES_T, I64, I64, I64))
def attackers_in(pos: State, t: Tables, sq: int, aim: int, target: int) -> int:
    """Which members of the stack on `sq` attack the square `target` in the direction and at the
    distance of `aim`."""
    word = int(pos.board[u(sq)])
    distance = aim >> 3
    diagonal = (aim & 7) >> 2
    step = t.direction[u(aim & 7)]
    victim = int(pos.board[u(target)])
    ship = victim != 0 and t.carrier[u(victim & MEMBERS)] == NAVY
    found = 0
    rest = word & MEMBERS
    is_open = 1
    for i in range(1, distance):
        if pos.board[u(sq + i * step)] != 0:
            is_open = 0
    while rest:
        kind = lsb(rest)
        rest &= rest - 1
        heroic = heroic_in(word, kind)
        reach = t.attack[u(4 * kind + 2 * heroic + diagonal)]
        if kind == NAVY and not ship:
            reach -= 1
        if distance > reach:
            continue
        if is_open == 0 and (t.shoots_over >> kind) & 1 == 0:
            continue
        if kind == AIR_FORCE and heroic == 0:
            if not survives(pos, sq, step, distance, 1 - side_of(word)):
                continue
        found |= 1 << kind
    return found


@kernel(I64(STATE_T, TABLES_T, I64, I64))
def attacked(pos: State, t: Tables, target: int, side: int) -> int:
    """1 if any piece of a side attacks a square."""
    for i in range(pos.count[u(side)]):
        sq = int(pos.squares[u(32 * side + i)])
        aim = t.aim[u(256 + target - sq)]
        if aim and attackers_in(pos, t, sq, aim, target):
            return 1
    return 0


@inline
def clear_between(pos: State, a: int, b: int, ignored: int) -> bool:
    """Whether two squares are on one file or rank with nothing between them; what stands on the
    square `ignored` does not count."""
    step = line_step(a, b)
    if step == 0:
        return False
    sq = a + step
    while sq != b:
        if pos.board[u(sq)] != 0 and sq != ignored:
            return False
        sq += step
    return True


@inline
def facing(pos: State) -> bool:
    """Whether the commanders look at each other along an open line."""
    red, blue = pos.commander[0], pos.commander[1]
    return red != NOWHERE and blue != NOWHERE and clear_between(pos, red, blue, NOWHERE)


@kernel(I64(STATE_T, TABLES_T, I64))
def in_danger(pos: State, t: Tables, side: int) -> int:
    """1 if the commander of a side is missing, attacked, or faces the other."""
    sq = pos.commander[u(side)]
    if sq == NOWHERE or facing(pos):
        return 1
    return attacked(pos, t, sq, 1 - side)


@helper
def promote_last_guard(pos: State, t: Tables, colour: int, undo: Undo) -> None:
    """Make the only piece beside the commander heroic, unless it carries anyone."""
    for i in range(pos.count[u(colour)]):
        sq = int(pos.squares[u(32 * colour + i)])
        word = int(pos.board[u(sq)])
        members = word & MEMBERS
        # One member, not the commander.
        if members & (members - 1) == 0 and members != 1:
            if word >> HEROIC & members == 0:
                put(pos, t, sq, word | (members << HEROIC), undo)
            return


@kernel(types.void(STATE_T, TABLES_T, I64, UNDO_T))
def promote(pos: State, t: Tables, side: int, undo: Undo) -> None:
    """What an action of a side makes heroic: its pieces that now attack the enemy commander, and
    the last guard of either side."""
    target = pos.commander[u(1 - side)]
    if target != NOWHERE:
        for i in range(pos.count[u(side)]):
            sq = int(pos.squares[u(32 * side + i)])
            aim = t.aim[u(256 + target - sq)]
            if aim:
                word = int(pos.board[u(sq)])
                promoted = word | (attackers_in(pos, t, sq, aim, target) << HEROIC)
                if promoted != word:
                    put(pos, t, sq, promoted, undo)
    for colour in range(2):
        if pos.guards[u(colour)] == 1:
            promote_last_guard(pos, t, colour, undo)
