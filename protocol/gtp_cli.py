"""Starting the line protocol from the command line.

The options are those of `pentobi-gtp`, so that scripts and match controllers written for it start
Triptych unchanged.
"""

import argparse
import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.board_engine import BoardEngine
from engine.games.base import Game
from protocol.console import Console, say
from protocol.gtp import Request, render_reply
from protocol.gtp_service import GtpService, Reply
from protocol.loop import Worker, read_lines, serve
from protocol.uci import parse_number

LOG = logging.getLogger("triptych")

SUCCESS, FAILURE = 0, 1

GAME_IDS = {
    "classic": "blokus", "c": "blokus",
    "classic_2": "blokus-two-player", "c2": "blokus-two-player",
    "classic_3": "blokus-three-player", "c3": "blokus-three-player",
    "duo": "blokus-duo", "d": "blokus-duo",
}  # fmt: skip
"""What other Blokus programs call the games."""

_OPTIONS: dict[str, dict[str, Any]] = {
    "level": {"metavar": "N", "help": "the effort for one move, 1 to 9"},
    "seed": {"metavar": "N", "help": "the seed of the search"},
    "config": {"metavar": "FILE", "help": "commands to run at the start, without replies"},
    "showboard": {"action": "store_true", "help": "the board to stderr whenever it changes"},
    "color": {"action": "store_true", "help": "accepted; boards have no colours"},
    "nobook": {"action": "store_true", "help": "accepted; there is no opening book"},
    "book": {"metavar": "FILE", "help": "accepted; there is no opening book"},
    "noresign": {"action": "store_true", "help": "accepted; Triptych never resigns"},
}
_SHORT = {"level": "-l", "seed": "-r", "config": "-c"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options that only the line protocol has."""
    group = parser.add_argument_group("only for games of the line protocol")
    for name, settings in _OPTIONS.items():
        short = [_SHORT[name]] if name in _SHORT else []
        group.add_argument(*short, f"--{name}", **settings)


def misplaced_option(arguments: argparse.Namespace) -> str | None:
    """One of these options that was given, for a game that has none of them."""
    return next((f"--{name}" for name in _OPTIONS if getattr(arguments, name)), None)


class Settings:
    """What the options ask for, checked. Raises ValueError with the message for the user."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.level: str | None = arguments.level
        if self.level is not None and self.level not in map(str, range(1, 10)):
            raise ValueError(f'--level takes a whole number from 1 to 9, not "{self.level}"')
        self.seed: int | None = None
        if arguments.seed is not None:
            self.seed = parse_number(arguments.seed, (1 << 63) - 1)
            if self.seed is None:
                raise ValueError(f'--seed takes a whole number, not "{arguments.seed}"')
        self.config = [] if arguments.config is None else _lines(arguments.config, "--config")
        self.showboard: bool = arguments.showboard

    def apply(self, engine: BoardEngine) -> None:
        """Hand them to the engine, on the worker."""
        if self.level is not None:
            engine.set_param("level", self.level)
        if self.seed is not None:
            engine.set_seed(self.seed)


def run(game: Game, console: Console, worker: Worker, settings: Settings, words: list[str]) -> int:
    """Serve stdin, or files of commands, or run the commands that `words` are. Returns the status;
    the worker may still have something to do.

    Words are files if all of them exist and the first is no command. Their replies look as on
    stdin; commands on the command line get the bare text, and errors go to stderr.
    """
    service = GtpService(game, worker, framed(console), _show if settings.showboard else _ignore)
    if not all(service.handle(line, _silent) for line in settings.config):
        words = ["quit"]
    if words:
        files = not service.knows(words[0]) and all(Path(word).is_file() for word in words)
        lines = _lines_of_files(words) if files else " ".join(words).split(";")
        for line in lines:
            if not service.handle(line, None if files else bare(console)):
                break
            worker.drain()
    else:
        serve(read_lines(), service.handle, worker)
    return FAILURE if words and service.failures else SUCCESS


def report_load(problem: Exception) -> None:
    """The game cannot be loaded; nobody waits for these words on stdout."""
    LOG.error("cannot load the game", exc_info=problem)


def framed(console: Console) -> Reply:
    """Replies as the protocol has them."""
    return lambda request, ok, text: console.block(render_reply(ok, request.id, text))


def bare(console: Console) -> Reply:
    """The text alone, for commands on the command line; errors go to stderr."""

    def reply(request: Request, ok: bool, text: str) -> None:
        if not ok:
            say(f"triptych: {text}")
        elif text:
            console.block(text.strip("\n").split("\n"))

    return reply


def _silent(request: Request, ok: bool, text: str) -> None:
    """For `--config`: a command that fails there ends the process."""
    if not ok:
        say(f"triptych: --config: {request.name}: {text}")
        os._exit(FAILURE)


def _show(engine: BoardEngine) -> None:
    say(engine.display().strip("\n"))


def _ignore(engine: BoardEngine) -> None:
    """Nobody wants to see the board."""


def _lines_of_files(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        yield from _lines(path, "file of commands")


def _lines(path: str, what: str) -> Sequence[str]:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as problem:
        raise ValueError(f'{what}: cannot read "{path}": {problem.strerror}') from None
