"""Whole lines of a file, plain or gzip, block by block: memory does not grow with the file.

    file --_chunks--> bytes --_inflate--> bytes --_cut--> blocks of whole lines

gzip is recognised by its first two bytes, whatever the file is called. Several gzip files joined
into one count as one, and zeros may follow the last.
"""

import codecs
import os
import select
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.control import Control
from engine.errors import FileError

CHUNK = 1 << 16
"""Bytes read, or inflated, at once."""
LONGEST = 1 << 17
"""Bytes that a line may have. More than a chunk, so only a line across chunks can be longer."""

GZIP = b"\x1f\x8b"
_GZIP_FORMAT = 31  # zlib's number for "gzip with its header and its checksum"

PAUSE = 0.1
"""Seconds between two looks at the stop flag while a pipe has nothing to read."""


@dataclass(frozen=True)
class Block:
    """Some lines. Each ends with a line feed, only the last one of the file may lack it."""

    first: int
    """Number of the first of them, from 1."""
    data: bytes
    too_long: bool = False
    """True for one line of more than LONGEST bytes, which was not kept: `data` is empty."""


class _Damage(Exception):
    """The rest of the file cannot be read. The message says why."""


class Source:
    """A file open for reading. Use with `with`."""

    def __init__(self, path: str) -> None:
        """Raises FileError."""
        self.path = path
        self.size = 0
        """Bytes of the file; 0 if it is a pipe or the like, which has no size."""
        self.read = 0
        """Bytes of the file read so far, as they stand there."""
        self.lines = 0
        """Lines handed out so far."""
        self.ended = False
        """True once the end of the file was read."""
        try:
            # Not to block is for pipes: nobody may ever write to them.
            self.file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError) as problem:
            raise FileError("cannot read", path, _reason(problem)) from problem
        kind = os.fstat(self.file)
        if stat.S_ISDIR(kind.st_mode):
            os.close(self.file)
            raise FileError("cannot read", path, "it is a directory, expected a file")
        if stat.S_ISREG(kind.st_mode):
            self.size = kind.st_size

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *problem: object) -> None:
        os.close(self.file)

    def is_file(self, path: str) -> bool:
        """Whether `path` is this very file, by whatever name."""
        try:
            other = Path(path).stat()
        except (OSError, ValueError):
            return False
        return os.path.samestat(os.fstat(self.file), other)

    def blocks(self, control: Control) -> Iterator[Block]:
        """All lines, or those read before `control` stopped it.

        Raises FileError where the file cannot be read any further; all whole lines before that
        were handed out.
        """
        try:
            yield from self._cut(self._decoded(control))
        except _Damage as damage:
            after = f" after line {self.lines}" if self.lines else ""
            raise FileError("cannot read", self.path, f"{damage}{after}") from damage

    def _cut(self, chunks: Iterator[bytes]) -> Iterator[Block]:
        """Blocks of whole lines. If the chunks break off, a line without its end is left out."""
        rest = b""
        too_long = False
        for chunk in chunks:
            feed = chunk.find(b"\n")
            too_long = too_long or len(rest) + (len(chunk) if feed < 0 else feed) > LONGEST
            if too_long:
                rest = b""
                if feed < 0:
                    continue
                yield self._block(b"", 1, True)
                too_long = False
                chunk = chunk[feed + 1 :]
            data = rest + chunk
            end = data.rfind(b"\n") + 1
            rest = data[end:]
            if end:
                yield self._block(data[:end], data.count(b"\n"))
        if self.ended and (rest or too_long):
            yield self._block(rest, 1, too_long)

    def _block(self, data: bytes, lines: int, too_long: bool = False) -> Block:
        first = self.lines + 1
        self.lines += lines
        return Block(first, data.removeprefix(codecs.BOM_UTF8) if first == 1 else data, too_long)

    def _decoded(self, control: Control) -> Iterator[bytes]:
        chunks = self._chunks(control)
        start = b""
        for chunk in chunks:
            start += chunk
            if len(start) >= len(GZIP):
                break
        if start.startswith(GZIP):
            yield from self._inflate(start, chunks)
        else:
            yield start
            yield from chunks

    def _inflate(self, data: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
        inflator = zlib.decompressobj(_GZIP_FORMAT)
        while True:
            before = inflator.copy()
            try:
                piece = inflator.decompress(data, CHUNK)
            except zlib.error as problem:
                yield from _salvage(before, data)
                raise _Damage("damaged gzip data") from problem
            yield piece
            data = inflator.unused_data if inflator.eof else inflator.unconsumed_tail
            if inflator.eof:
                # Zeros may follow, or another gzip file.
                data = data.lstrip(b"\0")
                while not data and (data := next(chunks, b"")):
                    data = data.lstrip(b"\0")
                if not data:
                    return
                inflator = zlib.decompressobj(_GZIP_FORMAT)
            elif not data and len(piece) < CHUNK:
                data = next(chunks, b"")
                if not data:
                    break
        if self.ended:
            raise _Damage("gzip data that breaks off")

    def _chunks(self, control: Control) -> Iterator[bytes]:
        """The bytes of the file as they stand there, until its end or a stop."""
        while not control.stopped:
            try:
                if not select.select([self.file], [], [], PAUSE)[0]:
                    continue
                data = os.read(self.file, CHUNK)
            except BlockingIOError:
                continue
            except OSError as problem:
                raise _Damage(_reason(problem)) from problem
            if not data:
                self.ended = True
                return
            self.read += len(data)
            yield data


def _salvage(inflator: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """What can be inflated of `data` before it is damaged."""
    for at in range(len(data)):
        try:
            piece = inflator.decompress(data[at : at + 1])
        except zlib.error:
            return
        yield piece


def _reason(problem: OSError | ValueError) -> str:
    """Why a file cannot be used, without its name."""
    return getattr(problem, "strerror", None) or str(problem)
