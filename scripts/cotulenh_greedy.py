"""A greedy player of CoTuLenh that speaks as much GTP as a match needs: the least to beat.

    python scripts/cotulenh_greedy.py [SEED]

It takes what is worth most by the points of the printed rules, less the own plane in a suicide
attack, and looks at the other side's next turn only to see that it does not lose its commander
then. Among equal turns it draws lots.
"""

import random
import sys

from engine.games.cotulenh.pieces import COMMANDER, KINDS
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.state import COLOUR, NOWHERE

POINTS = (100, 10, 20, 10, 10, 30, 10, 20, 40, 80, 10)
"""By kind, as `engine.games.cotulenh.pieces` numbers them."""


def points(position: Position, side: int) -> int:
    return sum(
        POINTS[kind]
        for word in position.words()
        if word and word >> COLOUR == side
        for kind in range(KINDS)
        if word >> kind & 1
    )


def takes_commander(position: Position) -> bool:
    """Whether the side to move can take the other commander in this turn."""
    turn = position.turn
    if position.state["commander"][1 - turn] == NOWHERE:
        return True
    for action in position.legal():
        target = int(position.state["board"][action >> 8 & 255])
        if not position.deploying and not target >> COMMANDER & 1 and action >> 16 & 15 == 15:
            continue  # a whole unit that takes something else
        position.play(action)
        taken = int(position.state["commander"][1 - turn]) == NOWHERE
        found = taken or (position.turn == turn and takes_commander(position))
        position.undo_step()
        if found:
            return True
    return False


def choose(position: Position, rng: random.Random) -> str | None:
    """A whole turn; None if there is none."""
    side = position.turn
    ranked = []
    for turn in position.distinct_turns().values():
        position.play_turn(turn)
        gain = points(position, side) - points(position, 1 - side)
        position.undo_turn()
        ranked.append((gain, rng.random(), turn))
    ranked.sort(reverse=True)
    for _, _, turn in ranked:
        position.play_turn(turn)
        safe = position.captured_commander() or not takes_commander(position)
        position.undo_turn()
        if safe:
            return turn
    return ranked[0][2] if ranked else None


def main(seed: str = "0") -> None:
    position, rng = Position(), random.Random(seed)
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        answer = ""
        match command:
            case "name":
                answer = "Greedy"
            case "version":
                answer = "1"
            case "clear_board":
                position = Position()
            case "play":
                position.play_turn(rest.partition(" ")[2])
            case "genmove":
                turn = choose(position, rng)
                if turn is not None:
                    position.play_turn(turn)
                answer = turn or "pass"
        sys.stdout.write(f"= {answer}\n\n")
        sys.stdout.flush()
        if command == "quit":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
