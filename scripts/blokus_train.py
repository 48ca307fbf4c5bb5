"""Fit what the Blokus search knows to games of the search against itself.

    python scripts/blokus_train.py 14 engine/games/blokus/weights14.npz games1.npz games2.npz ...

The first number is the size of the board. Needs PyTorch (the extra `train`). Every twentieth game
is kept apart, and what is told of the fit is about these.

The network learns who wins, for two thirds of it from the search's own value one move later, which
is less a matter of luck than the result, and the points of each colour. Half of the positions are
seen in a mirror. While it learns, the weights of a square are a sum of parts shared with its block,
its ring and its whole plane, so that few games tell something about every square. The prior learns
the share of visits of each move, from the last file alone: it should be of the latest search, since
a prior can learn no more than the search that it once guided has found.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from blokus_lessons import Lessons
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy
from torch.nn.functional import linear

from engine.games.blokus import net, prior
from engine.games.blokus.pieces import PIECES
from engine.games.blokus.scores import ALL_SQUARES
from engine.games.blokus.state import COLOURS

BATCH = 1024
UTILITY = 8.0
"""Utilities are learned in this unit, since they are larger than points."""


def groups(size: int, colours: int, features: int) -> Tensor:
    """Which shared parts belong to each feature, (features, parts)."""
    cells = np.arange(size * size)
    x, y = cells % size, cells // size
    side = 4 if size == 20 else 2
    block = y // side * (size // side) + x // side
    ring = np.minimum(np.minimum(x, y), np.minimum(size - 1 - x, size - 1 - y))
    one = np.concatenate(
        [np.ones((len(cells), 1)), np.eye(block.max() + 1)[block], np.eye(ring.max() + 1)[ring]], 1
    )
    planes = net.KINDS * colours
    member = np.zeros((features, planes * one.shape[1]), np.float32)
    member[: planes * len(cells)] = np.kron(np.eye(planes), one)
    return torch.from_numpy(member)


def mirror(size: int, colours: int, features: int) -> tuple[list[int], np.ndarray]:
    """The colour at the place of each colour, and the feature at that of each, when the board is
    turned over so that the first colour keeps its start."""
    swap = [0, 1] if colours == 2 else [0, 3, 2, 1]
    cells = np.arange(size * size)
    turned = (size - 1 - cells % size) * size + size - 1 - cells // size
    order = np.arange(features)
    for plane in range(net.KINDS * colours):
        kind, seen = divmod(plane, colours)
        low = plane * len(cells)
        order[low : low + len(cells)] = (kind * colours + swap[seen]) * len(cells) + turned
    hands = net.KINDS * colours * len(cells)
    for k in range(colours):
        order[hands + k * PIECES :][:PIECES] = hands + swap[k] * PIECES + np.arange(PIECES)
    turn = hands + colours * PIECES
    order[turn : turn + colours] = turn + np.array(swap)
    return swap, order


class Network(nn.Module):
    """`engine.games.blokus.net` in floating point."""

    def __init__(self, size: int, colours: int, features: int) -> None:
        super().__init__()
        self.first = nn.Linear(features, net.HIDDEN)
        nn.init.constant_(self.first.bias, 0.2)
        self.member = groups(size, colours, features)
        self.shared = nn.Parameter(torch.zeros(self.member.shape[1], net.HIDDEN))
        self.heads = nn.Parameter(torch.randn(colours, net.OUTPUTS, net.HIDDEN) * 0.05)
        self.offset = nn.Parameter(torch.tensor([0.0, 0.6]))

    def columns(self) -> Tensor:
        return self.first.weight.T + self.member @ self.shared

    def forward(self, seen: Tensor) -> Tensor:
        """(positions, colours, features) to (positions, colours, outputs)."""
        sums = linear(seen, self.columns().T, self.first.bias).clamp(0, 1)
        out = self.offset
        for k, head in enumerate(self.heads):
            out = out + torch.roll(sums, -k, 1) @ head.T
        return out

    def numbers(self) -> dict[str, np.ndarray]:
        """The whole numbers that the engine computes with."""
        scale = np.array([UTILITY, 1.0])
        heads = np.zeros((COLOURS, net.OUTPUTS, net.HIDDEN))
        heads[: len(self.heads)] = self.heads.detach().numpy() * scale[:, None]
        offset = self.offset.detach().numpy() * scale
        parts = {
            "columns": self.columns().detach().numpy() * net.ONE,
            "bias": self.first.bias.detach().numpy() * net.ONE,
            "heads": heads * net.FINE,
            "offset": offset * net.ONE * net.FINE,
        }
        for name, values in parts.items():
            assert name == "offset" or np.abs(values).max() < 1 << 15, name
        return {name: np.round(values).astype(net.NET[name].base) for name, values in parts.items()}


def loss_of(out: Tensor, lessons: Lessons, index: np.ndarray) -> tuple[Tensor, Tensor]:
    """What is to be made small, and the mean squared error of the points."""
    points = torch.from_numpy(lessons.points[index])
    players = torch.from_numpy(lessons.players[index])
    utility = out[..., 0] * UTILITY
    total, count = torch.zeros(()), 0
    two = players == 2
    if two.any():
        sign = torch.tensor([1.0, -1.0] * (lessons.colours // 2))
        won = (torch.sign((points * sign).sum(1)) + 1) / 2
        after = np.minimum(index + 1, len(lessons.plies) - 1)
        follows = lessons.plies["game"][after] == lessons.plies["game"][index]
        follows &= after > index
        value = torch.from_numpy(lessons.plies["value"][after])
        second = torch.from_numpy(lessons.plies["colour"][after].astype(np.int64) & 1)
        value = torch.where(second == 1, 1 - value, value)
        wanted = torch.where(torch.from_numpy(follows), 0.3 * won + 0.7 * value, won)
        logit = (utility * sign).sum(1)
        total = total + cross_entropy(logit[two], wanted[two], reduction="sum")
        count += int(two.sum())
    for many in (3, 4):
        some = players == many
        if not some.any():
            continue
        for a in range(many):
            for b in range(a):
                won = (torch.sign(points[some, a] - points[some, b]) + 1) / 2
                logit = utility[some, a] - utility[some, b]
                total = total + cross_entropy(logit, won, reduction="sum") / (many - 1)
        count += int(some.sum()) * many // 2
    error = ((out[..., 1] - points / ALL_SQUARES) ** 2).mean()
    return total / count + 4 * error, error


def fit_network(lessons: Lessons, epochs: int, rate: float) -> dict[str, np.ndarray]:
    seen = lessons.inputs()
    features = seen.shape[2]
    swap, order = mirror(lessons.size, lessons.colours, features)
    model = Network(lessons.size, lessons.colours, features)
    apart = lessons.plies["game"] % 20 == 0
    train, test = np.flatnonzero(~apart), np.flatnonzero(apart)
    steps = epochs * (len(train) // BATCH)
    optimizer = torch.optim.Adam(model.parameters(), rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, max(steps, 2), pct_start=0.1)
    rng = np.random.default_rng(1)
    step = 0
    for epoch in range(epochs):
        shuffled = rng.permutation(train)
        for low in range(0, len(shuffled) - BATCH + 1, BATCH):
            index = np.sort(shuffled[low : low + BATCH])
            batch = torch.from_numpy(seen[index])
            if step % 2:
                out = model(batch[:, :, order][:, swap].float())[:, swap]
            else:
                out = model(batch.float())
            loss, _ = loss_of(out, lessons, index)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            schedule.step()
            step += 1
        with torch.no_grad():
            rows = []
            for low in range(0, len(test), BATCH):
                index = test[low : low + BATCH]
                loss, error = loss_of(model(torch.from_numpy(seen[index]).float()), lessons, index)
                rows.append((float(loss), float(error), len(index)))
            told = np.average(np.array(rows)[:, :2], axis=0, weights=np.array(rows)[:, 2])
        points = ALL_SQUARES * told[1] ** 0.5
        print(f"network, epoch {epoch + 1}: loss {told[0]:.4f}, points within {points:.2f}")
    return model.numbers()


def fit_prior(lessons: Lessons, positions: int, epochs: int = 6) -> np.ndarray:
    lesson = list(lessons.choices(positions, seed=3))
    weights = torch.zeros(prior.STAGES, prior.WEIGHTS, requires_grad=True)
    optimizer = torch.optim.Adam([weights], 0.05)
    rng = np.random.default_rng(1)
    apart = len(lesson) // 10

    def surprise(some: list[tuple[int, np.ndarray, np.ndarray]]) -> Tensor:
        total = torch.zeros(())
        for stage, counts, wanted in some:
            logits = torch.from_numpy(counts).float() @ weights[stage]
            total = total - (torch.from_numpy(wanted) * torch.log_softmax(logits, 0)).sum()
        return total / len(some)

    for epoch in range(epochs):
        for group in optimizer.param_groups:
            group["lr"] = 0.05 * (1 - epoch / epochs)
        order = rng.permutation(np.arange(apart, len(lesson)))
        for low in range(0, len(order), 64):
            some = [lesson[k] for k in order[low : low + 64]]
            loss = surprise(some) + 1e-4 * (weights**2).sum()
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
        with torch.no_grad():
            print(f"prior, epoch {epoch + 1}: cross entropy {float(surprise(lesson[:apart])):.3f}")
    return np.round(weights.detach().numpy() * prior.UNIT).astype(np.int32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("size", type=int, choices=(14, 20))
    parser.add_argument("out", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--positions", type=int, default=8000, help="for the prior")
    options = parser.parse_args()
    torch.manual_seed(1)
    lessons = Lessons(options.games, options.size)
    print(f"{len(lessons.games)} games, {len(lessons.plies)} positions")
    parts = fit_network(lessons, options.epochs, options.rate)
    weights = fit_prior(lessons, options.positions)
    np.savez_compressed(options.out, allow_pickle=False, prior=weights, **parts)


if __name__ == "__main__":
    main()
