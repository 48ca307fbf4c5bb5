"""An opening book in the format of Polyglot, read by python-chess.

The book is one file of entries of 16 bytes, all numbers with the highest byte first and sorted by
their first field: key of the position, move, weight, a number for learning that nobody uses.
(http://hgm.nubati.net/book_format.html)
"""

import random

import chess.polyglot
import numpy as np

from engine.errors import FileError
from engine.games.chess.library import board_of, named
from engine.games.chess.notation import format_move
from engine.games.chess.position import Position

ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])


class Book:
    """A book that is open. `random` chooses among its moves."""

    def __init__(self, path: str) -> None:
        """Raises FileError if the file cannot be read or is no book."""
        file = named(path)
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise FileError("cannot use", path, "it is no regular file")
        try:
            data = np.memmap(path, np.uint8, "r")
            if data.size % ENTRY.itemsize:
                raise FileError("cannot use", path, f"{data.size} bytes are no whole book entries")
            keys = data.view(ENTRY)["key"]
            if (keys[1:] < keys[:-1]).any():
                raise FileError("cannot use", path, "its entries are not sorted, so it is no book")
            self._reader = chess.polyglot.open_reader(path)
        except OSError as error:
            raise FileError("cannot read", path, error.strerror or str(error)) from None
        except ValueError:
            raise FileError("cannot use", path, "it is empty") from None
        self.random = random.Random()

    def choose(self, position: Position) -> int:
        """A legal move of the book, as often as its weight says; 0 if it has none. Moves of weight
        0 are never chosen."""
        board = board_of(position)
        entries = list(self._reader.find_all(board))
        if not entries:
            return 0
        weights = [entry.weight for entry in entries]
        wanted = self.random.choices(entries, weights)[0].move.uci()
        return next(move for move in position.legal() if format_move(move, True) == wanted)
