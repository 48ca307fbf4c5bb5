"""When the commands of the line protocol are carried out, and how they are answered.

Every command gets exactly one reply, in the order of the commands. So nearly all of them are jobs
of the worker. The reading thread acts on `stop` and `quit` whatever the worker does, and answers
by itself what needs no engine, but only while nothing else is to be answered before.
"""

import logging
from collections.abc import Callable
from typing import cast

import engine as engine_package
from engine.board_engine import BoardEngine
from engine.engine import Engine, open_engine
from engine.errors import EngineError
from engine.games import GAMES
from engine.games.base import Game
from protocol.board_commands import commands_of
from protocol.commands import help_lines
from protocol.gtp import Request, exactly, one_line, parse_request, unknown_command
from protocol.gtp_reply import Reply
from protocol.gtp_work import GtpWork, Means
from protocol.loop import Job, Kind, Worker
from protocol.uci import UsageError

LOG = logging.getLogger("triptych")

CHANGING = {"clear_board", "set_game", "play", "p", "genmove", "g", "undo", "redo", "position",
            "loadsgf"}  # fmt: skip
"""Commands after which another position may stand."""


class GtpService:
    """Serves the games that are spoken to move by move. `handle` belongs to the reading thread."""

    def __init__(
        self,
        game: Game,
        worker: Worker,
        reply: Reply,
        on_change: Callable[[BoardEngine], None] = lambda engine: None,
        open_game: Callable[[Game], Engine] = open_engine,
        quiet: bool = False,
    ) -> None:
        """`on_change` is called on the worker after each command of CHANGING, `open_game` when
        `set_game` asks for another engine. `quiet` keeps progress and summaries to itself."""
        self._become(game)
        self._open_game = open_game
        self._worker = worker
        self._reply = reply
        self._on_change = on_change
        self._work = GtpWork(quiet)
        self.failures = 0
        """Commands that failed so far."""
        self._plain: dict[str, Callable[[Request], str]] = {
            "protocol_version": lambda request: _constant(request, "2"),
            "name": lambda request: _constant(request, "Triptych"),
            "version": lambda request: _constant(request, engine_package.__version__),
            "list_commands": lambda request: _constant(request, "\n".join(sorted(self._names))),
            "known_command": self._known_command,
            "help": self._help,
            "stop": lambda request: _constant(request, ""),
            "quit": lambda request: _constant(request, ""),
        }
        """Commands that need no engine."""

    def _become(self, game: Game) -> None:
        """Serve a game. On the worker, but for the first time."""
        self._game = game
        self._commands = commands_of(game)
        spelt = [name for command in self._commands for name in (command.name, *command.aliases)]
        self._names = {name for name in spelt if " " not in name}

    def handle(self, line: str, reply: Reply | None = None) -> bool:
        """Act on one line; `reply` takes the place of the usual one. False when it was `quit`.
        Never raises."""
        LOG.debug("< %s", line)
        request = parse_request(line)
        if request is None:
            return True
        reply = reply or self._reply
        if request.name == "stop" and not request.rest:
            self._worker.stop()
        needs_engine = request.name in self._names and request.name not in self._plain
        if needs_engine or not self._worker.idle():
            self._submit(request, reply)
        else:
            self._carry_out(request, reply, lambda: self._answer(request))
        return request.name != "quit" or bool(request.rest)

    def knows(self, name: str) -> bool:
        """Whether there is such a command."""
        return name in self._names

    def _submit(self, request: Request, reply: Reply) -> None:
        kind = Kind.SEARCH if self._work.is_long(request.name) else Kind.SHORT

        def work(engine: Engine) -> None:
            board = cast("BoardEngine", engine)
            means = Means(job.control, job.saves, lambda data: reply.rows(request, data))
            self._carry_out(request, reply, lambda: self._run(board, request, means))

        job = Job(request.name, work, kind)
        self._worker.submit(job)

    def _carry_out(self, request: Request, reply: Reply, work: Callable[[], str]) -> None:
        """Do it and answer, whatever happens."""
        try:
            text = work()
        except Exception as problem:
            self.failures += 1
            reply.end(request, False, _message(problem))
        else:
            reply.end(request, True, text)

    def _run(self, engine: BoardEngine, request: Request, means: Means) -> str:
        """On the worker."""
        if request.name not in self._names or request.name in self._plain:
            return self._answer(request)
        if request.name == "set_game":
            engine = self._engine_for(request.rest, engine)
        text = self._work.run(engine, request, means)
        if request.name in CHANGING:
            self._on_change(engine)
        return text

    def _engine_for(self, name: str, engine: BoardEngine) -> BoardEngine:
        """The engine that knows the game of a name: this one, or one that is loaded now."""
        wanted = name.lower()
        if wanted in (known.lower() for known in engine.names):
            return engine
        for game in GAMES.values():
            if game.protocol == "gtp" and game.variant.lower() == wanted:
                engine = cast("BoardEngine", self._open_game(game))
                self._worker.change(engine)
                self._become(game)
        return engine

    def _answer(self, request: Request) -> str:
        """The text of a command that needs no engine."""
        command = self._plain.get(request.name)
        if command is None:
            raise unknown_command(request.name)
        return command(request)

    def _known_command(self, request: Request) -> str:
        return str(exactly(request.words, 1)[0] in self._names).lower()

    def _help(self, request: Request) -> str:
        return "\n".join(help_lines(self._commands, " ".join(request.words)))


def _constant(request: Request, text: str) -> str:
    exactly(request.words, 0)
    return text


def _message(problem: Exception) -> str:
    """What the user is told. A defect of ours also goes to the log."""
    if isinstance(problem, (UsageError, EngineError)):
        return one_line(str(problem))
    LOG.error("internal error", exc_info=problem)
    return one_line(f"internal: {type(problem).__name__}: {problem}")
