"""Positions with one best move, known for certain: how many does the search solve?

    python scripts/tactics.py [FILE] [--nodes N] [--missed]
    python scripts/tactics.py [FILE] --verify [--syzygy FOLDERS]

FILE has EPD lines; default tests/data/tactics.epd. `bm` is the best move. With `dm N` it is the
only one that mates in N moves, and nothing mates sooner; without, it is the only one that wins.
What `id` calls basic a search of some thousand nodes should solve, and a test sees to it.

Each position is searched with one thread, emptied tables and N nodes, so the counts are the same on
every run. Of mates it also tells how often the search saw the shortest: pruning that loses mates
shows there. --verify proves every line instead: mates by trying everything, wins by endgame
tables. Exit status: 0, 1 if a line is wrong, 2 for bad usage.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.syzygy
from mate_solver import Solver
from tqdm import tqdm

from engine.control import Control
from engine.engine import Engine, open_engine
from engine.games.chess import CHESS
from engine.games.chess.notation import format_move
from engine.games.chess.position import Position
from engine.types import Info, Limits

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT / "tests" / "data" / "tactics.epd"
TABLES = ROOT / "tests" / "data" / "syzygy"


@dataclass(frozen=True)
class Puzzle:
    """A position and its best move."""

    fen: str
    best: str
    mate: int
    """In how many moves it mates, 0 for a win that is no short mate."""
    basic: bool
    """Whether a search of some thousand nodes must solve it."""

    @property
    def group(self) -> str:
        return f"mate in {self.mate}" if self.mate else "endgame win"


@dataclass
class Count:
    puzzles: int = 0
    solved: int = 0
    shortest: int = 0


def read(path: Path) -> list[Puzzle]:
    """Raises ValueError that names the line."""
    puzzles = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        board = chess.Board()
        try:
            facts = board.set_epd(line)
            best, mate = facts["bm"], facts.get("dm", 0)
            if not isinstance(best, list) or len(best) != 1 or not isinstance(mate, int):
                raise ValueError("expected one best move, and moves to mate as a whole number")
            puzzles.append(Puzzle(board.fen(), best[0].uci(), mate, facts.get("id") == "basic"))
        except (ValueError, KeyError) as error:
            raise ValueError(f"{path}:{number}: {error!r}") from None
    return puzzles


def search(engine: Engine, puzzle: Puzzle, nodes: int) -> tuple[bool, bool]:
    """Whether the search plays the best move, and whether it sees the shortest mate."""
    infos: list[Info] = []
    engine.new_game()
    engine.set_position(puzzle.fen, [])
    best = engine.search(Limits(nodes=nodes), Control(), infos.append)
    return best.move == puzzle.best, infos[-1].score.mate == puzzle.mate


def solve(puzzles: Sequence[Puzzle], nodes: int, missed: bool = False) -> dict[str, Count]:
    """The counts of each group; `missed` prints the positions that were not solved."""
    engine = open_engine(CHESS)
    counts: dict[str, Count] = {}
    for puzzle in tqdm(puzzles, unit="position", disable=None):
        solved, shortest = search(engine, puzzle, nodes)
        count = counts.setdefault(puzzle.group, Count())
        count.puzzles += 1
        count.solved += solved
        count.shortest += shortest
        if missed and not solved:
            tqdm.write(f"missed {puzzle.best}, {puzzle.group}: {puzzle.fen}")
    return counts


def is_proven(puzzle: Puzzle, tables: chess.syzygy.Tablebase) -> bool:
    """Whether the move is what the line says. Raises KeyError if a table is missing."""
    if puzzle.mate:
        solver, position = Solver(), Position(puzzle.fen)
        moves = solver.mating_moves(position, puzzle.mate)
        sooner = solver.mates(position, puzzle.mate - 1) if puzzle.mate > 1 else False
        return [format_move(move, False) for move in moves] == [puzzle.best] and not sooner
    board, winning = chess.Board(puzzle.fen), []
    for move in board.legal_moves:
        board.push(move)
        if tables.probe_wdl(board) == -2:
            winning.append(move.uci())
        board.pop()
    return winning == [puzzle.best]


def verify(puzzles: Sequence[Puzzle], folders: Sequence[str]) -> int:
    """How many lines are wrong or cannot be proven."""
    wrong = 0
    tables = chess.syzygy.Tablebase()
    for folder in folders:
        tables.add_directory(folder)
    for puzzle in tqdm(puzzles, unit="position", disable=None):
        try:
            problem = "" if is_proven(puzzle, tables) else "wrong"
        except KeyError as missing:
            problem = f"not proven: {missing}"
        if problem:
            wrong += 1
            tqdm.write(f"{problem}: {puzzle.best}, {puzzle.group}: {puzzle.fen}")
    return wrong


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, nargs="?", default=SUITE, metavar="FILE")
    parser.add_argument("--nodes", type=int, default=100_000, help="for each position; 100000")
    parser.add_argument("--missed", action="store_true", help="print what was not solved")
    parser.add_argument("--verify", action="store_true", help="prove every line instead")
    parser.add_argument("--syzygy", nargs="+", default=[str(TABLES)], metavar="FOLDER",
        help="endgame tables; default those of three pieces")  # fmt: skip
    args = parser.parse_args(argv)
    try:
        puzzles = read(args.file)
    except (OSError, ValueError) as error:
        print(f"tactics: {error}", file=sys.stderr)
        return 2
    if args.verify:
        wrong = verify(puzzles, args.syzygy)
        print(f"{len(puzzles)} positions, {len(puzzles) - wrong} proven")
        return 1 if wrong else 0
    counts = solve(puzzles, args.nodes, args.missed)
    for group, count in sorted(counts.items()):
        shortest = f", shortest mate seen {count.shortest}" if group.startswith("mate") else ""
        print(f"{group}: {count.solved} of {count.puzzles} solved{shortest}")
    solved = sum(count.solved for count in counts.values())
    print(f"{solved} of {len(puzzles)} solved with {args.nodes} nodes each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
