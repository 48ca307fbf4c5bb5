"""The rules of CoTuLenh once more, from the rules text alone: slow, plain, and nothing shared with
the engine.

A board is a dict from squares to stacks, a stack a tuple of pieces with its carrier first. Nothing
is changed in place: every action gives a new position. `actions` is the entry point: the text of
each legal action and the position that it leads to.

The numbers in comments are sections of the rules text. Each module uses those before it: `board`,
`moves`, `turns`.
"""

from oracles.cotulenh.board import (
    BLUE,
    RED,
    STACKS,
    Board,
    Piece,
    Position,
    Square,
    fen,
    may_stand,
    name,
    parse_fen,
    result_text,
    stack_text,
)
from oracles.cotulenh.moves import commander_square, in_check
from oracles.cotulenh.turns import actions, play, status

__all__ = [
    "BLUE",
    "RED",
    "STACKS",
    "Board",
    "Piece",
    "Position",
    "Square",
    "actions",
    "commander_square",
    "fen",
    "in_check",
    "may_stand",
    "name",
    "parse_fen",
    "play",
    "result_text",
    "stack_text",
    "status",
]
