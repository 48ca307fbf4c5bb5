"""The perft suite runner: reads both formats, and finds the position where an engine errs."""

import json
import shlex
import sys
from pathlib import Path

import perft_suite
import pytest
import speed
from perft_suite import Row, read_rows
from speed_peers import POSITIONS

ENGINE = shlex.join([sys.executable, str(Path(__file__).with_name("bad_engine.py"))])
SUITE = Path(__file__).parent / "data" / "perft.jsonl"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_suite_is_read() -> None:
    rows = read_rows(SUITE)
    assert len(rows) == 989
    assert rows[1] == Row("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, 400)
    assert any(row.chess960 for row in rows)


def test_epd_is_read(tmp_path: Path) -> None:
    file = tmp_path / "suite.epd"
    file.write_text(f"# comment\n{KIWIPETE} ;D1 48 ;D2 2039\n\n")
    assert read_rows(file) == [Row(KIWIPETE, 1, 48), Row(KIWIPETE, 2, 2039)]
    file.write_text(f"{KIWIPETE} ;D1\n")
    with pytest.raises(ValueError, match=r"suite\.epd:1"):
        read_rows(file)


def test_equal_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "suite.epd"
    file.write_text(f"{KIWIPETE} ;D1 48 ;D2 2039\n")
    assert perft_suite.main([str(file), "--engine", f"{ENGINE} good"]) == 0
    assert "2 rows, 2,087 leaves" in capsys.readouterr().out


def test_difference_is_followed_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "suite.jsonl"
    file.write_text(json.dumps({"fen": KIWIPETE, "depth": 2, "nodes": 2039}) + "\n")
    assert perft_suite.main([str(file), "--engine", f"{ENGINE} no-en-passant"]) == 1
    out = capsys.readouterr().out
    assert "expected 2039, found 2038" in out
    assert "after a2a4" in out and "missing b4a3" in out


def test_speed_positions_agree_with_the_suite() -> None:
    known = {(row.fen, row.depth): row.nodes for row in read_rows(SUITE)}
    shared = 0
    for position in POSITIONS:
        assert position.depth <= len(position.counts)
        for depth, nodes in enumerate(position.counts, 1):
            shared += (position.fen, depth) in known
            assert known.get((position.fen, depth), nodes) == nodes
    assert shared >= 4 * len(POSITIONS)


def test_ratios() -> None:
    rates = {"ours": [8.0, 2.0], "ours too": [4.0, 1.0], "peer": [2.0, 2.0]}
    ratios = speed.ratios_of(rates, ["ours", "ours too"])
    assert ratios == {"ours / peer": [4.0, 1.0], "ours too / peer": [2.0, 0.5]}
    assert speed.geometric_mean([4.0, 1.0]) == pytest.approx(2.0)
