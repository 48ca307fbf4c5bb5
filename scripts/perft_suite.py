"""Count the leaves of every position of a suite in one running engine, and compare.

    python scripts/perft_suite.py FILE [--engine CMD] [--max-nodes N] [--failures N]

FILE holds JSON lines with fen, depth, nodes and perhaps chess960, or EPD lines with operations
such as `;D3 8902`. A difference is followed down, with python-chess as the judge, to the position
where the moves differ. Exit status: 0 all equal, 1 a difference or a fault, 2 bad usage.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
from engine_process import EngineFault
from suite import compare, read_suite, suite_parser
from uci_client import UciClient

TRIPTYCH = shlex.quote(str(Path(sys.executable).with_name("triptych")))


@dataclass(frozen=True)
class Row:
    fen: str
    depth: int
    nodes: int
    chess960: bool = False


def parse(line: str) -> Iterator[Row]:
    if line.startswith("{"):
        data = json.loads(line)
        yield Row(data["fen"], data["depth"], data["nodes"], bool(data.get("chess960", False)))
        return
    fen, *counts = (part.strip() for part in line.split(";"))
    for count in counts:
        depth, nodes = count.split()
        yield Row(fen, int(depth.lstrip("D")), int(nodes))


def read_rows(path: Path) -> list[Row]:
    """All rows of a file. Raises ValueError that names the line."""
    return read_suite(path, parse)


def count_leaves(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count_leaves(board, depth - 1)
        board.pop()
    return total


def divide(board: chess.Board, depth: int) -> dict[str, int]:
    """Leaves below each root move, by python-chess."""
    counts = {}
    for move in board.legal_moves:
        text = board.uci(move)
        board.push(move)
        counts[text] = count_leaves(board, depth - 1)
        board.pop()
    return counts


def explain(client: UciClient, row: Row) -> list[str]:
    """Follow a difference down to the position whose moves differ."""
    board = chess.Board(row.fen, chess960=row.chess960)
    path: list[str] = []
    for depth in range(row.depth, 0, -1):
        fen = board.fen(shredder=row.chess960, en_passant="fen")
        ours, theirs = client.perft(fen, depth), divide(board, depth)
        place = f"after {' '.join(path) or 'no move'} ({fen})"
        missing, extra = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
        if missing or extra:
            words = [f"missing {' '.join(missing)}"] * bool(missing)
            words += [f"not legal {' '.join(extra)}"] * bool(extra)
            return [f"  {place}: {', '.join(words)}"]
        wrong = [move for move in theirs if ours[move] != theirs[move]]
        if not wrong:
            return [f"  {place}: equal to python-chess; the suite or an earlier move is wrong"]
        move = wrong[0]
        path.append(move)
        board.push_uci(move)
    return [f"  same moves all the way down {' '.join(path)}: only the count is wrong"]


def run(args: argparse.Namespace) -> int:
    rows = read_rows(args.file)
    client = UciClient(args.engine)
    chess960: bool | None = None

    def count(row: Row) -> int:
        nonlocal chess960
        if row.chess960 != chess960:
            chess960 = row.chess960
            client.set_option("UCI_Chess960", str(chess960).lower())
        return sum(client.perft(row.fen, row.depth).values())

    def tell(row: Row, found: int) -> str:
        variant = " (Chess960)" if row.chess960 else ""
        say = f"{row.fen}{variant} depth {row.depth}: expected {row.nodes}, found {found}"
        return "\n".join([say, *explain(client, row)])

    tally = compare(rows, args.max_nodes, count, tell, args.failures)
    client.quit()
    print(f"{tally}, {tally.wrong} differences")
    return 1 if tally.wrong else 0


def main(argv: Sequence[str] | None = None) -> int:
    parser = suite_parser(__doc__, max_nodes=10**10)
    parser.add_argument("--engine", default=TRIPTYCH, metavar="CMD", help="default: triptych")
    parser.add_argument("--failures", type=int, default=5, metavar="N",
        help="stop after so many; default 5")  # fmt: skip
    args = parser.parse_args(argv)
    try:
        return run(args)
    except (OSError, ValueError) as error:
        print(f"perft_suite: {error}", file=sys.stderr)
        return 2
    except EngineFault as fault:
        print(f"perft_suite: {fault}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
