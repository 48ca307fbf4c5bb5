"""The network that adds to the terms: the same as plain Python makes of board and weights."""

import random

import chess
import numpy as np
import pytest
from chess_oracle import game

from engine.games.chess import network
from engine.games.chess.evaluation import evaluate
from engine.games.chess.network import FINE, HIDDEN, LIMIT, MOST, NETWORK, ONE, PAWN, STAGES
from engine.games.chess.position import Position
from engine.games.chess.records import CACHE
from engine.games.chess.tables import T


def boards(seed: int, games: int, plies: int) -> list[chess.Board]:
    rng = random.Random(seed)
    found = []
    for _ in range(games):
        choices = [rng.randrange(256) for _ in range(plies)]
        found += [board.copy() for board, _ in game(chess.STARTING_FEN, False, choices)]
    return found


def sight() -> np.void:
    fresh: np.void = np.zeros(1, network.SIGHT)[0]
    network.open_eyes(fresh)
    return fresh


def judged(eyes: np.void, board: chess.Board) -> int:
    return int(network.judge(eyes, T, Position(board.fen()).state))


def sums(board: chess.Board, colour: chess.Color) -> list[int]:
    """What the eyes of a colour make of the board."""
    columns = NETWORK["columns"].reshape(12, 64, HIDDEN).tolist()
    total: list[int] = NETWORK["bias"].tolist()
    king = board.king(colour)
    assert king is not None
    for sq, piece in board.piece_map().items():
        rank, file = divmod(sq, 8)
        if not colour:
            rank = 7 - rank
        if king % 8 > 3:
            file = 7 - file
        kind = piece.piece_type - 1 + 6 * (piece.color != colour)
        weights = columns[kind][8 * rank + file]
        total = [a + b for a, b in zip(total, weights, strict=True)]
    return total


def plain(board: chess.Board) -> int:
    stage = (len(board.piece_map()) - 1) // 4
    weights = NETWORK["heads"].reshape(STAGES, HIDDEN)[stage].tolist()
    total = 0
    for colour, sign in ((board.turn, 1), (not board.turn, -1)):
        for n, weight in zip(sums(board, colour), weights, strict=True):
            total += sign * min(max(n, 0), ONE) ** 2 * weight
    value = min(max(total // ONE * PAWN // (ONE * FINE), -LIMIT), LIMIT)
    value = value * (200 - min(board.halfmove_clock, 100)) // 200
    cache: np.void = np.zeros(1, CACHE)[0]
    value += int(evaluate(Position(board.fen()).state, T, cache))
    return min(max(value, -MOST), MOST)


@pytest.mark.parametrize("seed", range(3))
def test_judgement_is_what_the_weights_say(seed: int) -> None:
    """Through whole games and in any order, with eyes that remember the position before."""
    found = boards(seed, 4, 120)
    eyes = sight()
    wrong = [b.fen() for b in found if judged(eyes, b) != plain(b)]
    random.Random(seed).shuffle(found)
    wrong += [b.fen() for b in found if judged(eyes, b) != plain(b)]
    assert len(found) > 200
    assert not wrong, f"{len(wrong)}, such as {wrong[0]}"


def test_judgement_knows_no_colours_and_no_left_and_right() -> None:
    eyes = sight()
    for board in boards(7, 4, 150):
        assert judged(eyes, board) == judged(eyes, board.mirror()), board.fen()
        if not board.castling_rights:
            turned = board.transform(chess.flip_horizontal)
            assert judged(eyes, board) == judged(eyes, turned), board.fen()


def test_weights_leave_room_in_the_sums() -> None:
    """32 pieces in 16 bits; a number of the first layer times a weight in 16, all squares in 32."""
    columns = np.abs(NETWORK["columns"].reshape(-1, HIDDEN).astype(int))
    most = np.abs(NETWORK["bias"].astype(int)) + 32 * columns.max(axis=0)
    assert most.max() < 1 << 15
    heads = np.abs(NETWORK["heads"].astype(int)).reshape(STAGES, HIDDEN)
    assert heads.max() * ONE < 1 << 15
    assert heads.sum(axis=1).max() * ONE**2 < 1 << 31


@pytest.mark.parametrize(
    ("fen", "least"),
    [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 400),
        ("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1", 200),
        ("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", 200),
        ("8/8/4k3/8/8/3QK3/8/8 w - - 0 1", 300),
    ],
)
def test_more_pieces_are_better(fen: str, least: int) -> None:
    board = chess.Board(fen)
    value = judged(sight(), board)
    other = chess.Board(fen)
    other.turn = not board.turn
    assert value >= least
    assert judged(sight(), other) <= -least
