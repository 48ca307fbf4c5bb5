"""The block of memory that a running kernel shares with the thread that reads input.

It is one number, not 0 once the kernel is to leave, which the kernel polls with an atomic load. It
lives in a ctypes array, so that the reader thread can make one before numpy is loaded; every job
gets a fresh one, so a late `stop` can never hit the wrong search.
"""

import ctypes
import threading
from collections.abc import Callable


class Control:
    """Stop flag and ponder state of one job. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._flag = ctypes.c_int64(0)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._hit = False
        self._on_ponderhit: Callable[[], None] | None = None
        self._child: Control | None = None

    @property
    def address(self) -> int:
        """Address of the flag, valid as long as this object lives."""
        return ctypes.addressof(self._flag)

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """End the job soon. Never blocks."""
        self._flag.value = 1
        self._stopped.set()
        child = self._child
        if child is not None:
            child.stop()

    def child(self) -> "Control":
        """A control for one part of the job: stops with this one, but can be stopped alone. It
        takes the place of an earlier child."""
        child = Control()
        self._child = child
        if self.stopped:
            child.stop()
        return child

    def wait(self) -> None:
        """Block, without using the CPU, until `stop` was called."""
        self._stopped.wait()

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
