"""The block of memory that a running kernel shares with the thread that reads input.

    cell 0  STOP   not 0: leave as soon as possible
    cell 1  NODES  limit on nodes of one thread, 0 for none

A kernel polls cell 0 with an atomic load. The block is a ctypes array, so that the reader thread
can make one before numpy is loaded; every job gets a fresh one, so a late `stop` can never hit
the wrong search.
"""

import ctypes
import threading
from collections.abc import Callable

STOP = 0
NODES = 1
CELLS = 8


class Control:
    """Stop flag and ponder state of one job. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._cells = (ctypes.c_int64 * CELLS)()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._hit = False
        self._on_ponderhit: Callable[[], None] | None = None

    @property
    def address(self) -> int:
        """Address of cell 0, valid as long as this object lives."""
        return ctypes.addressof(self._cells)

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """End the job soon. Never blocks."""
        self._cells[STOP] = 1
        self._stopped.set()

    def wait(self) -> None:
        """Block, without using the CPU, until `stop` was called."""
        self._stopped.wait()

    def set_nodes(self, limit: int) -> None:
        self._cells[NODES] = limit

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock starts now. Never blocks."""
        with self._lock:
            self._hit = True
            action = self._on_ponderhit
        if action is not None:
            action()

    def on_ponderhit(self, action: Callable[[], None]) -> None:
        """Call `action` at the ponder hit; at once if it came already."""
        with self._lock:
            self._on_ponderhit = action
            hit = self._hit
        if hit:
            action()
