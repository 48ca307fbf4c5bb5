"""The ray scan: what one mover can do, along every direction it may use.

A mover is a whole stack or a piece that leaves one. It moves as its carrier moves. Per ray two
marks are kept, once set for good: `rough`, the mover may not go on here, and `blocked`, something
stands in the way. They restrict moving and combining, never capturing.
"""

from numba import types

from engine.bits import u
from engine.games.cotulenh.board import heroic_in, side_of
from engine.games.cotulenh.danger import CLEAR, SHOT, clear_between, track
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, WORK_T, State, Tables, Work
from engine.games.cotulenh.pieces import AIR_FORCE, COMMANDER, MISSILE, NAVY
from engine.games.cotulenh.state import (
    BORDER,
    CAPTURE,
    COMBINE,
    KIND,
    MEMBERS,
    NOWHERE,
    QUIET,
    STAY,
    SUICIDE,
    TO,
    WHO,
    WHOLE,
)
from engine.jit import inline, kernel

I64 = types.int64


@inline
def rough(t: Tables, kind: int, origin: int, before: int, sq: int, direction: int) -> bool:
    """Whether terrain forbids a carrier to enter `sq` from the square before it on its ray."""
    if kind == AIR_FORCE:
        return False
    if t.terrain[u(sq)] & t.stands[u(kind)] == 0:
        return True
    if (t.heavy >> kind) & 1 and t.half[u(origin)] != t.half[u(sq)]:
        # Over the river only straight along a file with bridges.
        return direction & 5 != 0 or t.bridge_file[u(sq)] == 0
    return (
        kind == NAVY
        and direction >= 4
        and t.corner[u(sq)] != 0
        and t.corner[u(sq)] == t.corner[u(before)]
    )


@inline
def exposed(pos: State, sq: int, origin: int, enemy: int) -> bool:
    """Whether an empty square lies on an open line with the enemy commander; the square that the
    commander leaves counts as empty."""
    other = pos.commander[u(enemy)]
    return other != NOWHERE and clear_between(pos, sq, other, origin)


@inline
def fits(t: Tables, mover: int, word: int, sq: int) -> bool:
    """Whether two words form one stack whose carrier can stand on `sq`."""
    if mover & word & MEMBERS:
        return False
    kind = t.carrier[u((mover | word) & MEMBERS)]
    return kind >= 0 and t.terrain[u(sq)] & t.stands[u(kind)] != 0


@kernel(I64(STATE_T, TABLES_T, I64, I64, I64, WORK_T, I64, I64))
def scan(
    pos: State, t: Tables, origin: int, mover: int, who: int, work: Work, n: int, quiet: int
) -> int:
    """Append the actions of a mover on `origin` to `work.actions[:n]`, commander safety left out,
    and return the new n. Captures only if `quiet` is 0."""
    actions = work.actions
    kind = t.carrier[u(mover & MEMBERS)]
    heroic = heroic_in(mover, kind)
    side = side_of(mover)
    plane = kind == AIR_FORCE and heroic == 0
    over = (t.shoots_over >> kind) & 1
    stands = t.stands[u(kind)]
    stem = origin | (who << WHO)
    for direction in range(t.directions[u(2 * kind + heroic)]):
        step = t.direction[u(direction)]
        reach = t.reach[u(2 * kind + heroic)]
        if kind == MISSILE and direction >= 4:
            reach -= 1
        is_rough = False
        blocked = False
        tracker = CLEAR
        before = origin
        for distance in range(1, reach + 1):
            sq = before + step
            # North of rank 12 lies index -16, in the border of the last row.
            word = int(pos.board[u(sq & 255)])
            if word == BORDER:
                break
            if kind == COMMANDER and word == 0 and exposed(pos, sq, origin, 1 - side):
                break
            if plane:
                tracker = track(pos, 1 - side, tracker, sq)
                if tracker == SHOT:
                    break
            if not is_rough:
                is_rough = rough(t, kind, origin, before, sq, direction)
            before = sq
            action = stem | (sq << TO)
            if word == 0:
                if quiet and not is_rough and not blocked and tracker == CLEAR:
                    if t.terrain[u(sq)] & stands:
                        actions[u(n)] = action | (QUIET << KIND)
                        n += 1
                continue
            if side_of(word) != side:
                limit = reach
                if kind == COMMANDER:
                    # Never diagonally onto the other commander.
                    limit = 0 if direction >= 4 and word & 1 else 1
                elif kind == NAVY and t.carrier[u(word & MEMBERS)] != NAVY:
                    limit -= 1
                if distance <= limit:
                    if tracker != CLEAR:
                        actions[u(n)] = action | (SUICIDE << KIND)
                        n += 1
                    elif t.terrain[u(sq)] & stands == 0:
                        actions[u(n)] = action | (STAY << KIND)
                        n += 1
                    else:
                        actions[u(n)] = action | (CAPTURE << KIND)
                        n += 1
                        if kind == AIR_FORCE and who == WHOLE:
                            actions[u(n)] = action | (STAY << KIND)
                            n += 1
            elif quiet and not is_rough and not blocked and tracker == CLEAR:
                if fits(t, mover, word, sq):
                    actions[u(n)] = action | (COMBINE << KIND)
                    n += 1
            if kind == AIR_FORCE:
                continue
            if kind == NAVY:
                blocked = blocked or t.carrier[u(word & MEMBERS)] == NAVY
                continue
            if over == 0:
                break
            blocked = True
    return n
