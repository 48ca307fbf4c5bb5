"""`analyze file`: lines of FEN or EPD to facts, as JSON lines or as columns.

    block of lines --fentext--> STATE records --analysis--> ANALYSIS records --form--> rows

A line that `fentext` leaves alone goes the long way through `notation`, which takes it or says
what is wrong with it.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine import batch
from engine.control import Control
from engine.errors import EngineError, PositionError
from engine.games.chess.fentext import LEFT, LINES, NEXT, RECORDS, REPORT, WHY, read_positions
from engine.games.chess.forms import BadLine, Form, Found, JsonForm
from engine.games.chess.notation import parse_fen
from engine.games.chess.records import ANALYSIS
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.verify import build
from engine.lines import Block
from engine.sinks import Rows, Sink, open_lines
from engine.tasks import Examine, Tasks
from engine.types import BatchReport, Data


class ChessDesk(batch.Desk):
    """The records that one thread works on."""

    def __init__(self, chess960: bool, form: Form, examine: Examine) -> None:
        self._chess960 = chess960
        self._examine = examine
        self._form = form
        self._states: NDArray[np.void] = np.zeros(form.room, STATE)
        self._facts: NDArray[np.void] = np.zeros(form.room, ANALYSIS)
        self._lines = np.zeros(form.room, np.int64)
        self._report = np.zeros(REPORT, np.int64)

    def rows(self, block: Block, control: Control) -> Rows:
        if block.too_long:
            self._add(0, [(block.first, batch.TOO_LONG)])
            return Rows(self._form.finish(), 0, 1)
        at, line = 0, block.first
        positions = bad = 0
        while at < len(block.data) and not control.stopped:
            at, line, n, errors = self._read(block.data, at, line)
            self._examine(self._states[:n], self._facts[:n])
            self._add(n, errors)
            positions += n
            bad += len(errors)
        return Rows(self._form.finish(), positions, bad, at >= len(block.data))

    def _add(self, n: int, errors: list[BadLine]) -> None:
        """Hand on the first records and the bad lines among them."""
        self._form.add(Found(self._states[:n], self._facts[:n], self._lines[:n], errors))

    def _read(self, text: bytes, at: int, line: int) -> tuple[int, int, int, list[BadLine]]:
        """Records from the line at index `at`, whose number is `line`: (index and number of the
        line to go on with, number of records, bad lines among them)."""
        data, report = np.frombuffer(text, np.uint8), self._report
        n = 0
        errors: list[BadLine] = []
        while n + len(errors) < self._form.room and at < len(data):
            at = read_positions(
                data, at, len(data), self._chess960, T, self._states[n:], self._lines[n:], report
            )
            read = int(report[RECORDS])
            self._lines[n : n + read] += line
            n += read
            line += int(report[LINES])
            if report[WHY] == LEFT:
                try:
                    self._states[n : n + 1] = self._read_slowly(text[at : report[NEXT]])
                    self._lines[n] = line
                    n += 1
                except PositionError as problem:
                    errors.append((line, str(problem)))
                line += 1
                at = int(report[NEXT])
        return at, line, n, errors

    def _read_slowly(self, text: bytes) -> NDArray[np.void]:
        """One record by way of `notation`. Raises PositionError."""
        return build(parse_fen(text.strip().decode("utf-8", "replace"), self._chess960), T)


def analyze_file(
    path: str,
    target: str | Callable[[Data], None],
    chess960: bool,
    threads: int,
    tasks: Tasks,
    control: Control,
    on_progress: Callable[[int, int], None],
) -> BatchReport:
    """See `Engine.analyze_file`."""

    def prepare() -> tuple[Sink, Sequence[ChessDesk]]:
        if isinstance(target, str) and target.endswith(".parquet"):
            sink, make_form = _columns(target, chess960)
        else:
            sink, make_form = open_lines(target), lambda: JsonForm(chess960)
        desks = threads + tasks.waits
        return sink, [ChessDesk(chess960, make_form(), tasks.examiner()) for _ in range(desks)]

    return batch.analyze_file(path, target, prepare, control, on_progress)


def _columns(target: str, chess960: bool) -> tuple[Sink, Callable[[], Form]]:
    try:
        from engine.games.chess.columns import SCHEMA, TableForm
        from engine.parquet import Parquet
    except ImportError as problem:
        why = "is not installed" if problem.name == "pyarrow" else f"does not load ({problem})"
        raise EngineError(
            f"writing a .parquet file needs pyarrow, which {why}: pip install pyarrow"
        ) from problem
    return Parquet(target, SCHEMA), lambda: TableForm(chess960)
