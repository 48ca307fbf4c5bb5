"""Fit the network that corrects the chess evaluation to what searches found.

    python scripts/chess_train.py engine/games/chess/weights.npz games/*.npy

The files are those of `chess_selfplay.py`. Needs PyTorch (the extra `train`).

The network learns what is to be added to the terms so that both together tell the score of a
search, both brought to the scale of chances. What counts is how far it is off, not the square of
that: squares make it learn the mean, which the few positions decide that a tactical blow turns
over. Those the search finds by itself, and an evaluation that fears them everywhere plays far
worse. The median is what the evaluation should tell. Positions whose best move takes or promotes
are left out for the same reason.

The last thirtieth of each file is kept apart, and what is told of the fit is about it.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numba
import numpy as np
from chess_rows import SEEN, SEEN_T, out_file, read_rows, set_up, weight
from match_frame import positive
from numba import types

from engine.games.chess import network as net
from engine.games.chess.evaluation import evaluate
from engine.games.chess.numba_types import CACHE_T, STATES_T, TABLES_T
from engine.games.chess.records import CACHE
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.jit import kernel

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise SystemExit("chess_train: needs PyTorch: pip install -e '.[train]'") from None

VALUES_T = types.Array(types.int16, 1, "C")

BATCH = 16384
CURVE = 400
"""A score s means a chance of 1 / (1 + exp(-s / CURVE))."""
SCALES = {"columns": net.ONE, "bias": net.ONE, "heads": net.FINE}
"""What stands for 1.0 in each of the parts of the network."""
MOST = 127 / net.FINE
"""No weight of the second layer is beyond this, see `network.FINE`."""


@kernel(types.void(TABLES_T, STATES_T, SEEN_T, CACHE_T, VALUES_T))
def judge_terms(t: Any, room: Any, rows: Any, cache: Any, values: Any) -> None:
    """Fill in what the evaluation by terms says of positions for the side to move. `room` is one
    record."""
    pos = room[0]
    for i in range(len(rows)):
        set_up(pos, t, rows[i])
        values[i] = evaluate(pos, t, cache)


def by_terms(rows: np.ndarray) -> np.ndarray:
    """What the evaluation by terms says, in hundredths of a pawn."""
    values = np.zeros(len(rows), np.int16)
    judge_terms(T, np.zeros(1, STATE), rows, np.zeros(1, CACHE)[0], values)
    return values


@numba.njit
def look(
    boards: np.ndarray, turns: np.ndarray, mine: np.ndarray, theirs: np.ndarray, ends: np.ndarray
) -> None:
    """Fill in the inputs of the side to move and of the other, those of all positions in a row, and
    where those of each position end."""
    n = 0
    for i in range(len(boards)):
        kings = np.zeros(2, np.int64)
        for sq in range(64):
            code = (boards[i, sq >> 1] >> (4 * (sq & 1))) & 15
            if code & 7 == 6:
                kings[code >> 3] = sq
        for sq in range(64):
            code = np.int64(boards[i, sq >> 1] >> (4 * (sq & 1))) & 15
            if code == 0:
                continue
            for side in range(2):
                colour = np.int64(turns[i]) ^ side
                kind = (code & 7) - 1 + (0 if code >> 3 == colour else 6)
                flip = 56 * colour ^ 7 * (kings[colour] >> 2 & 1)
                (theirs if side else mine)[n] = kind * 64 + (sq ^ flip)
            n += 1
        ends[i] = n


@numba.njit(fastmath=True)
def add_up(inputs: np.ndarray, ends: np.ndarray, columns: np.ndarray, sums: np.ndarray) -> None:
    """To each row of sums add the columns of the inputs of that position."""
    j = 0
    for i in range(len(ends)):
        while j < ends[i]:
            for k in range(columns.shape[1]):
                sums[i, k] += columns[inputs[j], k]
            j += 1


@numba.njit(fastmath=True)
def hand_down(inputs: np.ndarray, ends: np.ndarray, sums: np.ndarray, columns: np.ndarray) -> None:
    """To the columns of the inputs of each position add its row of sums."""
    j = 0
    for i in range(len(ends)):
        while j < ends[i]:
            for k in range(columns.shape[1]):
                columns[inputs[j], k] += sums[i, k]
            j += 1


class Sums(torch.autograd.Function):
    """The first layer: bias plus the columns of the inputs. `embedding_bag` does the same in five
    times the time."""

    @staticmethod
    def forward(
        ctx: Any, columns: Tensor, bias: Tensor, inputs: np.ndarray, ends: np.ndarray
    ) -> Tensor:
        ctx.inputs, ctx.ends, ctx.shape = inputs, ends, columns.shape
        sums = bias.detach().repeat(len(ends), 1)
        add_up(inputs, ends, columns.detach().numpy(), sums.numpy())
        return sums

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        columns = torch.zeros(ctx.shape)
        hand_down(ctx.inputs, ctx.ends, grads[0].contiguous().numpy(), columns.numpy())
        return columns, grads[0].sum(0), None, None


class Network(nn.Module):
    """`engine.games.chess.network` in floating point.

    What a search sees is too hopeful for the side to move. `tempo` takes that up, and is left out
    of what the engine gets.
    """

    def __init__(self) -> None:
        super().__init__()
        self.columns = nn.Parameter(torch.randn(net.INPUTS, net.HIDDEN) * 0.08)
        self.bias = nn.Parameter(torch.full((net.HIDDEN,), 0.25))
        self.heads = nn.Parameter(torch.randn(1, net.HIDDEN).repeat(net.STAGES, 1) * 0.05)
        self.tempo = nn.Parameter(torch.zeros(net.STAGES))

    def start_from(self, numbers: Mapping[str, np.ndarray]) -> None:
        """Begin with the whole numbers of a network."""
        for name, scale in SCALES.items():
            part = getattr(self, name)
            values = torch.from_numpy(numbers[name].astype(np.float32) / scale)
            part.data.copy_(values.view_as(part))

    def forward(self, rows: np.ndarray) -> Tensor:
        """What is to be added to the terms, for the side to move."""
        mine, theirs = (np.empty(32 * len(rows), np.int32) for _ in range(2))
        ends = np.empty(len(rows), np.int64)
        look(rows["board"], rows["turn"], mine, theirs, ends)
        ours, others = (
            Sums.apply(self.columns, self.bias, side, ends).clamp(0, 1) ** 2
            for side in (mine, theirs)
        )
        stage = torch.from_numpy(np.diff(ends, prepend=0) - 1 >> 2)
        return ((ours - others) * self.heads[stage]).sum(1) + self.tempo[stage]

    def numbers(self) -> dict[str, np.ndarray]:
        """The whole numbers that the engine computes with."""
        found = {}
        for name, scale in SCALES.items():
            values = np.round(getattr(self, name).detach().numpy() * scale)
            assert np.abs(values).max() < 1 << 10, name
            found[name] = values.astype(net.NET[name].base)
        return found


class Lesson:
    """Positions, what the terms say of them and what searches found."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows
        self.terms = torch.from_numpy(by_terms(rows).astype(np.float32))
        self.wanted = torch.sigmoid(torch.from_numpy(rows["score"].astype(np.float32)) / CURVE)

    def error(self, model: Network, some: np.ndarray) -> Tensor:
        """How far the model is off, on average over some of the positions."""
        value = model(self.rows[some]) * net.PAWN + self.terms[some]
        return (torch.sigmoid(value / CURVE) - self.wanted[some]).abs().mean()


def learn(
    network: Network,
    groups: list[dict[str, Any]],
    lesson: Callable[[np.ndarray], Tensor],
    exam: Callable[[np.ndarray], Tensor],
    counts: tuple[int, int],
    epochs: int,
    batch: int,
) -> None:
    """Move the numbers of all groups, each with its rate, to where the error is less. `lesson` and
    `exam` tell the error on some positions, of as many as `counts` says."""
    n, kept = counts
    print(f"{n} positions, {kept} kept apart")
    parts = np.array_split(np.arange(kept), max(kept // BATCH, 1))
    optimizer = torch.optim.Adam(groups)
    steps = max(epochs * (n // batch), 2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [group["lr"] for group in groups], steps, pct_start=0.1
    )
    rng = np.random.default_rng(1)
    for epoch in range(epochs):
        order = rng.permutation(n)
        for low in range(0, n - batch + 1, batch):
            error = lesson(order[low : low + batch])
            optimizer.zero_grad()
            torch.autograd.backward(error)
            optimizer.step()
            schedule.step()
            with torch.no_grad():
                network.heads.clamp_(-MOST, MOST)
        with torch.no_grad():
            errors = [exam(part).item() for part in parts]
        print(f"epoch {epoch + 1}: error on those kept apart {np.mean(errors):.5f}", flush=True)


def fit(
    model: Network, lesson: Lesson, exam: Lesson, epochs: int, rate: float, batch: int = BATCH
) -> None:
    groups = [{"params": list(model.parameters()), "lr": rate}]
    told, asked = partial(lesson.error, model), partial(exam.error, model)
    learn(model, groups, told, asked, (len(lesson.rows), len(exam.rows)), epochs, batch)


def read(paths: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """The quiet positions of some files, to learn from and to be examined on. Raises ValueError."""
    lesson, exam = [np.zeros(0, SEEN)], [np.zeros(0, SEEN)]
    for rows in read_rows(paths):
        cut = len(rows) - len(rows) // 30
        lesson.append(rows[:cut])
        exam.append(rows[cut:])
    return np.concatenate(lesson), np.concatenate(exam)


def read_network(path: Path) -> dict[str, np.ndarray]:
    """The whole numbers of a network. Raises ValueError."""
    found = {}
    try:
        with np.load(path) as numbers:
            for name in SCALES:
                found[name] = numbers[name]
                if found[name].size != net.NETWORK[name].size:
                    raise ValueError
    except FileNotFoundError:
        raise ValueError(f"{path}: No such file") from None
    except (OSError, EOFError, BadZipFile, TypeError, KeyError, AttributeError, ValueError):
        raise ValueError(f"{path}: not a network of chess_train.py") from None
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=out_file)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, help="a network to begin with, instead of chance")
    parser.add_argument("--epochs", type=positive, default=6)
    parser.add_argument("--rate", type=weight, default=3e-3)
    parser.add_argument("--threads", type=positive, default=1)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(options.threads)
    model = Network()
    try:
        if options.start:
            model.start_from(read_network(options.start))
        lesson, exam = read(options.games)
    except ValueError as problem:
        parser.error(str(problem))
    fit(model, Lesson(lesson), Lesson(exam), options.epochs, options.rate)
    np.savez_compressed(options.out, allow_pickle=False, **model.numbers())


if __name__ == "__main__":
    main()
