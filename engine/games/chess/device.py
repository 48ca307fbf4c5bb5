"""Chess for a graphics card: what one thread does, as functions of its number.

To count leaves, the positions of one level lie in one array, word by word: word w of position i is
`boards[w * capacity + i]`, the words in the order of `state.BOARDS`, so that neighbouring threads
read neighbouring memory. All positions of a level have the same side to move, `colour`. Facts are
found on whole records, `records_on_card`.

`engine.device` says what each body is for; `RULES` and `FACTS` are what `engine/backends` gets.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from engine.bits import at, select, u
from engine.device import Child, DeviceFacts, DeviceRules
from engine.games.chess.analysis import Facts, find_facts
from engine.games.chess.attacks import Tables
from engine.games.chess.divide import DEEPEST
from engine.games.chess.evaluation import entry_key, fill, weigh
from engine.games.chess.movegen import (
    Boards,
    child_boards,
    count_moves,
    ep_takers,
    write_moves,
)
from engine.games.chess.numba_types import TABLES_T, State
from engine.games.chess.perft import perft_key
from engine.games.chess.position import Position
from engine.games.chess.records import ANALYSIS, PAWNS, UNDO
from engine.games.chess.rules import make
from engine.games.chess.state import BOARDS, MAX_MOVES, STATE
from engine.games.chess.tables import T, build
from engine.jit import inline
from engine.records_on_card import examining
from engine.tasks import Records
from engine.threads import Words, owner

Array = Any

WORDS = 10
"""Words of a position."""


@inline
def read(boards: Words, capacity: int, i: int) -> Boards:
    """Position i of a level."""
    return (
        boards[u(i)],
        boards[u(i + capacity)],
        boards[u(i + 2 * capacity)],
        boards[u(i + 3 * capacity)],
        boards[u(i + 4 * capacity)],
        boards[u(i + 5 * capacity)],
        boards[u(i + 6 * capacity)],
        boards[u(i + 7 * capacity)],
        boards[u(i + 8 * capacity)],
        boards[u(i + 9 * capacity)],
    )


@inline
def count_one(colour: int, i: int, t: Tables, boards: Words, capacity: int, counts: Array) -> None:
    """The number of moves of position i."""
    counts[u(i)] = count_moves(colour, t, read(boards, capacity, i))


@inline
def write_one(
    colour: int,
    i: int,
    t: Tables,
    boards: Words,
    capacity: int,
    first: int,
    base: int,
    ends: Words,
    counts: Array,
    moves: Array,
) -> None:
    """The moves of position `first + i`. `ends` has the running sum of `counts`; what stands there
    minus `base` is where they end in `moves`."""
    p = first + i
    n = ends[u(p)] - int(counts[u(p)]) - base
    write_moves(colour, t, read(boards, capacity, p), moves, n, -1)


@inline
def make_one(
    colour: int,
    j: int,
    t: Tables,
    boards: Words,
    capacity: int,
    base: int,
    ends: Words,
    marks: Words,
    moves: Array,
    children: Words,
    room: int,
    counts: Array,
) -> None:
    """The position after move j, and the number of its moves. `room` is the capacity there."""
    parent = read(boards, capacity, owner(ends, marks, base, j))
    b = child_boards(colour, t, parent, int(moves[u(j)]))
    children[u(j)] = b[0]
    children[u(j + room)] = b[1]
    children[u(j + 2 * room)] = b[2]
    children[u(j + 3 * room)] = b[3]
    children[u(j + 4 * room)] = b[4]
    children[u(j + 5 * room)] = b[5]
    children[u(j + 6 * room)] = b[6]
    children[u(j + 7 * room)] = b[7]
    children[u(j + 8 * room)] = b[8]
    # An en passant square that nobody can take on would only keep equal positions apart.
    children[u(j + 9 * room)] = select(ep_takers(1 - colour, b) != 0, b[9], 0)
    counts[u(j)] = count_moves(1 - colour, t, b)


@inline
def leaf_one(
    colour: int,
    j: int,
    t: Tables,
    boards: Words,
    capacity: int,
    base: int,
    ends: Words,
    marks: Words,
    moves: Array,
    counts: Array,
) -> None:
    """The number of moves after move j, and nothing else of that position."""
    parent = read(boards, capacity, owner(ends, marks, base, j))
    b = child_boards(colour, t, parent, int(moves[u(j)]))
    counts[u(j)] = count_moves(1 - colour, t, b)


@inline
def key_one(colour: int, i: int, t: Tables, boards: Words, capacity: int, keys: Words) -> None:
    """A key of position i, made from all its words."""
    _, keys[u(i)] = perft_key(read(boards, capacity, i), 0)


@inline
def fresh_one(
    colour: int, i: int, t: Tables, boards: Words, capacity: int, order: Words, fresh: Array
) -> None:
    """Whether position i of an order differs from the one before it. All words decide."""
    a = order[u(i)]
    b = order[u(max(i - 1, 0))]
    differs = select(i == 0, 1, 0)
    for _ in range(WORDS):
        differs |= boards[u(a)] ^ boards[u(b)]
        a += capacity
        b += capacity
    fresh[u(i)] = differs != 0


_I64, _WORDS = types.int64, types.CPointer(types.int64)
_BYTES, _MOVES = types.CPointer(types.uint8), types.CPointer(types.uint16)
_POSITIONS = (TABLES_T, _WORDS, _I64)
_OWNERS = (_I64, _WORDS, _WORDS)

BODIES = {
    "count": (count_one, (*_POSITIONS, _BYTES)),
    "write": (write_one, (*_POSITIONS, _I64, _I64, _WORDS, _BYTES, _MOVES)),
    "make": (make_one, (*_POSITIONS, *_OWNERS, _MOVES, _WORDS, _I64, _BYTES)),
    "leaf": (leaf_one, (*_POSITIONS, *_OWNERS, _MOVES, _BYTES)),
    "key": (key_one, (*_POSITIONS, _WORDS)),
    "fresh": (fresh_one, (*_POSITIONS, _WORDS, _BYTES)),
}


def children(position: Position) -> Iterator[Child]:
    """See `DeviceRules.children`."""
    for move in position.legal():
        child = position.copy()
        make(child, T, move, np.zeros(1, UNDO)[0])
        yield move, [int(child[name]) for name in BOARDS], int(child["turn"])


def level(states: Records) -> NDArray[np.int64]:
    """See `DeviceRules.level`."""
    return np.stack([states[name] for name in BOARDS]).ravel()


RULES = DeviceRules(
    name="chess",
    bodies=BODIES,
    tables=lambda: build(pext=False),
    children=children,
    level=level,
    words=WORDS,
    move=np.uint16,
    count=np.uint8,
    most=MAX_MOVES,
    by_word=True,
    # Counted on the CPU, below one root move: of the positions to be merged 1.65 are one after ply
    # 4 of a game, 1.68 after ply 5, 2.2 after ply 6, together 6 times fewer; in Kiwipete 1.7 and
    # 1.75 after plies 4 and 5. To merge a position moves about 1.1 KB, 80 bytes of them its words
    # and most of the rest the passes of the sort: 0.4 ns at 3 TB/s. With two plies left each
    # repetition costs 700 leaves or more, 1.7 ns. Where a level is so wide that it is cut into
    # parts, in which only 1.25 positions are one, nothing is gained and little lost.
    merge=2,
    shallow=4,
    deepest=DEEPEST,
    colours=(0, 1),
)


TERMS_BYTES = 16 * 8


@inline
def examine(pos: State, t: Tables, scratch: int, a: Facts) -> None:
    """As `analysis.analyze`, but for the cache: the entry of the pawns is made anew."""
    find_facts(pos, t, a)
    entry = at(scratch + TERMS_BYTES, PAWNS)
    fill(pos, t, entry, entry_key(pos, t))
    a.eval = weigh(pos, t, entry, at(scratch, np.int64))


FACTS = DeviceFacts(
    name="chess-facts",
    bodies=examining(STATE, ANALYSIS, TABLES_T, examine),
    tables=lambda: build(pext=False),
    state=STATE,
    facts=ANALYSIS,
    scratch=TERMS_BYTES + PAWNS.itemsize,
)
