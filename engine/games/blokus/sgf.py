"""Game records (`.blksgf`): text in SGF's form, one property for each move.

    (;GM[Blokus Duo];B[e10,d11,e11,f11,e12];W[i4,h5,i5,j5,i6])

A game that began from a set-up position has in its root, for each colour, `AB` and `AW` or `A1` to
`A4` with one value for each piece, the last one placed last, and `PL` for the colour to move.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.errors import MoveError, PositionError
from engine.games.blokus import fen
from engine.games.blokus.fen import Setup
from engine.games.blokus.notation import (
    coordinates,
    move_of,
    parse_colour,
    parse_move,
    piece_of,
    quote,
    square_name,
    squares_of,
)
from engine.games.blokus.variants import VARIANTS, Variant

_TOKEN = re.compile(r"\s*(?:([(;)])|([A-Za-z0-9]+)|\[((?:[^\]\\]|\\.)*+)\]|(\S))", re.DOTALL)

Node = list[tuple[str, list[str]]]
"""Properties of a node, in their order: name and values."""


@dataclass(frozen=True)
class Record:
    """The main line of a record."""

    variant: Variant
    setup: Setup | None
    """Where it began, if not on the empty board."""
    moves: list[tuple[int, str]]
    """Colour and move, not yet looked at."""


def parse_record(text: str) -> Record:
    """Raises PositionError."""
    nodes = list(_main_line(text))
    root = dict(nodes[0])
    name = " ".join((root.get("GM") or ["none"])[0].split())
    variant = next((v for v in VARIANTS if v.game.lower() == name.lower()), None)
    if variant is None:
        games = ", ".join(v.game for v in VARIANTS)
        raise PositionError(f"game record: GM is {quote(name)}, expected one of {games}")
    moves = [
        (colour, "".join(values[:1]))
        for node in nodes
        for key, values in node
        if (colour := _colour(key, variant)) is not None
    ]
    return Record(variant, _read_setup(root, variant), moves)


def _main_line(text: str) -> Iterator[Node]:
    """The nodes up to the first closing parenthesis: every first variation."""
    node: Node | None = None
    opened, at = False, 0
    for token in _TOKEN.finditer(text):
        sign, name, value, strange = token.groups()
        at = token.start()
        if strange or (sign != "(" and not opened):
            break
        if sign == "(":
            opened = True
        elif sign:
            if node is not None:
                yield node
            if sign == ")":
                if node is None:
                    break
                return
            node = []
        elif node is None or (value is not None and not node):
            break
        elif name:
            node.append((name.upper(), []))
        else:
            node[-1][1].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    raise PositionError(f"game record: {quote(text[at:].strip())} is no game in parentheses")


def _colour(key: str, variant: Variant) -> int | None:
    try:
        return parse_colour(key, variant)
    except MoveError:
        return None


def _read_setup(root: dict[str, list[str]], variant: Variant) -> Setup | None:
    pieces = {
        colour: root[f"A{name.upper()}"]
        for colour, name in enumerate(variant.ids)
        if f"A{name.upper()}" in root
    }
    setup = fen.start(variant)
    board, last = list(setup.board), list(setup.last)
    for colour, texts in pieces.items():
        for text in texts:
            try:
                move = parse_move(text, variant.size)
            except MoveError:
                raise PositionError(f"game record: {quote(text)} is no piece") from None
            last[colour] = piece_of(move)
            for x, y in map(coordinates, squares_of(move)):
                if board[y * variant.size + x]:
                    where = square_name(squares_of(move)[0])
                    raise PositionError(f"game record: the piece at {where} lies on another")
                board[y * variant.size + x] = 1 + colour
    setup = replace(setup, board=tuple(board), last=tuple(last))
    for colour in pieces:
        fault = fen.fault_of(setup, colour)
        if fault:
            raise PositionError(f"game record: colour {variant.ids[colour]}: {fault}")
    if "PL" in root:
        turn = _colour(root["PL"][0], variant) if root["PL"] else None
        if turn is None:
            raise PositionError(f"game record: PL is {quote(str(root['PL']))}, expected a colour")
        return replace(setup, turn=turn)
    return setup if pieces else None


def format_record(variant: Variant, setup: Setup, moves: list[str]) -> str:
    """A record; `moves` are texts with the colour before them."""
    lines = [f"(;GM[{variant.game}]"]
    if setup != fen.start(variant):
        for colour, name in enumerate(variant.ids):
            values = "".join(f"[{text}]" for text in _pieces(setup, colour))
            lines += [f"A{name.upper()}{values}"] if values else []
        lines.append(f"PL[{variant.ids[setup.turn].upper()}]")
    for text in moves:
        name, squares = text.split()
        lines.append(f";{name.upper()}[{squares}]")
    return "\n".join(lines) + ")\n"


def _pieces(setup: Setup, colour: int) -> list[str]:
    """The pieces of a colour as moves, the last one placed last."""
    found = fen.groups(setup.squares(colour))
    found.sort(key=lambda group: piece_of(move_of(group) or 0) == setup.last[colour])
    return [",".join(square_name(sq) for sq in sorted(group)) for group in found]
