"""The match program over GTP: its rules of play, and that no fault of an engine goes unseen."""

import random
import shlex
import sys
from pathlib import Path

import match
import pytest
from blokus_game import values_of
from cotulenh_game import CotulenhGame, opening_of
from cotulenh_greedy import choose
from engine_process import EngineFault
from gtp_match import Standing

from engine.games.cotulenh.position import Position
from engine.games.cotulenh.session import CotulenhEngine

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


class Scripted:
    """Answers each request for a move with the next of some replies, and keeps what it is told."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.told: list[str] = []

    def ask(self, command: str) -> str:
        self.told.append(command)
        if not command.startswith(("go", "genmove")):
            return ""
        if not self.replies:
            raise EngineFault("crash", "no more")
        return self.replies.pop(0)


def test_a_limit_asks_go_and_tells_own_turns() -> None:
    red, blue = Scripted("bestmove Ic5c6"), Scripted("Ic8c7")
    result = CotulenhGame("CoTuLenh", [red, blue], ["nodes 5", ""], CotulenhEngine()).play([])
    start = ["set_game CoTuLenh", "clear_board"]
    assert red.told == [*start, "go nodes 5", "play red Ic5c6", "play blue Ic8c7", "go nodes 5"]
    assert blue.told == [*start, "play red Ic5c6", "genmove blue"]
    assert (result.values, result.fault, result.offender) == ([0.0, 1.0], "crash", 0)
    assert result.moves == 2 and result.record.endswith("\nIc5c6\nIc8c7")


@pytest.mark.parametrize(
    ("fen", "values", "ending"),
    [
        ("6c4/10I/11/11/11/11/11/11/11/11/11/5C5 b", None, ""),
        ("11/11/11/11/11/11/11/11/11/11/11/5C5 b", [1, 0], "commander captured"),
        ("5c5/11/11/11/11/11/11/11/11/11/11/6C4 r - - 100 90", [0.5, 0.5],
         "draw (fifty moves without a capture)"),
    ],
)  # fmt: skip
def test_what_a_result_is_worth(fen: str, values: list[float] | None, ending: str) -> None:
    referee = CotulenhEngine()
    referee.set_position(fen, [])
    assert referee.over() == (values is not None)
    if values:
        game = CotulenhGame("CoTuLenh", [Scripted(), Scripted()], ["", ""], referee)
        assert game.outcome() == (values, ending)


def test_openings_are_quiet_and_alike() -> None:
    referee = CotulenhEngine()
    turns = opening_of(referee, "CoTuLenh", 4, 7)
    assert len(turns) == 4 and turns == opening_of(referee, "CoTuLenh", 4, 7)
    assert turns != opening_of(referee, "CoTuLenh", 4, 8)


@pytest.mark.parametrize(
    ("fen", "turns"),
    [
        # A ship is worth more than a tank, and a plane not enough to be given for a tank.
        ("5c5/11/11/11/11/2n8/11/2N1t6/11/4T6/11/6C4 r", {"Nc5xc7"}),
        ("5c5/11/11/11/11/11/4t6/5g5/11/4F6/11/6C4 r", None),
        # The commander is worth all.
        ("4c6/4I6/11/11/11/2n8/11/2N8/11/11/11/6C4 r", {"Ie11xe12"}),
    ],
)
def test_greed(fen: str, turns: set[str] | None) -> None:
    position = Position(fen)
    for seed in range(3):
        turn = choose(position, random.Random(seed))
        if turns:
            assert turn in turns
        else:
            assert turn is not None and "@" not in turn
    assert position.fen() == Position(fen).fen()
