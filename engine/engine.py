"""The facade that a protocol talks to: text and dataclasses in, text and dataclasses out.

Importing this module loads nothing heavy; `open_engine` does. One thread at a time may call an
engine (the worker of the protocol loop); what other threads may do goes through `Control`.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from engine.control import Control
from engine.errors import BackendError
from engine.games.base import Game
from engine.types import BatchReport, BenchReport, BestMove, Data, Info, Limits, PerftReport


class Engine(ABC):
    """One game, loaded, with a current position. A method that raises has changed nothing."""

    def __init__(self) -> None:
        self.notice: Callable[[str], None] = lambda text: None
        """Takes a line for the user: something must be compiled first."""

    def use_backend(self, name: str, merge: bool = False) -> None:
        """Count on a graphics card, `gpu`, or on the CPU and a card and compare, `check`; with
        `merge` a card counts equal positions once. Blocks for seconds. Raises BackendError."""
        raise BackendError(f"backend {name}: there is none for this game")

    @abstractmethod
    def new_game(self) -> None:
        """Forget the last game: start position, empty tables. Must not take long."""

    @abstractmethod
    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        """Set up a position (None: the start position) and play moves on it.

        Raises PositionError or MoveError, naming the bad part; then the old position stays.
        """

    @abstractmethod
    def set_option(self, name: str, value: str) -> None:
        """Set an option of the game; `name` as the game spells it, `value` already validated
        against the option's kind and range. Raises OptionError if it cannot be done (no memory),
        FileError if a file that it names cannot be used.
        """

    @abstractmethod
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves, sorted as text."""

    @abstractmethod
    def perft(
        self, depth: int, control: Control, on_count: Callable[[str, int], None]
    ) -> PerftReport:
        """Count the leaves `depth` plies down. Blocks until done or stopped.

        `on_count(move, leaves)` is called as each root move is finished; never for depth 0.
        """

    @abstractmethod
    def search(self, limits: Limits, control: Control, on_info: Callable[[Info], None]) -> BestMove:
        """Search the position. Blocks until a limit is reached or `control` stops it.

        Calls `on_info` at least once before it returns.
        """

    @abstractmethod
    def bench(
        self, depth: int | None, control: Control, on_line: Callable[[str], None]
    ) -> BenchReport:
        """Search fixed positions with one thread. Blocks. The start position stands afterwards.

        `on_line` takes a line of progress for people.
        """

    @abstractmethod
    def analyze(self) -> str:
        """The facts of the position as one line of JSON. They are worked out once and kept until
        the position changes."""

    @abstractmethod
    def analyze_file(
        self,
        source: str,
        target: str | Callable[[Data], None],
        control: Control,
        on_progress: Callable[[int, int], None],
    ) -> BatchReport:
        """Analyse each line of a file, plain or gzip. Blocks until done or stopped.

        `target` is a file, whose name decides what is written (`.gz`, in chess `.parquet`, else
        JSON lines), or takes whole JSON lines as bytes. The threads are those of the option of
        that name.
        `on_progress` gets the bytes read so far and the size of the file, 0 if that is not known;
        it is called before anything is written.
        Raises EngineError before anything is written; what goes wrong later is in the report.
        """

    @abstractmethod
    def display(self) -> str:
        """The board and its facts, several lines."""

    @abstractmethod
    def evaluate(self) -> str:
        """The static evaluation by term, several lines, first side's point of view."""


def open_engine(
    game: Game,
    on_compile: Callable[[str], None] | None = None,
    backend: str = "cpu",
    merge: bool = False,
) -> Engine:
    """Load a game. Blocks: a fraction of a second, or seconds when its code must be compiled.

    `on_compile` takes a line for the user when something must be compiled. For a backend other than
    `cpu`, and for `merge`, see `Engine.use_backend`.
    """
    from engine import warmup

    warmup.ready(game, on_compile)
    load = importlib.import_module(game.module).load
    engine: Engine = load(game.variant) if game.variant else load()
    if on_compile is not None:
        engine.notice = on_compile
    if backend != "cpu":
        engine.use_backend(backend, merge)
    return engine
