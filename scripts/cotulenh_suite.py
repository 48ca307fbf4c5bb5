"""Count the leaves of every CoTuLenh position of a suite, and compare.

    python scripts/cotulenh_suite.py FILE [--max-nodes N] [--threads N]

FILE holds JSON lines with fen, depth and nodes, packed by gzip if its name ends in .gz. Rows of
more nodes are left out. Exit status: 0 all equal, 1 a difference, 2 bad usage.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from suite import compare, read_suite, suite_parser

from engine.control import Control
from engine.games.cotulenh.divide import divide
from engine.games.cotulenh.position import Position


@dataclass(frozen=True)
class Row:
    fen: str
    depth: int
    nodes: int


def parse(line: str) -> Iterator[Row]:
    data = json.loads(line)
    yield Row(data["fen"], data["depth"], data["nodes"])


def tell(row: Row, found: int) -> str:
    return f"{row.fen}, depth {row.depth}: expected {row.nodes:,}, found {found:,}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = suite_parser(__doc__, max_nodes=1_000_000_000)
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    args = parser.parse_args(argv)

    def count(row: Row) -> int:
        position = Position(row.fen)
        _, found, _ = divide(position, row.depth, args.threads, Control(), lambda *_: None)
        return found

    tally = compare(read_suite(args.file, parse), args.max_nodes, count, tell)
    print(f"{tally}, {tally.left} left out, {tally.wrong} wrong")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
