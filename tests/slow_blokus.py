"""Blokus in the plainest way, as a referee and as the rules behind the fake engine.

A placement is its set of squares, as one whole number with bit y * size + x. All placements of a
colour are held against the rules, one after the other. Nothing here is taken from `engine`.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field

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
"""Name -> rows from top to bottom."""

GAMES = {
    "Blokus": (20, "1234", ((0,), (1,), (2,), (3,))),
    "Blokus Two-Player": (20, "1234", ((0, 2), (1, 3))),
    "Blokus Three-Player": (20, "1234", ((0,), (1,), (2,))),
    "Blokus Duo": (14, "bw", ((0,), (1,))),
}
"""Name -> size of the board, ids of the colours, and the colours that count for each player."""

_STARTS = {20: ((0, 19), (19, 19), (19, 0), (0, 0)), 14: ((4, 9), (9, 4))}

Square = tuple[int, int]


@dataclass(frozen=True)
class Placement:
    piece: str
    squares: int
    edges: int
    """Edge neighbours, and corner neighbours."""
    corners: int
    text: str


def _orientations(drawing: str) -> set[tuple[Square, ...]]:
    cells = [(x, y) for y, row in enumerate(drawing.split()) for x, c in enumerate(row) if c == "#"]
    found = set()
    for _ in range(4):
        cells = [(y, -x) for x, y in cells]
        for shape in (cells, [(-x, y) for x, y in cells]):
            left, low = min(x for x, _ in shape), min(y for _, y in shape)
            found.add(tuple(sorted((x - left, y - low) for x, y in shape)))
    return found


@functools.cache
def placements(size: int) -> dict[str, Placement]:
    """Every placement of every piece, by its text."""
    found = {}
    for piece, drawing in DRAWINGS.items():
        for shape in _orientations(drawing):
            for dx in range(size - max(x for x, _ in shape)):
                for dy in range(size - max(y for _, y in shape)):
                    one = _placement(piece, [(x + dx, y + dy) for x, y in shape], size)
                    found[one.text] = one
    return found


def _placement(piece: str, cells: list[Square], size: int) -> Placement:
    def mask(squares: set[Square]) -> int:
        return sum(1 << y * size + x for x, y in squares if 0 <= x < size and 0 <= y < size)

    edges = {(x + i, y + j) for x, y in cells for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    corners = {(x + i, y + j) for x, y in cells for i in (1, -1) for j in (1, -1)}
    cells = sorted(cells, key=lambda square: (square[1], square[0]))
    text = ",".join(f"{chr(97 + x)}{y + 1}" for x, y in cells)
    return Placement(piece, mask(set(cells)), mask(edges), mask(corners), text)


@dataclass
class SlowBlokus:
    """A game: the moves played so far, by colour and text, and what follows from them."""

    name: str = "Blokus"
    moves: list[tuple[int, Placement]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.size, self.ids, self.players = GAMES[self.name]
        self.colours = range(len(self.ids))

    def find(self, text: str) -> Placement | None:
        """The placement of these squares, in any order and case."""
        squares = [word.strip().lower() for word in text.split(",")]
        if not all(len(s) > 1 and s[0].isascii() and s[1:].isdecimal() for s in squares):
            return None
        squares.sort(key=lambda square: (int(square[1:]), square[0]))
        return placements(self.size).get(",".join(squares))

    def hand(self, colour: int) -> set[str]:
        return set(DRAWINGS) - {move.piece for other, move in self.moves if other == colour}

    def legal(self, colour: int) -> Iterator[Placement]:
        hand = self.hand(colour)
        forbidden, attach = self._sets(colour)
        for move in placements(self.size).values():
            if not move.squares & forbidden and move.squares & attach and move.piece in hand:
                yield move

    def allows(self, colour: int, move: Placement) -> bool:
        """Whether one move is legal."""
        forbidden, attach = self._sets(colour)
        fits = not move.squares & forbidden and move.squares & attach != 0
        return fits and move.piece in self.hand(colour)

    def _sets(self, colour: int) -> tuple[int, int]:
        """Squares that a colour may not cover, and those of which it must cover one."""
        own = [move for other, move in self.moves if other == colour]
        forbidden = attach = 0
        for _, move in self.moves:
            forbidden |= move.squares
        for move in own:
            forbidden |= move.edges
            attach |= move.corners
        if not own:
            x, y = _STARTS[self.size][colour]
            attach = 1 << y * self.size + x
        return forbidden, attach

    def texts(self, colour: int) -> tuple[str, ...]:
        """The legal moves, sorted as text."""
        return tuple(sorted(move.text for move in self.legal(colour)))

    def turn(self) -> int | None:
        """The colour to move, or None when the game is over."""
        for colour in self._round():
            if next(self.legal(colour), None) is not None:
                return colour
        return None

    def next_colour(self) -> int:
        """The colour to move; when the game is over, the successor of the last mover."""
        turn = self.turn()
        return next(iter(self._round())) if turn is None else turn

    def _round(self) -> list[int]:
        first = (self.moves[-1][0] + 1) % len(self.ids) if self.moves else 0
        return [(first + i) % len(self.ids) for i in self.colours]

    def points(self, colour: int) -> int:
        own = [move for other, move in self.moves if other == colour]
        squares = sum(move.squares.bit_count() for move in own)
        return squares + (len(own) == 21) * (15 + 5 * (own[-1].piece == "1" if own else 0))

    def final_score(self) -> str:
        points = [self.points(colour) for colour in self.colours]
        if len(self.players) > 2:
            return "".join(f"{n} " for n in points)
        first, second = (sum(points[c] for c in player) for player in self.players)
        lead = first - second
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead)}"
