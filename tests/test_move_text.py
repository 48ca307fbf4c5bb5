"""Chess moves as text, against python-chess."""

import chess
import pytest
from chess_oracle import game, number, positions
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import MoveError
from engine.games.chess.notation import format_move, match_move
from engine.games.chess.state import CASTLE, KING, PROMOTE_KNIGHT


def agree_on_moves(board: chess.Board) -> None:
    """All moves of a position go to text and back, and the text is that of python-chess."""
    moves = {board.uci(move): number(board, move) for move in board.legal_moves}
    legal = list(moves.values())
    for text, move in moves.items():
        assert format_move(move, board.chess960) == text
        assert match_move(text, legal) == move
        assert match_move(text[:4] + text[4:].upper(), legal) == move


def test_moves_of_oracle_positions_go_to_text_and_back() -> None:
    for fen, chess960 in positions():
        agree_on_moves(chess.Board(fen, chess960=chess960))
        agree_on_moves(chess.Board(fen, chess960=chess960).mirror())


@given(st.integers(0, 959), st.lists(st.integers(0, 255), max_size=60))
@settings(max_examples=20, deadline=None)
def test_moves_of_chess960_games_go_to_text_and_back(start: int, choices: list[int]) -> None:
    for board, _ in game(chess.Board.from_chess960_pos(start).fen(), True, choices):
        agree_on_moves(board)


def test_castling_is_understood_in_both_ways() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True)
    legal = [number(board, move) for move in board.legal_moves]
    for by_king, by_rook, rook in (("e1g1", "e1h1", chess.H1), ("e1c1", "e1a1", chess.A1)):
        castling = chess.E1 | rook << 6 | CASTLE << 12
        assert match_move(by_king, legal) == match_move(by_rook, legal) == castling
        assert format_move(castling, False) == by_king
        assert format_move(castling, True) == by_rook


def test_an_ordinary_move_comes_before_castling_written_the_same() -> None:
    """King f1 and rook h1: f1g1 is a step of the king as well as where castling takes it."""
    board = chess.Board("4k3/8/8/8/8/8/8/5K1R w H - 0 1", chess960=True)
    legal = [number(board, move) for move in board.legal_moves]
    step = chess.F1 | chess.G1 << 6 | KING << 12
    castling = chess.F1 | chess.H1 << 6 | CASTLE << 12
    for order in (legal, legal[::-1]):
        assert match_move("f1g1", order) == step
        assert match_move("f1h1", order) == castling


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0000", "null move"),
        ("", "expected two squares"),
        ("e2", "expected two squares"),
        ("E2E4", "expected two squares"),
        ("e2e9", "expected two squares"),
        ("a7a8k", "expected two squares"),
        ("a7a8qq", "expected two squares"),
        (" a7a8q", "expected two squares"),
        ("a7a8\n", "expected two squares"),
        ("O-O", "expected two squares"),
        ("a7a8", "promotion letter missing"),
        ("e1e2q", "expected no promotion letter"),
        ("e1g1q", "not legal here"),
        ("e1e3", "not legal here"),
        ("a7b8q", "not legal here"),
        ("a7b8", "not legal here"),
    ],
)
def test_moves_that_are_refused(text: str, words: str) -> None:
    board = chess.Board("8/P3k3/8/8/8/8/8/4K2R w K - 0 1")
    legal = [number(board, move) for move in board.legal_moves]
    with pytest.raises(MoveError, match=words):
        match_move(text, legal)
    with pytest.raises(MoveError):
        match_move(text, [])


@given(st.text(max_size=100))
@settings(deadline=None)
@example("\x00" * 200)
def test_any_move_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(MoveError) as caught:
        match_move(text, [])
    line = str(caught.value)
    assert line.isascii() and line.isprintable() and len(line) < 200


def test_promotions_are_written_in_lower_case() -> None:
    path = chess.A7 | chess.A8 << 6
    kinds = range(PROMOTE_KNIGHT, PROMOTE_KNIGHT + 4)
    assert [format_move(path | kind << 12, False)[4:] for kind in kinds] == [*"nbrq"]
