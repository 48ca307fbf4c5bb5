"""Chess on NumPy arrays: held against python-chess, one position at a time and in batches."""

import random
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
from chess_arrays import Boards, arrays, each_call, place, single
from numpy.typing import NDArray
from oracles import analysis as oracle

import engine.games.chess.evaluation  # noqa: F401  it must not stand in for the function
from engine.games.chess import compute_attack_maps, evaluate, generate_pseudo_legal_moves
from engine.games.chess.analysis import analyze
from engine.games.chess.arrays import MOVES_PER_POSITION
from engine.games.chess.position import Position
from engine.games.chess.pseudo import MAX_PSEUDO
from engine.games.chess.records import ANALYSIS, CACHE
from engine.games.chess.tables import T

README = Path(__file__).parent.parent / "README.md"

CAPTURE, PASSING, CASTLING, TWO_STEPS = 1, 2, 4, 8

Move = tuple[int, int, int, int]


# Positions


def given(boards: list[chess.Board]) -> dict[str, NDArray[Any]]:
    """The further arguments of `generate_pseudo_legal_moves`."""
    return {
        "stm": np.array([0 if board.turn else 1 for board in boards], np.int8),
        "castling": np.array([board.clean_castling_rights() for board in boards], np.uint64),
        "ep": np.array([-1 if b.ep_square is None else b.ep_square for b in boards], np.int64),
    }


def known() -> list[chess.Board]:
    """Legal positions of both kinds of chess."""
    return boards()


def some_known() -> list[chess.Board]:
    return boards()[::5]


def scattered(edge_pawns: bool = True) -> list[chess.Board]:
    """Pieces anywhere, any number of kings, from nearly empty boards to full ones."""
    rng = random.Random(1)
    found: list[chess.Board] = []
    while len(found) < 200:
        board = chess.Board.empty()
        density = rng.random()
        for sq in chess.SQUARES:
            kind = rng.choice((1, 1, 1, 2, 3, 4, 5, 6))
            if kind == chess.PAWN and not edge_pawns and sq >> 3 in (0, 7):
                continue
            if rng.random() < density:
                board.set_piece_at(sq, chess.Piece(kind, rng.random() < 0.5))
        board.turn = rng.random() < 0.5
        behind = -8 if board.turn else 8
        targets = [
            sq
            for sq in chess.SquareSet(chess.BB_RANK_6 if board.turn else chess.BB_RANK_3)
            if board.piece_at(sq) is None or rng.random() < 0.2
            if board.piece_at(sq + behind) == chess.Piece(chess.PAWN, not board.turn)
        ]
        board.ep_square = rng.choice(targets) if targets else None
        found.append(board)
    return found


def with_inner_pawns() -> list[chess.Board]:
    """What python-chess knows the moves of: pawns on the ranks that pawns can be on."""
    return scattered(edge_pawns=False)


def ready_to_castle() -> list[chess.Board]:
    """King and rooks anywhere on a first rank and few other pieces, so that castling often
    depends on one of them."""
    rng = random.Random(2)
    found: list[chess.Board] = []
    while len(found) < 300:
        board = chess.Board.empty()
        board.chess960 = True
        board.turn = rng.random() < 0.5
        rank = 0 if board.turn else 56
        first, king, last = sorted(rng.sample(range(rank, rank + 8), 3))
        for sq, kind in ((first, chess.ROOK), (king, chess.KING), (last, chess.ROOK)):
            board.set_piece_at(sq, chess.Piece(kind, board.turn))
        free = [sq for sq in chess.SQUARES if board.piece_at(sq) is None]
        for sq in rng.sample(free, rng.randrange(6)):
            kind = rng.choice((chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN))
            board.set_piece_at(sq, chess.Piece(kind, rng.random() < 0.2))
        board.castling_rights = 1 << first | 1 << last
        found.append(board)
    return found


Source = Callable[[], list[chess.Board]]


# What python-chess says


def attack_maps(board: chess.Board) -> tuple[list[bool], list[bool]]:
    white, black = oracle.attacks(board, chess.WHITE), oracle.attacks(board, chess.BLACK)
    return [sq in white for sq in chess.SQUARES], [sq in black for sq in chess.SQUARES]


def row(board: chess.Board, move: chess.Move) -> Move:
    """A move as the array has it."""
    start, to, flags = move.from_square, move.to_square, 0
    if board.is_castling(move):
        return start, (start & 56) + (6 if to > start else 2), 0, CASTLING
    if board.is_capture(move):
        flags |= CAPTURE
    if board.is_en_passant(move):
        flags |= PASSING
    if board.piece_type_at(start) == chess.PAWN and abs(to - start) == 16:
        flags |= TWO_STEPS
    return start, to, move.promotion or 0, flags


def sort_key(move: Move) -> tuple[bool, Move]:
    return move[3] == CASTLING, move


def pseudo_legal(board: chess.Board) -> list[Move]:
    return sorted((row(board, move) for move in board.pseudo_legal_moves), key=sort_key)


def offense(board: chess.Board, color: chess.Color) -> int:
    other = board.copy(stack=False)
    other.turn, other.ep_square, other.castling_rights = color, None, 0
    kinds = [piece.piece_type for piece in board.piece_map().values() if piece.color == color]
    return sum(oracle.MATERIAL[kind] for kind in kinds) + other.pseudo_legal_moves.count()


def defense(board: chess.Board, color: chess.Color) -> int:
    if len(board.pieces(chess.KING, color)) == 1:
        return oracle.defense(board, color)
    own = board.pieces(chess.PAWN, color)
    return sum(
        20 * oracle.is_passed(board, color, pawn)
        - 10 * oracle.is_doubled(board, color, pawn)
        - 15 * oracle.is_isolated(board, color, pawn)
        for pawn in own
    )


def terms(board: chess.Board) -> list[int]:
    return [f(board, color) for color in chess.COLORS for f in (offense, defense)]


# Agreement


@pytest.mark.parametrize("source", [some_known, scattered])
def test_attack_maps(source: Source) -> None:
    boards = source()
    pieces, colours = arrays(boards)
    white, black = compute_attack_maps(pieces, colours)
    assert white.shape == black.shape == (len(boards), 64)
    assert white.dtype == black.dtype == np.bool_
    for i, board in enumerate(boards):
        expected = attack_maps(board)
        assert (white[i].tolist(), black[i].tolist()) == expected, board.fen()
        if i % 10 == 0:
            alone = compute_attack_maps(pieces[i], colours[i])
            assert (alone[0].tolist(), alone[1].tolist()) == expected


@pytest.mark.parametrize(
    ("source", "castles", "passes"),
    [(known, 100, 50), (with_inner_pawns, 0, 5), (ready_to_castle, 100, 0)],
)
def test_moves(source: Source, castles: int, passes: int) -> None:
    boards = source()
    pieces, colours = arrays(boards)
    more = given(boards)
    moves, offsets = generate_pseudo_legal_moves(pieces, colours, **more)
    assert moves.dtype == np.int16 and moves.shape == (offsets[-1], 4)
    assert offsets.dtype == np.int64 and offsets.shape == (len(boards) + 1,)
    for i, board in enumerate(boards):
        found = moves[offsets[i] : offsets[i + 1]]
        assert list(map(tuple, found.tolist())) == pseudo_legal(board), board.fen()
        if i % 10 == 0:
            arguments: dict[str, Any] = {name: int(values[i]) for name, values in more.items()}
            alone = generate_pseudo_legal_moves(pieces[i], colours[i], **arguments)
            assert alone.dtype == np.int16 and alone.tolist() == found.tolist()
    assert (moves[:, 3] == CASTLING).sum() >= castles
    assert (moves[:, 3] == CAPTURE + PASSING).sum() >= passes


@pytest.mark.parametrize("source", [some_known, with_inner_pawns])
def test_offense_and_defense(source: Source) -> None:
    boards = source()
    pieces, colours = arrays(boards)
    found = evaluate(pieces, colours)
    assert [(term.dtype, term.shape) for term in found] == [(np.int64, (len(boards),))] * 4
    for i, board in enumerate(boards):
        assert [int(term[i]) for term in found] == terms(board), board.fen()
        if i % 10 == 0:
            alone = evaluate(pieces[i], colours[i])
            assert list(alone) == terms(board) and all(type(term) is int for term in alone)


def test_the_analysis_of_the_engine_says_the_same() -> None:
    """Where no right to castle and no en passant square is left: those count there."""
    boards = [b for b in known() if not b.clean_castling_rights() and not b.has_legal_en_passant()]
    pieces, colours = arrays(boards)
    found = np.array(evaluate(pieces, colours))
    facts: np.void = np.zeros(1, ANALYSIS)[0]
    cache: np.void = np.zeros(1, CACHE)[0]
    for i, board in enumerate(boards):
        analyze(Position(board.fen(), board.chess960).state, T, cache, facts)
        assert found[::2, i].tolist() == facts["offense"].tolist(), board.fen()
        assert found[1::2, i].tolist() == facts["defense"].tolist(), board.fen()
    assert len(boards) > 300


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
    pieces, colours = arrays(known()[::50])
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
    boards = [b for b in known() if b.turn][:20]
    pieces, colours = arrays(boards)
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
