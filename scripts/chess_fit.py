"""Fit the values of the chess evaluation, and its network, to scores of searches and results.

    python scripts/chess_fit.py weights.npz labels/*.npy

The files are those of `chess_label.py`. Writes the network and prints the rows of
`engine/games/chess/values.py`, for that file. Needs PyTorch (the extra `train`).

Terms and network learn together what `chess_train.py` teaches the network alone: the scores, by
plain errors. Where the result of a game is known it counts as well: a search cannot tell what its
own evaluation does not know, games are won by it all the same.

The numbers in values.py and the network there belong together: each is fitted to what the other
leaves over.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np
from chess_counts import Counts
from chess_rows import out_file, weight
from chess_train import BATCH, CURVE, Network, learn, read
from match_frame import positive

from engine.games.chess import network as net
from engine.games.chess import values as v
from engine.games.chess.evaluation import PHASE_TOTAL

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise SystemExit("chess_fit: needs PyTorch: pip install -e '.[train]'") from None


class Model(nn.Module):
    """`engine.games.chess.network.judge` in floating point, but for the fifty moves."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        pairs = [values for pairs in v.PAIRS.values() for values in pairs]
        self.worth = nn.Parameter(torch.tensor(pairs, dtype=torch.float32))
        units = torch.tensor(v.DANGERS, dtype=torch.float32) / 8
        units[v.NO_QUEEN :] *= -1
        self.danger = nn.Parameter(units)
        self.tempo = nn.Parameter(torch.tensor(float(v.TEMPO)))
        self.result = nn.Parameter(torch.tensor(0.0))
        """Logarithm of how much more certain results are than scores."""

    def forward(self, counts: Counts, some: np.ndarray) -> Tensor:
        """Hundredths of a pawn for the side to move."""
        score = torch.from_numpy(counts.worth[some]).float() @ self.worth
        for side, sign in ((0, -1), (1, 1)):
            units = torch.from_numpy(counts.danger[side, some]).float()
            units = (units @ self.danger).clamp(min=0)
            danger = (64 * units * units / v.DANGER, units)
            score = score + sign * torch.stack(danger, 1)
        besides = torch.from_numpy(counts.besides[some]).float()
        phase = besides[:, 0] / PHASE_TOTAL
        scale = torch.where(score[:, 1] > 0, besides[:, 1], besides[:, 2]) / 64
        terms = score[:, 0] * phase + score[:, 1] * scale * (1 - phase)
        # Twice the limit of the engine: beyond that nothing is learned.
        more = (self.network(counts.rows[some]) * net.PAWN).clamp(-2 * net.LIMIT, 2 * net.LIMIT)
        return terms + more * (phase + scale * (1 - phase)) + self.tempo

    def error(self, counts: Counts, some: np.ndarray, results: float) -> Tensor:
        """How far the scores are off on average, plus `results` times how surprising the known
        results are."""
        value = self(counts, some)
        wanted = torch.from_numpy(counts.rows["score"][some].astype(np.float32))
        error = (torch.sigmoid(value / CURVE) - torch.sigmoid(wanted / CURVE)).abs().mean()
        known = np.flatnonzero(np.abs(counts.rows["result"][some]) <= 1)
        if results and len(known):
            points = (counts.rows["result"][some[known]].astype(np.float32) + 1) / 2
            error = error + results * nn.functional.binary_cross_entropy_with_logits(
                value[known] / CURVE * torch.exp(self.result), torch.from_numpy(points)
            )
        return error


def fit(
    model: Model, lesson: Counts, exam: Counts, epochs: int, results: float, batch: int = BATCH
) -> None:
    rates = {"worth": 2.0, "danger": 0.6, "tempo": 0.3, "result": 0.01}
    groups = [{"params": [getattr(model, name)], "lr": rate} for name, rate in rates.items()]
    groups.append({"params": list(model.network.parameters()), "lr": 1e-3})
    told = partial(model.error, lesson, results=results)
    asked = partial(model.error, exam, results=0.0)
    counts = len(lesson.rows), len(exam.rows)
    learn(model.network, groups, told, asked, counts, epochs, batch)


def row_text(name: str, pairs: list[tuple[int, int]]) -> str:
    """A row of `values.PAIRS`, in lines of no more than a hundred characters."""
    texts = [f"({mg}, {eg})" for mg, eg in pairs]
    line = f'    "{name}": ({", ".join(texts)}{"," if len(texts) == 1 else ""}),'
    if len(line) <= 100:
        return line
    lines = [f'    "{name}": (', "       "]
    for text in texts:
        if len(lines[-1]) + len(text) + 2 > 100:
            lines.append("       ")
        lines[-1] += f" {text},"
    return "\n".join([*lines, "    ),"])


def show(model: Model) -> None:
    """Print the values as they stand in values.py."""
    worth = model.worth.detach().round().int().tolist()
    print("PAIRS")
    for name, pairs in v.PAIRS.items():
        first = v.FIRST[name]
        print(row_text(name, [(mg, eg) for mg, eg in worth[first : first + len(pairs)]]))
    print("DANGERS", (8 * model.danger.detach()).round().int().abs().tolist())
    print("TEMPO", round(model.tempo.item()))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=out_file)
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--epochs", type=positive, default=6)
    parser.add_argument("--results", type=weight, default=0.4, help="what results weigh")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = Network()
    network.start_from({name: net.NETWORK[name] for name in ("columns", "bias", "heads")})
    try:
        lesson, exam = read(options.labels)
    except ValueError as problem:
        parser.error(str(problem))
    model = Model(network)
    fit(model, Counts(lesson), Counts(exam), options.epochs, options.results)
    np.savez_compressed(options.out, allow_pickle=False, **network.numbers())
    show(model)


if __name__ == "__main__":
    main()
