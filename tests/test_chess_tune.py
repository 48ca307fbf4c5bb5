"""The tuner of the chess search: games that are played to a right end, margins that follow them."""

import json
import random
from pathlib import Path

import chess
import chess_tune
import numpy as np
import pytest
from chess_tune import Arena, Spsa, compare, opening, tune

from engine.games.chess.margins import START

NOW = {name: value for name, (value, _) in START.items()}
START_BOARD = [chess.Board()]


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),  # mate in one
        ("3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", -1),
        ("8/8/8/4k3/8/8/8/K7 w - - 0 1", 0),
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", 0),  # stalemate
    ],
)
def test_a_game_ends_as_it_must(fen: str, result: int) -> None:
    assert Arena(500).game(fen, NOW, NOW) == result


def test_equal_margins_make_equal_games() -> None:
    """Nothing of a game is left for the next one, so that a pair of equals is even."""
    arena = Arena(300)
    rng = random.Random(1)
    for _ in range(4):
        fen = opening(START_BOARD, rng)
        assert arena.game(fen, NOW, NOW) == arena.game(fen, NOW, NOW)
        assert arena.pair(fen, NOW, NOW) == 0


def test_margins_reach_the_search() -> None:
    """Reducing late moves by nine plies is another game."""
    arena = Arena(2000)
    blind = NOW | {"late": 9 * 1024, "enough": 100, "enough_depth": 1}
    rng = random.Random(2)
    won = [arena.pair(opening(START_BOARD, rng), NOW, blind) for _ in range(6)]
    assert sum(won) > 0


def test_an_opening_is_fair_and_goes_on() -> None:
    rng = random.Random(3)
    fens = {opening(START_BOARD, rng) for _ in range(40)}
    assert len(fens) > 20
    for fen in fens:
        board = chess.Board(fen)
        assert any(board.legal_moves)
        assert abs(chess_tune.balance(board)) <= 1


def test_margins_follow_the_winner(tmp_path: Path) -> None:
    spsa = Spsa(400, tmp_path / "log")
    names = list(START)
    first = names.index("ahead")
    for _ in range(400):
        way, more, less = spsa.draw()
        assert all(more[name] * value > 0 for name, value in NOW.items())
        spsa.learn(way, 1 if more["ahead"] > less["ahead"] else -1)
    moved = (spsa.place - [*NOW.values()]) / spsa.steps
    assert moved[first] > 2
    assert np.abs(np.delete(moved, first)).max() < moved[first] / 2


def test_tuning_goes_on_where_the_log_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chess_tune, "OFTEN", 2)
    log = tmp_path / "log"
    tune(log, 2, 200, 2, START_BOARD)
    assert Spsa(9, log).done == 2
    tune(log, 4, 200, 1, START_BOARD)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["pairs"] for line in lines] == [2, 4]
    assert lines[-1]["margins"].keys() == START.keys()
    compare(log, 2, 200, 1, START_BOARD)
    assert "2 pairs:" in capsys.readouterr().out


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["chess_tune.py", *map(str, words)])
    return chess_tune.main()


def test_a_log_that_is_long_enough_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    assert run(monkeypatch, log, "--pairs", 1, "--nodes", 50) == 0
    text = log.read_text()
    assert run(monkeypatch, log, "--pairs", 1, "--nodes", 50) == 0
    assert log.read_text() == text
    assert capsys.readouterr().out == f"1 pairs\n{log} has 1 pairs already\n"


@pytest.mark.parametrize(
    "text",
    [
        "nonsense\n",
        '{"pairs": 1, "margins": {"late": 3}}\n',
        "[1, 2]\n",
        "null\n",
        '{"pairs": 1, "margins": null}\n',
        json.dumps({"margins": NOW}),
        json.dumps({"pairs": "x", "margins": NOW}),
        json.dumps({"pairs": -5, "margins": NOW}),
        json.dumps({"pairs": 1e400, "margins": NOW}),
        json.dumps({"pairs": 1, "margins": dict.fromkeys(NOW, "a")}),
        json.dumps({"pairs": 1, "margins": dict.fromkeys(NOW, float("nan"))}),
        json.dumps({"pairs": 1, "margins": dict.fromkeys(NOW, 1e30)}),
        "[" * 100_000,
        '{"pairs": 50, "mar',
        "\x00\xff",
    ],
)
def test_a_log_that_does_not_fit_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    log.write_bytes(text.encode("latin-1"))
    for how in ("--match", "--pairs"):
        with pytest.raises(SystemExit) as ended:
            run(monkeypatch, log, how, 9)
        assert ended.value.code == 2
        assert f"error: {log}: the last line" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none", "--match", 1], "there is no none"),
        (["none/x/y"], "none/x/y"),
        (["/dev/full"], "/dev/full: not a file"),
        (["log", "--nodes", 10**20], "--nodes: expected a number from 1 to"),
        (["log", "--threads", 100_000], "--threads: expected at most"),
        (["log", "--openings", "none"], "none"),
        (["log", "--openings", "over"], "over: in all positions the game is over"),
        (["log", "--openings", "binary"], "binary: not a text"),
        (["log", "--openings", "wrong"], "wrong:1:"),
    ],
)
def test_bad_words_are_refused_before_the_first_game(
    words: list[object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("over").write_text("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n7k/8/8/8/8/8/8/K7 w - - 0 1\n")
    Path("binary").write_bytes(b"\xff\xfe\x00")
    Path("wrong").write_text("what\n")
    with pytest.raises(SystemExit) as ended:
        run(monkeypatch, *words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert not Path("log").exists()


def test_what_ends_a_thread_ends_the_program(tmp_path: Path) -> None:
    def task(arena: Arena, rng: random.Random) -> None:
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        chess_tune.side_by_side(2, 100, 9, task)


def test_a_late_move_number_does_no_harm() -> None:
    board = chess.Board(chess.STARTING_FEN.replace("0 1", "0 999999999"))
    assert opening([board], random.Random(1)).split()[-1] in "123"
