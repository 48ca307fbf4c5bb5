"""Count the leaves of every Blokus position of a suite, and compare.

    python scripts/blokus_suite.py FILE [--max-nodes N] [--threads N]

FILE holds JSON lines with variant, moves, depth and nodes. Rows of more nodes are left out.
Exit status: 0 all equal, 1 a difference, 2 bad usage.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from engine.control import Control
from engine.games.blokus.session import load
from engine.games.blokus.variants import VARIANTS


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--max-nodes", type=int, default=2_000_000_000, metavar="N")
    parser.add_argument("--threads", default="1", metavar="N")
    args = parser.parse_args(argv)
    all_rows = [json.loads(line) for line in args.file.read_text().splitlines() if line.strip()]
    rows = [row for row in all_rows if row["nodes"] <= args.max_nodes]
    games = {variant.id: variant.game for variant in VARIANTS}
    engine = load()
    engine.set_option("Threads", args.threads)
    start, wrong = time.perf_counter(), 0
    for row in tqdm(rows, desc="perft", disable=None):
        engine.set_game(games[row["variant"]])
        engine.set_position(None, row["moves"])
        found = engine.perft(row["depth"], Control(), lambda move, leaves: None).nodes
        if found != row["nodes"]:
            wrong += 1
            where = f"{engine.fen()}, depth {row['depth']}"
            print(f"{where}: expected {row['nodes']:,}, found {found:,}")
    leaves, seconds = sum(row["nodes"] for row in rows), time.perf_counter() - start
    left = len(all_rows) - len(rows)
    print(f"{len(rows)} rows, {leaves:,} leaves in {seconds:.1f} s, {left} left out, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
