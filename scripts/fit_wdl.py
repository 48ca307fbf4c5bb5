"""Fit the curves of `UCI_ShowWDL` to games of the engine against itself.

    python scripts/fit_wdl.py GAMES.npy ...

The files are those of `chess_selfplay.py`. Prints SLOPE and MARGIN for engine/games/chess/wdl.py.

Each position is two samples: was it won, at score x, and was it lost, at score -x. That makes one
logistic regression with four weights, solved by Newton's method.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

LARGEST = 500
"""Scores beyond this, hundredths of a pawn, are as good as decided and would bend the curves."""

WEIGHTS = np.zeros(16, np.int64)
WEIGHTS[[2, 3, 4, 5, 10, 11, 12, 13]] = [1, 1, 2, 4, 1, 1, 2, 4]
"""What a piece code adds to the phase."""


def phase_of(boards: np.ndarray) -> np.ndarray:
    """The phase, as in `analyze`, of boards of shape (N, 32)."""
    low, high = WEIGHTS[boards & 15], WEIGHTS[boards >> 4]
    phase: np.ndarray = np.minimum((low + high).sum(axis=1), 24)
    return phase


def fit(score: np.ndarray, phase: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Slope at phase 0, slope per phase, margin at phase 0, margin per phase."""
    x = np.concatenate([score, -score])
    p = np.concatenate([phase, phase])
    happened = np.concatenate([points == 1, points == 0]).astype(np.float64)
    features = np.stack([x, x * p, -np.ones_like(x), -p], axis=1)
    # In units that are all about 1, and from zero on, Newton's method does not overshoot.
    scale = np.array([400, 400 * 12, 1, 12], np.float64)
    features /= scale
    weights = np.zeros(4)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (happened - chance)
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features
        step = np.linalg.solve(curvature, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return weights / scale


def compare(score: np.ndarray, phase: np.ndarray, points: np.ndarray, w: np.ndarray) -> None:
    """Print what happened at some scores, and what the curves say."""
    slope, margin = w[0] + w[1] * phase, w[2] + w[3] * phase
    win, loss = 1 / (1 + np.exp(margin - slope * score)), 1 / (1 + np.exp(margin + slope * score))
    for low, high in ((0, 8), (8, 16), (16, 24)):
        for middle in range(-400, 401, 200):
            at = (np.abs(score - middle) <= 25) & (phase >= low) & (phase <= high)
            if at.any():
                print(
                    f"phase {low:2} to {high:2}, score {middle:+5}:"
                    f" won {np.mean(points[at] == 1):.3f}, curve {win[at].mean():.3f};"
                    f" lost {np.mean(points[at] == 0):.3f}, curve {loss[at].mean():.3f}"
                )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES.npy")
    try:
        rows = np.concatenate([np.load(path) for path in parser.parse_args().games])
        known = rows["result"] <= 1
    except (OSError, ValueError, IndexError) as problem:
        print(f"fit_wdl: no games: {problem}", file=sys.stderr)
        return 2
    rows = rows[(np.abs(rows["score"]) <= LARGEST) & known]
    if not len(rows):
        print("fit_wdl: no positions in these files", file=sys.stderr)
        return 2
    score = rows["score"].astype(np.float64)
    points = (rows["result"] + 1) / 2
    phase = phase_of(rows["board"]).astype(np.float64)
    weights = fit(score, phase, points)
    print(f"{len(rows)} positions")
    print(f"SLOPE = ({weights[0]:.6f}, {weights[1]:.7f})")
    print(f"MARGIN = ({weights[2]:.4f}, {weights[3]:.5f})")
    compare(score, phase, points, weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
