"""Fit the values of the chess evaluation, and its network, to scores of searches and results.

    python scripts/chess_fit.py weights.npz labels/*.npy

The files are those of `chess_label.py`. Writes the network and prints the rows of
`engine/games/chess/values.py`, for that file. Needs PyTorch (the extra `train`).

Terms and network learn together what `chess_train.py` teaches the network alone: the scores, by
plain errors. Where the result of a game is known it counts as well: a search cannot tell what its
own evaluation does not know, games are won by it all the same.

How often each value counts in a position is found by evaluating it with all others set to nothing,
so the evaluation stands nowhere else than in the engine.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from chess_rows import SEEN_T, set_up
from chess_train import BATCH, CURVE, MOST, Network, read
from match_frame import positive
from numba import types

from engine.bits import u
from engine.games.chess import network as net
from engine.games.chess import values as v
from engine.games.chess.evaluation import (
    PHASE_TOTAL,
    SAFETY,
    endgame_scale,
    entry_key,
    evaluate,
    phase_of,
)
from engine.games.chess.numba_types import CACHE_T, STATES_T, TABLES_T
from engine.games.chess.records import CACHE, PAWN_ENTRIES
from engine.games.chess.state import STATE
from engine.games.chess.tables import USE_PEXT, build, fill_values
from engine.jit import kernel

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise SystemExit("chess_fit: needs PyTorch: pip install -e '.[train]'") from None

I64 = types.int64
COLUMN_T = types.Array(types.int64, 1, "C")
BESIDES_T = types.Array(types.uint8, 2, "C")

FIELDS = 8
"""Values that are counted at once, each in eight bits of a word: no value counts 128 times."""
UNITS = len(v.DANGERS)
"""Of danger. The last is counted as 1 where there is danger at all."""


@kernel(types.void(TABLES_T, STATES_T, SEEN_T, CACHE_T, COLUMN_T, COLUMN_T, COLUMN_T))
def add_up(t: Any, room: Any, rows: Any, cache: Any, sums: Any, mine: Any, theirs: Any) -> None:
    """For the side to move: all terms but danger to the kings, packed, and what the danger to
    its own king and to the other costs, packed."""
    pos = room[0]
    for i in range(len(rows)):
        set_up(pos, t, rows[i])
        evaluate(pos, t, cache)
        total = pos.psq + cache.pawns[u(entry_key(pos, t) & (PAWN_ENTRIES - 1))].score
        for term in range(5):
            if term != SAFETY:
                total += cache.terms[u(term)] - cache.terms[u(8 + term)]
        sums[i] = total if pos.turn == 0 else -total
        mine[i] = cache.terms[u(SAFETY + 8 * pos.turn)]
        theirs[i] = cache.terms[u(SAFETY + 8 - 8 * pos.turn)]


@kernel(types.void(TABLES_T, STATES_T, SEEN_T, BESIDES_T))
def look_besides(t: Any, room: Any, rows: Any, found: Any) -> None:
    """Phase, how much an advantage of the side to move and of the other counts, of 64, and whether
    a king is alone."""
    pos = room[0]
    for i in range(len(rows)):
        set_up(pos, t, rows[i])
        us, them = pos.us, pos.them
        found[i, 0] = phase_of(pos)
        found[i, 1] = endgame_scale(t, pos, pos.turn, us, pos.enemy_king)
        found[i, 2] = endgame_scale(t, pos, 1 - pos.turn, them, pos.king)
        found[i, 3] = int(us & (us - 1) == 0 or them & (them - 1) == 0)


class Counts:
    """How often each value counts in positions; those with a king alone are left out, it is
    hunted by a plan."""

    def __init__(self, rows: np.ndarray) -> None:
        self.t = build(USE_PEXT)
        besides = np.zeros((len(rows), 4), np.uint8)
        look_besides(self.t, np.zeros(1, STATE), rows, besides)
        self.rows = rows[besides[:, 3] == 0]
        self.besides = besides[besides[:, 3] == 0]
        self.worth = self._worth()
        self.danger = self._danger()

    def _run(self, worth: np.ndarray, danger: np.ndarray) -> list[np.ndarray]:
        fill_values(self.t, worth, danger.tolist())
        found = [np.zeros(len(self.rows), np.int64) for _ in range(3)]
        add_up(self.t, np.zeros(1, STATE), self.rows, np.zeros(1, CACHE)[0], *found)
        return found

    def _worth(self) -> np.ndarray:
        """Of the side to move, those of the other taken away. Shape (positions, values)."""
        counts = np.zeros((len(self.rows), v.COUNT), np.int8)
        for first in range(0, v.COUNT, FIELDS):
            some = range(first, min(first + FIELDS, v.COUNT))
            worth = np.zeros(v.COUNT, np.int64)
            worth[first : some.stop] = [1 << 8 * (i - first) for i in some]
            left = self._run(worth, np.zeros(UNITS, np.int64))[0]
            for i in some:
                counts[:, i] = left.astype(np.int8)
                left = (left - counts[:, i]) >> 8
        return counts

    def _danger(self) -> np.ndarray:
        """To the king of the side to move and to the other. Shape (2, positions, units)."""
        counts = np.zeros((2, len(self.rows), UNITS), np.int8)
        for i in range(UNITS):
            danger = np.zeros(UNITS, np.int64)
            danger[i] = -8 if i in (v.NO_QUEEN, v.NO_DANGER) else 8
            for side, packed in enumerate(self._run(np.zeros(v.COUNT, np.int64), danger)[1:]):
                counts[side, :, i] = -packed.astype(np.int32)
        counts[:, :, : v.NO_DANGER] *= counts[:, :, v.NO_DANGER :]
        return counts


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
    n = len(lesson.rows)
    print(f"{n} positions, {len(exam.rows)} kept apart")
    parts = np.array_split(np.arange(len(exam.rows)), max(len(exam.rows) // BATCH, 1))
    rates = {"worth": 2.0, "danger": 0.6, "tempo": 0.3, "result": 0.01}
    groups = [{"params": [getattr(model, name)], "lr": rate} for name, rate in rates.items()]
    groups.append({"params": list(model.network.parameters()), "lr": 1e-3})
    optimizer = torch.optim.Adam(groups)
    steps = max(epochs * (n // batch), 2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [group["lr"] for group in groups], steps, pct_start=0.1
    )
    rng = np.random.default_rng(1)
    for epoch in range(epochs):
        order = rng.permutation(n)
        for low in range(0, n - batch + 1, batch):
            error = model.error(lesson, order[low : low + batch], results)
            optimizer.zero_grad()
            torch.autograd.backward(error)
            optimizer.step()
            schedule.step()
            with torch.no_grad():
                model.network.heads.clamp_(-MOST, MOST)
        with torch.no_grad():
            errors = [model.error(exam, part, 0.0).item() for part in parts]
        print(f"epoch {epoch + 1}: error on those kept apart {np.mean(errors):.5f}", flush=True)


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
    parser.add_argument("out", type=Path)
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--epochs", type=positive, default=6)
    parser.add_argument("--results", type=float, default=0.4, help="what results weigh")
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
