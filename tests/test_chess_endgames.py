"""Endgames that cannot be won are judged as such, terms and network together."""

from random import Random

import chess
import pytest
from thinking import think

from engine.engine import Engine
from engine.games.chess.network import judge
from engine.games.chess.position import Position
from engine.games.chess.tables import T
from engine.games.chess.work import new_work
from engine.types import Limits

SIGHT = new_work()["sight"]

DRAWN = [
    "7k/8/6K1/8/8/3B4/7P/8 w - - 0 1",  # the bishop does not see h8
    "8/6k1/8/5K2/8/5B2/7P/8 b - - 0 1",
    "k7/P7/8/1K6/8/8/5B2/8 b - - 0 1",
    "8/1k6/8/1K6/P7/P7/3B4/8 w - - 0 1",
    "k7/8/8/8/8/P7/P3K3/8 b - - 0 1",  # no bishop at all
    "4bk2/2B5/6K1/4N3/8/8/8/8 w - - 0 1",  # a minor piece ahead, no pawns
    "8/8/8/3k4/8/r7/4K3/4N3 w - - 0 1",
    "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
    "8/8/4k3/8/8/3NKN2/8/8 w - - 0 1",  # two knights
]
WON = [
    "7k/8/6K1/8/8/4B3/7P/8 b - - 0 1",  # the bishop sees h8
    "8/8/8/4k3/8/3B4/7P/5K2 w - - 0 1",  # the king is not in the corner
    "7k/8/6K1/8/8/3B4/6PP/8 w - - 0 1",  # a second file
    "7k/8/6K1/8/8/3B1N2/7P/8 w - - 0 1",  # a second piece
    "8/8/3qk3/8/8/8/3RK3/8 b - - 0 1",
    "8/8/4k3/8/8/8/3RK3/8 w - - 0 1",
    "8/8/4k3/8/8/3BKN2/8/8 w - - 0 1",
    "8/8/4k3/8/8/3NKNN1/8/8 w - - 0 1",
]


def both_ways(fen: str) -> list[chess.Board]:
    """The position, with the colours swapped, and left to right."""
    board = chess.Board(fen)
    turned = board.transform(chess.flip_horizontal)
    return [board, board.mirror(), turned, turned.mirror()]


@pytest.mark.parametrize("fen", DRAWN)
def test_what_cannot_be_won(fen: str) -> None:
    for board in both_ways(fen):
        value = judge(SIGHT, T, Position(board.fen()).state)
        assert abs(value) < 100, board.fen()


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",  # bishop and knight, both colours of the bishop
        "8/8/8/4k3/8/8/8/K1B1N3 w - - 0 1",
        "7k/8/8/8/3K4/3BN3/8/8 b - - 0 1",  # the king in the wrong corner
        "8/8/8/3k4/8/8/8/BB5K w - - 0 1",
        "8/8/8/3k4/8/8/8/R6K w - - 0 1",
    ],
)
def test_a_king_alone_is_mated(chess_engine: Engine, fen: str) -> None:
    board = chess.Board(fen)
    while not board.is_game_over():
        board.push_uci(think(chess_engine, board, Limits(nodes=8000)).best.move or "")
    assert board.is_checkmate(), board.fen()


@pytest.mark.parametrize("fen", WON)
def test_what_can(fen: str) -> None:
    for board in both_ways(fen):
        position = Position(board.fen())
        value = judge(SIGHT, T, position.state)
        ahead = sum(2 * piece.color - 1 for piece in board.piece_map().values())
        if ahead == 0:
            ahead = 1 if board.pieces(chess.QUEEN, chess.WHITE) else -1
        value = value if board.turn == (ahead > 0) else -value
        assert value > 200, board.fen()


@pytest.mark.parametrize("pieces", ["BN", "BB", "NNB", "BBN", "BBNN", "R", "QN"])
def test_a_king_alone_is_hunted_alike_on_both_halves(pieces: str) -> None:
    random = Random(1)
    for _ in range(50):
        board = chess.Board(None)
        men = [chess.Piece.from_symbol(letter) for letter in "Kk" + pieces]
        for sq, man in zip(random.sample(range(64), len(men)), men, strict=True):
            board.set_piece_at(sq, man)
        if board.is_valid():
            values = {judge(SIGHT, T, Position(b.fen()).state) for b in both_ways(board.fen())}
            assert len(values) == 1, board.fen()
