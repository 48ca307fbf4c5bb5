"""What the search knows about the game: two files of numbers, one for each size of the board.

They were made by `scripts/blokus_train.py` from games of the search against itself.
"""

import functools
from pathlib import Path

import numpy as np

from engine.games.blokus import net, prior


@functools.cache
def weights(size: int) -> tuple[np.void, np.void]:
    """The records of `prior` and `net` for a board size."""
    with np.load(Path(__file__).with_name(f"weights{size}.npz")) as parts:
        return prior.build(size, parts["prior"]), net.build(size, parts)
