"""Chess on NumPy arrays: cases by hand, arrays in any place of memory, and what users see."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from analysis_positions import boards
from chess_arrays import CASTLING, Boards, arrays, each_call, place, single
from numpy.typing import NDArray

from engine.games.chess import compute_attack_maps, evaluate, generate_pseudo_legal_moves
from engine.games.chess.arrays import MOVES_PER_POSITION
from engine.games.chess.pseudo import MAX_PSEUDO

README = Path(__file__).parent.parent / "README.md"


# Cases by hand


def text(moves: NDArray[np.int16]) -> str:
    """Moves as from, to, promotion and, after a colon, flags."""
    return " ".join(
        f"{chess.Move(start, to, promotion or None).uci() if start != to else 'stay'}:{flags}"
        for start, to, promotion, flags in moves.tolist()
    )


@pytest.mark.parametrize(
    ("placement", "stm", "more", "moves"),
    [
        ("8/8/8/8/8/8/8/8", 0, {}, ""),
        ("8/8/8/8/8/8/4P3/8", 0, {}, "e2e3:0 e2e4:8"),
        ("8/8/8/8/8/8/8/4P3", 0, {}, "e1e2:0"),  # not its second rank
        ("8/8/8/8/8/8/4p3/8", 1, {}, "e2e1n:0 e2e1b:0 e2e1r:0 e2e1q:0"),
        ("4P3/8/8/8/8/8/8/4p3", 0, {}, ""),
        ("4P3/8/8/8/8/8/8/4p3", 1, {}, ""),
        ("4p3/8/8/8/8/8/8/8", 1, {}, "e8e7:0"),
        ("8/8/8/8/8/4n3/4P3/8", 0, {}, ""),
        ("8/8/8/8/4n3/8/4P3/8", 0, {}, "e2e3:0"),
        ("3kn3/4P3/8/8/8/8/8/8", 0, {}, "e7d8n:1 e7d8b:1 e7d8r:1 e7d8q:1"),  # it takes a king
        ("8/8/8/3pP3/8/8/8/8", 0, {"ep": chess.D6}, "e5d6:3 e5e6:0"),
        ("8/8/8/4P3/8/8/8/8", 0, {"ep": chess.D6}, "e5e6:0"),  # nothing to take
        ("8/8/8/3PP3/8/8/8/8", 0, {"ep": chess.D6}, "d5d6:0 e5e6:0"),
        ("8/8/3n4/3pP3/8/8/8/8", 0, {"ep": chess.D6}, "e5d6:1 e5e6:0"),  # not empty
        ("8/8/8/8/pP6/8/8/8", 1, {"ep": chess.B3}, "a4a3:0 a4b3:3"),
        ("8/8/8/8/8/8/8/kK6", 0, {}, "b1a1:1 b1c1:0 b1a2:0 b1b2:0 b1c2:0"),
    ],
)  # fmt: skip
def test_moves_by_hand(placement: str, stm: int, more: dict[str, Any], moves: str) -> None:
    assert text(generate_pseudo_legal_moves(*place(placement), stm, **more)) == moves


@pytest.mark.parametrize(
    ("placement", "stm", "rooks", "moves"),
    [
        ("8/8/8/8/8/8/8/R3K2R", 0, "a1 h1", "e1c1:4 e1g1:4"),
        ("8/8/8/8/8/8/8/R3K2R", 0, "h1", "e1g1:4"),
        ("8/8/8/8/8/8/8/R3K2R", 0, "", ""),
        ("8/8/8/8/8/8/8/R3K2R", 1, "a1 h1", ""),
        ("r3k2r/8/8/8/8/8/8/R3K2R", 1, "a1 h8", "e8g8:4"),
        ("8/8/8/8/8/8/8/RN2KB1R", 0, "a1 h1", ""),
        ("4r3/8/8/8/8/8/8/R3K2R", 0, "a1 h1", ""),
        ("1r3r2/8/8/8/8/8/8/R3K2R", 0, "a1 h1", "e1c1:4"),  # only the rook passes b1
        ("8/8/8/8/8/8/8/RR3KRR", 0, "b1 g1", "f1c1:4 f1g1:4"),
        ("8/8/8/8/8/8/8/6KR", 0, "h1", "stay:4"),  # the rook alone moves
        ("8/8/8/8/8/8/8/rR1K4", 0, "b1", ""),  # the rook shields c1
    ],
)
def test_castling_by_hand(placement: str, stm: int, rooks: str, moves: str) -> None:
    castling = sum(1 << chess.parse_square(rook) for rook in rooks.split())
    found = generate_pseudo_legal_moves(*place(placement), stm, castling)
    assert text(found[found[:, 3] == CASTLING]) == moves


def test_pawns_on_their_last_rank_attack_nothing() -> None:
    white, black = compute_attack_maps(*place("P6P/8/8/8/8/8/8/p6p"))
    assert not white.any() and not black.any()
    white, black = compute_attack_maps(*place("p6p/8/8/8/8/8/8/P6P"))
    assert np.flatnonzero(white).tolist() == [chess.B2, chess.G2]
    assert np.flatnonzero(black).tolist() == [chess.B7, chess.G7]


@pytest.mark.parametrize(
    ("placement", "worth"),
    [
        ("8/8/8/8/8/8/4PPP1/5K2", 3 * 20 + 3 * 10),  # passed pawns; a shield
        ("8/8/8/8/8/8/4PPP1/8", 3 * 20),
        ("8/8/8/8/8/8/4PPP1/5KK1", 3 * 20),
        ("8/8/8/8/8/8/8/4K3", -3 * 20),  # open files
        ("8/8/8/8/8/8/8/3KK3", 0),
    ],
)
def test_terms_of_the_king_need_one_king(placement: str, worth: int) -> None:
    assert evaluate(*place(placement))[1] == worth


# Layouts


def variants(pieces: NDArray[Any], colours: NDArray[Any]) -> Iterator[tuple[str, Boards]]:
    """The same batch in other places of memory."""
    wide = np.full((len(pieces), 2, 64), 99, np.int8)
    wide[:, 0], wide[:, 1] = pieces, colours
    yield "slices", (wide[:, 0], wide[:, 1])
    yield "transposed", (np.asfortranarray(pieces), np.asfortranarray(colours))
    yield "backwards", (pieces[::-1].copy()[::-1], colours[::-1].copy()[::-1])
    frozen = pieces.copy(), colours.copy()
    for array in frozen:
        array.flags.writeable = False
    yield "read-only", frozen
    odd = np.zeros(pieces.size + 1, np.int8)[1:].reshape(pieces.shape)
    odd[:] = pieces
    yield "odd address", (odd, colours)


def same(found: Any, expected: Any) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


@each_call
def test_any_layout(call: Callable[..., Any]) -> None:
    pieces, colours = arrays(boards()[::50])
    kept = pieces.copy(), colours.copy()
    expected = call(pieces, colours)
    for name, (p, c) in variants(pieces, colours):
        assert same(call(p, c), expected), name
        assert np.array_equal(p, kept[0]) and np.array_equal(c, kept[1]), name
        assert same(call(p[3], c[3]), call(pieces[3], colours[3])), name
    assert np.array_equal(pieces, kept[0]) and np.array_equal(colours, kept[1])


@each_call
def test_batches_of_one_and_of_none(call: Callable[..., Any]) -> None:
    pieces, colours = arrays([chess.Board()])
    alone = call(pieces[0], colours[0])
    one = call(pieces, colours)
    none = call(pieces[:0], colours[:0])
    if isinstance(alone, tuple):
        assert all(np.array_equal(a[0], b) for a, b in zip(one, alone, strict=True))
        assert all(len(a) == 0 for a in none)
    else:
        assert np.array_equal(one[0], alone) and one[1].tolist() == [0, 20]
        assert none[0].shape == (0, 4) and none[1].tolist() == [0]


def test_integers_of_any_type_one_or_many() -> None:
    pieces, colours = arrays([board for board in boards() if board.turn][:20])
    expected = generate_pseudo_legal_moves(pieces, colours, np.zeros(20, np.int64))
    assert same(generate_pseudo_legal_moves(pieces, colours, 0), expected)
    assert same(generate_pseudo_legal_moves(pieces, colours, np.uint8(0)), expected)
    assert same(generate_pseudo_legal_moves(pieces, colours, [0] * 20, 0, [-1] * 20), expected)
    board = chess.Board("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1")
    mask = np.array(board.castling_rights, np.uint64)
    for castling in (board.castling_rights, mask, mask.astype(np.int64), int(mask.view(np.int64))):
        moves = generate_pseudo_legal_moves(*single(board), 1, castling)
        assert (moves[:, 3] == CASTLING).sum() == 2


def test_moves_that_need_more_room() -> None:
    """Boards of queens, with many more moves than room is asked for at first."""
    queens = place("8/1Q3Q2/8/3Q3Q/8/1Q3Q2/8/3Q3Q")
    n = 3 * MAX_PSEUDO // MOVES_PER_POSITION
    pieces, colours = (np.tile(array, (n, 1)) for array in queens)
    alone = generate_pseudo_legal_moves(*queens, 0)
    assert len(alone) > 2 * MOVES_PER_POSITION
    moves, offsets = generate_pseudo_legal_moves(pieces, colours, 0)
    assert np.array_equal(np.diff(offsets), np.full(n, len(alone)))
    assert np.array_equal(moves, np.tile(alone, (n, 1)))


# From outside


def test_the_nameplate_stays_light() -> None:
    """Loading the package loads no compiler; an unknown name is an AttributeError."""
    program = (
        "import sys, engine.games.chess as chess\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules\n"
        "assert not hasattr(chess, 'no_such_name')\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    section = README.read_text().split("## From NumPy")[1].split("\n## ")[0]
    (program,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    exec(program, {})
    told = re.findall(r"# prints (.+)", program)
    assert capsys.readouterr().out.splitlines() == told
    assert len(told) >= 3
