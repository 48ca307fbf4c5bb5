"""`analyze file` as every protocol does it: where the results go, and a bar for who waits."""

import threading
from collections.abc import Callable

from engine.control import Control
from engine.engine import Engine
from engine.types import BatchReport, Data
from protocol.analysis import AnalyzeFile
from protocol.progress import progress_bar


def analyze_file(
    engine: Engine,
    order: AnalyzeFile,
    rows: Callable[[Data], None],
    control: Control,
    saves: threading.Event,
    quiet: bool,
) -> BatchReport:
    """On the worker. `rows` takes the results that go to no file; `saves` is set before there are
    any. Raises EngineError, and then there are none."""
    target = rows if order.target is None else order.target
    with progress_bar(not quiet, order.target is None) as show:

        def on_progress(done: int, total: int) -> None:
            saves.set()
            show(done, total)

        return engine.analyze_file(order.source, target, control, on_progress)
