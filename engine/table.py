"""Transposition table: what earlier searches found out about positions, by key.

An entry is two words, four entries make a bucket of one cache line:

    word 0   key ^ word 1
    word 1   | generation 6 | bound 2 | line 1 | depth 7 | eval 16 | score 16 | move 16 |
             63           58 57     56 55    55 54     48 47     32 31      16 15       0

Threads share the table without locks. The key is stored mixed with the data, so an entry that two
threads wrote into at once answers to no key, instead of giving wrong data.
"""

import os

import numpy as np
from numba import types

from engine.bits import load, shr, store
from engine.errors import OptionError
from engine.jit import inline, kernel
from engine.memory import zeros

UPPER, LOWER, EXACT = 1, 2, 3
"""Bounds: the score is at most, at least, exactly this. 0 marks an empty entry."""

BUCKET = 64
"""Bytes."""
GENERATIONS = 64
DEEPEST = 127
"""Greater depths are stored as this."""


@inline
def bucket_of(table: int, buckets: int, key: int) -> int:
    """Address of the bucket that may hold the key."""
    return table + shr(shr(key, 32) * buckets, 32) * BUCKET


@inline
def probe(table: int, buckets: int, key: int) -> int:
    """The data word stored for the key, 0 if there is none."""
    address = bucket_of(table, buckets, key)
    for _ in range(4):
        data = load(address + 8)
        if load(address) ^ data == key and data:
            return data
        address += 16
    return 0


@inline
def move_of(data: int) -> int:
    return data & 0xFFFF


@inline
def score_of(data: int) -> int:
    return (data << 32) >> 48


@inline
def eval_of(data: int) -> int:
    return (data << 16) >> 48


@inline
def depth_of(data: int) -> int:
    return (data >> 48) & 127


@inline
def on_line(data: int) -> bool:
    """Whether the position was once on a principal variation."""
    return (data >> 55) & 1 != 0


@inline
def bound_of(data: int) -> int:
    return (data >> 56) & 3


@inline
def record(
    table: int,
    buckets: int,
    key: int,
    generation: int,
    move: int,
    score: int,
    evaluation: int,
    depth: int,
    bound: int,
    line: int,
) -> None:
    """Store a result; `line` is 1 for a position that was on a principal variation. In a full
    bucket the entry that is shallowest, old ones first, gives way."""
    address = bucket_of(table, buckets, key)
    place = address
    worst = 1 << 20
    for _ in range(4):
        data = load(address + 8)
        if data == 0 or load(address) ^ data == key:
            place = address
            if data:
                if move == 0:
                    move = data & 0xFFFF
                # A much deeper result of the same search is worth more than this bound.
                same = shr(data, 58) == generation
                if bound != EXACT and same and depth_of(data) > depth + 3:
                    return
            break
        age = (generation - shr(data, 58)) & (GENERATIONS - 1)
        worth = depth_of(data) - 8 * age
        if worth < worst:
            worst = worth
            place = address
        address += 16
    data = move | ((score & 0xFFFF) << 16) | ((evaluation & 0xFFFF) << 32)
    data |= (min(depth, DEEPEST) << 48) | (line << 55) | (bound << 56) | (generation << 58)
    store(place, key ^ data)
    store(place + 8, data)


@kernel(types.int64(types.int64, types.int64, types.int64))
def _probe(table: int, buckets: int, key: int) -> int:
    return probe(table, buckets, key)


def find(table: "Table", key: int) -> int:
    """`probe` for Python."""
    return int(_probe(table.address, table.buckets, key))


class Table:
    """The memory behind the functions above."""

    def __init__(self, megabytes: int) -> None:
        self.generation = 0
        self.megabytes = 0
        self.resize(megabytes)

    def resize(self, megabytes: int) -> None:
        """Empty table of another size. Raises OptionError, and keeps the old one, if the machine
        has not that much memory."""
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if megabytes << 20 > total * 9 // 10:
            raise OptionError(
                f"Hash {megabytes} MB is more than this machine has ({total >> 20} MB)"
            )
        try:
            self._words = zeros(megabytes << 17, np.int64)
        except MemoryError as error:
            raise OptionError(f"no memory for a Hash of {megabytes} MB") from error
        self.megabytes = megabytes
        self.buckets = (megabytes << 20) // BUCKET
        self.address = self._words.ctypes.data

    def clear(self) -> None:
        """Forget everything. Fresh pages from the system are faster than writing zeros."""
        self.resize(self.megabytes)
        self.generation = 0

    def age(self) -> None:
        """A new search begins: older entries become easier to replace."""
        self.generation = (self.generation + 1) % GENERATIONS

    def permille(self) -> int:
        """How full the table is with entries of this search, from a sample."""
        data = self._words[1:2001:2]
        mine = (data >> 58) & (GENERATIONS - 1) == self.generation
        return int(((data != 0) & mine).sum() * 1000 // max(len(data), 1))
