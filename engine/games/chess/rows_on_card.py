"""`rows` on a graphics card: batches of boards in CuPy arrays, which stay there."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from engine.bits import at, u
from engine.device import DeviceCode
from engine.games.chess.attacks import Tables
from engine.games.chess.numba_types import TABLES_T
from engine.games.chess.pseudo import MAX_PSEUDO, write_pseudo
from engine.games.chess.rows import map_row, rate_row, set_up
from engine.games.chess.tables import build
from engine.jit import inline

Array = Any
"""An array of CuPy."""

I64 = types.int64


@inline
def map_one(
    colour: int, i: int, t: Tables, scratch: int,
    pieces: int, colours: int, white: int, black: int, sound: int,
) -> None:  # fmt: skip
    """Row i of the maps, and whether it is a position."""
    row = 64 * i
    done = map_row(t, pieces + row, colours + row, white + row, black + row)
    at(sound, np.uint8)[u(i)] = done


@inline
def rate_one(
    colour: int, i: int, t: Tables, scratch: int,
    pieces: int, colours: int, terms: int, n: int, sound: int,
) -> None:  # fmt: skip
    """Column i of the terms, and whether it is a position."""
    found = rate_row(t, pieces + 64 * i, colours + 64 * i)
    at(sound, np.uint8)[u(i)] = found[0]
    at(terms, np.int64)[u(i)] = found[1]
    at(terms, np.int64)[u(n + i)] = found[2]
    at(terms, np.int64)[u(2 * n + i)] = found[3]
    at(terms, np.int64)[u(3 * n + i)] = found[4]


@inline
def moves_one(
    i: int, t: Tables, pieces: int, colours: int, stm: int, castling: int, ep: int, moves: int
) -> int:
    """Write the moves of row i to an address, and return their number; -1 if it is no position."""
    turn = at(stm, np.int64)[u(i)]
    rights = at(castling, np.int64)[u(i)]
    row = 64 * i
    sound, boards, target = set_up(
        pieces + row, colours + row, turn, rights, at(ep, np.int64)[u(i)]
    )
    if not sound:
        return -1
    return write_pseudo(turn, t, boards, rights, target, at(moves, np.int64), 0)


@inline
def count_one(
    colour: int, i: int, t: Tables, scratch: int,
    pieces: int, colours: int, stm: int, castling: int, ep: int, counts: int,
) -> None:  # fmt: skip
    """The number of moves of row i, which go to the scratch memory."""
    found = moves_one(i, t, pieces, colours, stm, castling, ep, scratch)
    at(counts, np.int64)[u(i)] = found


@inline
def write_one(
    colour: int, i: int, t: Tables, scratch: int,
    pieces: int, colours: int, stm: int, castling: int, ep: int, offsets: int, moves: int,
) -> None:  # fmt: skip
    """The moves of row i, from its offset on."""
    place = moves + 8 * at(offsets, np.int64)[u(i)]
    moves_one(i, t, pieces, colours, stm, castling, ep, place)


ROWS = DeviceCode(
    name="chess-rows",
    bodies={
        "map": (map_one, (TABLES_T, *(I64,) * 6)),
        "rate": (rate_one, (TABLES_T, *(I64,) * 6)),
        "count": (count_one, (TABLES_T, *(I64,) * 7)),
        "write": (write_one, (TABLES_T, *(I64,) * 8)),
    },
    tables=lambda: build(pext=False),
    scratch=8 * MAX_PSEUDO,
)


class CardRows:
    """What `arrays.HostRows` does, on a card."""

    def __init__(self, runner: Any) -> None:
        """`runner` is an `engine.backends.runner.Runner` of ROWS."""
        self.xp = runner.xp
        self.fetch: Callable[[Array], Any] = runner.fetch
        self._run = runner.run

    def map_attacks(
        self, pieces: Array, colours: Array, refuse: Callable[[int], None]
    ) -> tuple[Array, Array]:
        white, black = (self.xp.empty(pieces.shape, np.bool_) for _ in range(2))
        sound = self.xp.empty(len(pieces), np.uint8)
        boards = self._boards(pieces, colours)
        self._run("map", 0, len(pieces), *boards, white, black, sound)
        self._check(sound == 0, refuse)
        return white, black

    def rate(self, pieces: Array, colours: Array, refuse: Callable[[int], None]) -> Array:
        n = len(pieces)
        terms, sound = self.xp.empty((4, n), np.int64), self.xp.empty(n, np.uint8)
        self._run("rate", 0, n, *self._boards(pieces, colours), terms, n, sound)
        self._check(sound == 0, refuse)
        return terms

    def write_moves(
        self, pieces: Array, colours: Array, turns: Array, rights: Array, targets: Array,
        refuse: Callable[[int], None],
    ) -> tuple[Array, Array]:  # fmt: skip
        n = len(pieces)
        given = *self._boards(pieces, colours), turns, rights, targets
        counts, offsets = self.xp.empty(n, np.int64), self.xp.zeros(n + 1, np.int64)
        self._run("count", 0, n, *given, counts)
        self._check(counts < 0, refuse)
        offsets[1:] = self.xp.cumsum(counts)
        moves = self.xp.empty(int(offsets[n]), np.int64)
        self._run("write", 0, n, *given, offsets, moves)
        return moves, offsets

    def _boards(self, *arrays: Array) -> list[Array]:
        """The arrays, copied on the card if they do not begin at a whole word."""
        return [a.copy() if getattr(a.data, "ptr", 0) % 8 else a for a in arrays]

    def _check(self, wrong: Array, refuse: Callable[[int], None]) -> None:
        """Refuse the first position that is wrong, if there is one."""
        places = self.xp.flatnonzero(wrong)
        if len(places):
            refuse(int(places[0]))
