"""Moves as text, and colours and squares. Plain Python, used at the border only.

On the wire a move is the squares it covers, by rows from the bottom and from left to right within
a row: `f9,e10,f10,g10,f11`. In print it may stand as piece, orientation and anchor: `X:0@e9`.
"""

import functools
import itertools
import re
from bisect import bisect
from collections.abc import Iterable

from engine.errors import MoveError
from engine.games.blokus.pieces import NAMES, ORIENTATIONS
from engine.games.blokus.state import MARGIN, STRIDE, square
from engine.games.blokus.variants import Variant

WAYS = {way.squares: number for number, way in enumerate(ORIENTATIONS)}
"""Squares of an orientation, as `pieces` lists them -> its number."""

_MOVE = re.compile(r"[a-z][0-9]{1,2}(?:\s*,\s*[a-z][0-9]{1,2})*", re.ASCII)


def coordinates(sq: int) -> tuple[int, int]:
    """(x, y) of a square, both from 0."""
    return sq % STRIDE - MARGIN, sq // STRIDE - MARGIN


def square_name(sq: int) -> str:
    x, y = coordinates(sq)
    return f"{chr(ord('a') + x)}{y + 1}"


def squares_of(move: int) -> list[int]:
    """The squares that a move covers, by rows from the bottom and from left to right."""
    anchor = move & 1023
    return [anchor + y * STRIDE + x for x, y in ORIENTATIONS[move >> 10].squares]


def format_move(move: int) -> str:
    """The wire form."""
    return ",".join(square_name(sq) for sq in squares_of(move))


def piece_of(move: int) -> int:
    return ORIENTATIONS[move >> 10].piece


def format_piece(move: int) -> str:
    """Piece, orientation and anchor."""
    way = ORIENTATIONS[move >> 10]
    return f"{NAMES[way.piece]}:{way.number}@{square_name(move & 1023)}"


def move_of(squares: Iterable[int]) -> int | None:
    """The move that covers exactly these squares; None if no piece does."""
    places = sorted(((y, x) for x, y in map(coordinates, set(squares))))
    bottom, left = places[0][0], min(x for _, x in places)
    way = WAYS.get(tuple((x - left, y - bottom) for y, x in places))
    return None if way is None else way << 10 | square(left, bottom)


def parse_move(text: str, size: int) -> int:
    """A move on a board of that size, squares in any order and case, with blanks around commas.

    Raises MoveError("invalid move") for what is no placement, legal or not.
    """
    lowered = text.strip().lower()
    if not text.isascii() or not _MOVE.fullmatch(lowered):
        raise MoveError("invalid move")
    squares = []
    for name in lowered.split(","):
        word = name.strip()
        x, y = ord(word[0]) - ord("a"), int(word[1:]) - 1
        if x >= size or not 0 <= y < size or word[1] == "0":
            raise MoveError("invalid move")
        squares.append(square(x, y))
    move = move_of(squares) if len(set(squares)) == len(squares) else None
    if move is None:
        raise MoveError("invalid move")
    return move


def parse_colour(text: str, variant: Variant) -> int:
    """Raises MoveError."""
    word = text.lower()
    for colour, (name, words) in enumerate(zip(variant.ids, variant.words, strict=True)):
        if word == name or word in words:
            return colour
    raise MoveError(f"invalid color argument {quote(text)}")


def placement_id(move: int, size: int) -> int:
    """A number of its own for each placement on a board: by piece, orientation and anchor."""
    x, y = coordinates(move & 1023)
    return _first_ids(size)[move >> 10] + y * (size + 1 - ORIENTATIONS[move >> 10].width) + x


def placement(number: int, size: int) -> int | None:
    """The move with such a number; None if there is none."""
    first = _first_ids(size)
    if not 0 <= number < first[-1]:
        return None
    index = bisect(first, number) - 1
    y, x = divmod(number - first[index], size + 1 - ORIENTATIONS[index].width)
    return index << 10 | square(x, y)


@functools.cache
def _first_ids(size: int) -> list[int]:
    """The number of the first placement of each orientation, and at the end how many there are."""
    counts = ((size + 1 - way.width) * (size + 1 - way.height) for way in ORIENTATIONS)
    return [0, *itertools.accumulate(counts)]


def quote(text: str) -> str:
    """User's text for a message: ASCII, one line, at most 60 characters."""
    shown = ascii(text[:61])[1:-1]
    return f"'{shown}'" if len(shown) <= 60 else f"'{shown[:57]}...'"
