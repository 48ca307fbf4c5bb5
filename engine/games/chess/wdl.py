"""From a score to how likely a win, a draw and a loss are.

Two logistic curves of the score x, in hundredths of a pawn for the side to move:

    win = 1 / (1 + exp(margin - slope x))    loss = 1 / (1 + exp(margin + slope x))

and what is left is a draw. Slope and margin are linear in the phase: 24 with all pieces on the
board, 0 with none. `scripts/fit_wdl.py` fits them to games of the engine against itself; these are
from 700 games of 4,000 nodes a move, 41,000 positions with scores within 500 of 0.
"""

import math

from engine.alphabeta import MATED_SOON

SLOPE = (0.010829, -0.0001080)
MARGIN = (2.8519, -0.10111)
"""At phase 0, and what each unit of phase adds."""


def outcomes(score: int, phase: int) -> tuple[int, int, int]:
    """Win, draw and loss in thousandths, 1000 together, for the side whose score it is."""
    if abs(score) > MATED_SOON:
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    slope = SLOPE[0] + SLOPE[1] * phase
    margin = MARGIN[0] + MARGIN[1] * phase
    win, loss = _logistic(slope * score - margin), _logistic(-slope * score - margin)
    return win, 1000 - win - loss, loss


def _logistic(x: float) -> int:
    # Beyond that the result is 0 or 1000, and exp may overflow.
    return round(1000 / (1 + math.exp(-max(-50.0, min(x, 50.0)))))
