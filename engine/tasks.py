"""The work that a backend does for a game, on the CPU or on a graphics card."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.divide import Divide

Records = NDArray[np.void]
"""Records of one type, one behind the other."""

Examine = Callable[[Records, Records], None]
"""`examine(states, found)` fills `found` with the facts of as many positions. Blocks. Raises
EngineError."""


@dataclass(frozen=True)
class Tasks:
    """Who does what."""

    divide: Divide
    legal: Callable[[Any], list[int]]
    """The legal moves of the record of a position, in the order of generation. Raises
    EngineError."""
    examiner: Callable[[], Examine]
    """Makes an Examine for one thread."""
    waits: bool = False
    """Whether a thread that examines waits for a card meanwhile, so that one more pays."""


@dataclass(frozen=True)
class Words:
    """How a game words what two backends differ in."""

    move: Callable[[Any, int], str]
    """A move of the record of a position."""
    set_up: Callable[[Any], str]
    """From the record of a position the words of the command line that lead to it, up to the last
    command; the closing quotation mark is left out."""


def facts_of(positions: Sequence[Any], examine: Examine, facts: np.dtype[Any]) -> Records:
    """The facts, records of type `facts`, of positions whose records are their `state`. Raises
    EngineError."""
    found: Records = np.zeros(len(positions), facts)
    if positions:
        examine(np.array([position.state for position in positions]), found)
    return found
