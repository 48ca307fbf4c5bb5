"""Count the leaves of every Blokus position of a suite, and compare.

    python scripts/blokus_suite.py FILE [--max-nodes N] [--threads N]

FILE holds JSON lines with variant, moves, depth and nodes. Rows of more nodes are left out.
Exit status: 0 all equal, 1 a difference, 2 bad usage.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from suite import compare, read_suite, suite_parser

from engine.control import Control
from engine.games.blokus.session import load
from engine.games.blokus.variants import VARIANTS


@dataclass(frozen=True)
class Row:
    variant: str
    moves: list[str]
    depth: int
    nodes: int


def parse(line: str) -> Iterator[Row]:
    data = json.loads(line)
    yield Row(data["variant"], data["moves"], data["depth"], data["nodes"])


def main(argv: Sequence[str] | None = None) -> int:
    parser = suite_parser(__doc__, max_nodes=2_000_000_000)
    parser.add_argument("--threads", default="1", metavar="N")
    args = parser.parse_args(argv)
    rows = read_suite(args.file, parse)
    games = {variant.id: variant.game for variant in VARIANTS}
    engine = load()
    engine.set_option("Threads", args.threads)

    def count(row: Row) -> int:
        engine.set_game(games[row.variant])
        engine.set_position(None, row.moves)
        return engine.perft(row.depth, Control(), lambda move, leaves: None).nodes

    def tell(row: Row, found: int) -> str:
        return f"{engine.fen()}, depth {row.depth}: expected {row.nodes:,}, found {found:,}"

    tally = compare(rows, args.max_nodes, count, tell)
    print(f"{tally}, {tally.left} left out, {tally.wrong} wrong")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
