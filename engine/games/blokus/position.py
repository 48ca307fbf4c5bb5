"""A Blokus game as Python sees it: the record, the moves so far, those taken back."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import EngineError, MoveError, PositionError
from engine.games.blokus import fen
from engine.games.blokus.fen import Setup
from engine.games.blokus.generator import Generator
from engine.games.blokus.notation import (
    format_move,
    parse_colour,
    parse_move,
    piece_of,
    quote,
)
from engine.games.blokus.records import UNDO
from engine.games.blokus.rules import make, unmake
from engine.games.blokus.tables import T
from engine.games.blokus.variants import VARIANTS, Variant
from engine.games.blokus.verify import build, setup_of


@dataclass(frozen=True)
class Played:
    """A move of the game, and what take-back needs."""

    colour: int
    move: int
    turn: int
    """Whose turn it was."""
    key: int
    undo: np.void
    """A record of type UNDO."""


class Position:
    """The current position and the way that led to it.

    Skipped colours are nothing here: no entry, no number. `state["turn"]` is the first colour with
    a legal move after the one that moved last.
    """

    def __init__(self, variant: Variant, generator: Generator, setup: Setup | None = None) -> None:
        """Raises PositionError if the colour to move cannot and another one can."""
        self.variant = variant
        self.generator = generator
        self.base = fen.start(variant) if setup is None else setup
        self.state = _record(self.base)
        self.history: list[Played] = []
        self._undone: list[Played] = []
        if not self.over and self.state["stuck"] >> self.turn & 1:
            name = variant.ids[self.turn]
            raise PositionError(f"colour to move {name}: expected a colour that has a legal move")

    @property
    def turn(self) -> int:
        return int(self.state["turn"])

    @property
    def over(self) -> bool:
        return bool(self.state["over"])

    @property
    def ply(self) -> int:
        """Moves on the board."""
        return int(self.state["ply"])

    def legal(self, colour: int) -> list[int]:
        """The legal moves of a colour, whoever is to move."""
        return self.generator.legal(self.state, colour)

    def play(self, colour: int, move: int) -> None:
        """Play a legal move of any colour. Raises EngineError when a check that was asked for
        finds a fault; then nothing has changed."""
        self._make(colour, move)
        self._undone.clear()

    def undo(self) -> None:
        """Raises MoveError."""
        if not self.history:
            raise MoveError("cannot undo")
        self._undone.append(self._take_back())

    def redo(self) -> None:
        """Raises MoveError, and EngineError as `play` does."""
        if not self._undone:
            raise MoveError("cannot redo")
        played = self._undone[-1]
        self._make(played.colour, played.move)
        self._undone.pop()

    def match(self, colour: int, text: str) -> int:
        """A legal move from its text. Raises MoveError."""
        if text.strip() == "null":
            raise MoveError("play pass not supported (anymore)")
        move = parse_move(text, self.variant.size)
        if not int(self.state["hand"][colour]) >> piece_of(move) & 1:
            raise MoveError("piece already played")
        if move not in self.legal(colour):
            raise MoveError("illegal move")
        return move

    def play_text(self, words: Sequence[str]) -> None:
        """Play moves given as text, each for the colour to move, or for the colour whose name
        stands before it. Raises MoveError with the number of the bad one."""
        number, colour = 1, None
        for text in " ".join(words).split():
            named = self._named(text) if colour is None else None
            if named is not None:
                colour = named
                continue
            mover = self.turn if colour is None else colour
            try:
                self.play(mover, self.match(mover, text))
            except MoveError as error:
                raise MoveError(f"move {number} {quote(text)}: {error}") from None
            number, colour = number + 1, None
        if colour is not None:
            raise MoveError(f"move {number}: expected one behind the colour")

    def texts(self) -> list[str]:
        """The game so far, each move with its colour."""
        ids = self.variant.ids
        return [f"{ids[played.colour]} {format_move(played.move)}" for played in self.history]

    def fen(self) -> str:
        return fen.format_fen(self.variant, setup_of(self.state))

    def copy(self) -> np.void:
        """The record alone, to be changed by someone else."""
        state: np.void = self.state.copy()
        return state

    def record_for(self, colour: int) -> np.void:
        """A copy with another colour to move."""
        state = self.copy()
        _give_turn(state, colour)
        return state

    def _named(self, text: str) -> int | None:
        try:
            return parse_colour(text, self.variant)
        except MoveError:
            return None

    def _make(self, colour: int, move: int) -> None:
        undo: np.void = np.zeros(1, UNDO)[0]
        turn, key = self.turn, int(self.state["key"])
        _give_turn(self.state, colour)
        make(self.state, T, move, undo)
        self.history.append(Played(colour, move, turn, key, undo))
        try:
            self.generator.check(self.state)
        except EngineError:
            self._take_back()
            raise

    def _take_back(self) -> Played:
        played = self.history.pop()
        unmake(self.state, T, played.undo)
        self.state["turn"], self.state["key"] = played.turn, played.key
        return played


def fen_of(state: np.void) -> str:
    """The text of a record. How many players share the colours it does not know."""
    size, colours = int(state["size"]), int(state["colours"])
    variant = next(v for v in VARIANTS if (v.size, v.colours) == (size, colours))
    return fen.format_fen(variant, setup_of(state))


@functools.lru_cache(8)
def _built(setup: Setup) -> np.void:
    return build(setup, T)


def _record(setup: Setup) -> np.void:
    """The record of a setup. Making one takes some milliseconds, a copy of it none."""
    record: np.void = _built(setup).copy()
    return record


def _give_turn(state: np.void, colour: int) -> None:
    """Let another colour move. The key follows."""
    keys = T["zobrist_turn"]
    state["key"] ^= keys[state["turn"]] ^ keys[colour]
    state["turn"] = colour
