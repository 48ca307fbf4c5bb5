"""The check of records: it finds nothing in a sound one and names what is wrong in any other."""

import chess
import numpy as np
import pytest
from chess_oracle import positions

from engine.games.chess.notation import START, parse_fen
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.verify import build, setup_of, verify

EP = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"


def test_records_give_their_setup_back_and_are_sound() -> None:
    for fen, chess960 in positions():
        setup = parse_fen(fen, chess960)
        pos = build(setup, T)[0]
        assert setup_of(pos) == setup
        assert verify(pos, T) is None


def test_the_start_position_by_hand() -> None:
    pos = build(parse_fen(START, False), T)[0]
    assert list(pos["board"][:8]) == [4, 2, 3, 5, 6, 3, 2, 4]
    assert list(pos["board"][56:]) == [12, 10, 11, 13, 14, 11, 10, 12]
    assert list(pos["count"]) == [0, 8, 2, 2, 2, 1, 1, 0, 0, 8, 2, 2, 2, 1, 1, 0]
    assert list(pos["squares"][16:24]) == list(range(8, 16))
    assert list(pos["slot"][8:16]) == list(range(8))
    for name, bits in (
        ("pawns", chess.BB_RANK_2 | chess.BB_RANK_7),
        ("us", chess.BB_RANK_1 | chess.BB_RANK_2),
        ("them", chess.BB_RANK_7 | chess.BB_RANK_8),
        ("castling", chess.BB_CORNERS),
        ("lines", chess.BB_CORNERS | chess.BB_D1 | chess.BB_D8),
        ("diagonals", chess.BB_C1 | chess.BB_D1 | chess.BB_F1 | (0x2C << 56)),
        ("knights", chess.BB_B1 | chess.BB_G1 | chess.BB_B8 | chess.BB_G8),
        ("king", chess.E1),
        ("enemy_king", chess.E8),
        ("ep", 0),
        ("turn", 0),
        ("halfmove", 0),
        ("fullmove", 1),
    ):
        assert int(pos[name]) % 2**64 == bits, name


def test_sums_are_those_of_the_pieces() -> None:
    """A king each and nothing else, worked out by hand, with sums that overflow."""
    tables = np.zeros(1, T.dtype)[0]
    tables["zobrist"][6 * 64 + chess.E1] = 1
    tables["zobrist"][14 * 64 + chess.E8] = 2
    tables["zobrist"][1 * 64 + chess.A2] = 4
    tables["zobrist_black"] = -(2**63)
    tables["psq"][6 * 64 + chess.E1] = 2**62
    tables["psq"][1 * 64 + chess.A2] = 2**62
    pos = build(parse_fen("4k3/8/8/8/8/8/P7/4K3 b - - 0 1", False), tables)[0]
    assert pos["key"] == -(2**63) + 7
    assert pos["pawn_key"] == 4
    assert pos["psq"] == -(2**63)


FIELDS = [name for name in STATE.names or () if name not in ("board", "slot", "squares", "count")]
CLOCKS = ("halfmove", "fullmove")


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in CLOCKS])
@pytest.mark.parametrize("fen", [START, EP])
def test_a_wrong_bit_in_any_field_is_found(name: str, fen: str) -> None:
    """Turn and ep decide what other fields must be, so there another one may be named."""
    for bit in range(64):
        pos = build(parse_fen(fen, False), T)[0]
        pos[name] ^= np.int64(-(2**63) if bit == 63 else 1 << bit)
        fault = verify(pos, T)
        assert fault is not None
        if name not in ("turn", "ep", "castling"):
            assert fault.startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("name", "at", "value", "fault"),
    [
        ("board", chess.E4, 7, "board[e4]: 7,"),
        ("board", chess.E4, 200, "board[e4]: 200,"),
        ("board", chess.E4, 6, "board: 2 of K,"),
        ("board", chess.E8, 0, "board: 0 of k,"),
        ("board", chess.E4, 1, "count[P]: 8, expected 9"),
        ("board", chess.A1, 0, "castling: a1,"),
        ("count", 1, 7, "count[P]: 7, expected 8"),
        ("squares", 16, chess.A3, "squares[P]: [9, 10, 11, 12, 13, 14, 15, 16], expected"),
        ("squares", 16, chess.B2, "squares[P]: "),
        ("slot", chess.A2, 1, "slot[a2]: 1,"),
        ("slot", chess.A2, 200, "slot[a2]: 200,"),
    ],
)
def test_wrong_boards_and_lists_are_named(name: str, at: int, value: int, fault: str) -> None:
    pos = build(parse_fen(START, False), T)[0]
    pos[name][at] = value
    assert (verify(pos, T) or "").startswith(fault)


def test_a_stale_slot_beyond_the_list_is_found() -> None:
    """The square it points to is right by accident; the list has ended before."""
    pos = build(parse_fen(START, False), T)[0]
    pos["squares"][16 + 8] = chess.A2
    pos["slot"][chess.A2] = 8
    assert (verify(pos, T) or "").startswith("slot[a2]: 8,")


def test_what_means_nothing_is_not_looked_at() -> None:
    pos = build(parse_fen(START, False), T)[0]
    pos["slot"][chess.E4] = 99
    pos["squares"][0:16] = 99
    pos["squares"][16 + 8] = 99
    pos["squares"][16:24] = pos["squares"][16:24][::-1].copy()
    pos["slot"][8:16] = pos["slot"][8:16][::-1].copy()
    assert verify(pos, T) is None


def test_an_en_passant_square_without_a_capture_is_found() -> None:
    pos = build(parse_fen(EP, False), T)[0]
    assert pos["ep"] == chess.BB_E3
    pos["board"][chess.D4], pos["board"][chess.C4] = 0, 9
    assert (verify(pos, T) or "").startswith("ep: e3,")
