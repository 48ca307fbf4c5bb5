"""Play games of the Blokus search against itself, for `blokus_train.py` to learn from.

    python scripts/blokus_selfplay.py games.npz --variant duo --games 5000 --simulations 600

The first moves of a game are drawn in proportion to how often the search tried them, some of the
very first at random, so that no two games are alike; later ones are nearly always the best. Several
variants of one board may be named. What was played so far is written when the program is stopped.
"""

import argparse
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine.control import Control
from engine.games.blokus.generator import Generator
from engine.games.blokus.memory import Memory, Tree
from engine.games.blokus.position import Position
from engine.games.blokus.scores import points
from engine.games.blokus.tree import WHOLE
from engine.games.blokus.variants import VARIANTS, Variant

TRIED = 24
"""Moves of each position whose visits are kept."""

PLY = np.dtype(
    [
        ("game", np.int32),
        ("colour", np.int8),
        ("move", np.int32),
        ("value", np.float32),  # of the search, for the player to move: 0 to 1
        ("tried", np.int32, (TRIED,)),  # the moves that were tried most, and how often
        ("visits", np.int32, (TRIED,)),
    ]
)
GAME = np.dtype([("variant", np.int8), ("points", np.int16, (4,))])


def pick(visits: np.ndarray, ply: int, wild: int, hot: int, rng: np.random.Generator) -> int:
    """Which child to play."""
    if ply < wild:
        return int(rng.integers(min(len(visits), 64)))
    weights = visits.astype(float) ** (1 if ply < hot else 3)
    return int(rng.choice(len(visits), p=weights / weights.sum()))


def play(
    variant: Variant, memory: Memory, simulations: int, rng: np.random.Generator
) -> tuple[np.ndarray, list[int]]:
    """One game: its plies and the points of all colours."""
    position = Position(variant, Generator())
    control = Control()
    hot, late = (10, 20) if variant.size == 14 else (20, 50)
    wild = int(rng.integers(variant.colours + 1)) if rng.random() < 0.3 else 0
    plies = []
    while not position.over:
        colour, ply = position.turn, len(position.history)
        memory.tree.clear()
        memory.begin(position.record_for(colour), variant.players, control)
        memory.run(simulations // 2 if ply > late else simulations)
        children = memory.tree.children()
        order = np.argsort(-children["visits"], kind="stable")[:TRIED]
        move = int(children["move"][pick(children["visits"], ply, wild, hot, rng)])
        row = np.zeros((), PLY)
        row["colour"], row["move"] = colour, move
        row["value"] = children["value"].sum() / (children["visits"].sum() * WHOLE)
        row["tried"][: len(order)] = children["move"][order]
        row["visits"][: len(order)] = children["visits"][order]
        plies.append(row)
        position.play(colour, move)
    return np.array(plies), [points(position.state, c) for c in range(variant.colours)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("out", type=Path)
    ids = [variant.id for variant in VARIANTS]
    parser.add_argument("--variant", nargs="+", choices=ids, default=["duo"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--simulations", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    memory = Memory(Tree())
    memory.seed(options.seed)
    games, plies = [], []
    try:
        for number in tqdm(range(options.games), unit="game"):
            index = ids.index(options.variant[number % len(options.variant)])
            rows, score = play(VARIANTS[index], memory, options.simulations, rng)
            game = np.zeros((), GAME)
            game["variant"] = index
            game["points"][: len(score)] = score
            rows["game"] = number
            games.append(game)
            plies.append(rows)
    except KeyboardInterrupt:
        pass
    np.savez_compressed(options.out, games=np.array(games), plies=np.concatenate(plies))


if __name__ == "__main__":
    main()
