"""Count the leaves of every CoTuLenh position of a suite, and compare.

    python scripts/cotulenh_suite.py FILE [--max-nodes N] [--threads N]

FILE holds JSON lines with fen, depth and nodes, packed by gzip if its name ends in .gz. Rows of
more nodes are left out. Exit status: 0 all equal, 1 a difference, 2 bad usage.
"""

import argparse
import gzip
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from engine.control import Control
from engine.games.cotulenh.divide import divide
from engine.games.cotulenh.position import Position


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--max-nodes", type=int, default=1_000_000_000, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    args = parser.parse_args(argv)
    data = args.file.read_bytes()
    text = (gzip.decompress(data) if args.file.suffix == ".gz" else data).decode()
    all_rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    rows = [row for row in all_rows if row["nodes"] <= args.max_nodes]
    start, wrong = time.perf_counter(), 0
    for row in tqdm(rows, desc="perft", disable=None):
        position = Position(row["fen"])
        _, found, _ = divide(position, row["depth"], args.threads, Control(), lambda *_: None)
        if found != row["nodes"]:
            wrong += 1
            where = f"{row['fen']}, depth {row['depth']}"
            print(f"{where}: expected {row['nodes']:,}, found {found:,}")
    leaves, seconds = sum(row["nodes"] for row in rows), time.perf_counter() - start
    left = len(all_rows) - len(rows)
    print(f"{len(rows)} rows, {leaves:,} leaves in {seconds:.1f} s, {left} left out, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
