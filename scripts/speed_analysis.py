"""How fast are positions analysed? CPU time of one core, beside python-chess in the same run.

The positions are those of random games from the openings of the tests. Before anything is timed,
the facts of a sample are compared with what python-chess finds: `tests/oracles/analysis.py`, the
plain approach, which is then timed on that same sample.
"""

import itertools
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import chess
import numpy as np
from engine_process import EngineFault
from numpy.typing import NDArray
from speed_peers import UciPeer, WrongAnswer

from engine.games.chess.analysis import analyze_all
from engine.games.chess.arrays import compute_attack_maps
from engine.games.chess.jsontext import MAX_JSON, TEXT_RECORD, write_all
from engine.games.chess.notation import parse_fen
from engine.games.chess.records import ANALYSIS, CACHE
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.verify import build

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.append(str(TESTS))
from oracles.analysis import analysis  # noqa: E402

POSITIONS = 4_096
SAMPLE = 256
"""Positions for python-chess, spread over all."""

BLOCK = 256
"""Positions in one call: their facts stay in the cache of the core until they are written."""

FILE_COPIES = 4
"""How often all positions stand in the file."""

LEAST = 0.1
"""CPU seconds that one turn lasts at least. Turns are short and many, so that all rows meet the
machine in the same moods."""

TURNS = 5
"""Turns for each run that is asked for."""

FULL, PLAIN = "full analysis", "python-chess, the same facts"

Work = Callable[[], tuple[int, float]]
"""Does something to many positions: how many, and in how many CPU seconds."""


@dataclass(frozen=True)
class Row:
    label: str
    work: Work


def random_positions(count: int) -> list[chess.Board]:
    """Different positions of random games, the same on each run."""
    dice = random.Random(1)
    openings = (TESTS / "data" / "openings.epd").read_text().splitlines()
    found: dict[str, chess.Board] = {}
    while len(found) < count:
        board, _ = chess.Board.from_epd(dice.choice(openings))
        for _ in range(80):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(dice.choice(moves))
            found[board.fen()] = board.copy(stack=False)
    return list(found.values())[:count]


def records_of(boards: list[chess.Board]) -> NDArray[np.void]:
    """STATE records, shape (n,)."""
    records: NDArray[np.void] = np.zeros(len(boards), STATE)
    for i, board in enumerate(boards):
        records[i : i + 1] = build(parse_fen(board.fen(en_passant="legal"), False), T)
    return records


def arrays_of(boards: list[chess.Board]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Pieces and colours as `engine.games.chess.arrays` wants them, shape (n, 64)."""
    pieces = np.zeros((len(boards), 64), np.int8)
    colours = np.full((len(boards), 64), -1, np.int8)
    for i, board in enumerate(boards):
        for square, piece in board.piece_map().items():
            pieces[i, square] = piece.piece_type
            colours[i, square] = 0 if piece.color == chess.WHITE else 1
    return pieces, colours


class Analyst:
    """The compiled analysis, a block of records at a time."""

    def __init__(self, states: NDArray[np.void]) -> None:
        self._blocks = [states[at : at + BLOCK] for at in range(0, len(states), BLOCK)]
        self._facts: NDArray[np.void] = np.zeros(BLOCK, ANALYSIS)
        self._cache: np.void = np.zeros(1, CACHE)[0]
        self._text = np.zeros(BLOCK * MAX_JSON, np.uint8)

    def analyze(self) -> Iterator[tuple[NDArray[np.void], int]]:
        """Each block and the number of its records, when their facts are worked out."""
        for block in self._blocks:
            analyze_all(block, len(block), T, self._cache, self._facts)
            yield block, len(block)

    def write(self) -> Iterator[bytes]:
        """The JSON lines of each block."""
        for block, n in self.analyze():
            size = write_all(block, self._facts, n, 0, TEXT_RECORD, self._text)
            yield self._text[:size].tobytes()


def timed(work: Callable[[], object], positions: int) -> Work:
    """Time `work`, which treats so many positions, in this process, and often enough."""

    def measure() -> tuple[int, float]:
        begin = time.process_time()
        for times in itertools.count(1):
            work()
            seconds = time.process_time() - begin
            if seconds >= LEAST:
                return times * positions, seconds
        raise AssertionError

    return measure


def exhaust(iterator: Iterator[object]) -> None:
    for _ in iterator:
        pass


def compare(lines: list[bytes], boards: list[chess.Board]) -> None:
    """Raises WrongAnswer unless the lines say what python-chess finds."""
    for line, board in zip(lines, boards, strict=True):
        facts = json.loads(line)
        del facts["key"], facts["eval"]
        if facts != (expected := analysis(board)):
            wrong = next(key for key in expected if facts.get(key) != expected[key])
            raise WrongAnswer(f"{board.fen()}: {wrong} differs from what python-chess finds")


@contextmanager
def open_rows(engine: UciPeer) -> Iterator[list[Row]]:
    """What is measured, all in this process but `analyze file`, which is for `engine`."""
    boards = random_positions(POSITIONS)
    sample = boards[:: POSITIONS // SAMPLE]
    compare(b"".join(Analyst(records_of(sample)).write()).splitlines(), sample)
    analyst = Analyst(records_of(boards))
    arrays = arrays_of(boards)
    rows = [
        Row(FULL, timed(lambda: exhaust(analyst.analyze()), POSITIONS)),
        Row("full analysis and JSON text", timed(lambda: exhaust(analyst.write()), POSITIONS)),
        Row("attack maps alone", timed(lambda: compute_attack_maps(*arrays), POSITIONS)),
        Row(PLAIN, timed(lambda: [analysis(board) for board in sample], SAMPLE)),
    ]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "positions.fen"), Path(folder, "facts.jsonl")
        source.write_text("".join(f"{board.fen()}\n" for board in boards) * FILE_COPIES)
        try:
            engine.analyze_file(source, target)  # the first pays for what is loaded late
        except EngineFault as fault:
            print(f"skipped: analyze file: {fault.detail}", file=sys.stderr)
        else:
            work = partial(engine.analyze_file, source, target)
            rows.append(Row("analyze file, FEN to JSON lines", work))
        yield rows
