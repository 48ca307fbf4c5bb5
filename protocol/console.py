"""The only module that writes to stdout: whole lines, plain ASCII, one lock.

Replies come from the reading thread, progress from the worker; the lock keeps a line of one from
landing inside a line of the other. Bytes go straight to the file descriptor, so nothing ever
waits in a buffer for a pipe that is not a terminal.
"""

import errno
import logging
import os
import re
import select
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from engine.types import Data

LOG = logging.getLogger("triptych")

STDOUT = 1

_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f]")


class Console:
    """Writes lines. After the other end has gone away it drops them."""

    def __init__(
        self,
        write: Callable[[Data], None] | None = None,
        on_broken: Callable[[], None] = lambda: None,
    ) -> None:
        """`write` takes whole lines as bytes, by default to stdout.

        `on_broken` is called once, when nobody reads what is written any more.
        """
        self._write = write if write is not None else _write_stdout
        self._on_broken = on_broken
        self._lock = threading.Lock()
        self._broken = False

    def line(self, text: str) -> None:
        """Write one line."""
        self.block((text,))

    def block(self, lines: Iterable[str]) -> None:
        """Write several lines with nothing of another thread between them."""
        texts = [_plain(text) for text in lines]
        self._put("".join(f"{text}\n" for text in texts).encode("ascii"), texts)

    def lines(self, data: Data) -> None:
        """Write lines that are ready: ASCII, each with its end. The log does not repeat them."""
        self._put(data, (f"({len(data)} bytes of results)",))

    def _put(self, data: Data, log: Iterable[str]) -> None:
        with self._lock:
            if self._broken:
                return
            for text in log:
                LOG.debug("> %s", text)
            try:
                self._write(data)
            except OSError as problem:
                self._broken = True
                if problem.errno != errno.EPIPE:
                    LOG.error("cannot write to stdout: %s", problem.strerror)
        if self._broken:
            self._on_broken()


def say(text: str) -> None:
    """One line to stderr, if there is one."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def _plain(text: str) -> str:
    """Printable ASCII: what a user typed may come back quoted, whatever bytes it held."""
    if text.isascii() and text.isprintable():
        return text
    text = text.encode("ascii", "backslashreplace").decode("ascii")
    return _CONTROL_CHARACTER.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _write_stdout(data: Data) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(STDOUT, rest) :]
        except BlockingIOError:
            # Some hosts hand over a pipe in non-blocking mode.
            select.select([], [STDOUT], [])
