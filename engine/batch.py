"""A file of positions analysed block by block on several threads, the results in order.

    Source --blocks--> desks, one for each thread --rows, in the order of the blocks--> Sink

The thread that calls `run` reads and writes. Only a few blocks are under way at any moment, so the
memory needed does not depend on the length of the file.
"""

import json
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

from engine.control import Control
from engine.errors import EngineError, FileError
from engine.lines import LONGEST, Block, Source
from engine.sinks import Rows, Sink, open_lines
from engine.types import BatchReport, Data

TOO_LONG = f"line of more than {LONGEST} bytes"

AHEAD = 2
"""Blocks under way for each thread."""
GROUP = 128
"""Positions whose facts are found at once: a card wants many, and a stop waits for them."""


class Desk(ABC):
    """What one thread needs for its work."""

    @abstractmethod
    def rows(self, block: Block, control: Control) -> Rows:
        """Analyse the lines of a block; after a stop no more than those begun."""


@dataclass(frozen=True)
class Analyst:
    """How a game analyses positions given as text. For one thread."""

    read: Callable[[str], Any]
    """A position from its text. Raises EngineError."""
    examine: Callable[[Sequence[Any]], Iterable[Any]]
    """The facts of some positions. Raises EngineError."""
    write: Callable[[Any, Any], str]
    """The JSON of a position and its facts."""


class TextDesk(Desk):
    """The plain way: line by line, but that the facts of a group are found at once."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst

    def rows(self, block: Block, control: Control) -> Rows:
        found: list[str] = []
        group: list[tuple[int, Any]] = []
        bad = 0
        whole = True
        for line, data in enumerate(block.data.split(b"\n"), block.first):
            if control.stopped:
                whole = False
                break
            try:
                if block.too_long:
                    raise EngineError(TOO_LONG)
                if data.strip():
                    text = data.strip().decode("utf-8", "replace")
                    group.append((len(found), self._analyst.read(text)))
                    found.append("")
            except EngineError as problem:
                found.append(bad_line(str(problem), line))
                bad += 1
            if len(group) == GROUP:
                self._fill(found, group)
                group = []
        self._fill(found, group)
        text = "".join(f"{row}\n" for row in found)
        return Rows(text.encode("ascii"), len(found) - bad, bad, whole)

    def _fill(self, found: list[str], group: Sequence[tuple[int, Any]]) -> None:
        """Write the rows of positions, each to its place. Raises EngineError."""
        facts = self._analyst.examine([position for _, position in group])
        for (place, position), one in zip(group, facts, strict=True):
            found[place] = self._analyst.write(position, one)


def bad_line(problem: str, line: int) -> str:
    """The JSON of a line that holds no position."""
    return json.dumps({"error": problem, "line": line})


def analyze_file(
    path: str,
    target: str | Callable[[Data], None],
    prepare: Callable[[], tuple[Sink, Sequence[Desk]]],
    control: Control,
    on_progress: Callable[[int, int], None],
) -> BatchReport:
    """See `Engine.analyze_file`. `prepare` opens the target and makes a desk for each thread."""
    with Source(path) as source:
        if isinstance(target, str) and source.is_file(target):
            raise FileError("cannot write to", target, "it is the file that is read")
        on_progress(0, source.size)
        sink, desks = prepare()
        return run(source, sink, desks, control, on_progress)


def analyze_texts(
    path: str,
    target: str | Callable[[Data], None],
    make_analyst: Callable[[], Analyst],
    threads: int,
    control: Control,
    on_progress: Callable[[int, int], None],
) -> BatchReport:
    """The plain way for a whole file, to JSON lines only."""

    def prepare() -> tuple[Sink, Sequence[Desk]]:
        if isinstance(target, str) and target.endswith(".parquet"):
            raise FileError("cannot write to", target, "this game has no columns for .parquet")
        return open_lines(target), [TextDesk(make_analyst()) for _ in range(threads)]

    return analyze_file(path, target, prepare, control, on_progress)


def run(
    source: Source,
    sink: Sink,
    desks: Sequence[Desk],
    control: Control,
    on_progress: Callable[[int, int], None],
) -> BatchReport:
    """Analyse a file, a thread for each desk. Blocks until it is done or stopped.

    `on_progress` gets the bytes read and the size of the file, 0 if that is not known. A file that
    cannot be read or written any further ends the run, and so does a backend that fails: the
    report says so. Closes the sink.
    """
    began = time.perf_counter()
    problem = ""
    whole = True
    try:
        with sink:
            for rows in _in_order(source.blocks(control), sink, desks, control):
                sink.write(rows)
                on_progress(source.read, source.size)
                whole = rows.whole
                if not whole:
                    break
            sink.close()
    except EngineError as error:
        problem = str(error)
    return BatchReport(
        lines=source.lines,
        positions=sink.positions,
        bad=sink.bad,
        time=int((time.perf_counter() - began) * 1000),
        stopped=not problem and not (source.ended and whole),
        problem=problem,
    )


def _in_order(
    blocks: Iterable[Block], sink: Sink, desks: Sequence[Desk], control: Control
) -> Iterator[Rows]:
    """The rows of each block. Raises what `blocks` raises, after the rows of those before."""
    free: SimpleQueue[Desk] = SimpleQueue()
    for desk in desks:
        free.put(desk)

    def work(block: Block) -> Rows:
        desk = free.get()
        try:
            rows = desk.rows(block, control)
            return replace(rows, data=sink.packed(rows.data))
        finally:
            free.put(desk)

    broken: FileError | None = None
    waiting: deque[Future[Rows]] = deque()
    pool = ThreadPoolExecutor(len(desks), "batch")
    try:
        try:
            for block in blocks:
                waiting.append(pool.submit(work, block))
                if len(waiting) > AHEAD * len(desks):
                    yield waiting.popleft().result()
        except FileError as error:
            broken = error
        while waiting:
            yield waiting.popleft().result()
        if broken:
            raise broken
    finally:
        pool.shutdown(cancel_futures=True)
