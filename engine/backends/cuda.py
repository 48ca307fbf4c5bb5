"""A graphics card as a runner of bodies: CuPy owns memory, sums and launches.

CuPy is imported when a `Card` is made, and numba-cuda only if the cubins are not in the cache.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.backends.compiler import THREADS, Code, build, registers
from engine.backends.missing import cupy
from engine.device import DeviceCode


class Card:
    """The first CUDA device, ready to run some bodies of a game. Blocks for some seconds when they
    must be compiled. Raises BackendError.

    All threads use one queue of the card, so that no two kernels share scratch memory at a time.
    """

    def __init__(self, rules: DeviceCode) -> None:
        self.xp = cupy()
        self.rules = rules
        device = self.xp.cuda.Device()
        self.capability = (int(device.compute_capability[:-1]), int(device.compute_capability[-1]))
        self.code = build(rules, self.capability)
        self._kernels = {name: self._load(code) for name, code in self.code.items()}
        self._tables = self.xp.asarray(np.frombuffer(rules.tables().tobytes(), np.uint8))
        self._blocks = 0
        self._own: tuple[Any, ...] = ()
        if rules.scratch:
            processors = device.attributes["MultiProcessorCount"]
            block = THREADS * rules.scratch
            fit = processors * (65536 // (THREADS * registers(rules)))
            self._blocks = max(1, min(fit, self.free() // 8 // block))
            self._own = (self.xp.empty(self._blocks * block // 8, np.int64),)

    def _load(self, code: Code) -> Any:
        """A kernel on the card."""
        module = self.xp.cuda.function.Module()
        module.load(code.cubin)
        return module.get_function(code.name)

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        """See `runner.Runner`. Does not wait for the end."""
        if n == 0:
            return
        plain = tuple(np.int64(a) if isinstance(a, int) else a for a in arguments)
        kernel = self._kernels[f"{body}{colour}"]
        blocks = -(-n // THREADS)
        if self._own:
            blocks = min(blocks, self._blocks)
        kernel((blocks,), (THREADS,), (np.int64(n), self._tables, *self._own, *plain))

    def fetch(self, array: Any) -> NDArray[Any]:
        """A copy, made when all that was run before is done."""
        found: NDArray[Any] = self.xp.asnumpy(array)
        return found

    def free(self) -> int:
        """Bytes that are free on the card or in CuPy's pool."""
        pool = self.xp.get_default_memory_pool()
        return int(self.xp.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())

    def tidy(self) -> None:
        self.xp.get_default_memory_pool().free_all_blocks()
