"""Recorded games of Blokus as numbers to learn from. Everything that is learned from is computed by
the functions that the search itself uses."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from engine.bits import u
from engine.games.blokus import prior
from engine.games.blokus.fen import start
from engine.games.blokus.movegen import write_moves
from engine.games.blokus.net import KINDS, PLANES, VIEW, VIEW_T, draw_planes, places
from engine.games.blokus.numba_types import MOVES_T, TABLES_T
from engine.games.blokus.pieces import PIECES
from engine.games.blokus.search import BOARDS_T
from engine.games.blokus.sketch import SKETCH, lay, sketch_of, sweep
from engine.games.blokus.state import COLOURS, MARGIN, MAX_MOVES, ROWS, STRIDE
from engine.games.blokus.tables import T
from engine.games.blokus.variants import VARIANTS
from engine.games.blokus.verify import build
from engine.jit import kernel

I64 = types.int64


@kernel(types.void(BOARDS_T, TABLES_T, MOVES_T, MOVES_T, types.int32[:, ::1], types.int64[:, ::1]))
def replay(boards: Any, t: Any, colours: Any, moves: Any, rows: Any, hands: Any) -> None:
    """Play a game and write the planes and the hands after each move."""
    board = boards[0]
    for k in range(len(moves)):
        lay(board, t, int(colours[k]), int(moves[k]))
        draw_planes(board, rows[k])
        for c in range(COLOURS):
            hands[k, c] = board.hand[u(c)]


@kernel(I64(BOARDS_T, TABLES_T, prior.PRIOR_T, VIEW_T, I64, I64, MOVES_T, MOVES_T))
def logits(
    boards: Any, t: Any, p: Any, view: Any, players: int, colour: int, moves: Any, values: Any
) -> int:
    """Write the legal moves of a colour and their logits. Returns their number."""
    board = boards[0]
    sweep(board, colour)
    n = write_moves(board, t, colour, moves)
    prior.classify(board, players, colour, view.rows, view.maps)
    prior.weigh(board, p, colour, view.maps)
    for k in range(n):
        values[k] = prior.logit(board, t, p, colour, int(moves[k]), view.maps)
    return n


class Lessons:
    """All positions of some files of games on boards of one size."""

    def __init__(self, files: Sequence[Path], size: int) -> None:
        self.size = size
        self.colours = 2 if size == 14 else COLOURS
        games: list[np.ndarray] = []
        plies: list[np.ndarray] = []
        for path in files:
            with np.load(path) as parts:
                part = parts["plies"]
                part["game"] += sum(len(earlier) for earlier in games)
                games.append(parts["games"])
                plies.append(part)
        self.newest = sum(len(earlier) for earlier in plies[:-1])
        """The first position of the last file."""
        self.games = np.concatenate(games)
        self.plies = np.concatenate(plies)
        variants = [VARIANTS[int(v)] for v in self.games["variant"]]
        if {variant.size for variant in variants} != {size}:
            raise SystemExit(f"games on boards of {size} x {size} expected")
        of_game = self.plies["game"]
        self.players = np.array([variant.players for variant in variants])[of_game]
        self.points = self.games["points"][of_game][:, : self.colours].astype(np.float32)
        self.turn = (self.plies["colour"].astype(np.int64) + 1) % self.colours
        self._starts = {v.id: sketch_of(build(start(v), T)) for v in VARIANTS if v.size == size}
        self._variants = variants
        self._bounds = np.searchsorted(of_game, np.arange(len(self.games) + 1))
        self.rows = np.zeros((len(self.plies), PLANES), np.int32)
        self.hands = np.zeros((len(self.plies), COLOURS), np.int64)
        for game in range(len(self.games)):
            low, high = self._bounds[game], self._bounds[game + 1]
            self._play(game, high - low, self.rows[low:high], self.hands[low:high])

    def _play(self, game: int, plies: int, rows: np.ndarray, hands: np.ndarray) -> np.ndarray:
        board = np.zeros(1, SKETCH)
        board[0] = self._starts[self._variants[game].id]
        low = self._bounds[game]
        played = self.plies[low : low + plies]
        colours, moves = played["colour"].astype(np.int32), played["move"].astype(np.int32)
        replay(board, T, colours, moves, rows, hands)
        return board

    def inputs(self) -> np.ndarray:
        """What each colour sees after each move, in the order of `net.used`: an array of 0 and 1
        of shape (positions, colours, features)."""
        size, colours = self.size, self.colours
        area = size * size
        squares = [(y + MARGIN) * STRIDE + x + MARGIN for y in range(size) for x in range(size)]
        planes = KINDS * colours * area
        width = planes + colours * PIECES + 2 * COLOURS + 1
        seen = np.zeros((len(self.plies), colours, width), np.uint8)
        place = places(size)
        for low in range(0, len(seen), 20_000):
            rows = self.rows[low : low + 20_000]
            n = len(rows)
            some = seen[low : low + n]
            bits = np.unpackbits(rows.view(np.uint8).reshape(n, -1), axis=1, bitorder="little")
            bits = bits.reshape(n, KINDS, COLOURS, ROWS * STRIDE)
            hands = (self.hands[low : low + n, :, None] >> np.arange(PIECES)) & 1
            for c in range(colours):
                source = np.zeros(area, np.int64)
                source[place[c, squares]] = squares
                order = [(c + k) % colours for k in range(colours)]
                some[:, c, :planes] = bits[:, :, order][..., source].reshape(n, -1)
                some[:, c, planes : planes + colours * PIECES] = hands[:, order].reshape(n, -1)
                at = planes + colours * PIECES
                turn = (self.turn[low : low + n] - c) % colours
                some[np.arange(n), c, at + turn] = 1
                some[np.arange(n), c, at + COLOURS + self.players[low : low + n]] = 1
        return seen

    def choices(self, count: int, seed: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Positions of the last file, drawn at random: the stage, for each legal move how often
        each weight of `prior` counts, and the share of visits."""
        rng = np.random.default_rng(seed)
        records = []
        for k in range(prior.WEIGHTS):
            one = np.zeros((prior.STAGES, prior.WEIGHTS), np.int32)
            one[:, k] = 1
            records.append(prior.build(self.size, one))
        view = np.zeros(1, VIEW)[0]
        moves, values = np.zeros(MAX_MOVES, np.int32), np.zeros(MAX_MOVES, np.int32)
        rows, hands = np.zeros((100, PLANES), np.int32), np.zeros((100, COLOURS), np.int64)
        while count:
            index = int(rng.integers(self.newest, len(self.plies)))
            ply = self.plies[index]
            if np.count_nonzero(ply["visits"]) < 3:
                continue
            game, colour = int(ply["game"]), int(ply["colour"])
            board = self._play(game, index - self._bounds[game], rows, hands)
            columns = []
            for record in records:
                n = logits(board, T, record, view, self.players[index], colour, moves, values)
                columns.append(values[:n].astype(np.uint8))
            wanted = np.zeros(n, np.float32)
            for move, visits in zip(ply["tried"], ply["visits"], strict=True):
                wanted[moves[:n] == move] = visits
            played = PIECES - int(board[0]["hand"][colour]).bit_count()
            stage = int(np.searchsorted(prior.STARTS, played, "right")) - 1
            yield stage, np.stack(columns, 1), wanted / wanted.sum()
            count -= 1
