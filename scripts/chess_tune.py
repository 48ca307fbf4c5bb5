"""Tune the margins of the chess search: games of the search against itself, with all margins moved
a little to one side for one player and to the other side for the other (SPSA).

    python scripts/chess_tune.py log.jsonl --pairs 10000 --nodes 6000 --threads 2
    python scripts/chess_tune.py log.jsonl --match 1000 --nodes 20000 --threads 2

The first line tunes, and goes on where the log ends if there is one; a line of the log has the
margins so far. The second plays the last margins of the log against those of the engine. Two games
with the colours swapped begin from each opening, a position of `--openings` and up to three random
moves, so that no two pairs are alike. All runs in compiled code, several games a second.
"""

import argparse
import json
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np
from chess_game import KEYS_T, LONGEST, is_drawn, think
from elo import estimate
from match import read_openings
from match_frame import positive
from numba import types
from numpy.typing import NDArray

from engine.control import Control
from engine.errors import EngineError
from engine.games.chess.attacks import Tables
from engine.games.chess.generation import generate_at
from engine.games.chess.make import play
from engine.games.chess.margins import START
from engine.games.chess.node import in_check
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.ordering import Work
from engine.games.chess.position import Position
from engine.games.chess.tables import T
from engine.games.chess.work import GAME_KEYS, WORK_T, new_work
from engine.jit import kernel
from engine.table import Table

DECIDED, CERTAIN = 700, 6
"""A game is given up once both sides have seen this much for so many plies together."""
LEVEL, DULL = 8, 12
"""It is a draw if after move 30 both see no more than LEVEL for DULL plies."""
HASH = 4
"""Megabytes of the table of each player."""
MOST = 1_000_000
"""No margin is beyond this."""
THREADS = 256
OFTEN = 50
"""Pairs between two lines of the log."""
GAIN = 0.006
"""By how much of its step a margin moves, at the end, for one game won more."""

I64 = types.int64
Margins = dict[str, int]
Places = NDArray[np.float64]
"""One number for each margin."""


@kernel(I64(WORK_T, WORK_T, TABLES_T, STATE_T, KEYS_T, I64))
def duel(white: Work, black: Work, t: Tables, pos: State, keys: Any, nodes: int) -> int:
    """Play a game with `nodes` nodes a move: 1 if White wins, -1 if Black does."""
    high = low = level = 0
    for ply in range(LONGEST):
        w = white if pos.turn == 0 else black
        if generate_at(w, t, pos, 0, -1) == 0:
            return 2 * pos.turn - 1 if in_check(t, pos) else 0
        if is_drawn(pos, keys, ply):
            return 0
        keys[ply] = pos.key
        first = max(ply - GAME_KEYS, 0)
        for i in range(first, ply):
            w.keys[i - first] = keys[i]
        w.root_key = ply - first
        score = think(w, t, pos, nodes, nodes)
        score = -score if pos.turn else score
        high = high + 1 if score > DECIDED else 0
        low = low + 1 if score < -DECIDED else 0
        level = level + 1 if abs(score) <= LEVEL and ply > 60 else 0
        if high >= CERTAIN:
            return 1
        if low >= CERTAIN:
            return -1
        if level >= DULL:
            return 0
        play(pos, t, int(w.root_moves[0]), w.undo[0])
    return 0


class Arena:
    """Where games are played, with `nodes` nodes a move."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.control = Control()
        self.keys = np.zeros(LONGEST, np.int64)

    def game(self, fen: str, white: Margins, black: Margins) -> int:
        """1 if White wins, -1 if Black does. No game knows of the one before."""
        tables = Table(HASH), Table(HASH)
        works = new_work(), new_work()
        for work, table, margins in zip(works, tables, (white, black), strict=True):
            work["table"], work["buckets"] = table.address, table.buckets
            work["control"] = self.control.address
            for name, value in margins.items():
                work["margins"][name] = value
        state = Position(fen).copy()
        return int(duel(works[0], works[1], T, state, self.keys, self.nodes))

    def pair(self, fen: str, ours: Margins, theirs: Margins) -> int:
        """Games that `ours` won less those that it lost, of two."""
        return self.game(fen, ours, theirs) - self.game(fen, theirs, ours)


def opening(boards: list[chess.Board], rng: random.Random) -> str:
    """A position to begin with; the random moves cost no side more than a pawn."""
    while True:
        start = rng.choice(boards)
        board = start.copy()
        board.fullmove_number = 1
        for _ in range(rng.randrange(4)):
            if moves := list(board.legal_moves):
                board.push(rng.choice(moves))
        if not board.is_game_over() and abs(balance(board) - balance(start)) <= 1:
            return board.fen()


def balance(board: chess.Board) -> int:
    """Pieces of White less those of Black, in pawns."""
    worth = (0, 1, 3, 3, 5, 9, 0)
    return sum(worth[p.piece_type] * (1 if p.color else -1) for p in board.piece_map().values())


class Spsa:
    """Where the margins are, and where they go with each pair of games: Spall's method with the
    usual exponents, tuned so that the last of `pairs` pairs moves a margin by GAIN of its step."""

    def __init__(self, pairs: int, log: Path) -> None:
        self.pairs, self.log = pairs, log
        self.steps: Places = np.array([step for _, step in START.values()], float)
        self.done, places = read_log(log)
        self.place: Places = np.array(places, float)
        self.signs: Places = np.sign([value for value, _ in START.values()])
        self.rng = np.random.default_rng(self.done)

    def distance(self) -> Places:
        """How far the two players of the next pair are from `place`."""
        scale: float = (self.pairs / (self.done + 1)) ** 0.101
        return self.steps * scale

    def draw(self) -> tuple[Places, Margins, Margins]:
        """A direction and the margins of two players. They are whole numbers; what is cut off is
        chance, so that small steps count as well."""
        way = self.rng.choice((-1.0, 1.0), len(START))
        far = self.distance() * way
        return way, self.whole(self.place + far), self.whole(self.place - far)

    def whole(self, place: Places) -> Margins:
        numbers = np.floor(self.kept_sign(place) + self.rng.random(len(place)))
        return {name: int(value) for name, value in zip(START, numbers, strict=True)}

    def kept_sign(self, place: Places) -> Places:
        """No margin changes its sign: some of them divide."""
        return self.signs * np.maximum(self.signs * place, 1)

    def learn(self, way: Places, won: int) -> None:
        self.done += 1
        slow = 0.1 * self.pairs
        rate = ((slow + self.pairs) / (slow + self.done)) ** 0.602
        gain = GAIN * self.steps**2 * rate / self.distance()
        self.place = self.kept_sign(self.place + gain * won * way)

    def write(self) -> None:
        margins = dict(zip(START, np.round(self.place, 2).tolist(), strict=True))
        with self.log.open("a") as file:
            file.write(json.dumps({"pairs": self.done, "margins": margins}) + "\n")
        print(f"{self.done} pairs", flush=True)


def read_log(log: Path) -> tuple[int, list[float]]:
    """Pairs so far and where the margins are, in the order of START. Raises ValueError for a log
    that is of something else, OSError for one that cannot be read."""
    if log.exists() and not log.is_file():
        raise ValueError(f"{log}: not a file")
    text = log.read_text(errors="replace").rstrip() if log.exists() else ""
    if not text:
        return 0, [value for value, _ in START.values()]
    try:
        last = json.loads(text.rsplit("\n", 1)[-1])
        pairs, margins = last["pairs"], last["margins"]
        places = [margins[name] for name in START]
        fits = type(pairs) is int and pairs >= 0 and len(margins) == len(START)
        fits = fits and all(type(x) in (int, float) and abs(x) < MOST for x in places)
    except (ValueError, TypeError, LookupError, RecursionError):
        fits = False
    if not fits:
        raise ValueError(f"{log}: the last line has not the margins of this engine")
    return pairs, places


def side_by_side(
    threads: int, nodes: int, times: int, task: Callable[[Arena, random.Random], None]
) -> bool:
    """Let threads do a task so many times. Returns False after Ctrl-C, once the games that were
    being played are over. Raises what a task raises."""
    stop, left = threading.Event(), iter(range(times))
    faults: list[Exception] = []

    def work(number: int) -> None:
        arena, rng = Arena(nodes), random.Random(time.time_ns() + number)
        try:
            for _ in left:
                task(arena, rng)
                if stop.is_set():
                    return
        except Exception as fault:  # told by the main thread
            faults.append(fault)
            stop.set()

    workers = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for worker in workers:
        worker.start()
    whole = True
    while any(worker.is_alive() for worker in workers):
        try:
            for worker in workers:
                worker.join()
        except KeyboardInterrupt:
            stop.set()
            whole = False
    if faults:
        raise faults[0]
    return whole


def tune(log: Path, pairs: int, nodes: int, threads: int, boards: list[chess.Board]) -> bool:
    """Play until the log has so many pairs; False if Ctrl-C ended it before."""
    spsa, lock = Spsa(pairs, log), threading.Lock()
    if spsa.done >= pairs:
        print(f"{log} has {spsa.done} pairs already")
        return True

    def task(arena: Arena, rng: random.Random) -> None:
        with lock:
            way, more, less = spsa.draw()
            fen = opening(boards, rng)
        won = arena.pair(fen, more, less)
        with lock:
            spsa.learn(way, won)
            if spsa.done % OFTEN == 0:
                spsa.write()

    whole = side_by_side(threads, nodes, pairs - spsa.done, task)
    if spsa.done % OFTEN:
        spsa.write()
    return whole


def compare(log: Path, pairs: int, nodes: int, threads: int, boards: list[chess.Board]) -> bool:
    """The last margins of the log against those of the engine; False if Ctrl-C ended it."""
    ours = dict(zip(START, map(round, read_log(log)[1]), strict=True))
    theirs = {name: value for name, (value, _) in START.items()}
    counts, lock = [0] * 5, threading.Lock()

    def report() -> None:
        if result := estimate(counts):
            print(f"{sum(counts)} pairs: {result.elo:+.1f}", end=" ")
            print(f"({result.low:+.1f} to {result.high:+.1f})", flush=True)

    def task(arena: Arena, rng: random.Random) -> None:
        won = arena.pair(opening(boards, rng), ours, theirs)
        with lock:
            counts[won + 2] += 1
            if sum(counts) % OFTEN == 0:
                report()

    whole = side_by_side(threads, nodes, pairs, task)
    if sum(counts) % OFTEN:
        report()
    return whole


def usable(path: Path | None) -> list[chess.Board]:
    """The openings of a file that a game can begin with. Raises ValueError, OSError."""
    try:
        boards = [
            board for board in read_openings(path, chess960=False) if not board.is_game_over()
        ]
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text") from None
    for board in boards:
        Position(board.fen())
    if not boards:
        raise ValueError(f"{path}: in all positions the game is over")
    return boards


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    add = parser.add_argument
    add("log", type=Path, help="where the margins are written, and read")
    add("--pairs", type=positive, default=5000, help="games to tune with, in pairs")
    add("--match", type=positive, metavar="PAIRS", help="do not tune, but measure what it brought")
    add("--nodes", type=positive, default=12_000, help="a move")
    add("--threads", type=positive, default=1)
    add("--openings", type=Path, metavar="FILE", help="EPD or FEN, one a line")
    options = parser.parse_args()
    if options.threads > THREADS:
        parser.error(f"--threads: expected at most {THREADS}, got {options.threads}")
    try:
        boards = usable(options.openings)
        read_log(options.log)
        if options.match and not options.log.exists():
            raise ValueError(f"there is no {options.log}")
        if not options.match:
            options.log.open("a").close()
    except (EngineError, OSError, ValueError) as problem:
        parser.error(str(problem))
    play_all = compare if options.match else tune
    pairs = options.match or options.pairs
    whole = play_all(options.log, pairs, options.nodes, options.threads, boards)
    return 0 if whole else 130


if __name__ == "__main__":
    sys.exit(main())
