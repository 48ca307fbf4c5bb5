"""Runners of bodies that need no card: what `engine.backends.levels` asks for, on the CPU."""

from typing import Any

import numba
import numpy as np

from engine.device import DeviceRules


def loop(body: Any) -> Any:
    """A body run for one number after the other."""

    def run(colour: int, n: int, arguments: Any) -> None:
        for i in range(n):
            body(colour, i, *arguments)

    return numba.njit(run)


class Host:
    """The same bodies compiled for the CPU, NumPy's arrays. `tables` are those that the bodies read
    on the CPU."""

    def __init__(self, rules: DeviceRules, tables: Any) -> None:
        self.xp: Any = np
        self.rules = rules
        self.memory = 1 << 30
        self.runs = 0
        self.tidied = 0
        self._tables = tables
        self._scratch = np.zeros(rules.scratch // 8 + 1, np.int64)
        self._loops = {name: loop(body) for name, (body, _) in rules.bodies.items()}

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        self.runs += 1
        if self.rules.scratch:
            arguments = (self._scratch, *arguments)
            arguments = tuple(a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments)
        self._loops[body](colour, n, (self._tables, *arguments))

    def free(self) -> int:
        return self.memory

    def tidy(self) -> None:
        self.tidied += 1


class TightMemory:
    """NumPy, but for an `empty` that has room for so many bytes in one array."""

    def __init__(self, room: int) -> None:
        self._room = room
        self.refused = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def empty(self, shape: int, dtype: Any) -> Any:
        if shape * np.dtype(dtype).itemsize > self._room:
            self.refused += 1
            raise MemoryError
        return np.empty(shape, dtype)
