"""Positions of Blokus for tests: the oracle's rows, and random games."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slow_blokus import SlowBlokus

from engine.games.blokus.generator import SWITCHES, Generator
from engine.games.blokus.notation import format_move
from engine.games.blokus.position import Position
from engine.games.blokus.variants import CLASSIC, DUO, VARIANTS, Variant

DATA = Path(__file__).parent / "data"
BY_GAME = {variant.game: variant for variant in VARIANTS}


def rows(name: str) -> list[dict[str, Any]]:
    """`moves`, `perft` or `scores` of the oracle."""
    return [json.loads(line) for line in (DATA / f"blokus_{name}.jsonl").read_text().splitlines()]


def variant_of(row: dict[str, Any]) -> Variant:
    return CLASSIC if row["variant"] == "classic" else DUO


def position_of(row: dict[str, Any]) -> Position:
    """The position after the moves of a row."""
    position = new_position(variant_of(row))
    position.play_text(row["moves"])
    return position


def new_position(variant: Variant) -> Position:
    generator = Generator()
    generator.switches = dict(SWITCHES)
    return Position(variant, generator)


def slow(position: Position) -> SlowBlokus:
    """The same game in the plainest way."""
    game = SlowBlokus(position.variant.game)
    for played in position.history:
        placement = game.find(format_move(played.move))
        assert placement is not None
        game.moves.append((played.colour, placement))
    return game


def random_game(variant: Variant, seed: int, free: bool) -> Iterator[Position]:
    """The positions of a game to its end; with `free`, any colour that can may move next. One
    Position object, changed between yields."""
    rng = random.Random(seed)
    position = new_position(variant)
    yield position
    while not position.over:
        colours = range(variant.colours) if free else [position.turn]
        lists = {colour: position.legal(colour) for colour in colours}
        colour = rng.choice([colour for colour, moves in lists.items() if moves])
        position.play(colour, rng.choice(lists[colour]))
        yield position
