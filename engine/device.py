"""What a game hands over so that a graphics card can work for it: `DeviceRules` to count leaves and
to list moves, `DeviceFacts` to find the facts of positions.

A body is a function of a number that stands for one of many threads,
`body(colour, i, tables, ..., boards, capacity, ...)`. It writes only what belongs to its number,
and knows nothing of other threads. How positions lie in `boards`, a level of `capacity` positions,
only the game knows.

| body | for | does |
| --- | --- | --- |
| `count(counts)` | position i | counts its moves |
| `write(first, base, ends, counts, moves)` | position first + i | writes its moves |
| `make(base, ends, marks, moves, children, room, counts)` | move i | plays it, counts the replies |
| `leaf(base, ends, marks, moves, counts)` | move i | counts the replies, and keeps nothing |
| `leaves(first, base, ends, counts, moves, sums)` | position first + i | counts all replies |
| `key(keys)` | position i | gives it a number that equal positions have in common |
| `fresh(order, fresh)` | i | 0 if positions order[i] and order[i - 1] are equal, else 1 |

`ends` is the running sum of the counts of a level, `base` what it is before the positions at hand,
`marks` the position that each 128th move belongs to. A game has `leaf` or `leaves`. Positions are
equal if all is equal that decides about the moves below them. `count` and `write` alone list the
moves of many positions. `DeviceFacts` has one body, `examine(states, found)`
for position i, both arrays of records by their addresses. Where threads need memory of their own,
its address stands behind `tables`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bodies = Mapping[str, tuple[Any, tuple[Any, ...]]]
"""Each body by its name, with the types of its arguments after the colour and the number."""

Child = tuple[int, Sequence[int], int]
"""(move, words of the position after it, colour to move there)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DeviceCode:
    """Bodies that belong together."""

    name: str
    bodies: Bodies
    tables: Callable[[], Any]
    """Makes the record of tables that the bodies read."""
    colours: tuple[int, ...] = (0,)
    """What the bodies know when they are compiled: the side to move, or nothing if the position
    tells it."""
    scratch: int = 0
    """Bytes of memory that a thread needs, a multiple of 8."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DeviceRules(DeviceCode):
    """The rules of a game."""

    children: Callable[[Any], Iterator[Child]]
    """The legal moves of a position of the game, in the order of the CPU."""
    level: Callable[[NDArray[np.void]], NDArray[np.int64]]
    """Records of positions, all of one of `colours`, as the level that the bodies read."""
    words: int
    """Words of 64 bits that a position has."""
    move: type
    """NumPy's type of a move."""
    count: type
    """NumPy's type for the moves of one position."""
    most: int
    """Moves that a position can have."""
    by_word: bool
    """Whether a level has the first words of all its positions first, then the second ones, and so
    on; if not, one position after the other."""
    merge: int
    """Plies that must be left below equal positions for it to pay that they are merged: reckoned,
    not measured."""
    shallow: int
    """Down to this depth the CPU is done before a card has begun."""
    deepest: int
    """The CPU refuses what is deeper."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DeviceFacts(DeviceCode):
    """The facts of positions."""

    state: np.dtype[np.void]
    """Of a position."""
    facts: np.dtype[np.void]
    """Of its facts."""
