"""CoTuLenh positions of many kinds: of random games and scattered at random."""

import random
from collections.abc import Iterator

from oracles import cotulenh as rules

from engine.games.cotulenh.position import Position

Case = tuple[str, list[str]]
"""FEN at the start of a turn, and the actions of the turn played since."""

SUPPLY = {"C": 1, "I": 2, "T": 2, "M": 1, "E": 2, "A": 2, "G": 2, "S": 1, "F": 2, "N": 2, "H": 2}
"""How many a side has at the start."""


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """As many cases, of games and scattered ones in turn, each inside a deployment if it offers
    one and chance wants it."""
    rng = random.Random(seed)
    games = played_positions(rng)
    for number in range(count):
        fen = next(games) if number % 2 else scattered_position(rng)
        yield fen, opening_steps(rng, Position(fen)) if rng.random() < 0.5 else []


def played_positions(rng: random.Random) -> Iterator[str]:
    """Some positions of each of any number of random games."""
    while True:
        position = Position()
        for _ in range(rng.randrange(20, 300)):
            legal = position.legal()
            if not legal:
                break
            position.play(rng.choice(legal))
            if not position.deploying and rng.random() < 0.04:
                yield position.fen()


def opening_steps(rng: random.Random, position: Position) -> list[str]:
    """One or two steps that leave a deployment open."""
    for wanted in (2, 1):
        steps: list[str] = []
        for _ in range(wanted):
            texts = [text for text in sorted(position.legal_texts()) if ">" in text]
            if not texts:
                break
            steps.append(rng.choice(texts))
            position.play(position.legal_texts()[steps[-1]])
        if len(steps) == wanted and position.deploying:
            return steps
        for _ in steps:
            position.undo_step()
    return []


def scattered_position(rng: random.Random) -> str:
    """Pieces put anywhere they may stand, many in stacks, many heroic; commanders may be carried,
    attacked, or one of them gone."""
    board: rules.Board = {}
    heroes = rng.choice([0.0, 0.1, 0.4])
    crowd = rng.choice([4, 9, 14])
    for side in (rules.RED, rules.BLUE):
        supply = dict(SUPPLY)
        has_commander = rng.random() < 0.02
        for _ in range(crowd):
            texts = [text for text in rules.STACKS if all(supply[kind] for kind in text)]
            if not has_commander:
                texts = [text for text in texts if "C" in text]
            else:
                # Long ones more often: there are fewer pieces than stacks of them.
                texts += [text for text in texts if len(text) > 1 or text in "SGNF"]
            if not texts:
                break
            text = rng.choice(texts)
            has_commander = True
            if "C" in text:
                supply["C"] = 1
            for kind in text:
                supply[kind] -= 1
            free = [square for square in all_squares(text[0]) if square not in board]
            board[place(rng, board, free)] = tuple(
                rules.Piece(kind, side, kind != "C" and rng.random() < heroes) for kind in text
            )
    if all(rules.commander_square(board, side) is None for side in (rules.RED, rules.BLUE)):
        return scattered_position(rng)
    clocks = rng.randrange(90), rng.randrange(1, 80)
    return rules.fen(rules.Position(board, rng.choice([rules.RED, rules.BLUE]), *clocks))


def all_squares(carrier: str) -> list[rules.Square]:
    return [
        (file, rank)
        for file in range(11)
        for rank in range(1, 13)
        if rules.may_stand(carrier, (file, rank))
    ]


def place(rng: random.Random, board: rules.Board, free: list[rules.Square]) -> rules.Square:
    """Often within five squares of a commander, where planes and their enemies matter."""
    centres = [at for side in "rb" if (at := rules.commander_square(board, side))]
    if centres and rng.random() < 0.5:
        x, y = rng.choice(centres)
        near = [at for at in free if max(abs(at[0] - x), abs(at[1] - y)) <= 5]
        if near:
            return rng.choice(near)
    return rng.choice(free)
