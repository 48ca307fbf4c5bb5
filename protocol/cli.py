"""The command line: serve a protocol on stdin and stdout, or run a command and end.

Leaving is done by hand where a thread may still compile or a kernel may still run: such threads
cannot be ended from outside, and nothing they hold is worth waiting for.
"""

import argparse
import importlib
import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NoReturn

import engine as engine_package
from engine.board_engine import BoardEngine
from engine.engine import Engine, open_engine
from engine.errors import BackendError, OptionError
from engine.games import GAMES
from engine.games.base import Game
from protocol import gtp_cli
from protocol.analysis import quote_path, split_commands
from protocol.console import Console, say
from protocol.loop import Worker, read_lines, serve
from protocol.options import check_value, find_option
from protocol.signals import Departure
from protocol.uci import words_of
from protocol.uci_service import UciService

LOG = logging.getLogger("triptych")

BACKENDS = ("cpu", "gpu", "auto", "check")

SUCCESS = 0
FAILURE = 1
BAD_USAGE = 2


class _Parser(argparse.ArgumentParser):
    """Argument errors as one line instead of a usage listing and a line."""

    def error(self, message: str) -> NoReturn:
        say(f"triptych: {message} (triptych --help shows the usage)")
        raise SystemExit(BAD_USAGE)


def main(argv: Sequence[str] | None = None) -> int:
    """What the command `triptych` does. Returns the exit status."""
    _reserve_standard_streams()
    departure = Departure()
    parser = _parser()
    arguments = parser.parse_args(sys.argv[1:] if argv is None else argv)
    misplaced = [word for word in arguments.command if word.startswith("--")]
    if misplaced:
        # To the command it would be one more unknown word, skipped in silence.
        parser.error(f'options come before the command: "{misplaced[0]}"')
    _open_log(parser, arguments.log)
    one_shot = bool(arguments.command)

    def on_broken() -> None:
        # A host that is gone wants nothing more; a script must see that its output was cut.
        departure.settle()
        os._exit(FAILURE if one_shot else SUCCESS)

    console = Console(on_broken=on_broken)
    if arguments.help or arguments.version:
        console.block(_about(parser, arguments.help))
        return SUCCESS
    game = _game(parser, gtp_cli.GAME_IDS.get(arguments.game, arguments.game))
    if arguments.protocol not in (None, game.protocol):
        parser.error(
            f"--protocol: {game.name} is served over {game.protocol}, "
            f'not over "{arguments.protocol}"'
        )
    board_settings = _board_settings(parser, game, arguments)
    settings = _settings(parser, game, arguments.threads)
    _check_backend(parser, arguments.backend, arguments.merge)

    def notice(text: str) -> None:
        if not arguments.quiet and (one_shot or game.protocol == "gtp"):
            say(text)
        elif not arguments.quiet:
            console.line(f"info string {text}")

    commands = split_commands(_joined(arguments.command))
    if any(words_of(command)[:1] == ["warmup"] for command in commands):
        if words_of(";".join(commands)) != ["warmup"]:
            parser.error("warmup stands alone: start it once for itself, then the other commands")
        return _warmup(console, _found_backend(arguments.backend, notice))
    backend = _found_backend(arguments.backend, notice)
    open_game = partial(open_engine, on_compile=notice, backend=backend, merge=arguments.merge)

    def load() -> Engine:
        engine = open_game(game)
        for name, value in settings:
            engine.set_option(name, value)
        if isinstance(engine, BoardEngine):
            board_settings.apply(engine)
        return engine

    def load_failed(problem: Exception) -> None:
        if isinstance(problem, BackendError):
            say(f"triptych: backend {backend}: {problem}")
            os._exit(BAD_USAGE)
        report(problem)
        os._exit(FAILURE)

    worker = Worker(load, load_failed)
    departure.settle = worker.abandon
    if game.protocol == "gtp":
        report = gtp_cli.report_load
        if not (one_shot or arguments.quiet):
            _greet(game)
        words = arguments.command
        status = gtp_cli.run(game, console, worker, board_settings, words, commands, open_game)
        return _end(departure, status, worker.finish())
    service = UciService(game, console, worker, quiet=arguments.quiet)
    report = service.report
    if one_shot:
        status = _run_commands(service, worker, commands)
    else:
        if not arguments.quiet:
            _greet(game)
        serve(read_lines(), service.handle, worker)
        status = SUCCESS
    return _end(departure, status, worker.close())


def _end(departure: Departure, status: int, thread_is_gone: bool) -> int:
    """The status to return, unless a signal or a thread that is left behind end the process."""
    departure.give_way()
    if not thread_is_gone:
        os._exit(status)
    return status


def _joined(words: Sequence[str]) -> str:
    """The words of the command line as one text. A word after `analyze file` is a path as it
    stands, and may hold what would mean something in a line of text."""
    if list(words[:2]) != ["analyze", "file"]:
        return " ".join(words)
    end = words.index(";") if ";" in words else len(words)
    paths = [quote_path(word) if re.search(r'[\s";#]', word) else word for word in words[:end]]
    if paths[2:3] == ["out"]:
        paths[2] = quote_path("out")  # the first path, whatever it is called
    return " ".join((*paths, *words[end:]))


def _run_commands(service: UciService, worker: Worker, commands: Sequence[str]) -> int:
    """Run the commands of the command line, one after the other. The engine loads if needed."""
    for line in commands:
        if not service.handle(line):
            break
        worker.drain()
    return FAILURE if service.failures else SUCCESS


def _reserve_standard_streams() -> None:
    """A host may start us with a stream closed; then the next file opened would take its place.

    What takes the place of stdout cannot be written to, so that lost output is noticed.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)


def _parser() -> _Parser:
    parser = _Parser(
        prog="triptych",
        description="Plays and analyses board games: chess over UCI, Blokus and CoTuLenh over "
        "GTP. Without COMMAND it serves the protocol on stdin and stdout until quit or the end of "
        "input.",
        epilog='Example: triptych "position startpos moves e2e4; go depth 12"',
        add_help=False,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("-g", "--game", metavar="NAME", default="chess", help=f"one of: {', '.join(GAMES)}")
    add("--protocol", metavar="NAME", help="uci or gtp, if it is the one that the game has")
    add(
        "--backend",
        metavar="NAME",
        default=os.environ.get("TRIPTYCH_BACKEND") or "cpu",
        help="cpu, gpu, auto or check; default: TRIPTYCH_BACKEND, or cpu",
    )
    add("--merge", action="store_true", help="a graphics card counts equal positions once")
    add("--threads", metavar="N", help="the option Threads at start")
    add("--log", metavar="FILE", help="append every line in and out, with its time, to FILE")
    add("-q", "--quiet", action="store_true", help="no progress, only results")
    add("-v", "--version", action="store_true", help="show the version and end")
    add("-h", "--help", action="store_true", help="show this and end")
    gtp_cli.add_options(parser)
    add(
        "command",
        metavar="COMMAND",
        nargs=argparse.REMAINDER,
        help='a command of the protocol to run, several with ";" between them; "warmup" compiles '
        'everything into the cache, "help" lists the others',
    )
    return parser


def _about(parser: _Parser, wants_help: bool) -> list[str]:
    if wants_help:
        return parser.format_help().rstrip().splitlines()
    return [f"Triptych {engine_package.__version__}"]


def _game(parser: _Parser, name: str) -> Game:
    if name not in GAMES:
        parser.error(f'unknown game "{name}"; there are: {", ".join(GAMES)}')
    return GAMES[name]


def _settings(parser: _Parser, game: Game, threads: str | None) -> list[tuple[str, str]]:
    """The options set by the command line, checked."""
    if threads is None:
        return []
    option = find_option(game.options, "Threads")
    try:
        return [(option.name, check_value(option, threads))]
    except OptionError as problem:
        parser.error(f"--threads: {problem}")


def _board_settings(parser: _Parser, game: Game, arguments: argparse.Namespace) -> gtp_cli.Settings:
    """The options of the line protocol, which no other protocol has."""
    misplaced = gtp_cli.misplaced_option(arguments)
    if game.protocol != "gtp" and misplaced is not None:
        parser.error(f"{misplaced} is not an option of the game {game.name}")
    try:
        return gtp_cli.Settings(arguments)
    except ValueError as problem:
        parser.error(str(problem))


def _check_backend(parser: _Parser, name: str, merge: bool) -> None:
    if name not in BACKENDS:
        parser.error(
            f'unknown backend "{name}" (from --backend or TRIPTYCH_BACKEND); '
            f"there are: {', '.join(BACKENDS)}"
        )
    if merge and name == "cpu":
        parser.error("--merge is for a graphics card: it needs --backend gpu, check or auto")


def _found_backend(name: str, notice: Callable[[str], None]) -> str:
    """The backend to use: `auto` is settled here. Ends the process when what was asked for cannot
    run here; on the CPU nothing is looked for."""
    if name == "cpu":
        return name
    from engine.backends.missing import missing

    problem = missing()
    if name == "auto":
        notice(f"backend cpu: {problem}" if problem else "backend gpu")
        return "cpu" if problem else "gpu"
    if problem:
        say(f"triptych: backend {name}: {problem}")
        raise SystemExit(BAD_USAGE)
    return name


def _open_log(parser: _Parser, file: str | None) -> None:
    """Warnings go to stderr, and with `--log` everything to the file."""
    LOG.propagate = False
    stderr = logging.StreamHandler()
    stderr.setLevel(logging.WARNING)
    stderr.setFormatter(logging.Formatter("triptych: %(message)s"))
    LOG.addHandler(stderr)
    if file is None:
        return
    try:
        handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
    except OSError as problem:
        parser.error(f'--log: cannot write to "{file}": {problem.strerror}')
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.DEBUG)


def _warmup(console: Console, backend: str) -> int:
    """Compile everything into the cache on disk, what a graphics card runs only if one is used."""
    from tqdm import tqdm

    try:
        # Imported by name: it pulls in numba, which nothing else here may do.
        module = importlib.import_module("engine.warmup")
        parts = [module.warmup] if backend == "cpu" else [module.warmup, module.warmup_card]
        with tqdm(desc="compiling", unit=" functions", disable=None, leave=False) as bar:

            def on_step(name: str, seconds: float) -> None:
                bar.clear()
                console.line(f"{seconds:7.2f} s  {name}")
                bar.update()

            for warm_up in parts:
                warm_up(on_step)
    except BackendError as problem:
        say(f"triptych: backend {backend}: {problem}")
        return BAD_USAGE
    except Exception as problem:
        LOG.error("warmup failed: %s", problem, exc_info=problem)
        return FAILURE
    return SUCCESS


def _greet(game: Game) -> None:
    """One line for a person at a terminal; hosts talk through pipes and get none."""
    with suppress(AttributeError, OSError, ValueError):
        if sys.stdin.isatty() and sys.stderr.isatty():
            say(
                f"Triptych {engine_package.__version__}, {game.name} over "
                f'{game.protocol.upper()}. Type "help" for commands, "quit" to leave.'
            )
