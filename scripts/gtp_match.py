"""Engine against engine over GTP: how strong is it in Blokus or CoTuLenh, does it ever do wrong?

    python scripts/match.py --game blokus-duo --engine "triptych --game duo --level 5 --quiet" \\
        --opponent "pentobi-gtp --game duo --level 5 --nobook --noresign --quiet" --games 100
    python scripts/match.py --game cotulenh --engine "triptych --game cotulenh --quiet" \\
        --limit "movetime 200" --opponent "python scripts/cotulenh_greedy.py" --games 100

In game k the engine is player k modulo the number of players, its opponent is all the others. Each
move is checked; a crash, a hang, an illegal move or a reply that is an error loses the game, is
reported and stays in the record. Engines bring their own limits, or get one for each move.

Exit status: 0, 1 when any engine did wrong, 2 for a match that cannot start, 130 after Ctrl-C.
"""

import argparse
import itertools
import math
import queue
import statistics
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Never

import blokus_game
import cotulenh_game
from elo import Z_95, elo_of
from engine_process import EngineFault
from gtp_client import PATIENCE, GtpClient
from gtp_game import FAULTS, Game, Result
from match_frame import Faults, fault_row, match_parser, positive, table_text
from tqdm import tqdm

from engine.board_engine import BoardEngine
from engine.engine import open_engine
from engine.games import GAMES
from protocol.gtp_cli import GAME_IDS


@dataclass(frozen=True)
class Kind:
    """What a match must know of a game."""

    players: int
    game: type[Game]
    opening: Callable[[BoardEngine, str, int, int], list[str]]


KINDS = {
    name: Kind(players, blokus_game.BlokusGame, blokus_game.opening_of)
    for name, players in blokus_game.PLAYERS.items()
} | {"CoTuLenh": Kind(2, cotulenh_game.CotulenhGame, cotulenh_game.opening_of)}


class Contender:
    """A player of `gtp_game` whose process is started when needed, and anew after a fault."""

    def __init__(self, command: str, patience: float) -> None:
        self.command = command
        self.patience = patience
        self.client: GtpClient | None = None

    def ask(self, command: str) -> str:
        try:
            if self.client is None:
                self.client = GtpClient(self.command, self.patience)
            return self.client.ask(command)
        except EngineFault:
            self.close(polite=False)
            raise

    def close(self, polite: bool = True) -> None:
        client, self.client = self.client, None
        if client is not None:
            (client.quit if polite else client.kill)()


@dataclass
class Standing:
    """The results so far, from the engine's side."""

    players: int
    values: dict[int, float] = field(default_factory=dict)
    """Number of the game -> what the engine has won, 0 to 1."""
    moves: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    faults: Faults = field(default_factory=Counter)
    seconds: dict[bool, float] = field(default_factory=lambda: {True: 0.0, False: 0.0})
    """By the engine or by its opponent: spent on moves, and how many moves."""
    asked: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})

    def add(self, number: int, result: Result) -> None:
        seat = number % self.players
        self.values[number] = result.values[seat]
        self.moves += result.moves
        if result.ending:
            self.endings[result.ending] += 1
        if result.fault:
            self.faults[result.offender == seat, result.fault] += 1
        for player in range(self.players):
            self.seconds[player == seat] += result.seconds[player]
            self.asked[player == seat] += result.asked[player]

    def mean(self) -> tuple[float, float]:
        """Points a game, and half the width of the 95% interval. Games that begin alike, one with
        the engine in each seat, count as one sample."""
        rounds: dict[int, list[float]] = {}
        for number, value in self.values.items():
            rounds.setdefault(number // self.players, []).append(value)
        means = [statistics.fmean(values) for values in rounds.values()]
        if len(means) < 2:
            return statistics.fmean(self.values.values()), 0.5
        error = statistics.stdev(means) / math.sqrt(len(means))
        return statistics.fmean(self.values.values()), Z_95 * error

    def brief(self) -> str:
        mean, margin = self.mean()
        faults = sum(self.faults.values())
        return f"{100 * mean:.1f}% +/- {100 * margin:.1f}" + (
            f", {faults} faults" if faults else ""
        )

    def table(self, names: tuple[str, str], game: str) -> str:
        values = list(self.values.values())
        rows = [("engine", names[0]), ("opponent", names[1]), ("game", game)]
        games = f"{len(values)}"
        if self.players == 2:
            won, lost = values.count(1), values.count(0)
            games += f": {won} won, {len(values) - won - lost} drawn, {lost} lost"
        rows.append(("games", games))
        if values:
            mean, margin = self.mean()
            rows.append(("points", f"{100 * mean:.1f}% +/- {100 * margin:.1f} (95%)"))
            seats = []
            for seat in range(self.players):
                own = [v for number, v in self.values.items() if number % self.players == seat]
                seats += [f"{100 * statistics.fmean(own):.1f}%" if own else "-"]
            rows.append(("by seat", ", ".join(seats)))
            if self.players == 2:
                low, high = elo_of(mean - margin), elo_of(mean + margin)
                rows.append(("Elo", f"{elo_of(mean):+.1f}, 95% interval {low:+.1f} to {high:+.1f}"))
            if self.endings:
                ends = [f"{count} {ending}" for ending, count in self.endings.most_common()]
                rows.append(("endings", ", ".join(ends)))
            rows.append(("moves a game", f"{self.moves / len(values):.1f}"))
        for side, name in ((True, "engine"), (False, "opponent")):
            mean_time = self.seconds[side] / max(self.asked[side], 1)
            rows.append((f"{name} time", f"{mean_time:.3f} s a move"))
            rows.append(fault_row(self.faults, side, FAULTS))
        return table_text(rows)


class Match:
    """Threads that play games, each with two processes and a referee of its own."""

    def __init__(self, args: argparse.Namespace, name: str) -> None:
        self.args = args
        self.name = name
        self.kind = KINDS[name]
        self.numbers = itertools.count()
        self.results: queue.SimpleQueue[tuple[int, Result] | BaseException] = queue.SimpleQueue()
        self.over = threading.Event()
        self.threads = [
            threading.Thread(target=self._work, daemon=True) for _ in range(args.concurrency)
        ]

    def _work(self) -> None:
        engine = Contender(self.args.engine, self.args.patience)
        opponent = Contender(self.args.opponent, self.args.patience)
        kind, players = self.kind, self.kind.players
        try:
            referee = referee_of(self.args.game)
            while (number := next(self.numbers)) < self.args.games and not self.over.is_set():
                seed = self.args.seed + number // players
                opening = kind.opening(referee, self.name, self.args.opening, seed)
                ours = [n == number % players for n in range(players)]
                seats = [engine if own else opponent for own in ours]
                limits = [self.args.limit if own else self.args.opponent_limit for own in ours]
                game = kind.game(self.name, seats, limits, referee)
                self.results.put((number, game.play(opening)))
            engine.close()
            opponent.close()
        except BaseException as error:
            self.results.put(error)

    def play(self, standing: Standing, bar: "tqdm[Never]") -> None:
        for thread in self.threads:
            thread.start()
        for _ in range(self.args.games):
            got = self.results.get()
            if isinstance(got, BaseException):
                raise got
            number, result = got
            standing.add(number, result)
            if result.fault:
                who = "engine" if result.offender == number % standing.players else "opponent"
                tqdm.write(
                    f"game {number + 1}: {result.fault} by {who}: {result.detail}", sys.stderr
                )
            if self.args.record:
                with self.args.record.open("a") as file:
                    file.write(result.record + "\n")
            bar.set_postfix_str(standing.brief(), refresh=False)
            bar.update()


def referee_of(game: str) -> BoardEngine:
    """An engine of ours that keeps the rules."""
    referee = open_engine(GAMES[game])
    assert isinstance(referee, BoardEngine)
    return referee


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = match_parser(__doc__)
    known = [name for name, game in GAMES.items() if game.protocol == "gtp"]
    add = parser.add_argument
    add("--game", required=True, metavar="NAME", choices=[*known, *GAME_IDS],
        help=f"one of: {', '.join(known)}")  # fmt: skip
    add("--limit", default="", metavar="WORDS",
        help='limit of each move of the engine, such as "movetime 200" or "nodes 5000"; '
        "default: its own")  # fmt: skip
    add("--opponent-limit", default="", metavar="WORDS", help="the same for its opponent")
    add("--games", type=positive, default=20, help="default 20")
    add("--opening", type=int, default=2, metavar="PLIES",
        help="moves at random before the engines play, alike in each seat; default 2")  # fmt: skip
    add("--seed", type=int, default=0, help="of these moves; default 0")
    add("--concurrency", type=positive, default=1, help="games at a time; default 1")
    add("--record", type=Path, metavar="FILE", help="append the games here, as savesgf writes them")
    add("--patience", type=float, default=PATIENCE, metavar="SECONDS",
        help=f"for a reply; after that an engine counts as hung; default {PATIENCE:g}")  # fmt: skip
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    args = parse_arguments(argv)
    args.game = GAME_IDS.get(args.game, args.game)
    name = GAMES[args.game].variant
    names = []
    for command in (args.engine, args.opponent):
        try:
            client = GtpClient(command, args.patience)
            names.append(f"{client.ask('name')} {client.ask('version')}")
            client.quit()
        except EngineFault as error:
            print(f"match: {error}", file=sys.stderr)
            return 2
    standing, interrupted = Standing(KINDS[name].players), False
    match = Match(args, name)
    bar = tqdm(total=args.games, unit="game", disable=not sys.stderr.isatty())
    try:
        match.play(standing, bar)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        match.over.set()
        bar.close()
    print(standing.table((names[0], names[1]), name))
    return 130 if interrupted else 1 if standing.faults else 0


if __name__ == "__main__":
    sys.exit(main())
