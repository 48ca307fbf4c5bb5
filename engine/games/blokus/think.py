"""Choosing a move."""

from collections.abc import Callable

import numpy as np

from engine.control import Control
from engine.errors import OptionError
from engine.games.blokus.notation import format_move, piece_of
from engine.games.blokus.pieces import SIZES
from engine.games.blokus.position import Position
from engine.types import Info, Limits, Score


class Thinker:
    """Plays one of the largest pieces that fit, chosen by the seed."""

    def __init__(self) -> None:
        self.threads = 1
        self._level = 4
        self._rng = np.random.default_rng(0)

    def new_game(self) -> None:
        """Forget the last search."""

    def set_seed(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed % 2**64)

    def params(self) -> dict[str, str]:
        return {"level": str(self._level)}

    def set_param(self, key: str, value: str) -> bool:
        """False if there is no such parameter. Raises OptionError."""
        if key != "level":
            return False
        if value not in tuple("123456789"):
            raise OptionError(f"level '{value}': expected a whole number from 1 to 9")
        self._level = int(value)
        return True

    def best(
        self,
        position: Position,
        colour: int,
        limits: Limits,
        control: Control,
        on_info: Callable[[Info], None],
    ) -> int | None:
        """A move of a colour, which need not be the one to move; None if it has none."""
        moves = position.legal(colour)
        if not moves:
            return None
        most = max(SIZES[piece_of(move)] for move in moves)
        moves = sorted(move for move in moves if SIZES[piece_of(move)] == most)
        move = int(self._rng.choice(moves))
        on_info(Info(depth=1, score=Score(cp=0), nodes=1, pv=(format_move(move),)))
        return move

    def value(self) -> float:
        """Of the last search, for the colour it searched for: 1 is a win, 0 a loss."""
        return 0.5

    def move_values(self) -> list[str]:
        """The moves at the root of the last search, best first: visits, values seen, value, and
        the move with its piece."""
        return []
