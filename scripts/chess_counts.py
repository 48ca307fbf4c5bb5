"""How often each value of the chess evaluation counts in a position.

That is found by evaluating the position with all other values set to nothing, so the evaluation
stands nowhere else than in the engine.
"""

from typing import Any

import numpy as np
from chess_rows import SEEN_T, set_up
from numba import types

from engine.bits import u
from engine.games.chess import values as v
from engine.games.chess.evaluation import SAFETY, endgame_scale, entry_key, evaluate, phase_of
from engine.games.chess.numba_types import CACHE_T, STATES_T, TABLES_T
from engine.games.chess.records import CACHE, PAWN_ENTRIES
from engine.games.chess.state import STATE
from engine.games.chess.tables import USE_PEXT, build, fill_values
from engine.jit import kernel

COLUMN_T = types.Array(types.int64, 1, "C")
BESIDES_T = types.Array(types.uint8, 2, "C")

FIELDS = 8
"""Values that are counted at once, each in eight bits of a word: no value counts 128 times."""
UNITS = len(v.DANGERS)
"""Of danger. The last is counted as 1 where there is danger at all."""


@kernel(types.void(TABLES_T, STATES_T, SEEN_T, CACHE_T, COLUMN_T, COLUMN_T, COLUMN_T))
def add_up(t: Any, room: Any, rows: Any, cache: Any, sums: Any, mine: Any, theirs: Any) -> None:
    """For the side to move: all terms but danger to the kings, packed, and what the danger to
    its own king and to the other costs, packed."""
    pos = room[0]
    for i in range(len(rows)):
        set_up(pos, t, rows[i])
        evaluate(pos, t, cache)
        total = pos.psq + cache.pawns[u(entry_key(pos, t) & (PAWN_ENTRIES - 1))].score
        for term in range(5):
            if term != SAFETY:
                total += cache.terms[u(term)] - cache.terms[u(8 + term)]
        sums[i] = total if pos.turn == 0 else -total
        mine[i] = cache.terms[u(SAFETY + 8 * pos.turn)]
        theirs[i] = cache.terms[u(SAFETY + 8 - 8 * pos.turn)]


@kernel(types.void(TABLES_T, STATES_T, SEEN_T, BESIDES_T))
def look_besides(t: Any, room: Any, rows: Any, found: Any) -> None:
    """Phase, how much an advantage of the side to move and of the other counts, of 64, and whether
    a king is alone."""
    pos = room[0]
    for i in range(len(rows)):
        set_up(pos, t, rows[i])
        us, them = pos.us, pos.them
        found[i, 0] = phase_of(pos)
        found[i, 1] = endgame_scale(t, pos, pos.turn, us, pos.enemy_king)
        found[i, 2] = endgame_scale(t, pos, 1 - pos.turn, them, pos.king)
        found[i, 3] = int(us & (us - 1) == 0 or them & (them - 1) == 0)


class Counts:
    """How often each value counts in positions; those with a king alone are left out, it is
    hunted by a plan."""

    def __init__(self, rows: np.ndarray) -> None:
        self.t = build(USE_PEXT)
        besides = np.zeros((len(rows), 4), np.uint8)
        look_besides(self.t, np.zeros(1, STATE), rows, besides)
        self.rows = rows[besides[:, 3] == 0]
        self.besides = besides[besides[:, 3] == 0]
        self.worth = self._worth()
        self.danger = self._danger()

    def _run(self, worth: np.ndarray, danger: np.ndarray) -> list[np.ndarray]:
        fill_values(self.t, worth, danger.tolist())
        found = [np.zeros(len(self.rows), np.int64) for _ in range(3)]
        add_up(self.t, np.zeros(1, STATE), self.rows, np.zeros(1, CACHE)[0], *found)
        return found

    def _worth(self) -> np.ndarray:
        """Of the side to move, those of the other taken away. Shape (positions, values)."""
        counts = np.zeros((len(self.rows), v.COUNT), np.int8)
        for first in range(0, v.COUNT, FIELDS):
            some = range(first, min(first + FIELDS, v.COUNT))
            worth = np.zeros(v.COUNT, np.int64)
            worth[first : some.stop] = [1 << 8 * (i - first) for i in some]
            left = self._run(worth, np.zeros(UNITS, np.int64))[0]
            for i in some:
                counts[:, i] = left.astype(np.int8)
                left = (left - counts[:, i]) >> 8
        return counts

    def _danger(self) -> np.ndarray:
        """To the king of the side to move and to the other. Shape (2, positions, units)."""
        counts = np.zeros((2, len(self.rows), UNITS), np.int8)
        # A piece attacks the king if that counts something, so all of them count once.
        least = np.zeros(UNITS, np.int64)
        least[: v.RING_SQUARE] = 8
        nothing = np.zeros(v.COUNT, np.int64)
        before = self._run(nothing, least)[1:]
        for i in range(UNITS):
            danger = least.copy()
            danger[i] += -8 if i in (v.NO_QUEEN, v.NO_DANGER) else 8
            for side, packed in enumerate(self._run(nothing, danger)[1:]):
                # What danger costs in the endgame is minus its units.
                counts[side, :, i] = before[side].astype(np.int32) - packed.astype(np.int32)
        counts[:, :, : v.NO_DANGER] *= counts[:, :, v.NO_DANGER :]
        return counts
