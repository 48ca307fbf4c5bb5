"""What the chess tests measure against: counted positions on disk, and python-chess."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import chess

from engine.games.chess.state import (
    CASTLE,
    DOUBLE_PUSH,
    EN_PASSANT,
    PAWN,
    PROMOTE_KNIGHT,
)

DATA = Path(__file__).parent / "data"


@cache
def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a file of JSON objects in `data`."""
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


@cache
def positions() -> list[tuple[str, bool]]:
    """Every (FEN, chess960) of the move and perft files, each once."""
    found = {
        (row["fen"], row.get("chess960", False)): None
        for name in ("perft.jsonl", "moves.jsonl")
        for row in rows(name)
    }
    return list(found)


def number(board: chess.Board, move: chess.Move) -> int:
    """The sixteen bits of a legal python-chess move."""
    start, to = move.from_square, move.to_square
    kind = (board.piece_type_at(start) or 0) - 1
    if board.is_castling(move):
        kind = CASTLE
        if not board.chess960:
            to = (start & 56) + (7 if to > start else 0)
    elif board.is_en_passant(move):
        kind = EN_PASSANT
    elif move.promotion:
        kind = PROMOTE_KNIGHT + move.promotion - chess.KNIGHT
    elif kind == PAWN and abs(to - start) == 16:
        kind = DOUBLE_PUSH
    return start | to << 6 | kind << 12


def game(
    fen: str, chess960: bool, choices: Sequence[int]
) -> Iterator[tuple[chess.Board, chess.Move]]:
    """Plays a game: yields each position with the move about to be made in it. Each choice
    picks one of the legal moves; the game ends early when there are none."""
    board = chess.Board(fen, chess960=chess960)
    for choice in choices:
        legal = sorted(board.legal_moves, key=str)
        if not legal:
            return
        move = legal[choice % len(legal)]
        yield board, move
        board.push(move)


def legal_fen(board: chess.Board) -> str:
    """FEN with the en passant square only where a capture is legal, and with rook letters in
    Chess960."""
    return board.fen(shredder=board.chess960, en_passant="legal")
