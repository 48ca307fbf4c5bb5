"""Chess behind the facade: `ChessEngine`, and `load`, which makes one."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import warmup
from engine.control import Control
from engine.engine import Engine
from engine.games.chess import CHESS, notation
from engine.games.chess.bench import DEPTH, POSITIONS
from engine.games.chess.divide import Divider
from engine.games.chess.explain import explain
from engine.games.chess.position import Position, fen_of, legal_moves
from engine.games.chess.strength import LEVELS, level_of
from engine.games.chess.think import Settings, Thinker
from engine.games.chess.work import new_work
from engine.table import Table
from engine.tasks import Examine, Tasks, Words
from engine.types import BatchReport, BenchReport, BestMove, Data, Info, Limits, PerftReport

if TYPE_CHECKING:
    from engine.games.chess.book import Book
    from engine.games.chess.tablebase import Tablebase


class ChessEngine(Engine):
    """One game of chess. See `engine.engine.Engine` for what each method promises."""

    def __init__(self) -> None:
        super().__init__()
        self._position = Position()
        self._divider = Divider()
        self._tasks = Tasks(self._divider.run, legal_moves, self._examiner)
        self._table = Table(16)
        self._works = [new_work()]
        self._settings = Settings(overhead=30)
        self._analysing = False
        self._limited = False
        self._elo = LEVELS[-1].elo
        self._own_book = False
        self._book: Book | None = None

    def use_backend(self, name: str, merge: bool = False) -> None:
        from engine.backends.choice import choose
        from engine.games.chess.device import FACTS, RULES

        words = Words(lambda state, move: self._text(move), self._set_up)
        say = lambda text: self.notice(text)  # noqa: E731
        self._tasks = choose(name, RULES, FACTS, self._tasks, say, words, merge)

    @property
    def _chess960(self) -> bool:
        return self._settings.chess960

    def _set_up(self, state: np.void) -> str:
        """See `engine.tasks.Words`."""
        option = "setoption name UCI_Chess960 value true; " if self._chess960 else ""
        return f'--backend check "{option}position fen {fen_of(state, self._chess960)}'

    def _examiner(self) -> Examine:
        """One of the CPU."""
        from engine.games.chess.analysis import examiner

        return examiner()

    def new_game(self) -> None:
        self._position = Position()
        self._table.clear()
        self._works = [new_work() for _ in self._works]
        self._set(game=self._settings.game + 1)

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        position = Position(notation.START if text is None else text, self._chess960)
        position.play_text(moves)
        self._position = position

    def set_option(self, name: str, value: str) -> None:
        match name:
            case "Hash":
                self._table.resize(int(value))
            case "Clear Hash":
                self._table.clear()
            case "Threads":
                self._works = [*self._works, *(new_work() for _ in range(int(value)))][: int(value)]
                self._divider.threads = int(value)
            case "MultiPV":
                self._set(multipv=int(value))
            case "Move Overhead":
                self._set(overhead=int(value))
            case "Perft Hash":
                self._divider.resize(int(value))
            case "Perft Bulk":
                self._divider.bulk = value == "true"
            case "UCI_Chess960":
                self._set(chess960=value == "true")
            case "UCI_ShowWDL":
                self._set(wdl=value == "true")

            case "UCI_AnalyseMode":
                self._analysing = value == "true"
            case "UCI_LimitStrength":
                self._limited = value == "true"
            case "UCI_Elo":
                self._elo = int(value)
            case "OwnBook":
                self._own_book = value == "true"
            case "BookFile":
                self._book = open_book(value) if value else None
            case "SyzygyPath":
                self._set(tablebase=open_tablebase(value) if value else None)

    def _set(self, **changes: Any) -> None:
        self._settings = replace(self._settings, **changes)

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(sorted(map(self._text, self._tasks.legal(self._position.state))))

    def perft(
        self, depth: int, control: Control, on_count: Callable[[str, int], None]
    ) -> PerftReport:
        start = time.perf_counter()
        counts, nodes, stopped = self._tasks.divide(
            self._position, depth, control, lambda move, n: on_count(self._text(move), n)
        )
        named = tuple((self._text(move), leaves) for move, leaves in counts)
        return PerftReport(depth, named, nodes, _milliseconds(start), stopped)

    def search(self, limits: Limits, control: Control, on_info: Callable[[Info], None]) -> BestMove:
        move = self._book_move(limits)
        if move:
            # Just enough of a search for a score and the reply to expect.
            limits = Limits(depth=1, searchmoves=(self._text(move),))
        level = level_of(self._elo) if self._limited else None
        settings = replace(self._settings, level=level)
        best = Thinker(
            self._position, self._works, self._table, limits, control, on_info, settings
        ).run()
        if settings.tablebase is not None and settings.tablebase.damaged:
            self.notice("an endgame table is damaged: SyzygyPath is empty from now on")
            self._set(tablebase=None)
        return best

    def _book_move(self, limits: Limits) -> int:
        """A move to play at once, or 0. Analyses, and searches for a mate, go without the book."""
        if self._book is None or not self._own_book or self._analysing:
            return 0
        if limits.infinite or limits.ponder or limits.mate is not None or limits.searchmoves:
            return 0
        return self._book.choose(self._position)

    def bench(
        self, depth: int | None, control: Control, on_line: Callable[[str], None]
    ) -> BenchReport:
        limits = Limits(depth=DEPTH if depth is None else depth)
        table, works = Table(16), [new_work()]
        total, start = 0, time.perf_counter()

        def ignore(info: Info) -> None:
            """Progress within a position is not shown."""

        for number, fen in enumerate(POSITIONS, 1):
            if control.stopped:
                break
            best = Thinker(Position(fen), works, table, limits, control, ignore, Settings()).run()
            nodes = int(works[0]["nodes"])
            total += nodes
            on_line(f"Position: {number}/{len(POSITIONS)} {best.move} {nodes} {fen}")
        self._position = Position()
        return BenchReport(total, _milliseconds(start), control.stopped)

    def analyze(self) -> str:
        warmup.load_later(CHESS, self.notice)
        from engine.games.chess.jsontext import as_json

        facts = self._position.analysis(self._tasks.examiner())
        return as_json(self._position.state, facts, self._chess960)

    def analyze_file(
        self,
        source: str,
        target: str | Callable[[Data], None],
        control: Control,
        on_progress: Callable[[int, int], None],
    ) -> BatchReport:
        warmup.load_later(CHESS, self.notice)
        from engine.games.chess.batch import analyze_file

        threads, tasks = self._divider.threads, self._tasks
        return analyze_file(source, target, self._chess960, threads, tasks, control, on_progress)

    def display(self) -> str:
        position = self._position
        checkers = position.checkers()
        squares = [name for sq, name in enumerate(notation.SQUARES) if checkers >> sq & 1]
        return "\n".join(
            [
                position.drawing(),
                "",
                f"Fen: {position.fen(self._chess960)}",
                f"Key: {int(position.state['key']) & (1 << 64) - 1:016X}",
                f"Checkers: {' '.join(squares)}".rstrip(),
            ]
        )

    def evaluate(self) -> str:
        return explain(self._position)

    def _text(self, move: int) -> str:
        return notation.format_move(move, self._chess960)


def _milliseconds(start: float) -> int:
    return int((time.perf_counter() - start) * 1000)


def open_book(path: str) -> "Book":
    """Raises FileError. Loads python-chess only now: most processes do without."""
    from engine.games.chess.book import Book

    return Book(path)


def open_tablebase(path: str) -> "Tablebase":
    """Raises FileError. Loads python-chess only now."""
    from engine.games.chess.tablebase import Tablebase

    return Tablebase(path)


def load() -> ChessEngine:
    """A chess engine ready to use: importing this module compiled all that it runs. Blocks."""
    # The first search of a process takes 15 ms longer than any other: let it be this one.
    ChessEngine().search(Limits(depth=1), Control(), lambda info: None)
    return ChessEngine()
