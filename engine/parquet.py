"""Rows of a batch as a Parquet file. Needs pyarrow.

A Parquet file is readable only with its footer, which comes last. So room for the next group of
rows and for the footer is reserved before the group is written: a disk that is full ends the file
early and leaves a good one.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from engine.errors import FileError
from engine.sinks import Rows, Sink, open_to_write

GROUP = 1 << 13
"""Rows of one group."""
SMALLEST = 1 << 8
"""A group of this many rows is not cut in two to fit on the disk."""

PAGE_ROOM = 1 << 10
"""Bytes for one column of one group beside its values."""
FOOTER_ROOM = 1 << 8
"""Bytes for one column of one group in the footer: its places, its smallest and largest value."""

_CANNOT_RESERVE = (errno.EINVAL, errno.ENODEV, errno.ENOSYS, errno.EOPNOTSUPP, errno.ESPIPE)
"""Errors of things that are no disk: pipes, devices, some file systems."""


class Parquet(Sink):
    """Takes tables of one schema, with a column `error`, null for positions."""

    def __init__(self, path: str, schema: pa.Schema) -> None:
        """Empties the file, or makes it. Raises FileError."""
        super().__init__()
        self.path = path
        self._file = open_to_write(path)
        self._waiting: list[pa.Table] = []
        self._groups = 0
        self._leaves = len(_leaves(schema))
        try:
            self._reserve(4 * schema.serialize().size)
            self._writer = parquet.ParquetWriter(
                self._file, schema, compression="zstd", use_dictionary=["turn", "error"]
            )
        except OSError as problem:
            # Without a footer it would only look like a Parquet file.
            if Path(path).is_file():
                with suppress(OSError):
                    Path(path).unlink()
            self._file.close()
            raise FileError("cannot write to", path, _reason(problem)) from problem

    def write(self, rows: Rows) -> None:
        self._waiting.append(rows.data)
        if sum(table.num_rows for table in self._waiting) >= GROUP:
            self._write_waiting()

    def close(self) -> None:
        if self._file.closed:
            return
        try:
            self._write_waiting()
        finally:
            try:
                self._writer.close()
                self._cut_off_reserve()
                self._file.close()
            except OSError as problem:
                raise FileError("cannot write to", self.path, _reason(problem)) from problem

    def _write_waiting(self) -> None:
        tables, self._waiting = self._waiting, []
        if tables:
            try:
                self._write_group(pa.concat_tables(tables).combine_chunks())
            except OSError as problem:
                raise FileError("cannot write to", self.path, _reason(problem)) from problem

    def _write_group(self, table: pa.Table) -> None:
        """Write a table as a group of rows, or as several if the disk is nearly full."""
        if not table.num_rows:
            return
        try:
            # Pages of a column are never larger than the column by more than a few bytes a row.
            self._reserve(table.nbytes + table.nbytes // 4 + self._leaves * PAGE_ROOM)
        except OSError:
            if table.num_rows <= SMALLEST:
                raise
            half = table.num_rows // 2
            self._write_group(table.slice(0, half).combine_chunks())
            self._write_group(table.slice(half).combine_chunks())
            return
        self._writer.write_table(table, row_group_size=GROUP * 2)
        self._groups += 1
        good = table["error"].null_count
        self.count(good, table.num_rows - good)

    def _reserve(self, size: int) -> None:
        """Get room on the disk for `size` bytes and for the footer after them."""
        footer = (self._groups + 2) * self._leaves * FOOTER_ROOM
        try:
            os.posix_fallocate(self._file.fileno(), self._file.tell(), size + footer)
        except OSError as problem:
            if problem.errno not in _CANNOT_RESERVE:
                raise

    def _cut_off_reserve(self) -> None:
        if self._file.seekable():
            self._file.truncate()


def _leaves(schema: pa.Schema) -> list[pa.DataType]:
    """The types of the columns as Parquet keeps them: a column for each part of a list."""
    found: list[pa.DataType] = []
    rest = [field.type for field in schema]
    while rest:
        kind = rest.pop()
        parts = [kind.field(i).type for i in range(kind.num_fields)]
        rest += parts
        found += [] if parts else [kind]
    return found


def _reason(problem: OSError) -> str:
    """Arrow's errors have long texts; the system's own word for it is enough."""
    return problem.strerror or (os.strerror(problem.errno) if problem.errno else str(problem))
