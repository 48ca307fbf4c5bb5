"""A position record made from scratch, and a record held against one made from scratch.

    Setup  --build-->  record  --setup_of-->  Setup

Every field that `make` keeps up to date step by step is worked out here in the plainest way, from
the mailbox and what it cannot tell: whose turn it is, and each colour's last piece. Plain Python
and slow: for setting positions up and for checks.

`tables` is the record of type TABLES, of which the keys are read.
"""

import numpy as np

from engine.games.blokus.fen import Setup, groups
from engine.games.blokus.notation import move_of, piece_of, square_name
from engine.games.blokus.pieces import MONOMINO
from engine.games.blokus.rules import count
from engine.games.blokus.state import (
    ALL_PIECES,
    BORDER,
    CELLS,
    COLOURS,
    FREE,
    MARGIN,
    ROWS,
    STATE,
    STRIDE,
    square,
)
from engine.games.blokus.variants import STARTS

_ACROSS = (STRIDE + 1, STRIDE - 1, -STRIDE + 1, -STRIDE - 1)
_BESIDE = (1, -1, STRIDE, -STRIDE)


def build(setup: Setup, tables: np.void) -> np.void:
    """The record of a setup that `fen.fault_of` finds nothing wrong with. Frontier lists run
    a1, b1 ..."""
    pos: np.void = np.zeros(1, STATE)[0]
    size, colours = setup.size, len(setup.last)
    pos["size"], pos["colours"], pos["turn"] = size, colours, setup.turn
    owners = {square(i % size, i // size): owner for i, owner in enumerate(setup.board)}
    pos["cells"] = [owners.get(sq, BORDER) for sq in range(CELLS)]
    inside = set(owners)
    covered = {sq for sq, owner in owners.items() if owner != FREE}
    _put(pos["occupied"], 0, covered)
    pos["hand"], pos["last"] = ALL_PIECES, -1
    outside = set(range(CELLS)) - inside - _last_columns()
    for colour in range(colours, COLOURS):
        _put(pos["forbidden"], colour, outside)
    for colour in range(colours):
        _fill_colour(pos, setup, colour, inside, covered, outside)
    pos["key"] = _key(setup, pos, tables)
    for colour in range(colours):
        pos["stuck"] |= int(count(pos, tables, colour) == 0) << colour
    pos["over"] = int(pos["stuck"] == (1 << colours) - 1)
    return pos


def _last_columns() -> set[int]:
    """Squares whose bit would be the sign of a row; no window reaches them."""
    return set(range(STRIDE - 1, CELLS, STRIDE))


def _put(rows: np.ndarray, colour: int, squares: set[int]) -> None:
    """Write a set of squares as rows of bits."""
    bits = [0] * ROWS
    for sq in squares:
        bits[sq // STRIDE] |= 1 << sq % STRIDE
    rows[colour * ROWS : (colour + 1) * ROWS] = bits


def _fill_colour(
    pos: np.void, setup: Setup, colour: int, inside: set[int], covered: set[int], outside: set[int]
) -> None:
    own = setup.squares(colour)
    beside = {sq + step for sq in own for step in _BESIDE} & inside
    if own:
        attach = {sq + step for sq in own for step in _ACROSS} & inside
    else:
        attach = {square(*STARTS[setup.size][colour])}
    attach -= covered | beside
    _put(pos["own"], colour, own)
    _put(pos["forbidden"], colour, outside | covered | beside)
    _put(pos["attach"], colour, attach)
    for slot, sq in enumerate(sorted(attach)):
        pos["frontier"][colour * 256 + slot] = sq
        pos["slot"][colour * CELLS + sq] = slot
    pos["frontier_count"][colour] = len(attach)
    pieces = [move_of(group) for group in groups(own)]
    for move in pieces:
        if move is not None:
            pos["hand"][colour] ^= 1 << piece_of(move)
    pos["squares"][colour] = len(own)
    pos["last"][colour] = setup.last[colour]
    pos["ply"] += len(pieces)


def _key(setup: Setup, pos: np.void, tables: np.void) -> int:
    key, squares = int(tables["zobrist_turn"][setup.turn]), tables["zobrist"]
    for sq, owner in enumerate(pos["cells"].tolist()):
        if owner not in (FREE, BORDER):
            key ^= int(squares[(owner - 1) * CELLS + sq])
    for colour, last in enumerate(setup.last):
        if last == MONOMINO:
            key ^= int(tables["zobrist_last"][colour])
    return key


def setup_of(pos: np.void) -> Setup:
    """The setup that a record stands for, read from mailbox, turn and last pieces."""
    size = int(pos["size"])
    board = pos["cells"].reshape(ROWS, STRIDE)[MARGIN : MARGIN + size, MARGIN : MARGIN + size]
    return Setup(
        size=size,
        board=tuple(int(owner) for owner in board.ravel()),
        turn=int(pos["turn"]),
        last=tuple(int(piece) for piece in pos["last"][: int(pos["colours"])]),
    )


def verify(pos: np.void, tables: np.void) -> str | None:
    """Checks every field of a record against the mailbox.

    Returns None if all agree, else one line that names the first field which does not, with the
    value found and the one expected.
    """
    expected = build(setup_of(pos), tables)
    for name in ("cells", "occupied", "own", "forbidden", "attach"):
        fault = _fault_of_array(name, pos[name], expected[name])
        if fault:
            return fault
    fault = _fault_of_lists(pos, expected)
    if fault:
        return fault
    for name in ("hand", "squares"):
        fault = _fault_of_array(name, pos[name], expected[name])
        if fault:
            return fault
    for name in ("over", "ply", "key"):
        if pos[name] != expected[name]:
            return f"{name}: {pos[name]}, expected {expected[name]}"
    if int(pos["stuck"]) & ~int(expected["stuck"]):
        return f"stuck: {pos['stuck']:#x}, expected no more than {expected['stuck']:#x}"
    if not pos["over"] and int(expected["stuck"]) >> int(pos["turn"]) & 1:
        return f"turn: {pos['turn']}, expected a colour that can move"
    return None


def _fault_of_array(name: str, found: np.ndarray, expected: np.ndarray) -> str | None:
    wrong = np.flatnonzero(found != expected)
    if not len(wrong):
        return None
    i = int(wrong[0])
    place = square_name(i) if name == "cells" else str(i)
    return f"{name}[{place}]: {int(found[i]):#x}, expected {int(expected[i]):#x}"


def _fault_of_lists(pos: np.void, expected: np.void) -> str | None:
    """Frontier lists hold the right squares in any order, and every square knows its place."""
    for colour in range(int(pos["colours"])):
        found, wanted = (
            [
                int(sq)
                for sq in record["frontier"][colour * 256 :][: record["frontier_count"][colour]]
            ]
            for record in (pos, expected)
        )
        if sorted(found) != wanted:
            extra = sorted(set(found) ^ set(wanted))
            where = ",".join(square_name(sq) for sq in extra) or "one square twice"
            return f"frontier[{colour}]: {len(found)} squares, expected {len(wanted)}: {where}"
        for place, sq in enumerate(found):
            slot = int(pos["slot"][colour * CELLS + sq])
            if slot != place:
                return f"slot[{colour}, {square_name(sq)}]: {slot}, expected {place}"
    return None
