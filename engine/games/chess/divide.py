"""Perft by root move, on one thread or several."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.control import Control
from engine.divide import MOST_LEAVES, ONE_LEAF, Counts, by_root, too_many
from engine.errors import EngineError, OptionError
from engine.games.chess.perft import perft
from engine.games.chess.position import Position
from engine.games.chess.records import UNDO
from engine.games.chess.rules import count, make
from engine.games.chess.state import BOARDS, MAX_MOVES
from engine.games.chess.tables import T
from engine.memory import zeros

DEEPEST = 200
"""No count this deep will ever be finished; a deeper recursion would need more stack."""


class Divider:
    """Counts leaves. Keeps the optional hash table between calls: its keys hold the depth."""

    def __init__(self) -> None:
        self.threads = 1
        self.bulk = True
        self._table = np.zeros(0, np.int64)

    def resize(self, megabytes: int) -> None:
        """Hash of the largest power of two of slots that fits; 0 for none. Raises OptionError."""
        slots = 1 << ((megabytes << 16).bit_length() - 1) if megabytes else 0
        try:
            self._table = zeros(2 * slots, np.int64)
        except MemoryError as error:
            raise OptionError(f"no memory for a Perft Hash of {megabytes} MB") from error

    def run(
        self,
        position: Position,
        depth: int,
        control: Control,
        on_count: Callable[[int, int], None],
    ) -> Counts:
        """Raises EngineError."""
        if depth > DEEPEST:
            raise EngineError(f"perft {depth}: expected a depth of at most {DEEPEST}")
        if depth == 0:
            return ONE_LEAF

        def below(move: int) -> int:
            return self._below(position.copy(), move, depth - 1, control)

        return by_root(position.legal(), below, self.threads, control, on_count)

    def _below(self, state: np.void, move: int, depth: int, control: Control) -> int:
        """Leaves below one root move."""
        make(state, T, move, np.zeros(1, UNDO)[0])
        if control.stopped or depth == 0:
            return 1
        if depth == 1 and self.bulk:
            return int(count(state, T))
        boards: Any = tuple(int(state[name]) for name in BOARDS)
        moves = np.zeros(MAX_MOVES * depth, np.uint16)
        address, slots = self._table.ctypes.data, len(self._table) // 2
        leaves = int(
            perft(
                int(state["turn"]), T, boards, state, moves, 0, depth, int(self.bulk),
                control.address, address, slots,
            )
        )  # fmt: skip
        if leaves == MOST_LEAVES:
            raise too_many()
        return leaves
