"""A position record made from scratch, and a record held against one made from scratch.

    Setup  --build-->  record  --setup_of-->  Setup

Every field that `make` keeps up to date step by step is worked out here in the plainest way, so
that the two can be compared. Plain Python and slow: for setting positions up and for checks.

`tables` is the record of type TABLES, of which only the keys and the piece-square values are
read.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.games.chess.notation import SQUARES, Setup, can_capture_ep
from engine.games.chess.state import (
    BISHOP,
    BLACK,
    BOARDS,
    KING,
    KNIGHT,
    LETTERS,
    PAWN,
    QUEEN,
    ROOK,
    STATE,
)


def build(setup: Setup, tables: np.void) -> NDArray[np.void]:
    """The record of a setup, as an array of shape (1,) and type STATE. Lists run a1, b1 ... h8."""
    record = np.zeros(1, STATE)
    pos = record[0]
    pos["board"] = setup.board
    for sq, code in enumerate(setup.board):
        if code:
            slot = pos["count"][code]
            pos["squares"][16 * code + slot] = sq
            pos["slot"][sq] = slot
            pos["count"][code] += 1
    _fill_boards(pos, setup)
    _fill_sums(pos, setup, tables)
    pos["turn"] = setup.turn
    pos["halfmove"] = setup.halfmove
    pos["fullmove"] = setup.fullmove
    return record


def _fill_boards(pos: np.void, setup: Setup) -> None:
    kinds = {
        "pawns": {PAWN},
        "knights": {KNIGHT},
        "diagonals": {BISHOP, QUEEN},
        "lines": {ROOK, QUEEN},
    }
    pieces = [(sq, (code & 7) - 1, code >> 3) for sq, code in enumerate(setup.board) if code]
    for name, members in kinds.items():
        pos[name] = _int64(sum(1 << sq for sq, kind, _ in pieces if kind in members))
    pos["us"] = _int64(sum(1 << sq for sq, _, side in pieces if side == setup.turn))
    pos["them"] = _int64(sum(1 << sq for sq, _, side in pieces if side != setup.turn))
    pos["king"] = setup.board.index(1 + KING + 8 * setup.turn)
    pos["enemy_king"] = setup.board.index(1 + KING + 8 * (1 - setup.turn))
    pos["castling"] = _int64(setup.castling)
    pos["ep"] = 0 if setup.ep is None else _int64(1 << setup.ep)


def _fill_sums(pos: np.void, setup: Setup, tables: np.void) -> None:
    key = pawn_key = psq = 0
    for sq, code in enumerate(setup.board):
        if code:
            piece_key = int(tables["zobrist"][64 * code + sq])
            key ^= piece_key
            pawn_key ^= piece_key if (code & 7) - 1 == PAWN else 0
            psq += int(tables["psq"][64 * code + sq])
    for rook in _squares(setup.castling):
        key ^= int(tables["zobrist_castle"][rook])
    if setup.ep is not None:
        key ^= int(tables["zobrist_ep"][setup.ep & 7])
    if setup.turn == BLACK:
        key ^= int(tables["zobrist_black"])
    pos["key"], pos["pawn_key"], pos["psq"] = key, pawn_key, _int64(psq)


def setup_of(pos: np.void) -> Setup:
    """The setup that a record stands for, read from mailbox, turn, castling, ep and clocks."""
    ep = list(_squares(int(pos["ep"])))
    return Setup(
        board=tuple(int(code) for code in pos["board"]),
        turn=int(pos["turn"]),
        castling=int(pos["castling"]) % 2**64,
        ep=ep[0] if ep else None,
        halfmove=int(pos["halfmove"]),
        fullmove=int(pos["fullmove"]),
    )


def verify(pos: np.void, tables: np.void) -> str | None:
    """Checks every field of a record against the mailbox.

    Returns None if all agree, else one line that names the first field which does not, with the
    value found and the one expected.
    """
    setup = setup_of(pos)
    fault = _fault_of_setup(setup)
    if fault:
        return fault
    expected = build(setup, tables)[0]
    fault = _fault_of_lists(pos, expected)
    if fault:
        return fault
    for name in (*BOARDS, "key", "pawn_key", "psq"):
        found, wanted = int(pos[name]), int(expected[name])
        if found != wanted:
            form = "d" if "king" in name else "#x"
            return f"{name}: {found % 2**64:{form}}, expected {wanted % 2**64:{form}}"
    return None


def _fault_of_setup(setup: Setup) -> str | None:
    """What is wrong with the fields that the others are worked out from."""
    for sq, code in enumerate(setup.board):
        if code and (code >= len(LETTERS) or LETTERS[code] == "."):
            return f"board[{SQUARES[sq]}]: {code}, expected a piece code"
    if setup.turn not in (0, 1):
        return f"turn: {setup.turn}, expected 0 or 1"
    for code in (1 + KING, 9 + KING):
        if setup.board.count(code) != 1:
            return f"board: {setup.board.count(code)} of {LETTERS[code]}, expected 1"
    for sq in _squares(setup.castling):
        side = int(sq >= 32)
        king = setup.board.index(1 + KING + 8 * side)
        if setup.board[sq] != 1 + ROOK + 8 * side or sq >> 3 != 7 * side or king >> 3 != 7 * side:
            return f"castling: {SQUARES[sq]}, expected king and rook on their first rank"
    rank = 2 if setup.turn == BLACK else 5
    if setup.ep is not None and (
        setup.ep >> 3 != rank or not can_capture_ep(setup.board, setup.turn, setup.ep)
    ):
        return f"ep: {SQUARES[setup.ep]}, expected none without a legal capture"
    return None


def _fault_of_lists(pos: np.void, expected: np.void) -> str | None:
    """Lists hold the right squares in any order, and every piece knows its place in its list."""
    for code in range(16):
        found, count = int(pos["count"][code]), int(expected["count"][code])
        if found != count:
            return f"count[{LETTERS[code]}]: {found}, expected {count}"
        mine, wanted = (
            sorted(int(sq) for sq in record["squares"][16 * code : 16 * code + count])
            for record in (pos, expected)
        )
        if mine != wanted:
            return f"squares[{LETTERS[code]}]: {mine}, expected {wanted}"
    for sq, code in enumerate(int(code) for code in pos["board"]):
        slot = int(pos["slot"][sq])
        if code and (slot >= pos["count"][code] or pos["squares"][16 * code + slot] != sq):
            return f"slot[{SQUARES[sq]}]: {slot}, expected its place in the list"
    return None


def _squares(bits: int) -> Iterator[int]:
    """Square numbers of the bits that are set, a1 first."""
    return (sq for sq in range(64) if bits >> sq & 1)


def _int64(number: int) -> int:
    """The low 64 bits of a number, as a signed one."""
    return (number + 2**63) % 2**64 - 2**63
