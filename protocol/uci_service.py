"""What each UCI command does, and when.

Commands that a host may send at any moment are acted on at once by the thread that reads. All
others become jobs of the worker. What a command may do depends on the searches given before it
whose `bestmove` is still to come, whether they run already or wait for the engine to load: so
the same input gives the same replies on a slow machine and on a fast one.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence

import engine as engine_package
from engine.control import Control
from engine.engine import Engine
from engine.errors import EngineError
from engine.games.base import Game
from engine.types import BestMove, Info
from protocol.analysis import AnalyzeFile, parse_analyze, render_analysis, render_batch
from protocol.batch import analyze_file
from protocol.commands import UCI_COMMANDS, help_lines
from protocol.console import Console
from protocol.loop import Job, Kind, Worker
from protocol.options import check_value, find_option, render_option
from protocol.uci import (
    Go,
    GoPerft,
    UsageError,
    parse_bench,
    parse_go,
    parse_position,
    parse_setoption,
    quote,
    render_bench,
    render_bestmove,
    render_error,
    render_info,
    render_legal_moves,
    render_perft,
    words_of,
)

LOG = logging.getLogger("triptych")


class UciService:
    """Serves one game over UCI. `handle` and `quit` belong to the reading thread."""

    def __init__(self, game: Game, console: Console, worker: Worker, quiet: bool = False) -> None:
        """`quiet` keeps progress to itself; the last info of each pv still comes."""
        self._game = game
        self._console = console
        self._worker = worker
        self._quiet = quiet
        self._debug = False
        self.failures = 0
        """Commands that were answered by an error line so far."""
        self._handlers: dict[str, Callable[[str, list[str]], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "setoption": self._setoption,
            "debug": self._set_debug,
            "register": self._register,
            "d": self._show,
            "showboard": self._show,
            "eval": self._eval,
            "legalmoves": self._legalmoves,
            "analyze": self._analyze,
            "bench": self._bench,
            "help": self._help,
        }

    def handle(self, line: str) -> bool:
        """Act on one line. False when it was `quit`. Never raises."""
        LOG.debug("< %s", line)
        words = words_of(line)
        if not words:
            return True
        if words[0] == "quit":
            return False
        try:
            handler = self._handlers.get(words[0])
            if handler is None:
                raise UsageError(
                    f'unknown command {quote(" ".join(words))}; "help" lists the commands'
                )
            handler(line, words[1:])
        except Exception as problem:
            self.report(problem)
        return True

    def report(self, problem: Exception) -> None:
        """Answer a command that failed by one line. A defect of ours also goes to the log."""
        self.failures += 1
        if isinstance(problem, (UsageError, EngineError)):
            self._console.line(render_error(str(problem)))
            return
        LOG.error("internal error", exc_info=problem)
        self._console.line(render_error(f"internal: {type(problem).__name__}: {problem}"))

    # At once, on the reading thread.

    def _uci(self, line: str, words: list[str]) -> None:
        self._console.block(
            (
                f"id name Triptych {engine_package.__version__}",
                "id author the Triptych authors",
                *(render_option(option) for option in self._game.options),
                "uciok",
            )
        )

    def _isready(self, line: str, words: list[str]) -> None:
        self._worker.when_ready(lambda: self._console.line("readyok"))

    def _stop(self, line: str, words: list[str]) -> None:
        self._worker.stop()

    def _ponderhit(self, line: str, words: list[str]) -> None:
        search = self._worker.search()
        if search is not None and search.pondering:
            search.pondering = search.endless = False
            search.control.ponderhit()

    def _set_debug(self, line: str, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            given = quote(" ".join(words)) if words else "nothing"
            raise UsageError(f'debug: expected "on" or "off", got {given}')
        self._debug = words == ["on"]

    def _register(self, line: str, words: list[str]) -> None:
        pass

    def _help(self, line: str, words: list[str]) -> None:
        self._console.block(help_lines(UCI_COMMANDS, " ".join(words)))

    # Jobs of the worker.

    def _ucinewgame(self, line: str, words: list[str]) -> None:
        self._worker.stop_searches()
        self._submit("ucinewgame", lambda engine: engine.new_game())

    def _position(self, line: str, words: list[str]) -> None:
        position = parse_position(words)
        self._worker.stop_searches()
        self._submit("position", lambda engine: engine.set_position(position.text, position.moves))

    def _setoption(self, line: str, words: list[str]) -> None:
        name, value = parse_setoption(line)
        option = find_option(self._game.options, name)
        checked = check_value(option, value)
        if self._worker.search() is not None:
            raise UsageError(
                f'setoption: refused during a search, {option.name} is unchanged; "stop" first'
            )
        self._submit("setoption", lambda engine: engine.set_option(option.name, checked))

    def _show(self, line: str, words: list[str]) -> None:
        self._question("d", lambda engine: engine.display().splitlines())

    def _eval(self, line: str, words: list[str]) -> None:
        self._question("eval", lambda engine: engine.evaluate().splitlines())

    def _legalmoves(self, line: str, words: list[str]) -> None:
        self._question("legalmoves", lambda engine: [render_legal_moves(engine.legal_moves())])

    def _analyze(self, line: str, words: list[str]) -> None:
        order = parse_analyze(line)
        if isinstance(order, AnalyzeFile):
            self._analyze_file(order)
        elif order.as_json:
            self._question("analyze json", lambda engine: [engine.analyze()])
        else:
            self._question("analyze", lambda engine: render_analysis(engine.analyze()))

    def _analyze_file(self, order: AnalyzeFile) -> None:
        self._refuse_in_endless_search("analyze file")
        control = Control()
        saves = threading.Event()

        def work(engine: Engine) -> list[str]:
            rows = self._console.lines
            report = analyze_file(engine, order, rows, control, saves, self._quiet)
            if report.problem:
                self.report(EngineError(report.problem))
            return [] if self._quiet else [f"info string {render_batch(report, order.source)}"]

        self._submit("analyze file", work, Kind.COUNT, control, saves)

    def _bench(self, line: str, words: list[str]) -> None:
        depth = parse_bench(words)
        self._refuse_in_endless_search("bench")

        control = Control()

        def work(engine: Engine) -> list[str]:
            return render_bench(engine.bench(depth, control, self._progress))

        self._submit("bench", work, Kind.COUNT, control)

    def _go(self, line: str, words: list[str]) -> None:
        order = parse_go(words)
        self._worker.stop_searches()
        if isinstance(order, GoPerft):
            self._go_perft(order)
            return
        for problem in order.problems:
            self.report(UsageError(problem))
        if order.skipped:
            self._debug_line(f"go skips {quote(' '.join(order.skipped))}")
        limits = order.limits
        job = Job("go", lambda engine: self._search(engine, order, job), Kind.SEARCH)
        job.endless = limits.infinite or limits.ponder
        job.pondering = limits.ponder and not limits.infinite
        self._worker.submit(job)

    def _go_perft(self, order: GoPerft) -> None:
        control = Control()

        def on_count(move: str, count: int) -> None:
            self._console.line(f"{move}: {count}")

        def work(engine: Engine) -> list[str]:
            return render_perft(engine.perft(order.depth, control, on_count))

        self._submit("go perft", work, Kind.COUNT, control)

    def _search(self, engine: Engine, order: Go, job: Job) -> None:
        """On the worker: search and give exactly one bestmove, whatever happens."""
        shown = False
        held: dict[int, Info] = {}

        def on_info(info: Info) -> None:
            nonlocal shown
            shown = True
            if self._quiet:
                held[info.multipv] = info
            else:
                self._console.line(render_info(info))

        try:
            best = engine.search(order.limits, job.control, on_info)
        except Exception as problem:
            self.report(problem)
            best = self._any_move(engine)
        last = [render_info(held[number]) for number in sorted(held)]
        if not shown:
            last.append("info depth 0 score cp 0")
        job.over = True
        self._console.block((*last, render_bestmove(best)))

    def _any_move(self, engine: Engine) -> BestMove:
        """After a failed search: a host that waits for a move hangs without one."""
        try:
            moves = engine.legal_moves()
        except Exception as problem:
            LOG.error("internal error", exc_info=problem)
            moves = ()
        return BestMove(moves[0] if moves else None)

    def _question(self, name: str, ask: Callable[[Engine], list[str]]) -> None:
        self._refuse_in_endless_search(name)
        self._submit(name, ask)

    def _refuse_in_endless_search(self, name: str) -> None:
        search = self._worker.search()
        if search is not None and search.endless and not search.control.stopped:
            raise UsageError(
                f'{name}: refused while "go infinite" or "go ponder" runs; "stop" first'
            )

    def _submit(
        self,
        name: str,
        work: Callable[[Engine], Sequence[str] | None],
        kind: Kind = Kind.SHORT,
        control: Control | None = None,
        saves: threading.Event | None = None,
    ) -> None:
        """Queue a job; `work` returns the last lines of the reply."""

        def guarded(engine: Engine) -> None:
            began = time.monotonic()
            try:
                lines = work(engine)
                job.over = True
                if lines:
                    self._console.block(lines)
            except Exception as problem:
                job.over = True
                self.report(problem)
            self._debug_line(f"{name} took {(time.monotonic() - began) * 1000:.0f} ms")

        job = Job(name, guarded, kind, control or Control(), saves=saves or threading.Event())
        self._worker.submit(job)

    def _progress(self, text: str) -> None:
        if not self._quiet:
            self._console.line(f"info string {text}")

    def _debug_line(self, text: str) -> None:
        if self._debug:
            self._console.line(f"info string debug: {text}")
