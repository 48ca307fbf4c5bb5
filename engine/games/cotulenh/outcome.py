"""How a game stands: going on, won or drawn, and why."""

from dataclasses import dataclass

from engine.games.cotulenh.pieces import AIR_FORCE, ARTILLERY, INFANTRY, NAVY, TANK
from engine.games.cotulenh.position import DRAWN_CLOCK, Position
from engine.games.cotulenh.state import NOWHERE

COLOURS = ("red", "blue")

BRANCHES = {
    "navy": 1 << NAVY,
    "air force": 1 << AIR_FORCE,
    "land force": 1 << TANK | 1 << INFANTRY | 1 << ARTILLERY,
}
"""Kinds whose loss, all of a branch, loses the game where that is agreed."""


@dataclass(frozen=True)
class Outcome:
    """The result of a game, or that there is none yet."""

    winner: int | None = None
    over: bool = False
    reason: str = ""

    def __str__(self) -> str:
        if not self.over:
            return "ongoing"
        who = "draw" if self.winner is None else f"{COLOURS[self.winner]} wins"
        return f"{who} ({self.reason})"


def outcome(position: Position, branches: bool) -> Outcome:
    """How the game stands. While a deployment is open it goes on, unless it cannot be finished.

    `branches`: whether a side also loses with the last piece of a branch that it had when the game
    was set up.
    """
    if position.deploying:
        return Outcome()
    lost = [side for side in (0, 1) if position.state["commander"][side] == NOWHERE]
    if lost:
        return Outcome(1 - lost[0], True, "commander captured")
    if branches:
        for side in (0, 1):
            for name, kinds in BRANCHES.items():
                if position.had[side] & kinds and not position.kinds(side) & kinds:
                    return Outcome(1 - side, True, f"{name} destroyed")
    if not position.can_finish_turn():
        if position.check():
            return Outcome(1 - position.turn, True, "checkmate")
        return Outcome(None, True, "stalemate")
    if int(position.state["halfmove"]) >= DRAWN_CLOCK:
        return Outcome(None, True, "fifty moves without a capture")
    if position.drawn():
        return Outcome(None, True, "threefold repetition")
    return Outcome()
