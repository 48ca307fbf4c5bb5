"""Two backends at the same work: the first difference ends it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.control import Control
from engine.divide import Counts, Divide
from engine.errors import CheckError
from engine.tasks import Examine, Records, Words

NOTHING = "nothing"


def _differ(cpu: str, card: str, words: Words, state: Any, command: str) -> CheckError:
    return CheckError(
        f"the CPU has {cpu}, the card has {card}; "
        f'to see it again: triptych {words.set_up(state)}; {command}"'
    )


class CheckedDivider:
    """Counts on a card and on the CPU, and compares."""

    def __init__(self, on_card: Divide, on_cpu: Divide, words: Words) -> None:
        self._on_card = on_card
        self._on_cpu = on_cpu
        self._words = words

    def __call__(
        self, position: Any, depth: int, control: Control, on_count: Callable[[int, int], None]
    ) -> Counts:
        """See `engine.divide.Divide`. Raises CheckError at the first root move that differs."""
        theirs, total, stopped = self._on_card(position, depth, control, lambda move, n: None)
        state, words, command = position.state, self._words, f"go perft {depth}"
        cpu_control = control.child()
        told = 0

        def compare(move: int, n: int) -> None:
            nonlocal told
            found = theirs[told] if told < len(theirs) else None
            told += 1
            if found != (move, n) and not stopped:
                cpu_control.stop()
                card = NOTHING if found is None else f"{words.move(state, found[0])}: {found[1]}"
                raise _differ(f"{words.move(state, move)}: {n}", card, words, state, command)
            on_count(move, n)

        counts, leaves, cut = self._on_cpu(position, depth, cpu_control, compare)
        if leaves != total and not (stopped or cut):
            raise _differ(f"{leaves} leaves", f"{total} leaves", words, state, command)
        return counts, leaves, cut


def checked_list(
    on_card: Callable[[Any], list[int]], on_cpu: Callable[[Any], list[int]], words: Words
) -> Callable[[Any], list[int]]:
    """Lists the legal moves on a card and on the CPU. Raises CheckError at the first difference;
    the order of the moves does not matter."""

    def legal(state: Any) -> list[int]:
        ours = on_cpu(state)
        card, cpu = (
            sorted(words.move(state, move) for move in moves) for moves in (on_card(state), ours)
        )
        for k in range(max(len(card), len(cpu))):
            mine, other = (texts[k] if k < len(texts) else NOTHING for texts in (cpu, card))
            if mine != other:
                raise _differ(mine, other, words, state, "legalmoves")
        return ours

    return legal


def checked_examine(on_card: Examine, on_cpu: Examine, words: Words) -> Examine:
    """Finds facts on a card and on the CPU. Raises CheckError at the first that differs."""

    def examine(states: Records, found: Records) -> None:
        theirs = np.zeros_like(found)
        on_card(states, theirs)
        # What a record does not use is compared too: nothing may be left there from before.
        found.view(np.uint8)[:] = 0
        on_cpu(states, found)
        for state, mine, other in zip(states, found, theirs, strict=True):
            if mine.tobytes() != other.tobytes():
                raise _differ(*_first_difference(mine, other), words, state, "analyze")

    return examine


def _first_difference(cpu: np.void, card: np.void) -> tuple[str, str]:
    """The first numbers that two records of facts differ in, each with its place."""
    for name in cpu.dtype.names or ():
        mine, other = np.atleast_1d(cpu[name]), np.atleast_1d(card[name])
        for k in np.flatnonzero(mine != other):
            place = name if len(mine) == 1 else f"{name}[{k}]"
            return f"{place} {mine[k]}", f"{place} {other[k]}"
    raise AssertionError("records differ between their fields only")
