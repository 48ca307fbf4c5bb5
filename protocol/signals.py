"""Ctrl-C and SIGTERM: they end the process at once, but let a file that is written be closed.

The kernel may hand a signal to any thread, and then the main thread goes on waiting for input and
never runs its handler. So a thread of its own waits for the byte that Python writes to a pipe
whichever thread was hit.
"""

import os
import signal
import threading
from collections.abc import Callable

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def leave_at_once() -> None:
    """Before anything else: without a word, and without the traceback of an import cut short."""
    for number in SIGNALS:
        signal.signal(number, lambda number, frame: os._exit(128 + number))


class Departure:
    """The thread that ends the process. A second signal does not wait for anything."""

    def __init__(self) -> None:
        self.settle: Callable[[], None] = lambda: None
        """Called once before the process ends, on a thread of its own."""
        self._noticed = False
        self._leaving = False
        self._reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._watch, name="signals", daemon=True).start()
        for number in SIGNALS:
            signal.signal(number, self._notice)

    def give_way(self) -> None:
        """Block if a signal came, whose thread ends the process: the status is its own."""
        if self._noticed:
            threading.Event().wait()

    def _notice(self, number: int, frame: object) -> None:
        """On the main thread, before it goes on with what the signal interrupted."""
        self._noticed = True

    def _watch(self) -> None:
        while True:
            number = os.read(self._reader, 1)[0]
            if number not in SIGNALS:
                continue
            if self._leaving:
                os._exit(128 + number)
            self._leaving = True
            threading.Thread(target=self._leave, args=(number,), daemon=True).start()

    def _leave(self, number: int) -> None:
        try:
            self.settle()
        finally:
            os._exit(128 + number)
