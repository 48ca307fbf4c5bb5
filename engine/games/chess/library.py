"""A position as python-chess sees it, for what that library reads: books and endgame tables."""

import chess

from engine.games.chess.position import Position


def board_of(position: Position) -> chess.Board:
    """The position without the game before it. Castling is king takes rook, as in the engine, so
    `format_move(move, True)` is a move of the board."""
    return chess.Board(position.fen(True), chess960=True)
