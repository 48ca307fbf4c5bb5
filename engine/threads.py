"""What the threads of a graphics card do in every game: see `engine.device`."""

from typing import Any

import numpy as np

from engine.bits import at, u
from engine.jit import inline

Words = Any
"""An array of int64, or a pointer to some."""


@inline
def owner(ends: Words, marks: Words, base: int, j: int) -> int:
    """The position that move j of a part belongs to: the first whose moves end after it.

    Writing this number beside each move would cost more than looking for it. `marks` has the owner
    of each 128th move, and of one more, so few steps are left.
    """
    low: int = marks[u(j >> 7)]
    high: int = marks[u((j >> 7) + 1)]
    while low < high:
        middle = (low + high) >> 1
        if ends[u(middle)] > base + j:
            high = middle
        else:
            low = middle + 1
    return low


@inline
def copy_words(to: int, source: int, n: int) -> None:
    """Copy n words of 64 bits from one address to another."""
    new, old = at(to, np.int64), at(source, np.int64)
    for k in range(n):
        new[u(k)] = old[u(k)]
