"""Count the leaves of every CoTuLenh position of a suite, and compare.

    python scripts/cotulenh_suite.py FILE [--max-nodes N] [--threads N]

FILE holds JSON lines with fen, depth and nodes, packed by gzip if its name ends in .gz; where a row
has expected_nodes, its note says why nodes is wrong. Rows of more nodes are left out. Exit status:
0 all equal, 1 a difference, 2 bad usage.
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
    corrected: bool


def parse(line: str) -> Iterator[Row]:
    data = json.loads(line)
    nodes = data.get("expected_nodes", data["nodes"])
    yield Row(data["fen"], data["depth"], nodes, nodes != data["nodes"])


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

    rows = read_suite(args.file, parse)
    tally = compare(rows, args.max_nodes, count, tell)
    corrected = sum(row.corrected for row in rows if row.nodes <= args.max_nodes)
    print(f"{tally}, {tally.left} left out, {corrected} corrected, {tally.wrong} wrong")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
