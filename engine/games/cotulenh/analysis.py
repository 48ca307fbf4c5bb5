"""The facts of a position, for people and programs. Definitions: `protocol/PROTOCOL.md`."""

import json
from typing import Any

from engine.games.cotulenh.evaluate import evaluate
from engine.games.cotulenh.notation import NAME, stack_text
from engine.games.cotulenh.outcome import outcome
from engine.games.cotulenh.pieces import COMMANDER, KINDS
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.rules import attacked, in_danger
from engine.games.cotulenh.state import (
    CAPTURE,
    COLOUR,
    COMMIT_ACTION,
    HEROIC,
    KIND,
    MARGIN,
    MEMBERS,
    NOWHERE,
    STAY,
    SUICIDE,
    TO,
    ZONE,
)
from engine.games.cotulenh.tables import T

POINTS = (0, 10, 20, 10, 10, 30, 10, 20, 40, 80, 10)
"""Of the printed rules; the commander, who is worth the game, is left out."""
CAPTURES = (CAPTURE, STAY, SUICIDE)


def analysis(position: Position, branches: bool) -> str:
    """One line of JSON."""
    state = position.state
    sides = [_actions(position, side) for side in (0, 1)]
    targets = [
        {action >> TO & 255 for action in actions if action >> KIND in CAPTURES}
        for actions in sides
    ]
    facts: dict[str, Any] = {
        "fen": position.fen(),
        "turn": ("red", "blue")[position.turn],
        "check": position.check(),
        "legal_moves": len(position.legal()),
        "outcome": str(outcome(position, branches)),
        "key": f"{int(state['key']) & (1 << 64) - 1:016X}",
        "eval": int(evaluate(state, T)),
    }
    for side, name in enumerate(("red", "blue")):
        facts[name] = _side(position, side, len(sides[side]), targets[side], targets[1 - side])
    return json.dumps(facts, separators=(",", ":"))


def _actions(position: Position, side: int) -> list[int]:
    """The actions of a side, as if it were to move; an open deployment is the mover's alone."""
    seen = position if position.turn == side else position.for_other_side()
    return [action for action in seen.legal() if action != COMMIT_ACTION]


def _side(
    position: Position, side: int, mobility: int, targets: set[int], threats: set[int]
) -> dict[str, Any]:
    state = position.state
    words = {sq: word for sq, word in enumerate(position.words()) if word}
    mine = {sq: word for sq, word in words.items() if word >> COLOUR == side}
    hit = sorted(sq for sq in mine if sq in threats)
    commander = int(state["commander"][side])
    hanging = [
        sq for sq in hit if not mine[sq] >> COMMANDER & 1 and not attacked(state, T, sq, side)
    ]
    cover = {
        NAME[sq]: int(state["cover"][side * ZONE + MARGIN + sq])
        for sq in NAME
        if state["cover"][side * ZONE + MARGIN + sq]
    }
    return {
        "pieces": {NAME[sq]: stack_text(word) for sq, word in mine.items()},
        "commander": None if commander == NOWHERE else NAME[commander],
        "commander_exposed": bool(in_danger(state, T, side)),
        "attacked": [NAME[sq] for sq in hit],
        "hanging": [NAME[sq] for sq in hanging],
        "attacks": [NAME[sq] for sq in sorted(targets)],
        "air_defence": cover,
        "material": sum(
            POINTS[kind] for word in mine.values() for kind in range(KINDS) if word >> kind & 1
        ),
        "mobility": mobility,
        "heroic": [NAME[sq] for sq, word in mine.items() if word >> HEROIC & MEMBERS],
    }
