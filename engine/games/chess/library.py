"""What python-chess needs to read books and endgame tables: positions as it sees them, files."""

from pathlib import Path

import chess

from engine.errors import FileError
from engine.games.chess.position import Position


def named(name: str) -> Path:
    """The file or folder of a name. Raises FileError if nothing can have this name."""
    if "\0" in name:
        raise FileError("cannot read", name, "there is a NUL in the name")
    return Path(name)


def board_of(position: Position) -> chess.Board:
    """The position without the game before it. Castling is king takes rook, as in the engine, so
    `format_move(move, True)` is a move of the board."""
    return chess.Board(position.fen(True), chess960=True)
