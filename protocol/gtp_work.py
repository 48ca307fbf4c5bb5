"""What the commands of the line protocol do to the engine. All of it runs on the worker.

Each method takes the engine, the request and, if `stop` can end it, what `Means` holds; it returns
the text of the reply, or raises.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.board_engine import BoardEngine
from engine.control import Control
from engine.errors import EngineError
from engine.types import Data, Info, Limits
from protocol.analysis import Analyze, facts_as_lines, parse_analyze, render_batch
from protocol.batch import analyze_file
from protocol.clocks import Clocks
from protocol.gtp import (
    Request,
    at_least,
    at_most,
    exactly,
    file_arguments,
    integer,
    parse_limits,
    parse_perft,
    render_perft,
    unknown_command,
)
from protocol.uci import (
    LARGEST_TIME,
    UsageError,
    parse_bench,
    parse_position,
    render_bench,
    render_info,
)

LOG = logging.getLogger("triptych")


@dataclass(frozen=True)
class Means:
    """What a command that takes its time has beside the engine."""

    control: Control
    saves: threading.Event
    """To be set before it writes what must end well."""
    rows: Callable[[Data], None]
    """Takes whole lines of the reply that go ahead of its end."""


_Short = Callable[[BoardEngine, Request], str]
_Long = Callable[[BoardEngine, Request, Means], str]


class GtpWork:
    """The commands, and what they remember beside the engine."""

    def __init__(self, quiet: bool = False) -> None:
        """`quiet` leaves away what is no result."""
        self._quiet = quiet
        self._clocks = Clocks()
        self._base = {"resign": "0"}
        self._short: dict[str, _Short] = {
            "cputime": self._cputime,
            "clear_board": self._clear_board,
            "set_game": self._set_game,
            "play": self._play,
            "p": self._p,
            "undo": self._undo,
            "redo": self._redo,
            "showboard": self._showboard,
            "d": self._showboard,
            "eval": self._eval,
            "final_score": self._final_score,
            "set_random_seed": self._set_random_seed,
            "param": self._param,
            "param_base": self._param_base,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "position": self._position,
            "fen": self._fen,
            "moves": self._moves,
            "loadsgf": self._loadsgf,
            "savesgf": self._savesgf,
            "legalmoves": self._legalmoves,
            "all_legal": self._all_legal,
        }
        """Commands that are over in a moment."""
        self._long: dict[str, _Long] = {
            "genmove": self._genmove,
            "g": self._g,
            "reg_genmove": self._reg_genmove,
            "go": self._go,
            "bench": self._bench,
            "analyze": self._analyze,
        }
        """Commands that `stop` ends."""

    def is_long(self, name: str) -> bool:
        """True for commands that take their time. Callable from any thread."""
        return name in self._long

    def run(self, engine: BoardEngine, request: Request, means: Means) -> str:
        """Carry out one command, perhaps one of those that the game adds."""
        form = engine.more().get(" ".join((request.name, *request.words)))
        if form is not None and request.words:
            return form(())
        if request.name in self._long:
            return self._long[request.name](engine, request, means)
        if request.name in self._short:
            return self._short[request.name](engine, request)
        command = engine.more().get(request.name)
        if command is None:
            raise unknown_command(request.name)
        return command(request.words)

    # The game.

    def _clear_board(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        engine.new_game()
        self._clocks.restart()
        return ""

    def _set_game(self, engine: BoardEngine, request: Request) -> str:
        engine.set_game(request.rest)
        self._clocks.restart()
        return ""

    def _position(self, engine: BoardEngine, request: Request) -> str:
        position = parse_position(request.words)
        engine.set_position(position.text, position.moves)
        return ""

    def _play(self, engine: BoardEngine, request: Request) -> str:
        colour = engine.colour(at_least(request.words, 1)[0])
        at_least(request.words, 2)
        engine.play(colour, request.after(request.words[0]))
        return ""

    def _p(self, engine: BoardEngine, request: Request) -> str:
        at_least(request.words, 1)
        engine.play(engine.to_move(), request.rest)
        return ""

    def _undo(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        engine.undo()
        return ""

    def _redo(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        engine.redo()
        return ""

    def _loadsgf(self, engine: BoardEngine, request: Request) -> str:
        words = at_most(at_least(file_arguments(request.rest), 1), 2)
        engine.load_record(words[0], integer(words, 1, least=1) if len(words) > 1 else None)
        return ""

    def _savesgf(self, engine: BoardEngine, request: Request) -> str:
        engine.save_record(exactly(file_arguments(request.rest), 1)[0])
        return ""

    # Questions.

    def _cputime(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        return f"{time.process_time():.2f}"

    def _showboard(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        return engine.display()

    def _eval(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        return engine.evaluate()

    def _final_score(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        return engine.final_score()

    def _fen(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        return engine.fen()

    def _moves(self, engine: BoardEngine, request: Request) -> str:
        exactly(request.words, 0)
        return "\n".join(engine.history())

    def _legalmoves(self, engine: BoardEngine, request: Request) -> str:
        words = at_most(request.words, 1)
        moves = engine.moves_of(engine.colour(words[0])) if words else engine.legal_moves()
        return "\n".join((str(len(moves)), *moves))

    def _all_legal(self, engine: BoardEngine, request: Request) -> str:
        return "\n".join(engine.moves_of(engine.colour(exactly(request.words, 1)[0])))

    # Settings.

    def _set_random_seed(self, engine: BoardEngine, request: Request) -> str:
        engine.set_seed(integer(exactly(request.words, 1), 0))
        return ""

    def _param(self, engine: BoardEngine, request: Request) -> str:
        if not request.words:
            return _listed(engine.params())
        key, value = exactly(request.words, 2)
        engine.set_param(key, value)
        return ""

    def _param_base(self, engine: BoardEngine, request: Request) -> str:
        if not request.words:
            return _listed(self._base)
        key, value = exactly(request.words, 2)
        if key not in self._base:
            raise UsageError(f"unknown parameter '{key}'")
        if value not in ("0", "1"):
            raise UsageError(f"argument 2 ('{value}') has invalid type")
        self._base[key] = value
        return ""

    def _time_settings(self, engine: BoardEngine, request: Request) -> str:
        words = exactly(request.words, 3)
        self._clocks.set_up(_seconds(words, 0), _seconds(words, 1), integer(words, 2, least=0))
        return ""

    def _time_left(self, engine: BoardEngine, request: Request) -> str:
        words = exactly(request.words, 3)
        colour = engine.colour(words[0])
        self._clocks.set_left(colour, _seconds(words, 1), integer(words, 2, least=0))
        return ""

    # Computing.

    def _genmove(self, engine: BoardEngine, request: Request, means: Means) -> str:
        return self._play_best(engine, engine.colour(exactly(request.words, 1)[0]), means)

    def _g(self, engine: BoardEngine, request: Request, means: Means) -> str:
        exactly(request.words, 0)
        return self._play_best(engine, engine.to_move(), means)

    def _play_best(self, engine: BoardEngine, colour: int, means: Means) -> str:
        move = self._think(engine, colour, means)
        if move is None:
            return "pass"
        engine.play(colour, move)
        return move

    def _reg_genmove(self, engine: BoardEngine, request: Request, means: Means) -> str:
        colour = engine.colour(exactly(request.words, 1)[0])
        engine.forget()
        move = self._think(engine, colour, means)
        if move is None:
            raise UsageError("player failed to generate a move")
        return move

    def _think(self, engine: BoardEngine, colour: int, means: Means) -> str | None:
        """The best move under the limits in force; its time is taken off the clock."""
        began = time.monotonic()
        move = engine.think(colour, self._clocks.limits(colour), means.control, _log)
        self._clocks.spend(colour, (time.monotonic() - began) * 1000)
        return move

    def _go(self, engine: BoardEngine, request: Request, means: Means) -> str:
        words, control = request.words, means.control
        if words[:1] == ["perft"]:
            return render_perft(engine.perft(parse_perft(words), control, lambda move, count: None))
        limits: Limits | None = parse_limits(words)
        if limits is None:
            limits = self._clocks.limits(engine.to_move())
        return f"bestmove {engine.search(limits, control, _log).move or 'pass'}"

    def _bench(self, engine: BoardEngine, request: Request, means: Means) -> str:
        depth = parse_bench(at_most(request.words, 1))
        report = engine.bench(depth, means.control, lambda text: LOG.debug("# %s", text))
        return "bench stopped" if report.stopped else "\n".join(render_bench(report))

    def _analyze(self, engine: BoardEngine, request: Request, means: Means) -> str:
        order = parse_analyze(f"analyze {request.rest}")
        if isinstance(order, Analyze):
            text = engine.analyze()
            return text if order.as_json else "\n".join(facts_as_lines(text))
        report = analyze_file(engine, order, means.rows, means.control, means.saves, self._quiet)
        summary = render_batch(report, order.source)
        if report.problem:
            raise EngineError(f"{report.problem}; {summary}")
        return "" if self._quiet else summary


def _log(info: Info) -> None:
    """Progress of a search: there is no place for it on stdout."""
    LOG.debug("# %s", render_info(info))


def _listed(values: dict[str, str]) -> str:
    return "\n".join(f"{key} {value}" for key, value in values.items())


def _seconds(words: Sequence[str], index: int) -> int:
    """A time in seconds, as milliseconds."""
    return min(integer(words, index, least=0) * 1000, LARGEST_TIME)
