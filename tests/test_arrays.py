"""Chess on NumPy arrays: held against python-chess, one position at a time and in batches."""

import random
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from analysis_positions import boards
from chess_arrays import CASTLING, arrays
from numpy.typing import NDArray
from oracles import analysis as oracle

import engine.games.chess.evaluation  # noqa: F401  it must not stand in for the function
from engine.games.chess import compute_attack_maps, evaluate, generate_pseudo_legal_moves
from engine.games.chess.analysis import analyze
from engine.games.chess.position import Position
from engine.games.chess.records import ANALYSIS, CACHE
from engine.games.chess.tables import T

CAPTURE, PASSING, TWO_STEPS = 1, 2, 8

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
