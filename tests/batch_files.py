"""Files of positions for the engine of this process, and what must come out."""

import json
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.control import Control
from engine.engine import Engine
from engine.errors import EngineError
from engine.types import BatchReport, Data

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
FENS = [json.loads(line)["fen"] for line in (DATA / "analysis.jsonl").read_text().splitlines()]
EPDS = (DATA / "openings.epd").read_text().splitlines()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

Target = str | Callable[[Data], None]


def run(
    engine: Engine,
    source: Path,
    target: Target,
    control: Control | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> BatchReport:
    return engine.analyze_file(str(source), target, control or Control(), on_progress)


def analyse(engine: Engine, source: Path) -> tuple[BatchReport, list[str]]:
    """The report, and the lines given to a function."""
    pieces: list[Data] = []
    report = run(engine, source, pieces.append)
    assert all(piece.endswith(b"\n") for piece in pieces)
    return report, b"".join(pieces).decode("ascii").splitlines()


def one_by_one(engine: Engine, texts: list[str]) -> list[str]:
    """What `analyze json` says of each line."""
    found = []
    for number, text in enumerate(texts, 1):
        try:
            engine.set_position(text, ())
            found.append(engine.analyze())
        except EngineError as problem:
            found.append(json.dumps({"error": str(problem), "line": number}))
    engine.new_game()
    return found


MIXED = [
    text
    for number, fen in enumerate(FENS)
    for text in (fen, *([EPDS[number], "no position", f"{fen} \u00e9"] if number % 7 == 0 else []))
]


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """A disk that is full after so many bytes: the last write before that is cut short."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
