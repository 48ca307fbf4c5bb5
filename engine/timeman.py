"""How long to think: from limits and side to milliseconds."""

from dataclasses import dataclass

from engine.types import Limits

FIXED_SEARCH = 1000
"""Milliseconds for a `go` without any usable limit."""


@dataclass(frozen=True)
class Budget:
    """Milliseconds from the start of the clock; None for no limit.

    `soft`: do not begin another iteration after this, unless the best move is in doubt.
    `hard`: stop in the middle of whatever is going on.
    """

    soft: float | None
    hard: float | None


def budget(limits: Limits, side: int, overhead: int) -> Budget:
    """The time for one move of `side` (0 or 1), `overhead` ms kept back on every clock.

    Never plans with time that is not on the clock yet: the increment comes after the move.
    """
    if limits.infinite:
        return Budget(None, None)
    if limits.movetime is not None:
        return Budget(None, max(limits.movetime - overhead, 0) if limits.movetime > 0 else 0)
    clock = limits.time[side]
    if clock is None:
        unlimited = limits.depth is not None or limits.nodes is not None or limits.mate is not None
        # While pondering nothing counts; what counts after the hit is the same question.
        return Budget(None, None if unlimited else FIXED_SEARCH)
    usable = max(clock - overhead, 0)
    if usable == 0:
        return Budget(0, 0)
    inc = max(limits.inc[side], 0)
    moves = limits.movestogo if limits.movestogo is not None and limits.movestogo > 0 else None
    if moves is None:
        share = usable / 24 + 0.75 * inc
        most = usable * 0.35 + 0.5 * inc
    else:
        share = usable / (moves + 0.5) + 0.75 * inc
        most = usable * (0.85 if moves == 1 else 0.6 if moves < 5 else 0.4)
    hard = min(most, 5 * share, usable * 0.9)
    return Budget(min(share, hard), hard)
