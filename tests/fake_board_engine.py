"""Blokus in plain Python behind the facade, to test the line protocol without compiled code.

It plays the first legal move in text order, and when it was stopped before it began, the last one.
What the tests need to hold still, `Hold` holds: loading, counts, and thinking.
"""

import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from fake_engine import Hold
from slow_blokus import GAMES, SlowBlokus

from engine.batch import Analyst
from engine.board_engine import BoardEngine
from engine.control import Control
from engine.engine import Engine
from engine.errors import EngineError, MoveError, OptionError, PositionError
from engine.games.base import Game
from engine.types import (
    BenchReport,
    BestMove,
    Info,
    Limits,
    Option,
    PerftReport,
    Score,
)

FAKE_BLOKUS = Game("blokus", "gtp", "fake_board_engine", (Option("Threads", "spin", "1", 1, 8),))

HELD_LINE = "1:a20"
"""The analysis of this line of a file waits for `Hold.count`."""

WORDS = {
    "blue": 0, "yellow": 1, "red": 2, "green": 3,
    "b": 0, "black": 0, "w": 1, "white": 1,
}  # fmt: skip


class FakeBoardEngine(BoardEngine):
    """See the module."""

    names = tuple(GAMES)

    def __init__(self) -> None:
        super().__init__()
        self.game = SlowBlokus()
        self.undone: list[tuple[int, str]] = []
        self.settings: dict[str, str] = {}
        self.values = {"level": "4", "use_frontier_movegen": "true"}
        self.seed = 0
        self.searches: list[tuple[int, Limits]] = []

    def new_game(self) -> None:
        self.game = SlowBlokus(self.game.name)
        self.undone = []

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        before, self.game = self.game, SlowBlokus(self.game.name)
        try:
            for move in text.split("/") if text not in (None, "-") else ():
                colour, _, squares = move.partition(":")
                if not squares:
                    raise PositionError(f'expected COLOUR:MOVE/..., got "{text}"')
                self.play(self.colour(colour), squares)
            for move in moves:
                self.play(self.to_move(), move)
        except EngineError:
            self.game = before
            raise

    def set_option(self, name: str, value: str) -> None:
        self.settings[name] = value

    def legal_moves(self) -> tuple[str, ...]:
        return self.game.texts(self.to_move())

    def perft(
        self, depth: int, control: Control, on_count: Callable[[str, int], None]
    ) -> PerftReport:
        counts: list[tuple[str, int]] = []
        for move in self.legal_moves() if depth else ():
            if len(counts) == 2:
                _wait(control, Hold.count)
            if control.stopped:
                return PerftReport(depth, tuple(counts), 0, 0, stopped=True)
            counts.append((move, 58 ** (depth - 1)))
        return PerftReport(depth, tuple(counts), sum(n for _, n in counts) if depth else 1, 7)

    def search(self, limits: Limits, control: Control, on_info: Callable[[Info], None]) -> BestMove:
        return BestMove(self.think(self.to_move(), limits, control, on_info))

    def bench(
        self, depth: int | None, control: Control, on_line: Callable[[str], None]
    ) -> BenchReport:
        on_line("position 1 of 1")
        _wait(control, Hold.count)
        return BenchReport(1000 * (depth or 1), 500, stopped=control.stopped)

    def analyze(self) -> str:
        colour = {"left": 89, "frontier": []}
        return json.dumps({"variant": "classic", "game_over": self.over(), "1": colour})

    def analyst(self) -> Analyst:
        def read(text: str) -> FakeBoardEngine:
            scratch = FakeBoardEngine()
            scratch.set_position(text, ())
            if text == HELD_LINE:
                Hold.reached.set()
                Hold.count.wait()
            return scratch

        return Analyst(read, lambda scratches: scratches, lambda scratch, _: scratch.analyze())

    def display(self) -> str:
        return "\n20 . . .\n\n19 . . ."

    def evaluate(self) -> str:
        return "Blue 0\nYellow 0"

    def set_game(self, name: str) -> None:
        for known in self.names:
            if known.lower() == name.lower():
                self.game = SlowBlokus(known)
                self.undone = []
                return
        raise OptionError("invalid argument")

    def colour(self, text: str) -> int:
        word = text.lower()
        classic = len(self.game.ids) == 4
        allowed = ("blue yellow red green" if classic else "blue black b white w").split()
        if word in self.game.ids:
            return self.game.ids.index(word)
        if word == "green" and not classic:
            return 1
        if word not in allowed:
            raise MoveError(f"invalid color argument '{text}'")
        return WORDS[word]

    def colour_id(self, colour: int) -> str:
        return self.game.ids[colour]

    def to_move(self) -> int:
        return self.game.next_colour()

    def over(self) -> bool:
        return self.game.turn() is None

    def play(self, colour: int, text: str) -> None:
        move = self.game.find(text)
        if text.lower() == "null":
            raise MoveError("play pass not supported (anymore)")
        if move is None:
            raise MoveError("invalid move")
        if move.piece not in self.game.hand(colour):
            raise MoveError("piece already played")
        if move not in self.game.legal(colour):
            raise MoveError("illegal move")
        self.game.moves.append((colour, move))
        self.undone = []

    def undo(self) -> None:
        if not self.game.moves:
            raise MoveError("cannot undo")
        colour, move = self.game.moves.pop()
        self.undone.append((colour, move.text))

    def redo(self) -> None:
        if not self.undone:
            raise MoveError("cannot redo")
        *rest, (colour, text) = self.undone
        self.play(colour, text)
        self.undone = rest

    def moves_of(self, colour: int) -> tuple[str, ...]:
        return self.game.texts(colour)

    def think(
        self, colour: int, limits: Limits, control: Control, on_info: Callable[[Info], None]
    ) -> str | None:
        self.searches.append((colour, limits))
        if limits.nodes == 666:
            raise ZeroDivisionError("a\ndefect")
        stopped = control.stopped
        _wait(control, Hold.think)
        on_info(Info(1, Score(cp=0)))
        moves = self.moves_of(colour)
        return None if not moves else moves[-1] if stopped else moves[0]

    def history(self) -> tuple[str, ...]:
        return tuple(f"{self.colour_id(colour)} {move.text}" for colour, move in self.game.moves)

    def fen(self) -> str:
        return "/".join(move.replace(" ", ":") for move in self.history()) or "-"

    def final_score(self) -> str:
        return self.game.final_score()

    def set_seed(self, seed: int) -> None:
        self.seed = seed

    def forget(self) -> None:
        self.searches.clear()

    def params(self) -> dict[str, str]:
        return self.values

    def set_param(self, key: str, value: str) -> None:
        if key not in self.values:
            raise OptionError(f"unknown parameter '{key}'")
        self.values[key] = value

    def load_record(self, path: str, before: int | None) -> None:
        try:
            lines = Path(path).read_text().splitlines()
        except OSError:
            raise EngineError(f"Could not open '{path}'") from None
        self.new_game()
        for line in lines if before is None else lines[: before - 1]:
            colour, move = line.split()
            self.play(self.colour(colour), move)

    def save_record(self, path: str) -> None:
        Path(path).write_text("".join(f"{line}\n" for line in self.history()))

    def more(self) -> dict[str, Callable[[Sequence[str]], str]]:
        return {
            "get_value": lambda words: "0.5",
            "move_values": lambda words: "",
            "move_info": lambda words: "\nID:     4057",
        }


def load(on_compile: Callable[[str], None] | None = None) -> Engine:
    """What `engine.engine.open_engine` calls."""
    Hold.load.wait()
    if "FAKE_BROKEN" in os.environ:
        raise RuntimeError("cannot be loaded")
    return FakeBoardEngine()


def _wait(control: Control, event: threading.Event) -> None:
    """In a process of its own it says on stderr when it begins to wait."""
    if "FAKE_HOLD" in os.environ and not event.is_set():
        os.write(2, b"waiting\n")
    while not control.stopped and not event.wait(0.005):
        pass
