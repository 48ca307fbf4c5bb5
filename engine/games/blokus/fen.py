"""A position in one line of text, in and out.

    classic 4r15/20/ ... /g19 2 1,-,X,-
    variant rows         turn last

* `variant`: `classic`, `classic_2`, `classic_3` or `duo`.
* `rows`: from the top row to the bottom one, joined by `/`. A letter is a covered square:
  `b` blue, `y` yellow, `r` red, `g` green, in Duo `b` for the first colour and `w` for the second.
  A number is so many free squares.
* `turn`: the colour to move, as on the wire. When no colour can move, whose turn would be next.
* `last`: for each colour the name of the piece placed last, or `-` if it has placed none.

Pieces of one colour never touch at an edge, so the squares alone tell the pieces on the board, and
those in hand are the others. What is taken is exactly what some sequence of legal moves leads to,
in turn or out of turn: for each colour every group of squares is a piece, none twice; one covers
the start square; every other can be placed after it, touching at a corner what is there, and the
last piece comes last. Only whose turn it is may be chosen freely among the colours that can move.
"""

import re
from dataclasses import dataclass

from engine.errors import PositionError
from engine.games.blokus.notation import move_of, piece_of, quote, square_name
from engine.games.blokus.pieces import NAMES
from engine.games.blokus.state import STRIDE, square
from engine.games.blokus.variants import STARTS, VARIANTS, Variant

_TOKEN = re.compile(r"[a-z]|[1-9][0-9]?")


@dataclass(frozen=True)
class Setup:
    """A position before it becomes a record."""

    size: int
    board: tuple[int, ...]
    """0 or 1 + colour, for each square, a1, b1 ..."""
    turn: int
    last: tuple[int, ...]
    """The piece that each colour placed last, or -1."""

    def squares(self, colour: int) -> set[int]:
        """The squares of a colour, as numbers of `state`."""
        return {
            square(i % self.size, i // self.size)
            for i, owner in enumerate(self.board)
            if owner == 1 + colour
        }


def start(variant: Variant) -> Setup:
    """The empty board."""
    return Setup(variant.size, (0,) * variant.size**2, 0, (-1,) * variant.colours)


def letters(variant: Variant) -> str:
    """The letter of each colour."""
    return "bw" if variant.size == 14 else "byrg"


def format_fen(variant: Variant, setup: Setup) -> str:
    shown = "." + letters(variant)
    size = setup.size
    rows = []
    for y in range(size - 1, -1, -1):
        row = "".join(shown[owner] for owner in setup.board[y * size : (y + 1) * size])
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
    last = ",".join("-" if piece < 0 else NAMES[piece] for piece in setup.last)
    return f"{variant.id} {'/'.join(rows)} {variant.ids[setup.turn]} {last}"


def parse_fen(text: str) -> tuple[Variant, Setup]:
    """Raises PositionError. Whether the colour to move can do so is not looked at."""
    fields = text.split()
    if len(fields) != 4:
        raise PositionError(
            f"position {quote(text)}: expected 4 fields (variant, rows, colour to move, "
            f"last pieces), found {len(fields)}"
        )
    known = {variant.id: variant for variant in VARIANTS}
    if fields[0] not in known:
        raise PositionError(f"variant {quote(fields[0])}: expected one of {', '.join(known)}")
    variant = known[fields[0]]
    board = _read_board(fields[1], variant)
    if fields[2] not in variant.ids:
        raise PositionError(
            f"colour to move {quote(fields[2])}: expected one of {', '.join(variant.ids)}"
        )
    last = _read_last(fields[3], variant)
    setup = Setup(variant.size, board, variant.ids.index(fields[2]), last)
    for colour, name in enumerate(variant.ids):
        fault = fault_of(setup, colour)
        if fault:
            raise PositionError(f"colour {name}: {fault}")
    return variant, setup


def _read_board(text: str, variant: Variant) -> tuple[int, ...]:
    rows = text.split("/")
    if len(rows) != variant.size:
        raise PositionError(f"rows {quote(text)}: expected {variant.size} rows, found {len(rows)}")
    return tuple(
        owner
        for number, row in zip(range(1, variant.size + 1), reversed(rows), strict=True)
        for owner in _read_row(row, number, variant)
    )


def _read_row(text: str, number: int, variant: Variant) -> list[int]:
    owners: list[int] = []
    at = 0
    while at < len(text) and len(owners) <= variant.size:
        token = _TOKEN.match(text, at)
        if token is None or not (token[0].isdigit() or token[0] in letters(variant)):
            raise PositionError(
                f"row {number} {quote(text)}: expected letters of {letters(variant)} and numbers "
                f"of free squares, found {quote(text[at])}"
            )
        owners += (
            [0] * int(token[0]) if token[0].isdigit() else [1 + letters(variant).index(token[0])]
        )
        at = token.end()
    if len(owners) != variant.size:
        found = len(owners) if len(owners) < variant.size else "more"
        raise PositionError(
            f"row {number} {quote(text)}: expected {variant.size} squares, found {found}"
        )
    return owners


def _read_last(text: str, variant: Variant) -> tuple[int, ...]:
    names = text.split(",")
    if len(names) != variant.colours:
        raise PositionError(
            f"last pieces {quote(text)}: expected {variant.colours}, found {len(names)}"
        )
    for name in names:
        if name != "-" and name not in NAMES:
            raise PositionError(f"last piece {quote(name)}: expected - or a name of a piece")
    return tuple(-1 if name == "-" else NAMES.index(name) for name in names)


# What a colour can have placed


def groups(squares: set[int]) -> list[set[int]]:
    """Squares that hang together at edges, group by group, in the order of the lowest square."""
    left, found = set(squares), []
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = {sq + step for sq in edge for step in (1, -1, STRIDE, -STRIDE)} & left - group
        found.append(group)
        left -= group
    return found


def fault_of(setup: Setup, colour: int) -> str | None:
    """Why no sequence of moves gives these squares and this last piece; None if one does."""
    pieces: dict[int, set[int]] = {}
    for group in groups(setup.squares(colour)):
        move = move_of(group)
        first = square_name(min(group))
        if move is None:
            return f"{len(group)} squares at {first}: expected one of the 21 pieces"
        piece = piece_of(move)
        if piece in pieces:
            return f"piece {NAMES[piece]} at {first}: expected each piece once"
        pieces[piece] = group
    last = setup.last[colour]
    if not pieces:
        return None if last < 0 else f"last piece {NAMES[last]}: expected -, there is none"
    if last not in pieces:
        shown = "-" if last < 0 else NAMES[last]
        return f"last piece {shown}: expected one that is on the board"
    return _fault_of_order(setup, colour, pieces, last)


def _fault_of_order(
    setup: Setup, colour: int, pieces: dict[int, set[int]], last: int
) -> str | None:
    """Whether the pieces can have come one after the other, `last` last."""
    begin = square(*STARTS[setup.size][colour])
    placed = next((piece for piece, group in pieces.items() if begin in group), None)
    if placed is None:
        return f"no piece on {square_name(begin)}: expected the first one there"
    if placed == last and len(pieces) > 1:
        return f"last piece {NAMES[last]}: it covers the start square and came first"
    across = (STRIDE + 1, STRIDE - 1, -STRIDE + 1, -STRIDE - 1)
    left = {piece: group for piece, group in pieces.items() if piece != placed}
    reached = {sq + step for sq in pieces[placed] for step in across}
    while left:
        ready = [
            p for p, group in left.items() if group & reached and (p != last or len(left) == 1)
        ]
        if not ready:
            piece = next((p for p in left if p != last), last)
            if last in left and left[last] & reached:
                return f"last piece {NAMES[last]}: piece {NAMES[piece]} could only come later"
            first = square_name(min(left[piece]))
            return f"piece {NAMES[piece]} at {first}: expected a corner of the others beside it"
        reached |= {sq + step for sq in left.pop(ready[0]) for step in across}
    return None
