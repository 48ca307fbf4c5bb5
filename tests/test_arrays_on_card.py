"""The functions on arrays, given such as lie on a card, with a card that is the CPU."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import chess
import numpy as np
import pytest
from chess_arrays import Boards, arrays, each_call, single
from device_runners import Host
from numba import types
from test_arrays import given, known
from test_arrays_refused import BAD_BOARDS

from engine.backends import cuda
from engine.bits import find_bytes, spread_bits
from engine.errors import BackendError
from engine.games.chess import arrays as arrays_module
from engine.games.chess import compute_attack_maps, evaluate, generate_pseudo_legal_moves, squares
from engine.games.chess.rows_on_card import ROWS, CardRows
from engine.games.chess.tables import T
from engine.jit import kernel


class OnCard(np.ndarray):
    """An array that says it lies on a card."""

    @property
    def __cuda_array_interface__(self) -> Any:
        return self.__array_interface__


def there(array: Any) -> Any:
    """The same on the card; what is no array stays."""
    return array.view(OnCard) if isinstance(array, np.ndarray) else array


FETCHED: list[Any] = []


@pytest.fixture(autouse=True)
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    runner = Host(ROWS, T)
    rows = CardRows(runner)
    rows.fetch = lambda array: FETCHED.append(array) or array  # type: ignore[func-returns-value]
    monkeypatch.setattr(arrays_module, "card_rows", lambda: rows)
    FETCHED.clear()
    yield


def same(mine: Any, theirs: Any) -> None:
    if not isinstance(mine, tuple):
        mine, theirs = (mine,), (theirs,)
    for one, other in zip(mine, theirs, strict=True):
        assert np.array_equal(one, other)
        assert np.asarray(one).dtype == np.asarray(other).dtype


def test_the_same_as_on_the_cpu() -> None:
    boards = known()
    batch, more = arrays(boards), given(boards)
    for call in (compute_attack_maps, evaluate):
        same(call(*map(there, batch)), call(*batch))
    moves = generate_pseudo_legal_moves(
        *map(there, batch), **{name: there(array) for name, array in more.items()}
    )
    same(moves, generate_pseudo_legal_moves(*batch, **more))
    assert len(moves[0]) > 1_000
    assert FETCHED == []


@each_call
def test_one_position_none_and_slices(call: Callable[..., Any]) -> None:
    boards = single(chess.Board())
    same(call(*map(there, boards)), call(*boards))
    nothing = np.zeros((0, 64), np.int8), np.zeros((0, 64), np.int8)
    same(call(*map(there, nothing)), call(*nothing))
    pieces, colours = arrays([chess.Board()] * 6)
    same(call(there(pieces)[::-2], there(colours)[::-2]), call(pieces[::-2], colours[::-2]))


@each_call
@pytest.mark.parametrize(("boards", "message"), BAD_BOARDS[1:], ids=[m for _, m in BAD_BOARDS[1:]])
def test_what_is_refused(call: Callable[..., Any], boards: Boards, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call(*map(there, boards))


@each_call
def test_the_first_wrong_position_is_told(call: Callable[..., Any]) -> None:
    pieces, colours = arrays([chess.Board()] * 50)
    pieces[41, 3] = pieces[47, 0] = 7
    with pytest.raises(ValueError, match=re.escape("piece_arr[41, 3] is 7: expected")):
        call(there(pieces), there(colours))


def test_wrong_rights_and_squares_are_told() -> None:
    pieces, colours = map(there, arrays([chess.Board()] * 3))
    for more, message in (
        ({"castling": there(np.array([0, 1 << 4, 0]))}, "castling[1] has square 4: expected rooks"),
        ({"ep": there(np.array([-1, -1, 3]))}, "ep[2] is 3: expected -1 or, with white to move"),
        ({"ep": there(np.array([1.5] * 3))}, "ep has dtype float64: expected integers"),
        ({"castling": there(np.zeros(2, int))}, "castling has shape (2,): expected one integer or"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            generate_pseudo_legal_moves(pieces, colours, 0, **more)
    with pytest.raises(ValueError, match=re.escape("stm[0] is 2: expected 0 white or 1 black")):
        generate_pseudo_legal_moves(pieces, colours, 2)


def test_arrays_must_lie_together() -> None:
    pieces, colours = single(chess.Board())
    for call in (compute_attack_maps, evaluate):
        with pytest.raises(ValueError, match="color_arr is a ndarray: expected one on the card"):
            call(there(pieces), colours)
        with pytest.raises(ValueError, match="color_arr is a OnCard: expected one in the memory"):
            call(pieces, there(colours))
    with pytest.raises(ValueError, match="stm is on the card: expected it where piece_arr is"):
        generate_pseudo_legal_moves(pieces, colours, there(np.array(0)))


def test_without_a_card_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there is one."""
    monkeypatch.undo()
    arrays_module.card_rows.cache_clear()

    def refuse() -> None:
        raise BackendError("no card here")

    monkeypatch.setattr(cuda, "cupy", refuse)
    with pytest.raises(BackendError) as caught:
        evaluate(*map(there, single(chess.Board())))
    assert str(caught.value) == "no card here"


@kernel(types.UniTuple(types.int64, 2)(types.int64, types.int64))
def find(row: int, value: int) -> tuple[int, int]:
    return find_bytes(row, value), squares.find_in_words(row, value)


@kernel(types.void(types.int64, types.int64, types.int64))
def spread(first: int, second: int, bits: int) -> None:
    spread_bits(first, bits)
    squares.spread_in_words(second, bits)


def test_word_by_word_as_all_at_once() -> None:
    random = np.random.default_rng(5)
    for _ in range(300):
        row = random.integers(-1, 3, 64).astype(np.int8)
        row[random.integers(0, 64, 8)] = random.integers(-128, 128, 8)
        for value in (-1, 0, 1, int(row[0])):
            whole, words = find(row.ctypes.data, value)
            assert whole == words
            assert whole & (1 << 64) - 1 == sum(
                1 << i for i in np.flatnonzero(row == value).tolist()
            )
        bits = int(random.integers(-(1 << 63), 1 << 63))
        first, second = np.full((2, 64), 9, np.uint8)
        spread(first.ctypes.data, second.ctypes.data, bits)
        assert first.tolist() == second.tolist() == [bits >> i & 1 for i in range(64)]
