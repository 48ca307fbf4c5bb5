"""A small engine on python-chess, to test the protocol without compiled code.

It plays the first legal move in text order. What the tests need to hold still, they can hold:
loading waits for `Hold.load`, and counts wait for `Hold.count` or a stop. `Hold.think` is for the
fake of the line protocol.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import chess

from engine.batch import Analyst, analyze_texts
from engine.control import Control
from engine.engine import Engine
from engine.errors import MoveError, OptionError, PositionError
from engine.games.chess import CHESS
from engine.types import BatchReport, BenchReport, BestMove, Data, Info, Limits, PerftReport, Score

FAKE = replace(CHESS, module="fake_engine")

HELD = "7k/8/8/8/8/8/8/K7 w - - 0 1"
"""The analysis of this line of a file waits for `Hold.count`."""

DEPTH_TIME = 0.01
"""Seconds that the fake search takes for one depth."""


class Hold:
    """Events that a test clears to keep the engine waiting. `open_all` before each test."""

    load = threading.Event()
    count = threading.Event()
    think = threading.Event()
    reached = threading.Event()
    """Set when the line HELD of a file waits."""

    @classmethod
    def open_all(cls) -> None:
        cls.load.set()
        cls.count.set()
        cls.think.set()
        cls.reached.clear()


class FakeEngine(Engine):
    """See the module."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self.settings: dict[str, str] = {}
        self.games = 0
        self.searches: list[Limits] = []

    def new_game(self) -> None:
        self.games += 1
        self.board = chess.Board()

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        try:
            board = chess.Board() if text is None else chess.Board(text)
        except ValueError as problem:
            raise PositionError(str(problem)) from problem
        if not board.is_valid():
            raise PositionError(f"not a legal position: {text}")
        for number, move in enumerate(moves, 1):
            try:
                board.push_uci(move.lower())
            except ValueError as problem:
                raise MoveError(f"move {number}, {move}, is not legal") from problem
        self.board = board

    def set_option(self, name: str, value: str) -> None:
        if name == "Hash" and value == "4096":
            raise OptionError("no memory for a hash table of 4096 MB")
        self.settings[name] = value

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(sorted(move.uci() for move in self.board.legal_moves))

    def perft(
        self, depth: int, control: Control, on_count: Callable[[str, int], None]
    ) -> PerftReport:
        if depth == 0:
            return PerftReport(0, (), 1, 0)
        counts: list[tuple[str, int]] = []
        for move in self.legal_moves():
            if not Hold.count.is_set():
                _wait(control, Hold.count)
            if control.stopped:
                return PerftReport(depth, tuple(counts), 0, 0, stopped=True)
            self.board.push_uci(move)
            counts.append((move, _leaves(self.board, depth - 1)))
            self.board.pop()
            on_count(*counts[-1])
        return PerftReport(depth, tuple(counts), sum(count for _, count in counts), 7)

    def search(self, limits: Limits, control: Control, on_info: Callable[[Info], None]) -> BestMove:
        self.searches.append(limits)
        if limits.nodes == 666:
            raise ZeroDivisionError("a defect")
        moves = self.legal_moves()
        if not moves:
            mated = self.board.is_check()
            on_info(Info(0, Score(mate=0) if mated else Score(cp=0)))
        endless = threading.Event()
        if not (limits.infinite or limits.ponder):
            endless.set()
        control.on_ponderhit(endless.set)
        last = 3 if limits.depth is None else max(limits.depth, 1)
        for depth in range(1, last + 1):
            if moves:
                on_info(Info(depth, Score(cp=10 * depth), depth, 1, depth, 100, 0, 1, moves[:1]))
            if control.stopped:
                break
            time.sleep(DEPTH_TIME)
        _wait(control, endless)
        wanted = [move for move in limits.searchmoves if move in moves] or moves
        return BestMove(wanted[0] if wanted else None)

    def bench(
        self, depth: int | None, control: Control, on_line: Callable[[str], None]
    ) -> BenchReport:
        on_line("position 1 of 1")
        _wait(control, Hold.count)
        self.board = chess.Board()
        return BenchReport(1000 * (depth or 1), 500, stopped=control.stopped)

    def analyze(self) -> str:
        return json.dumps({"fen": self.board.fen(), "checkers": [], "white": {"pieces": ["a1"]}})

    def analyze_file(
        self,
        source: str,
        target: str | Callable[[Data], None],
        control: Control,
        on_progress: Callable[[int, int], None],
    ) -> BatchReport:
        scratch = FakeEngine()

        def read(line: str) -> str:
            scratch.set_position(line, ())
            if line == HELD:
                Hold.reached.set()
                _wait(control, Hold.count)
            return scratch.analyze()

        analyst = Analyst(read, lambda found: found, lambda found, _: found)
        return analyze_texts(source, target, lambda: analyst, 1, control, on_progress)

    def display(self) -> str:
        return f"{self.board}\n\nFen: {self.board.fen()}"

    def evaluate(self) -> str:
        return "material 0\nFinal evaluation 0.00"


def load(on_compile: Callable[[str], None] | None = None) -> Engine:
    """What `engine.engine.open_engine` calls."""
    Hold.load.wait()
    if "FAKE_BROKEN" in os.environ:
        raise RuntimeError("cannot be loaded")
    return FakeEngine()


def _wait(control: Control, event: threading.Event) -> None:
    while not control.stopped and not event.wait(0.005):
        pass


def _leaves(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += _leaves(board, depth - 1)
        board.pop()
    return total
