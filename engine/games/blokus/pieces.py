"""The 21 pieces, their 91 orientations, and how they are numbered.

Coordinates are (x, y), x to the right and y up. An orientation is the tuple of a piece's squares,
shifted so that the smallest x and y are 0, bottom row first and left to right. The orientations of
a piece are in ascending order of these tuples, each square read as (y, x).
"""

from dataclasses import dataclass

Squares = tuple[tuple[int, int], ...]

DRAWINGS = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "#. ##",
    "I4": "####",
    "L4": "#. #. ##",
    "O": "## ##",
    "T4": "### .#.",
    "Z4": "##. .##",
    "F": ".## ##. .#.",
    "I5": "#####",
    "L5": "#. #. #. ##",
    "N": ".# .# ## #.",
    "P": "## ## #.",
    "T5": "### .#. .#.",
    "U": "#.# ###",
    "V5": "#.. #.. ###",
    "W": "#.. ##. .##",
    "X": ".#. ### .#.",
    "Y": ".# ## .# .#",
    "Z5": "##. .#. .##",
}
"""Name of each piece and one way it can lie, rows from top to bottom."""

NAMES = tuple(DRAWINGS)
SIZES = tuple(drawing.count("#") for drawing in DRAWINGS.values())
PIECES = len(NAMES)
MONOMINO = 0
"""The one-square piece, which is worth more when it comes last."""


@dataclass(frozen=True)
class Orientation:
    """One way in which a piece can lie."""

    piece: int
    number: int
    """Among the orientations of its piece."""
    squares: Squares

    @property
    def width(self) -> int:
        return 1 + max(x for x, _ in self.squares)

    @property
    def height(self) -> int:
        return 1 + max(y for _, y in self.squares)


def _shifted(squares: list[tuple[int, int]]) -> Squares:
    left, bottom = min(x for x, _ in squares), min(y for _, y in squares)
    moved = ((x - left, y - bottom) for x, y in squares)
    return tuple(sorted(moved, key=lambda square: (square[1], square[0])))


def _ways(drawing: str) -> list[Squares]:
    """Every orientation of a piece, in their order."""
    rows = drawing.split()[::-1]
    squares = [(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "#"]
    found = set()
    for _ in range(4):
        squares = [(y, -x) for x, y in squares]
        found |= {_shifted(squares), _shifted([(-x, y) for x, y in squares])}
    return sorted(found, key=lambda way: [(y, x) for x, y in way])


ORIENTATIONS = tuple(
    Orientation(piece, number, way)
    for piece, drawing in enumerate(DRAWINGS.values())
    for number, way in enumerate(_ways(drawing))
)
"""All of them, piece by piece."""

FIRST = tuple(
    next(i for i, way in enumerate(ORIENTATIONS) if way.piece == piece) for piece in range(PIECES)
)
"""FIRST[piece] is the index of its first orientation."""
