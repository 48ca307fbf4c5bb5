"""The static evaluation as a table for people."""

from engine.games.cotulenh import values
from engine.games.cotulenh.evaluate import evaluate
from engine.games.cotulenh.pieces import KINDS
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.state import COLOUR, HEROIC
from engine.games.cotulenh.tables import T


def explain(position: Position) -> str:
    """What the pieces of both sides are worth, what else counts, and the final value: in
    infantries, red's point of view."""
    value = int(evaluate(position.state, T))
    red = value if position.turn == 0 else -value
    worth, heroic = [0, 0], [0, 0]
    for word in position.words():
        for kind in range(KINDS):
            worth[word >> COLOUR] += (word >> kind & 1) * values.VALUE[kind]
            heroic[word >> COLOUR] += (word >> HEROIC + kind & 1) * values.HEROIC_BONUS[kind]
    rest = red - (worth[0] - worth[1]) - (heroic[0] - heroic[1])
    return "\n".join(
        [
            f"{'Term':<24}|    Red |   Blue |  Total",
            _row("Pieces", *worth),
            _row("Heroic pieces", *heroic),
            f"{'Place, threats, clock':<24}|        |        | {rest / 100:+6.2f}",
            "",
            f"Final evaluation {red / 100:+.2f} (red side)",
        ]
    )


def _row(name: str, red: int, blue: int) -> str:
    return f"{name:<24}| {red / 100:6.2f} | {blue / 100:6.2f} | {(red - blue) / 100:+6.2f}"
