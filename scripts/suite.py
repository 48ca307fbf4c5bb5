"""Count the leaves of all rows of a suite, and compare: what the games have in common.

A game gives its rows, how one is counted, and what to say of a wrong count.
"""

import argparse
import gzip
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from tqdm import tqdm


class Row(Protocol):
    """A position, and how many leaves it should have."""

    @property
    def nodes(self) -> int: ...


R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class Tally:
    """What has been counted, and how many rows had a wrong count or were left out as too large."""

    rows: int
    leaves: int
    seconds: float
    left: int
    wrong: int

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.leaves:,} leaves in {self.seconds:.1f} s"


def suite_parser(about: str | None, max_nodes: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--max-nodes", type=int, default=max_nodes, metavar="N",
        help=f"leave out larger rows; default {max_nodes}")  # fmt: skip
    return parser


def read_suite(path: Path, parse: Callable[[str], Iterable[R]]) -> list[R]:
    """All rows of a file, packed by gzip if its name ends in .gz. Raises ValueError that names the
    line."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    rows: list[R] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            rows += parse(line)
        except (ValueError, KeyError) as error:
            raise ValueError(f"{path}:{number}: {error!r}") from None
    return rows


def compare(
    all_rows: Sequence[R],
    max_nodes: int,
    count: Callable[[R], int],
    tell: Callable[[R, int], str],
    failures: int | None = None,
) -> Tally:
    """Count the rows of at most `max_nodes`; say at once what `tell` makes of a row and its wrong
    count. Ends after so many `failures`."""
    rows = [row for row in all_rows if row.nodes <= max_nodes]
    done = leaves = wrong = 0
    begin = time.perf_counter()
    # disable=None: no bar unless stderr is a terminal.
    for row in tqdm(rows, desc="perft", unit="row", disable=None):
        found = count(row)
        done += 1
        leaves += found
        if found == row.nodes:
            continue
        wrong += 1
        tqdm.write(tell(row, found))
        if failures is not None and wrong >= failures:
            tqdm.write(f"stopped after {wrong} differences")
            break
    seconds = time.perf_counter() - begin
    return Tally(done, leaves, seconds, len(all_rows) - len(rows), wrong)
