"""Boards of python-chess as the arrays of `engine.games.chess.arrays`."""

from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.games.chess import compute_attack_maps, evaluate, generate_pseudo_legal_moves

CASTLING = 4
"""A flag of a move."""

Boards = tuple[NDArray[np.int8], NDArray[np.int8]]


def arrays(boards: list[chess.Board]) -> Boards:
    """Piece and colour arrays, shape (N, 64)."""
    pieces = np.zeros((len(boards), 64), np.int8)
    colours = np.full((len(boards), 64), -1, np.int8)
    for i, board in enumerate(boards):
        for sq, piece in board.piece_map().items():
            pieces[i, sq] = piece.piece_type
            colours[i, sq] = 0 if piece.color else 1
    return pieces, colours


def single(board: chess.Board) -> Boards:
    """The same of one board, shape (64,)."""
    pieces, colours = arrays([board])
    return pieces[0], colours[0]


def place(placement: str) -> Boards:
    """One board from the first field of a FEN."""
    return single(chess.Board(f"{placement} w - - 0 1"))


CALLS: list[tuple[str, Callable[..., Any]]] = [
    ("maps", compute_attack_maps),
    ("evaluate", evaluate),
    ("moves", lambda pieces, colours: generate_pseudo_legal_moves(pieces, colours, 0)),
]
each_call = pytest.mark.parametrize("call", [c for _, c in CALLS], ids=[n for n, _ in CALLS])
"""For what holds of all three functions."""
