"""The verbs of chess: counts and moves of the oracle files, python-chess, and records rebuilt
from scratch."""

from collections.abc import Sequence
from typing import Any

import chess
import numba
import numpy as np
import pytest
from chess_oracle import game, legal_fen, number, positions, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.control import Control
from engine.games.chess import rules
from engine.games.chess.make import pass_turn, unpass_turn
from engine.games.chess.notation import Setup, format_move, parse_fen
from engine.games.chess.perft import perft
from engine.games.chess.records import UNDO
from engine.games.chess.state import BOARDS, MAX_MOVES
from engine.games.chess.tables import T
from engine.games.chess.verify import build, setup_of, verify

VERBS_LIMIT = 2_000
"""Perft rows of up to this many nodes are also counted from Python, one verb at a time."""


def record(fen: str, chess960: bool) -> NDArray[np.void]:
    """The position of a FEN, as an array of one record."""
    return build(parse_fen(fen, chess960), T)


def generated(pos: np.void) -> list[int]:
    """Legal moves in the order of generation. Asserts what holds for every position."""
    moves = np.full(MAX_MOVES, 0xFFFF, np.uint16)
    before = pos.tobytes()
    n = rules.generate(pos, T, moves)
    assert n == rules.count(pos, T)
    assert pos.tobytes() == before
    assert (moves[n:] == 0xFFFF).all()
    return [int(move) for move in moves[:n]]


def meaning(pos: np.void) -> bytes:
    """All bytes of a record that mean something; those that do not are set to zero."""
    copy = np.array([pos])
    copy["slot"][copy["board"] == 0] = 0
    for code in range(16):
        copy["squares"][0, 16 * code + copy["count"][0, code] : 16 * code + 16] = 0
    return copy.tobytes()


def assert_same(pos: np.void, board: chess.Board) -> None:
    """The record agrees with itself and with a python-chess board."""
    assert verify(pos, T) is None
    assert setup_of(pos) == parse_fen(legal_fen(board), board.chess960)
    assert sorted(generated(pos)) == sorted(number(board, move) for move in board.legal_moves)
    assert rules.checkers(pos, T) % 2**64 == board.checkers_mask()
    assert rules.insufficient(pos) == board.is_insufficient_material()


# Oracle rows


@pytest.mark.parametrize("bulk", [0, 1])
def test_perft_rows(bulk: int) -> None:
    """Every row; positions stay as they were, order of the lists included."""
    control = Control()
    moves = np.zeros(16 * MAX_MOVES, np.uint16)
    for row in rows("perft.jsonl"):
        pos = record(row["fen"], row.get("chess960", False))[0]
        before = meaning(pos)
        boards: Any = tuple(int(pos[name]) for name in BOARDS)
        depth, address = row["depth"], control.address
        nodes = perft(int(pos["turn"]), T, boards, pos, moves, 0, depth, bulk, address, 0, 0)
        assert nodes == row["nodes"], row
        assert meaning(pos) == before, row


def leaves(pos: np.void, undos: NDArray[np.void], depth: int) -> int:
    """Perft with nothing but the verbs. `undos` holds one record for each ply."""
    if depth == 0:
        return 1
    total = 0
    for move in generated(pos):
        rules.make(pos, T, move, undos[depth])
        total += leaves(pos, undos, depth - 1)
        rules.unmake(pos, undos[depth])
    return total


def test_perft_rows_by_the_verbs_alone() -> None:
    undos = np.zeros(8, UNDO)
    for row in rows("perft.jsonl"):
        if row["nodes"] <= VERBS_LIMIT:
            pos = record(row["fen"], row.get("chess960", False))[0]
            assert leaves(pos, undos, row["depth"]) == row["nodes"], row


def test_move_rows() -> None:
    for row in rows("moves.jsonl"):
        moves = generated(record(row["fen"], row["chess960"])[0])
        assert sorted(format_move(move, row["chess960"]) for move in moves) == row["moves"], row


def test_accepted_input_rows() -> None:
    for row in rows("bad_input.jsonl"):
        if "legal_moves" in row:
            assert len(generated(record(row["input"], False)[0])) == row["legal_moves"], row


# Make and take back


def test_every_move_of_the_oracle_positions() -> None:
    """Each move leads to the record built from scratch, and back to the same bytes. Every other
    position with colours swapped."""
    undo = np.zeros(1, UNDO)[0]
    for i, (fen, chess960) in enumerate(positions()):
        board = chess.Board(fen, chess960=chess960)
        if i % 2:
            board = board.mirror()
        pos = record(board.fen(shredder=chess960), chess960)[0]
        before = meaning(pos)
        for move in board.legal_moves:
            rules.make(pos, T, number(board, move), undo)
            assert verify(pos, T) is None, (board.fen(), move)
            rules.unmake(pos, undo)
            assert meaning(pos) == before, (board.fen(), move)


def play_and_take_back(fen: str, chess960: bool, choices: Sequence[int]) -> None:
    """Every ply on the way down equals python-chess; every ply on the way up its first visit."""
    pos = record(fen, chess960)[0]
    undos = np.zeros(len(choices), UNDO)
    seen = []
    for ply, (board, move) in enumerate(game(fen, chess960, choices)):
        assert_same(pos, board)
        seen.append(meaning(pos))
        rules.make(pos, T, number(board, move), undos[ply])
    for ply in reversed(range(len(seen))):
        rules.unmake(pos, undos[ply])
        assert meaning(pos) == seen[ply]


CHOICES = st.lists(st.integers(0, 255), min_size=30, max_size=150)


@given(st.sampled_from(positions()), CHOICES)
@settings(max_examples=25, deadline=None)
def test_random_games_from_oracle_positions(start: tuple[str, bool], choices: list[int]) -> None:
    play_and_take_back(*start, choices)


@given(st.integers(0, 959), CHOICES)
@settings(max_examples=20, deadline=None)
def test_random_games_of_chess960(start: int, choices: list[int]) -> None:
    play_and_take_back(chess.Board.from_chess960_pos(start).fen(), True, choices)
    play_and_take_back(chess.STARTING_FEN, False, choices)


@given(CHOICES)
@settings(max_examples=15, deadline=None)
def test_random_games_with_many_promotions(choices: list[int]) -> None:
    """Lists that shrink and grow, with castling rooks to capture."""
    play_and_take_back("r1n1k1nr/PPP3PP/8/8/8/8/ppp3pp/R1N1K1NR w KQkq - 0 1", False, choices)


@numba.njit  # type: ignore[untyped-decorator]
def pass_and_return(pos: Any, t: Any, undo: Any, back: bool) -> None:
    """The two that only compiled code calls."""
    if back:
        unpass_turn(pos, undo)
    else:
        pass_turn(pos, t, undo)


def test_passing_the_turn() -> None:
    undo = np.zeros(1, UNDO)[0]
    for fen, chess960 in positions():
        pos = record(fen, chess960)[0]
        if rules.checkers(pos, T):
            continue
        before, setup = meaning(pos), setup_of(pos)
        pass_and_return(pos, T, undo, False)
        assert verify(pos, T) is None, fen
        assert setup_of(pos) == Setup(
            setup.board, 1 - setup.turn, setup.castling, None, setup.halfmove + 1, setup.fullmove
        )
        pass_and_return(pos, T, undo, True)
        assert meaning(pos) == before, fen


# Keys


def collect(
    pos: np.void,
    board: chess.Board,
    depth: int,
    found: dict[Any, set[int]],
    undos: NDArray[np.void],
) -> None:
    """Keys of all positions down to a depth, sorted by what python-chess calls the same."""
    found.setdefault(board._transposition_key(), set()).add(int(pos["key"]))
    for move in list(board.legal_moves) if depth else []:
        rules.make(pos, T, number(board, move), undos[depth])
        board.push(move)
        collect(pos, board, depth - 1, found, undos)
        board.pop()
        rules.unmake(pos, undos[depth])


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", 3),  # rights are lost on many ways
        ("4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1", 4),  # en passant, possible and not
        ("8/P3k3/8/8/8/8/3K3p/8 w - - 0 1", 3),
    ],
)
def test_keys_are_equal_exactly_where_positions_are(fen: str, depth: int) -> None:
    found: dict[Any, set[int]] = {}
    collect(record(fen, False)[0], chess.Board(fen), depth, found, np.zeros(depth + 1, UNDO))
    keys = [key for keys in found.values() for key in keys]
    assert all(len(keys) == 1 for keys in found.values())
    assert len(set(keys)) == len(found)


def keys(*fens: str) -> Sequence[int]:
    return [int(record(fen, False)[0]["key"]) for fen in fens]


def test_keys_tell_rights_en_passant_and_turn_apart() -> None:
    rights = ["-", "K", "Q", "k", "q", "KQ", "KQkq", "Kk", "Qq"]
    different = [f"r3k2r/8/8/3pP3/8/8/8/R3K2R w {right} - 0 1" for right in rights]
    different.append("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")
    different.append("r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1")
    assert len(set(keys(*different))) == len(different)


def test_keys_do_not_see_clocks_or_an_en_passant_that_nobody_can_make() -> None:
    assert (
        len(set(keys("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 9", "4k3/8/8/3p4/8/8/8/4K3 w - - 7 3"))) == 1
    )


# Material


@pytest.mark.parametrize(
    "pieces",
    ["", "N", "b", "NN", "Nn", "Nb", "BB", "Bb", "BBB", "Bn", "P", "p", "R", "q", "BN"],
)
def test_insufficient_material_is_that_of_python_chess(pieces: str) -> None:
    """Each on every pair of colours of squares, so that bishops stand on both."""
    for first in range(16, 20):
        for gap in (1, 2, 9):
            board = chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
            for i, letter in enumerate(pieces):
                board.set_piece_at(first + gap * i, chess.Piece.from_symbol(letter))
            if not board.status() & chess.STATUS_OPPOSITE_CHECK:
                pos = record(board.fen(), False)[0]
                assert rules.insufficient(pos) == board.is_insufficient_material(), board.fen()
