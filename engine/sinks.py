"""Where the results of a batch go. However a batch ends, what was written before stays good."""

import errno
import os
import stat
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.errors import FileError
from engine.types import Data

GZIP_LEVEL = 3
"""Three times as fast as the usual 6, for files half as large again."""


@dataclass(frozen=True)
class Rows:
    """What became of the lines of a block, in their order."""

    data: Any
    """In the form that the sink takes."""
    positions: int
    bad: int
    whole: bool = True
    """False if a stop came before the end of the block."""


class Sink(ABC):
    """Takes the rows of one block after the other. Use with `with`, or `close` it."""

    def __init__(self) -> None:
        self.positions = 0
        """Positions written so far."""
        self.bad = 0
        """Bad lines written so far."""

    @abstractmethod
    def write(self, rows: Rows) -> None:
        """Write some rows. Raises FileError if not all of them could be written."""

    def packed(self, data: Any) -> Any:
        """Rows in the form that `write` takes. Called on the threads that analyse."""
        return data

    def close(self) -> None:  # noqa: B027
        """Write what is held back, and end the file. Raises FileError."""

    def count(self, positions: int, bad: int) -> None:
        self.positions += positions
        self.bad += bad

    def __enter__(self) -> "Sink":
        return self

    def __exit__(self, *problem: object) -> None:
        with suppress(FileError):
            self.close()


class Stream(Sink):
    """A function that takes whole lines."""

    def __init__(self, write: Callable[[Data], None]) -> None:
        super().__init__()
        self._write = write

    def write(self, rows: Rows) -> None:
        if rows.data:
            self._write(rows.data)
        self.count(rows.positions, rows.bad)


class Lines(Sink):
    """A file of JSON lines. If it cannot grow any more it ends with a whole line."""

    def __init__(self, path: str) -> None:
        """Empties the file, or makes it. Raises FileError."""
        super().__init__()
        self.path = path
        self.file = open_to_write(path)
        self._size = 0

    def write(self, rows: Rows) -> None:
        data, done = memoryview(rows.data), 0
        try:
            while done < len(data):
                done += self.file.write(data[done:])
        except OSError as problem:
            kept = self.kept(rows.data[:done])
            if stat.S_ISREG(os.fstat(self.file.fileno()).st_mode):
                self.file.truncate(self._size + len(kept))
            bad = kept.count(b'{"error"')
            self.count(kept.count(b"\n") - bad, bad)
            raise FileError("cannot write to", self.path, str(problem.strerror)) from problem
        self._size += done
        self.count(rows.positions, rows.bad)

    def kept(self, data: Data) -> Data:
        """What can stay of some rows that were written in part."""
        return data[: data.rfind(b"\n") + 1]

    def close(self) -> None:
        try:
            self.file.close()
        except OSError as problem:
            raise FileError("cannot write to", self.path, str(problem.strerror)) from problem


class GzipLines(Lines):
    """The same as gzip: a gzip file for each block, one behind the other, which is gzip again."""

    def packed(self, data: Data) -> Data:
        return zlib.compress(data, GZIP_LEVEL, wbits=31) if data else b""

    def kept(self, data: Data) -> Data:
        return b""


def open_lines(target: str | Callable[[Data], None]) -> Sink:
    """JSON lines to a file, which is gzip if its name ends in `.gz`, or to a function. Raises
    FileError."""
    if not isinstance(target, str):
        return Stream(target)
    return GzipLines(target) if target.endswith(".gz") else Lines(target)


def open_to_write(path: str) -> Any:
    """A file, empty and without a buffer. Raises FileError."""
    try:
        return open(path, "wb", buffering=0, opener=_open_now)
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        if getattr(problem, "errno", None) == errno.ENXIO:
            why = "it is a pipe that nobody reads from"
        raise FileError("cannot write to", path, why) from problem


def _open_now(path: str, flags: int) -> int:
    """Without waiting for somebody who opens the other end of a named pipe."""
    file = os.open(path, flags | os.O_NONBLOCK, 0o666)
    os.set_blocking(file, True)
    return file
