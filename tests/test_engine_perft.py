"""Counting behind the facade: threads, hash table, single moves, and a CPU without PEXT."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chess_oracle import rows

from engine.control import Control
from engine.engine import Engine
from engine.games.chess import tables
from engine.games.chess.tables import DIAGONALS, LINES, T, arrangements, magic_index
from engine.types import PerftReport

ROOT = Path(__file__).parent.parent


def chosen() -> list[dict[str, Any]]:
    """A few large rows of each rule set, each position once and at its deepest."""
    found: list[dict[str, Any]] = []
    for chess960 in (False, True):
        fitting = {
            row["fen"]: row
            for row in rows("perft.jsonl")
            if row.get("chess960", False) == chess960 and 50_000 < row["nodes"] < 5_000_000
        }
        found += sorted(fitting.values(), key=lambda row: -int(row["nodes"]))[::6][:8]
    assert sum(row.get("chess960", False) for row in found) >= 3 <= len(found) - 3
    return found


def count(engine: Engine, row: dict[str, Any]) -> PerftReport:
    engine.set_option("UCI_Chess960", str(row.get("chess960", False)).lower())
    engine.set_position(row["fen"], [])
    told: list[tuple[str, int]] = []
    report = engine.perft(row["depth"], Control(), lambda move, n: told.append((move, n)))
    assert not report.stopped
    assert report.counts == tuple(told)
    assert sum(leaves for _, leaves in report.counts) == report.nodes
    assert sorted(move for move, _ in report.counts) == list(engine.legal_moves())
    return report


@pytest.mark.parametrize(
    "options",
    [
        {"Perft Hash": "1"},  # so small that entries give way to others all the time
        {"Perft Hash": "16"},
        {"Threads": "2"},
        {"Threads": "2", "Perft Hash": "1"},
        {"Perft Bulk": "false"},
        {"Perft Bulk": "false", "Threads": "2", "Perft Hash": "16"},
    ],
    ids=str,
)
def test_every_way_of_counting_gives_the_same(
    chess_engine: Engine, options: dict[str, str]
) -> None:
    """Twice: the second time the hash table knows the answers."""
    plain = {"Threads": "1", "Perft Hash": "0", "Perft Bulk": "true"}
    for row in chosen():
        for name, value in plain.items():
            chess_engine.set_option(name, value)
        expected = count(chess_engine, row)
        assert expected.nodes == row["nodes"], row
        for name, value in options.items():
            chess_engine.set_option(name, value)
        for _ in range(2):
            assert count(chess_engine, row).counts == expected.counts, row


def test_a_hash_that_is_kept_from_position_to_position(chess_engine: Engine) -> None:
    """Entries of one position, depth and side answer for no other."""
    chess_engine.set_option("Perft Hash", "1")
    for _ in range(2):
        for row in chosen():
            for depth in range(1, row["depth"] + 1):
                report = count(chess_engine, row | {"depth": depth})
            assert report.nodes == row["nodes"], row


def test_the_smallest_depths(chess_engine: Engine) -> None:
    for bulk in ("true", "false"):
        chess_engine.set_option("Perft Bulk", bulk)
        chess_engine.set_position(None, [])
        report = chess_engine.perft(0, Control(), lambda move, n: pytest.fail(move))
        assert (report.nodes, report.counts) == (1, ())
        report = chess_engine.perft(1, Control(), lambda move, n: None)
        assert report.nodes == 20
        assert {leaves for _, leaves in report.counts} == {1}
        chess_engine.set_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [])
        assert chess_engine.perft(1, Control(), lambda move, n: None).nodes == 0
        assert chess_engine.perft(3, Control(), lambda move, n: None).nodes == 0


def test_a_stopped_count_says_so(chess_engine: Engine) -> None:
    """Finished root moves keep their counts; a stopped count leaves no wrong entry behind."""
    chess_engine.set_option("Perft Hash", "16")
    chess_engine.set_position(None, [])
    control = Control()
    done: list[str] = []

    def stop_after_two(move: str, leaves: int) -> None:
        done.append(move)
        if len(done) == 2:
            control.stop()

    report = chess_engine.perft(5, control, stop_after_two)
    assert report.stopped
    assert 2 <= len(report.counts) < 20
    full = dict(chess_engine.perft(5, Control(), lambda move, n: None).counts)
    assert sum(full.values()) == 4_865_609
    assert all(full[move] == leaves for move, leaves in report.counts)


# Without PEXT


@pytest.mark.parametrize(("name", "directions"), [("bishop", DIAGONALS), ("rook", LINES)])
def test_magics_send_no_two_attack_sets_to_one_place(
    name: str, directions: tables.Directions
) -> None:
    for sq in range(64):
        mask = tables.slider_mask(sq, directions)
        occupied = arrangements(mask)
        attacks = tables.slider_attacks(sq, directions, occupied)
        magic = int(T[f"{name}_magic"][sq]) % 2**64
        index = magic_index(occupied, mask, magic, int(T[f"{name}_shift"][sq]))
        assert int(index.max()) < len(occupied)
        kept = np.zeros(len(occupied), np.uint64)
        kept[index] = attacks
        assert (kept[index] == attacks).all(), (name, sq)


COUNT_IN_A_PROCESS = """
import json, sys
import numpy as np
from engine.control import Control
from engine.games.chess import tables
from engine.games.chess.notation import parse_fen
from engine.games.chess.perft import perft
from engine.games.chess.state import BOARDS, MAX_MOVES
from engine.games.chess.verify import build

assert not tables.USE_PEXT
moves = np.zeros(8 * MAX_MOVES, np.uint16)
control = Control()
for line in sys.stdin:
    row = json.loads(line)
    pos = build(parse_fen(row["fen"], row.get("chess960", False)), tables.T)[0]
    boards = tuple(int(pos[name]) for name in BOARDS)
    turn, depth = int(pos["turn"]), row["depth"]
    print(perft(turn, tables.T, boards, pos, moves, 0, depth, 1, control.address, 0, 0))
"""


def test_counts_without_pext(tmp_path: Path) -> None:
    """What runs on a CPU without the instruction, compiled and run here."""
    environment = os.environ | {"TRIPTYCH_PEXT": "0", "TRIPTYCH_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", COUNT_IN_A_PROCESS],
        input="".join(json.dumps(row) + "\n" for row in chosen()),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert [int(line) for line in done.stdout.split()] == [row["nodes"] for row in chosen()]
    assert list(tmp_path.iterdir()), "it kept its code where TRIPTYCH_CACHE says"


def test_damaged_cache_is_mended(tmp_path: Path) -> None:
    """A file cut short by a full disk must not keep the engine from starting, now or later."""
    environment = os.environ | {"TRIPTYCH_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", "import engine.games.chess.see"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    (index,) = tmp_path.rglob("see.see_at_least*.nbi")
    index.write_bytes(b"")
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    assert index.stat().st_size > 0
