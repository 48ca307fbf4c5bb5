"""Runners of bodies that need no card: what `engine.backends.levels` asks for, on the CPU."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
from ptx_on_cpu import PtxKernel

from engine.backends import compiler
from engine.device import DeviceCode


@cache
def loop(body: Any) -> Any:
    """A body run for one number after the other. Compiled once for all tests."""

    def run(colour: int, n: int, arguments: Any) -> None:
        for i in range(n):
            body(colour, i, *arguments)

    return numba.njit(run)


def addresses(arguments: Sequence[Any]) -> tuple[int, ...]:
    """Arrays as numbers."""
    return tuple(a.ctypes.data if isinstance(a, np.ndarray) else int(a) for a in arguments)


@cache
def ptx_of(rules: DeviceCode, body: str, colour: int, capability: tuple[int, int]) -> str:
    """Made once for all tests: it takes seconds."""
    return compiler.to_ptx(rules, body, colour, capability)


class Host:
    """The same bodies compiled for the CPU, NumPy's arrays. `tables` are those that the bodies read
    on the CPU, if they are others."""

    def __init__(self, rules: DeviceCode, tables: Any = None) -> None:
        self.xp: Any = np
        self.rules: Any = rules
        self.memory = 1 << 30
        self.runs = 0
        self.tidied = 0
        self._tables = rules.tables() if tables is None else tables
        self._scratch = np.zeros(rules.scratch // 8 + 1, np.int64)
        self._loops = {name: loop(body) for name, (body, _) in rules.bodies.items()}

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        self.runs += 1
        if self.rules.scratch:
            arguments = addresses((self._scratch, *arguments))
        self._loops[body](colour, n, (self._tables, *arguments))

    def fetch(self, array: Any) -> Any:
        return array

    def free(self) -> int:
        return self.memory

    def tidy(self) -> None:
        self.tidied += 1


class TightMemory:
    """NumPy, but for what makes large arrays: there is room for so many bytes in one array."""

    def __init__(self, room: int) -> None:
        self._room = room
        self.refused = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def _ask(self, size: int) -> None:
        if size > self._room:
            self.refused += 1
            raise MemoryError

    def empty(self, shape: int, dtype: Any) -> Any:
        self._ask(shape * np.dtype(dtype).itemsize)
        return np.empty(shape, dtype)

    def argsort(self, keys: Any) -> Any:
        self._ask(2 * keys.nbytes)
        return np.argsort(keys)

    def cumsum(self, numbers: Any, dtype: Any = None) -> Any:
        self._ask(2 * 8 * len(numbers))
        return np.cumsum(numbers, dtype=dtype)

    def zeros(self, shape: Any, dtype: Any) -> Any:
        return np.zeros(shape, dtype) if shape == () else self.empty(shape, dtype) * 0


class Compiled:
    """The code for a card, run on the CPU as `ptx_on_cpu` does it."""

    THREADS = 128
    MOST_BLOCKS = 2
    """Of a game whose threads need memory."""

    def __init__(self, rules: DeviceCode, capability: tuple[int, int], folder: Path) -> None:
        self.xp: Any = np
        self.rules = rules
        self._capability = capability
        self._folder = folder
        self._tables = np.frombuffer(rules.tables().tobytes(), np.uint8)
        threads = self.MOST_BLOCKS * self.THREADS
        self._scratch = np.zeros(threads * rules.scratch // 8 + 1, np.int64)
        self._kernels: dict[str, PtxKernel] = {}

    def kernel(self, body: str, colour: int) -> PtxKernel:
        """Compiled when it is first asked for."""
        name = f"{self.rules.name}_{body}{colour}"
        if name not in self._kernels:
            ptx = ptx_of(self.rules, body, colour, self._capability)
            self._kernels[name] = PtxKernel(ptx, self._folder, name)
        return self._kernels[name]

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        blocks = -(-n // self.THREADS)
        given = [self._tables, *arguments]
        if self.rules.scratch:
            blocks = min(blocks, self.MOST_BLOCKS)
            given.insert(1, self._scratch)
        self.kernel(body, colour)(blocks, self.THREADS, [n, *addresses(given)])

    def fetch(self, array: Any) -> Any:
        return array

    def free(self) -> int:
        return 1 << 30

    def tidy(self) -> None:
        """Nothing is kept."""


class Simulated:
    """The kernels in Numba's simulator of a card, which runs each thread as one of Python's; only
    the bodies are compiled. Needs NUMBA_ENABLE_CUDASIM=1."""

    THREADS, MOST_BLOCKS = 8, 3

    def __init__(self, rules: DeviceCode, tables: Any = None) -> None:
        from numba import cuda

        self.xp: Any = np
        self.rules = rules
        self.runs = 0
        self._tables = rules.tables() if tables is None else tables
        threads = self.MOST_BLOCKS * self.THREADS
        self._scratch = np.zeros(threads * rules.scratch // 8 + 1, np.int64)
        compiled = replace(
            rules,
            bodies={
                name: (numba.njit(body.py_func), ()) for name, (body, _) in rules.bodies.items()
            },
        )
        # While a kernel runs, the simulator replaces `cuda` among the names of the kernel's module.
        names: Any = compiler
        names.cuda = cuda
        grid = SimpleNamespace(
            grid=lambda n: names.cuda.grid(n), gridsize=lambda n: names.cuda.gridsize(n)
        )
        self._kernels = {
            (body, colour): cuda.jit(compiler.entry(grid, compiled, body, colour))
            for body in rules.bodies
            for colour in rules.colours
        }

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        self.runs += 1
        blocks = -(-n // self.THREADS)
        if self.rules.scratch:
            blocks = min(blocks, self.MOST_BLOCKS)
            arguments = addresses((self._scratch, *arguments))
        self._kernels[body, colour][blocks, self.THREADS](n, (self._tables, *arguments))

    def fetch(self, array: Any) -> Any:
        return array

    def free(self) -> int:
        return 1 << 30

    def tidy(self) -> None:
        """Nothing is kept."""
