"""What a match says about strength: Elo, its error bar, and the sequential test.

Games come in pairs, one opening played once with each colour, because an opening that favours one
side would otherwise pass for luck. A pair scores 0, 1/2, 1, 3/2 or 2 points; the five counts (the
pentanomial) hold all that the formulas below need. Elo is logistic: a score of 10/11 is 400.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points a game for the five outcomes of a pair."""

Z_95 = 1.959964
"""Half width of the central 95% of a normal distribution, in standard deviations."""

MISSING = 1e-3
"""Stands for an outcome that has not been seen yet, so that the first few pairs, all alike, do not
pass for certainty."""


def expected_score(elo: float) -> float:
    """Points a game expected at a given Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Elo difference at which `score` points a game are expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def mean_and_variance(pairs: Sequence[float]) -> tuple[float, float]:
    """Points a game and their variance over pairs."""
    total = sum(pairs)
    mean = sum(n * s for n, s in zip(pairs, PAIR_SCORES, strict=True)) / total
    spread = sum(n * (s - mean) ** 2 for n, s in zip(pairs, PAIR_SCORES, strict=True)) / total
    return mean, spread


@dataclass(frozen=True)
class Estimate:
    """Elo difference with its 95% interval, and the likelihood of superiority, 0 to 1."""

    elo: float
    low: float
    high: float
    los: float


def estimate(pairs: Sequence[int]) -> Estimate | None:
    """Strength from the counts of pair outcomes; None before the first pair."""
    total = sum(pairs)
    if not total:
        return None
    score, _ = mean_and_variance(pairs)
    mean, variance = mean_and_variance([n or MISSING for n in pairs])
    error = math.sqrt(variance / total)
    los = 0.5 * (1 + math.erf((mean - 0.5) / error / math.sqrt(2)))
    margin = Z_95 * error
    return Estimate(elo_of(score), elo_of(mean - margin), elo_of(mean + margin), los)


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of Elo `elo0` against `elo1`, with error chances alpha and beta."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first H0 is accepted, at or above the second H1."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, pairs: Sequence[int]) -> float:
        """Log likelihood ratio of H1 to H0, the mean taken as normal with the variance seen."""
        total = sum(pairs)
        if not total:
            return 0.0
        mean, variance = mean_and_variance([n or MISSING for n in pairs])
        score0, score1 = expected_score(self.elo0), expected_score(self.elo1)
        return total * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)

    def verdict(self, pairs: Sequence[int]) -> str:
        """`H0`, `H1`, or empty while the test goes on."""
        low, high = self.bounds
        llr = self.llr(pairs)
        return "H0" if llr <= low else "H1" if llr >= high else ""
