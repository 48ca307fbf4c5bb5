"""Parts of the chess search by themselves: evaluation, exchanges, and draws by rule."""

import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest
from chess_oracle import game, number, positions
from numba import types

from engine.games.chess import rules
from engine.games.chess.evaluation import evaluate
from engine.games.chess.node import is_draw
from engine.games.chess.numba_types import STATE_T, State
from engine.games.chess.ordering import Work, pick
from engine.games.chess.position import Position
from engine.games.chess.records import CACHE
from engine.games.chess.see import see_at_least
from engine.games.chess.tables import T
from engine.games.chess.work import WORK_T, new_work
from engine.jit import kernel


def boards(games: int, plies: int) -> Iterator[chess.Board]:
    """Positions of random games, the same in every run."""
    rng = random.Random(20260101)
    for _ in range(games):
        choices = [rng.randrange(256) for _ in range(plies)]
        for board, _ in game(chess.STARTING_FEN, False, choices):
            yield board


def state_of(board: chess.Board) -> np.void:
    return Position(board.fen(shredder=board.chess960), board.chess960).state


# Evaluation


def value(board: chess.Board) -> int:
    """With an empty cache, so that nothing of another position is in it."""
    cache: np.void = np.zeros(1, CACHE)[0]
    return int(evaluate(state_of(board), T, cache))


def test_evaluation_knows_no_colours() -> None:
    """Black to move and all colours swapped is the same to the side to move."""
    wrong = []
    for fen, chess960 in positions():
        board = chess.Board(fen, chess960=chess960)
        mirrored = board.mirror()
        if value(board) != value(mirrored):
            wrong.append((fen, value(board), value(mirrored)))
    assert not wrong, f"{len(wrong)} of {len(positions())}, such as {wrong[:3]}"


def test_evaluation_knows_no_colours_in_random_games() -> None:
    wrong = []
    for board in boards(5, 120):
        mirrored = board.mirror()
        if value(board) != value(mirrored):
            wrong.append((board.fen(), value(board), value(mirrored)))
    assert not wrong, f"{len(wrong)}, such as {wrong[:3]}"


def test_the_pawn_cache_changes_nothing() -> None:
    cache: np.void = np.zeros(1, CACHE)[0]
    for board in boards(4, 100):
        state = state_of(board)
        assert int(evaluate(state, T, cache)) == value(board), board.fen()


def test_evaluation_leaves_the_position_alone() -> None:
    cache: np.void = np.zeros(1, CACHE)[0]
    for fen, chess960 in positions()[:50]:
        state = Position(fen, chess960).state
        before = state.tobytes()
        evaluate(state, T, cache)
        assert state.tobytes() == before


@pytest.mark.parametrize("piece", [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
def test_a_piece_more_is_worth_something(piece: chess.PieceType) -> None:
    """White is one up, then black, in a position that is otherwise even."""
    for colour in chess.COLORS:
        board = chess.Board()
        square = next(iter(board.pieces(piece, not colour)))
        board.remove_piece_at(square)
        board.castling_rights = chess.BB_EMPTY
        for turn in chess.COLORS:
            board.turn = turn
            assert (value(board) > 40) == (turn == colour), board.fen()


# Exchanges

WORTH = (0, 100, 320, 330, 500, 950, 20_000)
"""By python-chess piece type."""


def takers(board: chess.Board, side: chess.Color, sq: chess.Square, gone: set[int]) -> list[int]:
    """Squares of the pieces of a side that attack a square once some pieces have gone: those with
    nothing left in between. The cheapest first."""
    occupied = board.occupied & ~sum(1 << square for square in gone)
    found = []
    for square in chess.scan_forward(board.occupied_co[side] & occupied):
        kind = board.piece_type_at(square)
        aligned = bool(board.pieces(kind or 0, side) & chess.BB_SQUARES[square])
        if aligned and reaches(board, square, sq, occupied):
            found.append(square)
    return sorted(found, key=lambda square: WORTH[board.piece_type_at(square) or 0])


def reaches(board: chess.Board, square: int, sq: int, occupied: int) -> bool:
    """Whether the piece of one square attacks another, with only `occupied` in the way."""
    kind, step = board.piece_type_at(square), chess.square_distance(square, sq)
    files = abs(chess.square_file(square) - chess.square_file(sq))
    ranks = abs(chess.square_rank(square) - chess.square_rank(sq))
    if kind == chess.PAWN:
        forward = chess.square_rank(sq) - chess.square_rank(square)
        return files == 1 and forward == (1 if board.color_at(square) else -1)
    if kind == chess.KNIGHT:
        return {files, ranks} == {1, 2}
    if kind == chess.KING:
        return step == 1
    straight, slanted = 0 in (files, ranks), files == ranks
    if (kind == chess.BISHOP and not slanted) or (kind == chess.ROOK and not straight):
        return False
    return (straight or slanted) and not chess.between(square, sq) & occupied


def gain(
    board: chess.Board, side: chess.Color, sq: chess.Square, gone: set[int], standing: int
) -> int:
    """What a side wins on a square where an enemy piece of a given worth stands: it takes with its
    cheapest piece or lets it be. A king does not take what is defended."""
    mine = takers(board, side, sq, gone)
    if not mine:
        return 0
    taker = mine[0]
    kind = board.piece_type_at(taker) or 0
    if kind == chess.KING and takers(board, not side, sq, gone | {taker}):
        return 0
    return max(0, standing - gain(board, not side, sq, gone | {taker}, WORTH[kind]))


def exchange(board: chess.Board, move: chess.Move) -> int:
    """What a move wins by exchanges on its target square: the plainest way to work it out."""
    taken = WORTH[board.piece_type_at(move.to_square) or 0]
    mover = WORTH[board.piece_type_at(move.from_square) or 0]
    gone = {move.from_square, move.to_square}
    return taken - gain(board, not board.turn, move.to_square, gone, mover)


def is_special(board: chess.Board, move: chess.Move) -> bool:
    return bool(move.promotion) or board.is_castling(move) or board.is_en_passant(move)


def at_least(board: chess.Board, move: chess.Move, threshold: int) -> bool:
    return bool(see_at_least(T, state_of(board), number(board, move), threshold))


def test_exchanges_against_a_plain_reference() -> None:
    """True up to the exact value, false from one more on; quiet moves too."""
    rng = random.Random(7)
    captures = lossy = 0
    for board in boards(7, 90):
        legal = [move for move in board.legal_moves if not is_special(board, move)]
        taking = [move for move in legal if board.is_capture(move)]
        for move in {*taking, *rng.sample(legal, min(2, len(legal)))}:
            worth = exchange(board, move)
            assert at_least(board, move, worth), (board.fen(), move.uci(), worth)
            assert not at_least(board, move, worth + 1), (board.fen(), move.uci(), worth)
            captures += move in taking
            lossy += worth < 0
    assert captures > 600 and lossy > 200


@pytest.mark.parametrize(
    ("fen", "move", "worth"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),  # the second rook stands behind
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400),
        ("4k3/8/8/8/8/2b5/3n4/2B3K1 w - - 0 1", "c1d2", 320 - 330),
        ("8/8/4k3/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", 100 - 950),  # the king takes back
        ("8/8/4k3/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5", 100),  # and may not here
        ("4k3/8/8/3p4/8/1B6/8/4K2n w - - 0 1", "b3d5", 100),
    ],
)
def test_exchanges_by_hand(fen: str, move: str, worth: int) -> None:
    board = chess.Board(fen)
    assert exchange(board, chess.Move.from_uci(move)) == worth
    assert at_least(board, chess.Move.from_uci(move), worth)
    assert not at_least(board, chess.Move.from_uci(move), worth + 1)


@pytest.mark.parametrize(
    ("fen", "move", "even", "more"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", True, False),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", True, False),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", True, True),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", True, True),
    ],
)
def test_special_moves_are_not_worked_out(fen: str, move: str, even: bool, more: bool) -> None:
    """En passant and castling count as even, promotions as good."""
    board = chess.Board(fen)
    assert at_least(board, chess.Move.from_uci(move), 0) == even
    assert at_least(board, chess.Move.from_uci(move), 1) == more


# Draws by rule


@pytest.mark.parametrize(
    ("fen", "chess960", "often"),
    [
        (chess.STARTING_FEN, False, False),
        ("7k/8/8/8/8/8/8/KR6 w - - 0 1", False, True),
        ("7k/8/8/8/8/8/8/K1N1b3 w - - 60 90", False, True),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False, False),  # rights get lost on the way
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", True, False),
    ],
)
def test_draws_are_those_of_python_chess(fen: str, chess960: bool, often: bool) -> None:
    """`often`: so few moves that positions repeat and fifty moves pass."""
    rng = random.Random(fen)
    repeated = fifty = 0
    for _ in range(6):
        position = Position(fen, chess960)
        choices = [rng.randrange(3 if rng.random() < 0.8 else 256) for _ in range(140)]
        for board, move in game(fen, chess960, choices):
            times = position.keys.count(int(position.state["key"])) + 1
            for n in (2, 3, 4, 5):
                assert (times >= n) == board.is_repetition(n), board.fen()
            assert int(position.state["halfmove"]) == board.halfmove_clock
            assert rules.insufficient(position.state) == board.is_insufficient_material()
            repeated += times >= 3
            fifty += board.halfmove_clock >= 100
            position.play(number(board, move))
    assert not often or (repeated > 20 and fifty > 20)


@kernel(types.int64(WORK_T, STATE_T, types.int64))
def drawn(w: Work, pos: State, ply: int) -> int:
    return int(is_draw(w, pos, ply))


@pytest.mark.parametrize(("since", "expected"), [(6, 1), (4, 1), (3, 0), (2, 0), (0, 0)])
def test_nothing_is_repeated_across_a_null_move(since: int, expected: int) -> None:
    """The position stood on the board four plies before, the null move was `since` plies ago."""
    state = Position().state.copy()
    state["halfmove"] = 20
    work = new_work()
    work["keys"][2] = state["key"]
    work["since"][6] = since
    assert drawn(work, state, 6) == expected


# The order of moves


@kernel(types.void(WORK_T, types.int64, types.int64))
def sort(w: Work, start: int, end: int) -> None:
    for i in range(start, end):
        pick(w, i, end)


@pytest.mark.parametrize("scores", [range(-3, 4), range(-(1 << 30), (1 << 30) + 1)], ids=str)
def test_moves_are_picked_best_first_and_equals_in_their_order(scores: range) -> None:
    """What stands before and behind them, even if greater, neither counts nor moves."""
    rng = random.Random(7)
    work = new_work()
    last = len(work["moves"]) - 256
    for count in (*range(1, 40), 218, 255, 256):
        start = rng.choice((0, 256, last)) + rng.randrange(257 - count)
        work["scores"][:] = (1 << 31) - 1
        work["moves"][:] = 0
        numbers = [rng.choice(scores) for _ in range(count)]
        moves = rng.sample(range(1, 1 << 16), count)
        work["scores"][start : start + count] = numbers
        work["moves"][start : start + count] = moves
        untouched = np.delete(work["scores"], range(start, start + count)).copy()
        first = moves[numbers.index(max(numbers))]
        pick_one(work, start, start + count)
        assert work["moves"][start] == first
        sort(work, start, start + count)
        pairs = set(zip(numbers, moves, strict=True))
        found = list(
            zip(
                work["scores"][start : start + count].tolist(),
                work["moves"][start : start + count].tolist(),
                strict=True,
            )
        )
        assert [score for score, _ in found] == sorted(numbers, reverse=True)
        assert set(found) == pairs
        assert (np.delete(work["scores"], range(start, start + count)) == untouched).all()


@kernel(types.void(WORK_T, types.int64, types.int64))
def pick_one(w: Work, start: int, end: int) -> None:
    pick(w, start, end)
