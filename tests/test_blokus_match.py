"""The match program over GTP: its rules of play, and that no fault of an engine goes unseen."""

import shlex
import sys
from pathlib import Path

import match
import pytest
from blokus_game import values_of
from blokus_match import Standing

ENGINE = shlex.join([sys.executable, str(Path(__file__).with_name("bad_gtp_engine.py"))])


def play(game: str, engine: str, record: Path, *more: str) -> int:
    words = ["--game", game, "--engine", f"{ENGINE} {engine}", "--opponent", f"{ENGINE} good"]
    return match.main([*words, "--games", "2", "--record", str(record), *more])


def test_values() -> None:
    assert values_of("Blokus Duo", "B+3") == [1, 0]
    assert values_of("Blokus Two-Player", "W+3") == [0, 1]
    assert values_of("Blokus Duo", "0") == [0.5, 0.5]
    assert values_of("Blokus", "74 62 70 58 ") == [1, 1 / 3, 2 / 3, 0]
    assert values_of("Blokus", "70 62 70 58 ") == [5 / 6, 1 / 3, 5 / 6, 0]
    assert values_of("Blokus Three-Player", "5 5 5 99 ") == [0.5, 0.5, 0.5]


def test_error_bars() -> None:
    standing = Standing(2, {0: 1.0, 1: 0.0, 2: 1.0, 3: 0.0})
    assert standing.mean() == (0.5, 0.0)
    standing = Standing(2, {0: 1.0, 1: 1.0, 2: 0.0, 3: 0.0})
    assert standing.mean()[1] == pytest.approx(1.96 * 0.5, rel=1e-3)
    assert Standing(4, {0: 1.0}).mean() == (1.0, 0.5)


@pytest.mark.parametrize("game", ["duo", "blokus-three-player"])
def test_clean_match(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "games.blksgf"
    assert play(game, "good", record) == 0
    out = capsys.readouterr().out
    assert "\nengine faults   none\n" in out
    title = "Blokus Duo" if game == "duo" else "Blokus Three-Player"
    nothing, *games = record.read_text().split(f"(;GM[{title}]")
    assert (nothing, len(games)) == ("", 2)
    if game == "duo":
        assert games[0] == games[1]  # the same engine twice, and the same opening
        assert "1 won, 0 drawn, 1 lost" in out or "0 won, 2 drawn, 0 lost" in out


@pytest.mark.parametrize(
    ("engine", "kind"),
    [
        ("crash", "crash"),
        ("hang", "stall"),
        ("illegal", "illegal move"),
        ("pass", "illegal move"),
        ("error", "error"),
    ],
)
def test_fault_loses_and_is_counted(
    engine: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patience = ("--patience", "3") if kind == "stall" else ()
    assert play("duo", engine, tmp_path / "games", *patience) == 1
    said = capsys.readouterr()
    assert "0 won, 0 drawn, 2 lost" in said.out
    assert f"engine faults   2 {kind}" in said.out
    assert said.err.count(f"{kind} by engine") == 2


def test_match_that_cannot_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "duo", "--engine", "no-such-engine-here", "--opponent", f"{ENGINE} good"]
    assert match.main(words) == 2
    assert "cannot start" in capsys.readouterr().err
