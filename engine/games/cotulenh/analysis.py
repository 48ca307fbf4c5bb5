"""The facts of a position, for people and programs. Definitions: `protocol/PROTOCOL.md`."""

import json
from typing import Any

import numpy as np

from engine.games.cotulenh.notation import NAME, stack_text
from engine.games.cotulenh.outcome import outcome
from engine.games.cotulenh.pieces import KINDS
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.state import CELLS, COLOUR, HEROIC, MARGIN, MEMBERS, NOWHERE, ZONE

POINTS = (0, 10, 20, 10, 10, 30, 10, 20, 40, 80, 10)
"""Of the printed rules; the commander, who is worth the game, is left out."""


def write(position: Position, branches: bool, facts: np.void) -> str:
    """A position and its facts as one line of JSON. `branches` as in `outcome`."""
    told: dict[str, Any] = {
        "fen": position.fen(),
        "turn": ("red", "blue")[position.turn],
        "check": bool(facts["check"]),
        "legal_moves": int(facts["legal_moves"]),
        "outcome": str(outcome(position, branches)),
        "key": f"{int(position.state['key']) & (1 << 64) - 1:016X}",
        "eval": int(facts["eval"]),
    }
    for side, name in enumerate(("red", "blue")):
        told[name] = _side(position, side, facts)
    return json.dumps(told, separators=(",", ":"))


def _side(position: Position, side: int, facts: np.void) -> dict[str, Any]:
    targets, threats = (facts["targets"][who * CELLS :][:CELLS] for who in (side, 1 - side))
    hanging = facts["hanging"][side * CELLS :][:CELLS]
    state = position.state
    words = {sq: word for sq, word in enumerate(position.words()) if word}
    mine = {sq: word for sq, word in words.items() if word >> COLOUR == side}
    commander = int(state["commander"][side])
    cover = {
        NAME[sq]: int(state["cover"][side * ZONE + MARGIN + sq])
        for sq in NAME
        if state["cover"][side * ZONE + MARGIN + sq]
    }
    return {
        "pieces": {NAME[sq]: stack_text(word) for sq, word in mine.items()},
        "commander": None if commander == NOWHERE else NAME[commander],
        "commander_exposed": bool(facts["exposed"][side]),
        "attacked": [NAME[sq] for sq in mine if threats[sq]],
        "hanging": [NAME[sq] for sq in mine if hanging[sq]],
        "attacks": [NAME[int(sq)] for sq in np.flatnonzero(targets)],
        "air_defence": cover,
        "material": sum(
            POINTS[kind] for word in mine.values() for kind in range(KINDS) if word >> kind & 1
        ),
        "mobility": int(facts["mobility"][side]),
        "heroic": [NAME[sq] for sq, word in mine.items() if word >> HEROIC & MEMBERS],
    }
