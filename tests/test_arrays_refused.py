"""What the functions on NumPy arrays refuse, and what they say then."""

import re
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from chess_arrays import Boards, arrays, each_call, place, single
from numpy.typing import NDArray

from engine.games.chess import generate_pseudo_legal_moves

GOOD = single(chess.Board())


def changed(which: int, sq: int, value: int) -> Boards:
    boards = GOOD[0].copy(), GOOD[1].copy()
    boards[which][sq] = value
    return boards


BAD_BOARDS = [
    ((GOOD[0].tolist(), GOOD[1]), "piece_arr is a list: expected a NumPy array of int8"),
    ((GOOD[0].astype(np.int64), GOOD[1]), "piece_arr has dtype int64: expected int8"),
    ((GOOD[0], GOOD[1].astype(np.uint8)), "color_arr has dtype uint8: expected int8"),
    ((GOOD[0][:63], GOOD[1]), "piece_arr has shape (63,): expected (64,) or (N, 64)"),
    ((GOOD[0].reshape(8, 8), GOOD[1]), "piece_arr has shape (8, 8): expected (64,) or (N, 64)"),
    ((GOOD[0].reshape(1, 1, 64), GOOD[1]), "piece_arr has shape (1, 1, 64): expected (64,) or"),
    ((np.array(3, np.int8), GOOD[1]), "piece_arr has shape (): expected (64,) or (N, 64)"),
    ((GOOD[0], GOOD[1].reshape(1, 64)), "color_arr has shape (1, 64): expected (64,), as piece_ar"),
    (changed(0, 12, 7), "piece_arr[12] is 7: expected 0 empty, or 1 pawn to 6 king"),
    (changed(0, 63, -1), "piece_arr[63] is -1: expected 0 empty, or 1 pawn to 6 king"),
    (changed(1, 0, 2), "color_arr[0] is 2: expected -1 empty, 0 white or 1 black"),
    (changed(1, 1, -2), "color_arr[1] is -2: expected -1 empty, 0 white or 1 black"),
    (changed(0, 5, 0), "color_arr[5] is 0: expected -1 where piece_arr[5] is 0, empty"),
    (changed(1, 62, -1), "color_arr[62] is -1: expected 0 white or 1 black where piece_arr[62] is"),
]


@each_call
@pytest.mark.parametrize(("boards", "message"), BAD_BOARDS, ids=[m for _, m in BAD_BOARDS])
def test_bad_boards(call: Callable[..., Any], boards: Boards, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call(*boards)


@each_call
@pytest.mark.parametrize("value", [7, 127, -1, -128])
def test_the_place_in_a_batch_is_told(call: Callable[..., Any], value: int) -> None:
    pieces, colours = arrays([chess.Board()] * 50)
    pieces[41, 3] = pieces[41, 60] = pieces[42, 0] = value
    with pytest.raises(ValueError, match=re.escape(f"piece_arr[41, 3] is {value}: expected")):
        call(pieces, colours)


ALL = 1 << chess.A1 | 1 << chess.H1 | 1 << chess.A8 | 1 << chess.H8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"stm": 2}, "stm is 2: expected 0 white or 1 black"),
        ({"stm": -1}, "stm is -1: expected"),
        ({"stm": True}, "stm has dtype bool: expected integers"),
        ({"stm": 0.0}, "stm has dtype float64: expected integers"),
        ({"stm": None}, "stm has dtype object: expected integers"),
        ({"stm": [0]}, "stm has shape (1,): expected one integer"),
        ({"stm": 0, "ep": chess.E3}, "ep is 20: expected -1 or, with white to move, a square of "
                                     "rank 6, 40 to 47"),
        ({"stm": 1, "ep": 47}, "ep is 47: expected -1 or, with black to move, a square of rank 3, "
                               "16 to 23"),
        ({"stm": 1, "ep": 64}, "ep is 64: expected"),
        ({"stm": 0, "ep": -2}, "ep is -2: expected"),
        ({"stm": 0, "ep": "e3"}, "ep has dtype <U2: expected integers"),
        ({"stm": 0, "castling": "KQkq"}, "castling has dtype <U4: expected integers"),
        ({"stm": 0, "castling": 1 << 64}, "castling has dtype object: expected integers of up to"),
        ({"stm": 0, "castling": ALL | 1 << 1}, "castling has square 1: expected rooks of white on "
                                               "rank 1 and of black on rank 8"),
        ({"stm": 0, "castling": 1 << 30}, "castling has square 30: expected rooks"),
        ({"stm": 0, "castling": -1}, "castling has square 1: expected rooks"),
    ],
)  # fmt: skip
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        generate_pseudo_legal_moves(*GOOD, **arguments)


@pytest.mark.parametrize(
    ("placement", "rooks", "message"),
    [
        ("8/8/8/8/8/8/8/4k2R", "h1", "castling has square 7: expected it only where white has one "
                                     "king, on the same rank"),
        ("8/8/8/8/8/8/4K3/7R", "h1", "square 7: expected it only where white has one king"),
        ("8/8/8/8/8/8/8/3KK2R", "h1", "square 7: expected it only where white has one king"),
        ("r3k3/8/8/k7/8/8/8/8", "a8", "square 56: expected it only where black has one king"),
        ("8/8/8/8/8/8/8/4K1RR", "g1 h1", "square 7: expected no other rook on the side of "
                                         "the king where 6 stands"),
        ("rr2k3/8/8/8/8/8/8/8", "a8 b8", "square 57: expected no other rook on the side of "
                                         "the king where 56 stands"),
        ("4k2R/8/8/8/8/8/8/4K3", "h8", "square 63: expected rooks of white on rank 1"),
        ("4k3/8/8/8/8/8/8/4K2r", "h1", "square 7: expected rooks of white on rank 1"),
        ("4k3/8/8/8/8/8/8/4K2Q", "h1", "square 7: expected rooks of white on rank 1"),
        ("4k3/8/8/8/8/8/7R/4K3", "h2", "square 15: expected rooks of white on rank 1"),
    ],
)  # fmt: skip
def test_rights_that_cannot_be(placement: str, rooks: str, message: str) -> None:
    castling = sum(1 << chess.parse_square(rook) for rook in rooks.split())
    for stm in (0, 1):
        with pytest.raises(ValueError, match=re.escape(message)):
            generate_pseudo_legal_moves(*place(placement), stm, castling)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("stm", np.zeros(3, np.int64), "stm has shape (3,): expected one integer or shape (2,)"),
        ("ep", np.zeros((2, 1), np.int64), "ep has shape (2, 1): expected one integer or shape"),
        ("castling", np.zeros(2, np.float64), "castling has dtype float64: expected integers"),
        ("ep", np.array([255, 255], np.uint8), "ep[0] is 255: expected -1 or"),
        ("ep", np.array([2**64 - 1] * 2, np.uint64), "ep[0] is 18446744073709551615: expected"),
        ("stm", np.array([1, 2**63], np.uint64), "stm[1] is 9223372036854775808: expected"),
        ("stm", np.array([0, 2], np.int8), "stm[1] is 2: expected 0 white or 1 black"),
        ("ep", np.array([40, 23], np.int16), "ep[1] is 23: expected -1 or, with white to move"),
        ("castling", np.array([0, 2], np.int64), "castling[1] has square 1: expected rooks"),
    ],
)
def test_bad_arrays_of_arguments(name: str, value: NDArray[Any], message: str) -> None:
    batch = [np.stack([array] * 2) for array in GOOD]
    arguments: dict[str, Any] = {"stm": 0} | {name: value}
    with pytest.raises(ValueError, match=re.escape(message)):
        generate_pseudo_legal_moves(*batch, **arguments)
