"""Starting the line protocol from the command line.

The options are those of `pentobi-gtp`, so that scripts and match controllers written for it start
Triptych unchanged.
"""

import argparse
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.board_engine import BoardEngine
from engine.engine import Engine
from engine.games.base import Game
from protocol.console import Console, say
from protocol.gtp_reply import FAILURE, Bare, Framed, Silent
from protocol.gtp_service import GtpService
from protocol.loop import Worker, read_lines, serve
from protocol.uci import parse_number

LOG = logging.getLogger("triptych")

SUCCESS = 0

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
        self.quiet: bool = arguments.quiet

    def apply(self, engine: BoardEngine) -> None:
        """Hand them to the engine, on the worker."""
        if self.level is not None:
            engine.set_param("level", self.level)
        if self.seed is not None:
            engine.set_seed(self.seed)


def run(
    game: Game,
    console: Console,
    worker: Worker,
    settings: Settings,
    words: list[str],
    commands: Sequence[str],
    open_game: Callable[[Game], Engine],
) -> int:
    """Serve stdin, or files of commands, or run the `commands` that `words` are. Returns the
    status; the worker may still have something to do. `open_game` loads another game.

    Words are files if all of them exist and the first is no command. Their replies look as on
    stdin; commands on the command line get the bare text, and errors go to stderr.
    """
    on_change = _show if settings.showboard else _ignore
    service = GtpService(game, worker, Framed(console), on_change, open_game, settings.quiet)
    if not all(service.handle(line, Silent()) for line in settings.config):
        words, commands = ["quit"], ["quit"]
    if words:
        files = not service.knows(words[0]) and all(Path(word).is_file() for word in words)
        lines = _lines_of_files(words) if files else commands
        for line in lines:
            if not service.handle(line, None if files else Bare(console)):
                break
            worker.drain()
    else:
        serve(read_lines(), service.handle, worker)
    return FAILURE if words and service.failures else SUCCESS


def report_load(problem: Exception) -> None:
    """The game cannot be loaded; nobody waits for these words on stdout."""
    LOG.error("cannot load the game", exc_info=problem)


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
