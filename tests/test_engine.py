"""Chess behind the facade: what its searches keep to and what they find."""

import chess
import pytest
from thinking import POSITIONS, think, told, worth

from engine.control import Control
from engine.engine import Engine
from engine.types import BestMove, Info, Limits, Score

CHESS960 = (
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
)


# What every search keeps to


@pytest.mark.parametrize(
    "limits",
    [
        Limits(depth=1),
        Limits(depth=8),
        Limits(nodes=1),
        Limits(nodes=5_000),
        Limits(movetime=40),
        Limits(time=(300, 300), inc=(10, 10)),
        Limits(time=(200, 200), movestogo=3),
    ],
    ids=told,
)
@pytest.mark.parametrize("multipv", ["1", "4"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_every_line_can_be_played(
    chess_engine: Engine, limits: Limits, multipv: str, threads: str
) -> None:
    """`think` checks it. The positions follow each other with no new game in between, so that the
    table is full of what other positions left."""
    chess_engine.set_option("MultiPV", multipv)
    chess_engine.set_option("Threads", threads)
    for fen in POSITIONS:
        think(chess_engine, chess.Board(fen), limits)
    for fen in CHESS960:
        think(chess_engine, chess.Board(fen, chess960=True), limits)


def test_lines_along_a_game(chess_engine: Engine) -> None:
    """Each search begins with the table and the history that the game so far has left."""
    board = chess.Board("8/8/8/8/8/5k2/6q1/K7 b - - 90 120")
    for _ in range(20):
        if board.is_game_over(claim_draw=True):
            break
        thought = think(chess_engine, board, Limits(nodes=2_000))
        board.push_uci(str(thought.best.move))
    assert board.is_game_over(claim_draw=True)


@pytest.mark.parametrize("fen", POSITIONS)
def test_multipv_lines_are_sorted(chess_engine: Engine, fen: str) -> None:
    chess_engine.set_option("MultiPV", "5")
    board = chess.Board(fen)
    lines = think(chess_engine, board, Limits(depth=7)).lines
    places = min(5, board.legal_moves.count())
    assert len({line.pv[0] for line in lines}) == len(lines) == places
    values = [worth(line.score) for line in lines]
    assert values == sorted(values, reverse=True)


# Mates and ends


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),  # a quiet rook sacrifice, by zugzwang
        ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 0", 2),  # by underpromotion
        ("7r/p3ppk1/3p4/2p1P1Kp/2Pb4/3P1QPq/PP5P/R6R b - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("r2n1rk1/1ppb2pp/1p1p4/3Ppq1n/2B3P1/2P4P/PP1N1P1K/R2Q1RN1 b - - 0 1", 3),
        ("r4r1k/1bpq1p1n/p1np4/1p1Bb1BQ/P7/6R1/1P3PPP/1N2R1K1 w - - 1 0", 4),
    ],
)
def test_mates_are_found(chess_engine: Engine, fen: str, moves: int) -> None:
    """No shorter one is shown where there is none; `think` plays each line to its end."""
    assert think(chess_engine, chess.Board(fen), Limits(mate=moves)).score == Score(mate=moves)
    if moves > 1:
        chess_engine.new_game()
        shorter = think(chess_engine, chess.Board(fen), Limits(mate=moves - 1)).score
        assert shorter.mate is None or shorter.mate >= moves


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("6k1/8/5K2/8/8/8/7R/8 b - - 0 1", -1),
        ("8/5k2/R7/1R6/8/8/8/6K1 b - - 0 1", -2),
        ("7k/8/5K2/8/8/8/6R1/8 b - - 0 1", -3),
    ],
)
def test_being_mated_is_seen(chess_engine: Engine, fen: str, moves: int) -> None:
    thought = think(chess_engine, chess.Board(fen), Limits(depth=12))
    assert thought.score == Score(mate=moves)


def test_a_mate_is_found_on_the_way_to_a_depth(chess_engine: Engine) -> None:
    for fen, moves in (
        ("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", 1),
        ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 0", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ):
        thought = think(chess_engine, chess.Board(fen), Limits(depth=14))
        assert thought.score == Score(mate=moves), fen


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("3R2k1/5ppp/8/8/8/8/8/4K3 b - - 1 1", Score(mate=0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score(cp=0)),
    ],
)
@pytest.mark.parametrize("multipv", ["1", "3"])
def test_no_legal_move(chess_engine: Engine, fen: str, score: Score, multipv: str) -> None:
    chess_engine.set_option("MultiPV", multipv)
    chess_engine.set_position(fen, [])
    infos: list[Info] = []
    best = chess_engine.search(Limits(depth=5), Control(), infos.append)
    assert (best.move, best.ponder) == (None, None)
    assert infos == [Info(0, score)]


# Draws


@pytest.mark.parametrize(
    "fen",
    [
        "6k1/6p1/8/7Q/8/8/rr6/6K1 w - - 0 1",
        "6k1/6p1/8/7Q/8/8/rrp3PP/7K w - - 0 1",
        "6k1/6p1/8/7Q/8/2n5/rr3pPP/7K w - - 0 1",
    ],
)
def test_perpetual_check_saves_a_lost_game(chess_engine: Engine, fen: str) -> None:
    thought = think(chess_engine, chess.Board(fen), Limits(depth=10))
    assert thought.score == Score(cp=0)
    assert thought.best.move == "h5e8"


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/R3K3 w - - {} 80",
        "4k3/8/8/8/8/8/8/QQ2K3 w - - {} 80",
        "8/8/8/4k3/8/8/8/r3K3 w - - {} 80",
    ],
)
def test_the_fiftieth_move_draws(chess_engine: Engine, fen: str) -> None:
    """No move mates, takes or is a pawn's, so whatever is played ends the game."""
    thought = think(chess_engine, chess.Board(fen.format(99)), Limits(depth=6))
    assert thought.score == Score(cp=0)
    chess_engine.new_game()
    early = think(chess_engine, chess.Board(fen.format(0)), Limits(depth=8))
    assert abs(worth(early.score)) > 300


def test_nothing_is_expected_after_a_third_repetition(chess_engine: Engine) -> None:
    """Though the table knows a good reply."""
    board = chess.Board()
    think(chess_engine, board, Limits(depth=6))
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        board.push_uci(move)
    thought = think(chess_engine, board, Limits(depth=3, searchmoves=("f6g8",)))
    assert thought.best == BestMove("f6g8", None)


@pytest.mark.parametrize("depth", [1, 6])
@pytest.mark.parametrize(
    "fen", ["6k1/5ppp/8/8/8/8/8/3RK3 w - - 99 80", "7k/8/6K1/8/8/8/8/1R6 w - - 99 80"]
)
def test_mate_goes_before_the_fiftieth_move(chess_engine: Engine, fen: str, depth: int) -> None:
    assert think(chess_engine, chess.Board(fen), Limits(depth=depth)).score == Score(mate=1)


def test_a_capture_resets_the_fifty_moves(chess_engine: Engine) -> None:
    board = chess.Board("8/8/8/1n2k3/8/8/8/RQ2K3 w - - 99 80")
    thought = think(chess_engine, board, Limits(depth=6))
    assert thought.best.move == "b1b5"
    assert worth(thought.score) > 300


def shuffled(moves: str) -> chess.Board:
    """A winning rook that has not made up its mind; black begins."""
    board = chess.Board("6k1/5ppp/8/8/8/8/2r5/6K1 b - - 0 1")
    for move in moves.split():
        board.push_uci(move)
    return board


def test_a_third_repetition_of_the_game_is_a_draw(chess_engine: Engine) -> None:
    """The loser takes it."""
    thought = think(chess_engine, shuffled("c2b2 g1h1 b2c2 h1g1 c2b2 g1h1 b2c2"), Limits(depth=7))
    assert (thought.score, thought.best.move) == (Score(cp=0), "h1g1")


def test_a_second_repetition_of_the_game_is_none(chess_engine: Engine) -> None:
    thought = think(chess_engine, shuffled("c2b2 g1h1 b2c2"), Limits(depth=7))
    assert worth(thought.score) < -300


def test_the_winner_avoids_the_repetition(chess_engine: Engine) -> None:
    board = shuffled("c2b2 g1h1 b2d2 h1g1 d2b2 g1h1 b2d2 h1g1")
    only = think(chess_engine, board, Limits(depth=7, searchmoves=("d2b2",)))
    assert only.score == Score(cp=0)
    thought = think(chess_engine, board, Limits(depth=7))
    assert worth(thought.score) > 300
    assert thought.best.move != "d2b2"


@pytest.mark.parametrize("pieces", ["N", "B", "n", "b"])
def test_dead_positions_are_draws(chess_engine: Engine, pieces: str) -> None:
    board = chess.Board(f"4k3/8/8/2{pieces}5/8/8/8/4K3 w - - 0 1")
    assert think(chess_engine, board, Limits(depth=6)).score == Score(cp=0)


def test_bishops_of_one_colour_of_square_are_a_draw(chess_engine: Engine) -> None:
    """Whoever owns them, and nothing is expected after a move that leaves only them."""
    for fen in ("8/8/5b2/4k3/8/8/5B2/4K3 w - - 0 1", "8/8/3b4/4k3/8/B7/5B2/4K3 b - - 0 1"):
        thought = think(chess_engine, chess.Board(fen), Limits(depth=6))
        assert (thought.score, thought.best.ponder) == (Score(cp=0), None)
    board = chess.Board("8/8/5b2/4k3/8/8/8/4KB2 w - - 0 1")
    assert len(think(chess_engine, board, Limits(depth=6)).lines[0].pv) > 1
