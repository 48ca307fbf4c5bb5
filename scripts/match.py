"""Engine against engine over UCI: how strong is it, and does it ever do wrong?

Each opening is played twice with colours swapped. The clock is ours: it starts when `go` is sent
and stops when `bestmove` arrives. Every move and every pv is replayed by python-chess. A crash,
a hang, an illegal move or an overstepped time loses the game, is reported and stays in the PGN.

With --game NAME it is Blokus or CoTuLenh over GTP: `match.py --game blokus --help`.

Exit status: 0, 1 when any engine did wrong, 2 for a match that cannot start, 130 after Ctrl-C.
"""

import argparse
import itertools
import queue
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chess
import gtp_match
from elo import Sprt, estimate
from engine_process import EngineFault
from game import FAULTS, Game, Record, Terms, TimeControl
from match_frame import Faults, fault_row, match_parser, positive, table_text
from tqdm import tqdm
from uci_client import Go, Thought, UciClient

SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that replays a game gives way to one that reads a clock."""

MOVETIME_MARGIN = 50.0
"""Default margin in ms with --movetime: engines end such a search at the limit, not before it."""


class Contender:
    """A player of `game` whose process is started when needed and replaced after a fault."""

    def __init__(self, command: str, options: dict[str, str]) -> None:
        self.command = command
        self.options = options
        self.client: UciClient | None = None

    def start(self) -> UciClient:
        if self.client is None:
            self.client = UciClient(self.command, self.options)
        return self.client

    def new_game(self, chess960: bool) -> None:
        try:
            self.start().new_game(chess960)
        except EngineFault:
            self._drop()
            raise

    def think(
        self, start: str, moves: Sequence[str], go: Go, budget: float | None, patience: float
    ) -> Thought:
        try:
            return self.start().think(start, moves, go, budget, patience)
        except EngineFault:
            self._drop()
            raise

    def _drop(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            client.kill()

    def interrupt(self) -> None:
        """Callable from any thread: ends what goes on."""
        client = self.client
        if client is not None:
            client.interrupt()

    def quit(self) -> None:
        if self.client is not None:
            self.client.quit()


@dataclass(frozen=True)
class Job:
    """One game to play: the `number`-th; two games in a row make a pair."""

    number: int
    start: chess.Board

    @property
    def pair(self) -> int:
        return self.number // 2

    @property
    def engine_color(self) -> chess.Color:
        return self.number % 2 == 0


@dataclass
class Standing:
    """The score so far, from the engine's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: Faults = field(default_factory=Counter)
    _halves: dict[int, float] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def add(self, job: Job, record: Record) -> None:
        points = record.white_points if job.engine_color else 1 - record.white_points
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        if job.pair in self._halves:
            self.pairs[round(2 * (points + self._halves.pop(job.pair)))] += 1
        else:
            self._halves[job.pair] = points
        for fault in record.faults:
            self.faults[fault.offender == job.engine_color, fault.kind] += 1

    def brief(self, sprt: Sprt | None) -> str:
        text = f"+{self.wins} ={self.draws} -{self.losses}"
        strength = estimate(self.pairs)
        if strength is not None:
            text += f", Elo {strength.elo:+.0f} [{strength.low:+.0f}, {strength.high:+.0f}]"
        if sprt is not None:
            text += f", LLR {sprt.llr(self.pairs):+.2f}"
        faults = sum(self.faults.values())
        return text + (f", {faults} faults" if faults else "")

    def table(self, names: tuple[str, str], terms: str, sprt: Sprt | None) -> str:
        points = self.wins + self.draws / 2
        share = 100 * points / self.games if self.games else 0.0
        rows = [
            ("engine", names[0]),
            ("opponent", names[1]),
            ("terms", terms),
            ("games", f"{self.games}: {self.wins} won, {self.draws} drawn, {self.losses} lost"),
            ("points", f"{points:g} of {self.games}, {share:.1f}%"),
            ("pairs", f"{self.pairs} with 0, 1/2, 1, 3/2, 2 points"),
        ]
        strength = estimate(self.pairs)
        if strength is not None:
            interval = f"95% interval {strength.low:+.1f} to {strength.high:+.1f}"
            rows.append(("Elo", f"{strength.elo:+.1f}, {interval}, LOS {strength.los:.1%}"))
        if sprt is not None:
            low, high = sprt.bounds
            verdict = sprt.verdict(self.pairs) or "undecided"
            llr = f"LLR {sprt.llr(self.pairs):+.2f} in ({low:.2f}, {high:.2f}): {verdict}"
            rows.append((f"SPRT {sprt.elo0:g} {sprt.elo1:g}", llr))
        rows += [fault_row(self.faults, side, FAULTS) for side in (True, False)]
        return table_text(rows)


class Match:
    """Threads that play games, and one queue that their results come through."""

    def __init__(self, args: argparse.Namespace, terms: Terms, jobs: Sequence[Job]) -> None:
        self.args = args
        self.terms = terms
        self.jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        for job in jobs:
            self.jobs.put(job)
        self.results: queue.SimpleQueue[tuple[Job, Record] | BaseException] = queue.SimpleQueue()
        self.over = threading.Event()
        self.boards = [
            (
                Contender(args.engine, dict(args.option)),
                Contender(args.opponent, dict(args.opponent_option)),
            )
            for _ in range(min(args.concurrency, len(jobs)))
        ]
        self.threads = [
            threading.Thread(target=self._work, args=board, daemon=True) for board in self.boards
        ]

    def _work(self, engine: Contender, opponent: Contender) -> None:
        """Play jobs until there are none. Whatever goes wrong here must reach the main thread."""
        try:
            while not self.over.is_set():
                try:
                    job = self.jobs.get_nowait()
                except queue.Empty:
                    break
                color = job.engine_color
                record = Game({color: engine, not color: opponent}, job.start, self.terms).play()
                if not self.over.is_set():
                    self.results.put((job, record))
            engine.quit()
            opponent.quit()
        except BaseException as error:
            self.results.put(error)

    def play(self, games: int) -> Iterator[tuple[Job, Record]]:
        """The games as they finish."""
        for thread in self.threads:
            thread.start()
        for _ in range(games):
            result = self.results.get()
            if isinstance(result, BaseException):
                raise result
            yield result

    def close(self) -> None:
        """End at once what still runs."""
        self.over.set()
        for thread, board in zip(self.threads, self.boards, strict=True):
            if thread.is_alive():
                for contender in board:
                    contender.interrupt()
        for thread in self.threads:
            if thread.ident is not None:
                thread.join()


def read_openings(path: Path | None, chess960: bool) -> list[chess.Board]:
    """Boards from a file of EPD or FEN lines; the start position without one."""
    if path is None:
        return [chess.Board(chess960=chess960)]
    boards = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        board = chess.Board(chess960=chess960)
        try:
            if line.split()[4:5] and line.split()[4].isdigit():
                board.set_fen(line.strip())
            else:
                board.set_epd(line.strip())
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        if not board.is_valid():
            raise ValueError(f"{path}:{number}: {board.status()!r}")
        boards.append(board)
    if not boards:
        raise ValueError(f"{path}: no positions")
    return boards


def option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return name, value


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = match_parser(__doc__)
    add = parser.add_argument
    for side in ("", "opponent-"):
        add(f"--{side}option", action="append", default=[], type=option, metavar="NAME=VALUE")
        add(f"--{side}name", help="name in the table and the PGN; default: what it says it is")
    add("--games", type=positive, default=100, help="rounded up to whole pairs; default 100")
    add("--openings", type=Path, metavar="FILE", help="EPD or FEN, one a line")
    add("--seed", type=int, help="shuffle the openings with this seed; default: file order")
    add("--chess960", action="store_true", help="play Chess960 rules and notation")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--tc", type=TimeControl.parse, metavar="[MOVES/]SECONDS[+INC]")
    limit.add_argument("--movetime", type=positive, metavar="MS")
    limit.add_argument("--nodes", type=positive)
    limit.add_argument("--depth", type=positive)
    add("--margin", type=float, metavar="MS", help="overstepping that goes unpunished; default 0,"
        f" with --movetime {MOVETIME_MARGIN:g}")  # fmt: skip
    add("--patience", type=float, default=20.0, metavar="SECONDS",
        help="past its time, or silent without a clock: hung; default 20")  # fmt: skip
    add("--concurrency", type=positive, default=1, help="games at a time; default 1")
    add("--pgn", type=Path, metavar="FILE", help="append the games here")
    add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when decided")
    add("--alpha", type=float, default=0.05)
    add("--beta", type=float, default=0.05)
    add("--draw", nargs=3, type=int, metavar=("MOVE", "PLIES", "CP"),
        help="adjudicate: from MOVE on, PLIES plies within CP centipawns")  # fmt: skip
    add("--resign", nargs=2, type=int, metavar=("MOVES", "CP"),
        help="adjudicate: MOVES moves in a row at CP centipawns behind")  # fmt: skip
    add("--max-moves", type=positive, help="adjudicate a draw after so many moves")
    return parser.parse_args(argv)


def introduce(args: argparse.Namespace) -> tuple[str, str]:
    """Start both engines once: their names. Raises EngineFault or ValueError if one will not do."""
    names = []
    for command, options, name in (
        (args.engine, args.option, args.name),
        (args.opponent, args.opponent_option, args.opponent_name),
    ):
        client = UciClient(command, dict(options))
        client.quit()
        for key, _ in options:
            if key.lower() not in client.options:
                print(f"warning: {client.name} has no option {key!r}", file=sys.stderr)
        if args.chess960 and "uci_chess960" not in client.options:
            raise ValueError(f"{client.name} does not play Chess960")
        names.append(name or client.name)
    if names[0] == names[1]:
        names = [f"{names[0]} A", f"{names[1]} B"]
    return names[0], names[1]


def headers(job: Job, names: tuple[str, str], terms: Terms) -> dict[str, str]:
    white, black = names if job.engine_color else reversed(names)
    control = str(terms.control) if terms.control else "-"
    return {
        "Event": "Engine match",
        "Site": "?",
        "Round": f"{job.pair + 1}.{job.number % 2 + 1}",
        "White": white,
        "Black": black,
        "TimeControl": control,
    }


def report(job: Job, record: Record, names: tuple[str, str]) -> None:
    """Say at once what an engine did wrong."""
    for fault in record.faults:
        name = names[fault.offender != job.engine_color]
        color = "white" if fault.offender else "black"
        where = f"game {job.number + 1}, ply {fault.ply + 1}"
        tqdm.write(f"{where}: {fault.kind} by {name} ({color}): {fault.detail}", sys.stderr)


def run(args: argparse.Namespace) -> int:
    margin = args.margin if args.margin is not None else MOVETIME_MARGIN if args.movetime else 0
    terms = Terms(
        args.tc, args.movetime, args.nodes, args.depth, margin, args.patience,
        args.draw and tuple(args.draw), args.resign and tuple(args.resign), args.max_moves,
    )  # fmt: skip
    sprt = Sprt(args.sprt[0], args.sprt[1], args.alpha, args.beta) if args.sprt else None
    limits = {"tc": args.tc, "movetime": args.movetime, "nodes": args.nodes, "depth": args.depth}
    said = " ".join(f"{k} {v}" for k, v in limits.items() if v) + f", margin {margin:g} ms"
    try:
        boards = read_openings(args.openings, args.chess960)
        names = introduce(args)
    except (EngineFault, OSError, ValueError) as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    if args.seed is not None:
        random.Random(args.seed).shuffle(boards)
    pairs = itertools.islice(itertools.cycle(boards), (args.games + 1) // 2)
    starts = [board for start in pairs for board in (start, start)]
    jobs = [Job(number, start) for number, start in enumerate(starts)]
    standing, interrupted = Standing(), False
    match = Match(args, terms, jobs)
    bar = tqdm(total=len(jobs), unit="game", disable=not sys.stderr.isatty())
    every = max(1, len(jobs) // 20)
    try:
        for job, record in match.play(len(jobs)):
            standing.add(job, record)
            report(job, record, names)
            if args.pgn:
                with args.pgn.open("a") as file:
                    file.write(record.pgn(headers(job, names, terms)) + "\n")
            bar.set_postfix_str(standing.brief(sprt), refresh=False)
            bar.update()
            if bar.disable and standing.games % every == 0:
                score = standing.brief(sprt)
                print(f"{standing.games} of {len(jobs)}: {score}", file=sys.stderr, flush=True)
            if sprt is not None and sprt.verdict(standing.pairs):
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        bar.close()
        match.close()
    print(standing.table(names, said, sprt))
    return 130 if interrupted else 1 if standing.faults else 0


def main(argv: Sequence[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    if any(word.startswith("--game=") or word == "--game" for word in argv):
        return gtp_match.main(argv)
    sys.setswitchinterval(SWITCH_INTERVAL)
    return run(parse_arguments(argv))


if __name__ == "__main__":
    sys.exit(main())
