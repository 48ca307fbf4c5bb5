"""What the work for a card is written against: a card, or in tests the CPU in its place."""

from collections.abc import Callable
from typing import Any, Protocol

from numpy.typing import NDArray

from engine.errors import BackendError


class Runner(Protocol):
    """What runs the bodies of a game, see `engine.device`. Any thread may use it."""

    @property
    def xp(self) -> Any:
        """The array module, numpy or cupy."""

    @property
    def rules(self) -> Any:
        """What the game handed over, a DeviceCode."""

    def run(self, body: str, colour: int, n: int, *arguments: Any) -> None:
        """`body(colour, i, tables, *arguments)` for each i < n. Raises MemoryError."""

    def fetch(self, array: Any) -> NDArray[Any]:
        """An array of `xp` as one of NumPy, when all that was run before is done."""

    def free(self) -> int:
        """Bytes of memory that arrays may take."""

    def tidy(self) -> None:
        """Give back memory that is kept for later."""


def too_little_memory() -> BackendError:
    return BackendError("too little memory on the card, even for the smallest parts")


def in_parts(runner: Runner, n: int, work: Callable[[slice], None]) -> None:
    """Call `work` for numbers up to `n`: for all at once, or where memory does not suffice, for
    half as many, as often as it takes. Raises BackendError."""
    todo = [slice(0, n)] if n else []
    while todo:
        part = todo.pop()
        try:
            work(part)
            continue
        except MemoryError:
            # Arrays of the attempt live until this block is left: go on below.
            pass
        if part.stop - part.start < 2:
            raise too_little_memory()
        runner.tidy()
        middle = (part.start + part.stop) // 2
        todo += [slice(middle, part.stop), slice(part.start, middle)]
