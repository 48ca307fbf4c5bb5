"""Two backends at the same work: the first difference ends it."""

from collections.abc import Callable
from typing import Any

from engine.control import Control
from engine.divide import Counts, Divide
from engine.errors import CheckError


class CheckedDivider:
    """Counts on a card and on the CPU, and compares."""

    def __init__(
        self, on_card: Divide, on_cpu: Divide, text: Callable[[int], str], how: Callable[[], str]
    ) -> None:
        """`text` spells a move; `how` gives the words of the command line that set up the position,
        up to the last command."""
        self._on_card = on_card
        self._on_cpu = on_cpu
        self._text = text
        self._how = how

    def __call__(
        self, position: Any, depth: int, control: Control, on_count: Callable[[int, int], None]
    ) -> Counts:
        """See `engine.divide.Divide`. Raises CheckError at the first root move that differs."""
        theirs, total, stopped = self._on_card(position, depth, control, lambda move, n: None)
        cpu_control = control.child()
        told = 0

        def compare(move: int, n: int) -> None:
            nonlocal told
            found = theirs[told] if told < len(theirs) else None
            told += 1
            if found != (move, n) and not stopped:
                cpu_control.stop()
                card = "nothing" if found is None else f"{self._text(found[0])}: {found[1]}"
                raise self._error(f"{self._text(move)}: {n}", card, depth)
            on_count(move, n)

        counts, leaves, cut = self._on_cpu(position, depth, cpu_control, compare)
        if leaves != total and not (stopped or cut):
            raise self._error(f"{leaves} leaves", f"{total} leaves", depth)
        return counts, leaves, cut

    def _error(self, cpu: str, card: str, depth: int) -> CheckError:
        return CheckError(
            f"the CPU has {cpu}, the card has {card}; "
            f'to see it again: triptych {self._how()}; go perft {depth}"'
        )
