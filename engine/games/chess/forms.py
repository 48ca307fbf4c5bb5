"""The shapes that the results of a batch can have, and the one that needs nothing else: JSON."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.batch import bad_line
from engine.games.chess.jsontext import MAX_JSON, TEXT_RECORD, write_all

BadLine = tuple[int, str]
"""Number of a line that holds no position, and what is wrong with it."""


class Found(NamedTuple):
    """Some positions with the numbers of their lines, and the bad lines among them, both in
    ascending order."""

    states: NDArray[np.void]
    facts: NDArray[np.void]
    lines: NDArray[np.int64]
    errors: Sequence[BadLine]


class Form(ABC):
    """The shape of the results. One for each desk; it collects the rows of one block."""

    room: int
    """Positions that it takes at once, at most."""

    @abstractmethod
    def add(self, found: Found) -> None:
        """Take what was found. Its arrays will be overwritten."""

    @abstractmethod
    def finish(self) -> object:
        """Everything since the last call, in the order of the lines."""


class JsonForm(Form):
    """One JSON object a line."""

    room = 256

    def __init__(self, chess960: bool) -> None:
        self._chess960 = int(chess960)
        self._text = np.zeros(self.room * MAX_JSON, np.uint8)
        self._rows = bytearray()

    def add(self, found: Found) -> None:
        states, facts, lines, errors = found
        begin = 0
        for line, problem in errors:
            end = int(np.searchsorted(lines, line))
            self._write(states[begin:end], facts[begin:end])
            self._rows += f"{bad_line(problem, line)}\n".encode("ascii")
            begin = end
        self._write(states[begin:], facts[begin:])

    def _write(self, states: NDArray[np.void], facts: NDArray[np.void]) -> None:
        if len(states):
            size = write_all(states, facts, len(states), self._chess960, TEXT_RECORD, self._text)
            self._rows += self._text[:size].data

    def finish(self) -> bytearray:
        rows, self._rows = self._rows, bytearray()
        return rows
