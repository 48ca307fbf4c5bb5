"""The scripts that count and time Blokus: right answers only."""

import json
from pathlib import Path

import blokus_suite
import pytest
import speed_blokus
from speed_peers import WrongAnswer

from engine.games.blokus.variants import CLASSIC, DUO

SUITE = Path(__file__).parent / "data" / "blokus_perft.jsonl"


def test_the_suite_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert blokus_suite.main([str(SUITE), "--max-nodes", "1000", "--threads", "2"]) == 0
    assert capsys.readouterr().out.endswith(" 0 wrong\n")


def test_a_wrong_count_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "suite.jsonl"
    file.write_text(json.dumps({"variant": "duo", "moves": [], "depth": 1, "nodes": 415}))
    assert blokus_suite.main([str(file)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("duo 14/14/")
    assert "b -,-, depth 1: expected 415, found 414" in out


def test_positions_are_always_the_same() -> None:
    some = speed_blokus.positions(DUO, 10, 3)
    again = speed_blokus.positions(DUO, 10, 3)
    assert [p.fen() for p in some] == [p.fen() for p in again]
    assert len({p.fen() for p in some}) == 3
    assert {p.ply for p in some} == {10}
    assert all(time > 0 for time in speed_blokus.time_lists(some, 2, 1))


def test_wrong_moves_have_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_blokus, "scan", lambda *arguments: 3)
    with pytest.raises(WrongAnswer, match=r"is not legal$"):
        speed_blokus.time_lists(speed_blokus.positions(CLASSIC, 1, 1), 2, 1)
    with pytest.raises(WrongAnswer, match="expected 57, found 58"):
        speed_blokus.time_perft(CLASSIC, 1, 57)
