"""Blokus for a graphics card: what `engine.records_on_card` must know of it."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.bits import at, u
from engine.device import Child, DeviceFacts, DeviceRules
from engine.games.blokus.analysis import Facts, find_facts
from engine.games.blokus.divide import DEEPEST
from engine.games.blokus.make import play, take_back
from engine.games.blokus.movegen import blocked_around, count_moves, played, status
from engine.games.blokus.numba_types import TABLES_T, Moves, State, Tables
from engine.games.blokus.position import Position
from engine.games.blokus.records import FACTS as FACTS_RECORD
from engine.games.blokus.records import UNDO
from engine.games.blokus.rules import make
from engine.games.blokus.state import COLOURS, MAX_MOVES, ROWS, STATE
from engine.games.blokus.tables import T
from engine.jit import inline
from engine.records_on_card import counting, examining
from engine.tasks import Records


@inline
def count(pos: State, t: Tables, scratch: int) -> int:
    """The number of moves of the colour to move; none when the game is over."""
    return 0 if pos.over else count_moves(pos, t, pos.turn)


@inline
def write(pos: State, t: Tables, scratch: int, moves: Moves, n: int) -> None:
    """The moves in the order of `movegen.write_moves`, which writes one word too many: here that
    would be a move of the next position."""
    if pos.over:
        return
    side = pos.turn
    gone = played(pos, side)
    for k in range(pos.frontier_count[u(side)]):
        sq = int(pos.frontier[u((side << 8) + k)])
        blocked = blocked_around(pos, side, gone, sq)
        kind = status(blocked)
        for way in range(t.first[u(kind)], t.first[u(kind + 1)]):
            if t.ways[u(way)] & blocked == 0:
                moves[u(n)] = t.step[u(way)] + sq
                n += 1


@inline
def play_move(pos: State, t: Tables, scratch: int, move: int) -> None:
    """Play a move."""
    play(pos, t, move, at(scratch, UNDO))


@inline
def take_move_back(pos: State, t: Tables, scratch: int) -> None:
    """Take the last move back."""
    take_back(pos, t, at(scratch, UNDO))


@inline
def same(pos: State, other: State) -> bool:
    """Whether two positions of a game have equal moves now and later. Lists of the frontier may be
    in another order, and `stuck` may not know yet what the board tells."""
    if pos.turn != other.turn:
        return False
    for c in range(COLOURS):
        if pos.hand[u(c)] != other.hand[u(c)]:
            return False
    for k in range(COLOURS * ROWS):
        if pos.forbidden[u(k)] != other.forbidden[u(k)] or pos.attach[u(k)] != other.attach[u(k)]:
            return False
    return True


def children(position: Position) -> Iterator[Child]:
    """See `DeviceRules.children`."""
    for move in [] if position.over else position.legal(position.turn):
        child = position.copy()
        make(child, T, move, np.zeros(1, UNDO)[0])
        yield move, np.frombuffer(child.tobytes(), np.int64).tolist(), 0


def level(states: Records) -> NDArray[np.int64]:
    """See `DeviceRules.level`."""
    return states.view(np.int64)


@inline
def examine(pos: State, t: Tables, scratch: int, a: Facts) -> None:
    """See `analysis.find_facts`."""
    find_facts(pos, t, a)


RULES = DeviceRules(
    name="blokus",
    bodies=counting(STATE, TABLES_T, count, write, play_move, take_move_back, same),
    tables=lambda: T,
    children=children,
    level=level,
    words=STATE.itemsize >> 3,
    move=np.int32,
    count=np.uint16,
    most=MAX_MOVES,
    by_word=False,
    # A repeated position with two plies left means to play and count each of hundreds of moves;
    # to merge it moves some 20 KB, most of them to copy what is kept. Counted on the CPU: near the
    # end of a game 1.06, 1.07 and 1.21 positions are one after plies 4, 5 and 6; from its start
    # none before ply 9, or ply 5 of Blokus Duo, as a colour must have had two moves to choose from.
    merge=2,
    shallow=2,
    deepest=DEEPEST,
    scratch=UNDO.itemsize,
)

FACTS = DeviceFacts(
    name="blokus-facts",
    bodies=examining(STATE, FACTS_RECORD, TABLES_T, examine),
    tables=lambda: T,
    state=STATE,
    facts=FACTS_RECORD,
    scratch=8,  # not used
)
