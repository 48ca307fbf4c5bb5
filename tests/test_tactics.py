"""Mates and endgame wins that the search must find, and the solver that proves them."""

from pathlib import Path

import chess.syzygy
import pytest
import tactics
from mate_solver import OutOfNodes, Solver

from engine.games.chess.notation import format_move
from engine.games.chess.position import Position

PUZZLES = tactics.read(tactics.SUITE)
BASIC = [puzzle for puzzle in PUZZLES if puzzle.basic]
NODES = 40_000


def test_the_suite_is_large_and_mixed() -> None:
    assert len(PUZZLES) >= 100 and len({puzzle.fen for puzzle in PUZZLES}) == len(PUZZLES)
    assert {puzzle.mate for puzzle in PUZZLES} == {0, 2, 3, 4, 5, 6}
    assert len(BASIC) >= 25


def test_basic_positions_are_solved() -> None:
    """Pruning that loses mates shows here first."""
    counts = tactics.solve(BASIC, NODES)
    assert sum(count.solved for count in counts.values()) == len(BASIC), counts


def test_counts_are_the_same_every_time() -> None:
    some = PUZZLES[::12]
    assert tactics.solve(some, 3_000) == tactics.solve(some, 3_000)


def test_proofs() -> None:
    """Of mates in two and three, and of wins with a lone pawn."""
    tables = chess.syzygy.open_tablebase(str(tactics.TABLES))
    short = [puzzle for puzzle in PUZZLES if puzzle.mate in (2, 3)][::4]
    pawns = [puzzle for puzzle in PUZZLES if not puzzle.mate][:10]
    for puzzle in short + pawns:
        assert tactics.is_proven(puzzle, tables), puzzle


def test_what_is_not_so_is_not_proven(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fen = "7k/8/6K1/8/8/8/8/R7 w - -"
    suite = tmp_path / "suite.epd"
    suite.write_text(
        f"{fen} bm Ra8; dm 1;\n{fen} bm Ra7; dm 2;\n{fen} bm Ra8; dm 2;\n{fen} bm Ra8;\n"
    )
    assert tactics.main([str(suite), "--verify"]) == 1
    out = capsys.readouterr().out
    assert out.count("wrong: ") == 3 and "4 positions, 1 proven" in out


def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.epd"
    for line in ("7k/8/6K1/8/8/8/8/R7 w - - dm 1;", "7k/8/6K1/8/8/8/8/R7 w - - bm Ra9;", "x"):
        suite.write_text(line)
        assert tactics.main([str(suite)]) == 2
        assert f"tactics: {suite}:1: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fen", "n", "moves"),
    [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1, ["a1a8"]),
        ("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", 1, ["d1d8"]),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, ["f6a6"]),
        ("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", 1, ["g1g8"]),
    ],
)
def test_known_mates(fen: str, n: int, moves: list[str]) -> None:
    solver, position = Solver(), Position(fen)
    found = {format_move(move, False) for move in solver.mating_moves(position, n)}
    assert set(moves) <= found
    board = chess.Board(fen)
    assert n > 1 or found == {
        move.uci() for move in board.legal_moves if mates_at_once(board, move)
    }
    assert solver.mates(position, n)
    assert n == 1 or not solver.mates(position, n - 1)


def mates_at_once(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    mated = board.is_checkmate()
    board.pop()
    return mated


def test_stalemate_is_no_mate() -> None:
    solver = Solver()
    assert not solver.mates(Position("7k/8/5KQ1/8/8/8/8/8 b - - 0 1"), 3)
    assert not solver.mates(Position("k7/8/8/1Q6/8/8/8/7K w - - 0 1"), 1)


def test_the_limit_is_no_answer() -> None:
    with pytest.raises(OutOfNodes):
        Solver(50).mates(Position(), 4)
