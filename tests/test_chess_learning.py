"""What the chess network learns from: positions of games and of searches, written down rightly."""

from pathlib import Path

import chess
import chess_label
import chess_selfplay
import numpy as np
import pytest
from chess_rows import LOUD, UNKNOWN
from chess_selfplay import Games

from engine.control import Control
from engine.games.chess.network import NETWORK
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.work import new_work
from engine.table import Table


def board_of(row: np.void) -> chess.Board:
    board = chess.Board(None)
    for i, both in enumerate(row["board"]):
        for sq, code in ((2 * i, int(both) & 15), (2 * i + 1, int(both) >> 4)):
            if code:
                board.set_piece_at(sq, chess.Piece(code & 7, code < 8))
    board.turn = not row["turn"]
    return board


def test_games_are_of_legal_quiet_positions() -> None:
    games = Games(3, 100, 50)
    rows = np.concatenate([games.play() for _ in range(6)])
    assert len(rows) > 300
    for row in rows:
        board = board_of(row)
        assert board.is_valid(), board.fen()
        assert not board.is_check()
        assert any(board.legal_moves)
    assert {UNKNOWN, LOUD} < set(rows["result"].tolist())


def test_results_are_those_of_the_side_to_move() -> None:
    """Within a game, and far ahead means won more often than not."""
    games = Games(5, 100, 50)
    ahead = []
    for _ in range(8):
        rows = games.play()
        rows = rows[rows["result"] < UNKNOWN]
        white = np.where(rows["turn"] == 0, rows["result"], -rows["result"])
        assert len(set(white.tolist())) <= 1
        ahead += rows["result"][rows["score"] > 600].tolist()
    assert len(ahead) > 20
    assert np.mean(ahead) > 0.5


def test_a_seed_makes_the_same_games() -> None:
    first, again = (Games(7, 60, 30) for _ in range(2))
    for _ in range(3):
        assert np.array_equal(first.play(), again.play())


def test_few_pieces_are_a_position() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        position = chess_selfplay.sparse_position(rng)
        assert position.legal()


def test_labels_are_those_of_longer_searches() -> None:
    """Same positions, other scores; a winning capture makes a position one that does not count."""
    games = Games(11, 60, 30)
    rows = np.concatenate([games.play() for _ in range(4)])
    rows = rows[rows["result"] != LOUD]
    hanging = rows[:1].copy()
    board = chess.Board("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1")
    hanging["board"], hanging["turn"] = 0, 0
    for sq, piece in board.piece_map().items():
        code = piece.piece_type + (0 if piece.color else 8)
        hanging["board"][0, sq >> 1] |= code << 4 * (sq & 1)
    rows = np.concatenate([rows, hanging])
    works = [label_by(rows, nodes) for nodes in (400, 400, 4000)]
    assert np.array_equal(works[0], works[1])
    assert works[0]["result"][-1] == LOUD
    assert np.array_equal(works[0]["board"], rows["board"])
    both = (works[0]["result"] != LOUD) & (works[2]["result"] != LOUD)
    assert both.sum() > 0.8 * len(rows)
    short, long = (np.abs(work["score"] - rows["score"])[both] for work in (works[0], works[2]))
    assert short.mean() > 0
    assert long.mean() > 0
    assert not np.array_equal(works[0]["score"][both], works[2]["score"][both])


def label_by(rows: np.ndarray, nodes: int) -> np.ndarray:
    scored = rows.copy()
    work, table, control = new_work(), Table(1), Control()
    work["table"], work["buckets"] = table.address, table.buckets
    work["control"] = control.address
    chess_label.label(work, T, np.zeros(1, STATE), scored, nodes)
    return scored


def test_the_trainer_learns_and_writes_what_the_engine_reads(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not here: pip install 'triptych[train]'")
    import chess_train

    games = Games(9, 60, 30)
    rows = np.concatenate([games.play() for _ in range(20)])
    np.save(tmp_path / "games.npy", rows)
    lesson, exam = chess_train.read([tmp_path / "games.npy"])
    assert len(lesson) + len(exam) == (rows["result"] != LOUD).sum()
    model = chess_train.Network()
    heads = model.heads.detach().clone()
    chess_train.fit(model, chess_train.Lesson(lesson), chess_train.Lesson(exam), 2, 1e-3, 512)
    assert not np.array_equal(model.heads.detach(), heads)
    for name, values in model.numbers().items():
        assert values.size == NETWORK[name].size
        assert values.dtype == NETWORK.dtype[name].base
    again = chess_train.Network()
    again.start_from(model.numbers())
    for name, values in again.numbers().items():
        assert np.array_equal(values, model.numbers()[name])
