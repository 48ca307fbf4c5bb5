"""A bar for people who wait at a terminal. It goes to stderr, and only there."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STDOUT = 1


@contextmanager
def progress_bar(wanted: bool, fills_stdout: bool) -> Iterator[Callable[[int, int], None]]:
    """A function that takes the bytes done and their total, 0 if that is not known.

    There is no bar if stderr is no terminal, nor if results fill the same screen.
    """
    if not (wanted and _stderr_is_terminal()) or (fills_stdout and os.isatty(STDOUT)):
        yield lambda done, total: None
        return
    from tqdm import tqdm

    with tqdm(desc="analyze file", unit="B", unit_scale=True, leave=False) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total or None
            bar.update(done - bar.n)

        yield show


def _stderr_is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False
