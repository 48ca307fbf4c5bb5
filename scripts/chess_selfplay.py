"""Play games of the chess search against itself, for `chess_train.py` and `fit_wdl.py`.

    python scripts/chess_selfplay.py games/ --games 100000 --seed 1

A game begins with random moves, or with a few pieces put down at random, and goes on with the best
move of a search of about `--nodes` nodes, to its end. Kept is every position that the evaluation
alone should be able to judge: the side to move is not in check, the best move is no capture and no
promotion.

A search asks for judgements of positions that no game shows, in which one side has just thrown
away a piece. So after each search of a game some of the positions that it went to are kept as well,
those at the ends of random walks through what the table remembers of it. Each gets the score of a
search of its own, of `--leaf-nodes` nodes. Their result is not known.

With `--terms` the network has no say, for a start from nothing. One file is written for 2000
games, the last one when the program is stopped.
"""

import argparse
from pathlib import Path
from typing import Any

import chess
import numpy as np
from chess_game import KEYS_T, LONGEST, is_drawn, think
from chess_rows import LOUD, SEEN, SEEN_T, UNKNOWN, file_names
from match_frame import positive
from numba import types
from tqdm import tqdm

from engine.alphabeta import MATED_SOON, MAX_PLY
from engine.bits import shr, u
from engine.control import Control
from engine.games.chess.attacks import Tables
from engine.games.chess.generation import generate_at
from engine.games.chess.make import play, take_back
from engine.games.chess.network import NETWORK
from engine.games.chess.node import in_check
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.ordering import Work, is_quiet
from engine.games.chess.position import Position
from engine.games.chess.tables import T
from engine.games.chess.work import GAME_KEYS, WORK_T, new_work
from engine.jit import helper, inline, kernel
from engine.table import Table, probe

DECIDED = 3000
"""A game is given up once the search has seen this for `CERTAIN` plies."""
CERTAIN = 8
LEAVES = 2
"""Positions that are kept for each position of a game, besides this one."""
FARTHEST = 24
"""Plies of a walk."""
SPARE = MAX_PLY - 1 << 8
"""Where the moves of a walk are written, out of the way of a search."""
PER_FILE = 2000
SPARSE = 0.12
"""Share of games that begin with few pieces."""

I64 = types.int64


@inline
def chance(rng: Any, below: int) -> int:
    """A random number from 0 on. Of `rng` the first number changes."""
    rng[0] = rng[0] * 6364136223846793005 + 1442695040888963407
    number: int = shr(rng[0], 33) % below
    return number


@inline
def note(w: Work, pos: State, row: Any, score: int) -> None:
    """Write a position down, its result unknown."""
    for i in range(32):
        row.board[i] = pos.board[2 * i] | pos.board[2 * i + 1] << 4
    row.turn = pos.turn
    row.score = score
    row.result = UNKNOWN if is_quiet(pos, int(w.root_moves[0])) else LOUD


@inline
def step(w: Work, t: Tables, pos: State, undo: Any, rng: Any) -> bool:
    """Play one of the moves after which the table knows the position; false if there is none."""
    end = generate_at(w, t, pos, MAX_PLY - 1, -1)
    seen = 0
    chosen = 0
    for i in range(SPARE, end):
        move = int(w.moves[u(i)])
        play(pos, t, move, undo)
        if probe(w.table, w.buckets, pos.key):
            seen += 1
            if chance(rng, seen) == 0:
                chosen = move
        take_back(pos, undo)
    if chosen:
        play(pos, t, chosen, undo)
    return chosen != 0


@helper
def keep_leaf(w: Work, t: Tables, pos: State, nodes: int, rng: Any, row: Any) -> int:
    """Walk through what the last search went to, and note where it ends. Returns 1 if that is a
    position to keep."""
    plies = 0
    while plies < FARTHEST and step(w, t, pos, w.undo[MAX_PLY - FARTHEST + plies], rng):
        plies += 1
    kept = 0
    if plies and not in_check(t, pos) and generate_at(w, t, pos, 0, -1):
        w.root_key = 0
        score = think(w, t, pos, nodes, 0)
        if abs(score) < MATED_SOON:
            note(w, pos, row, score)
            kept = 1
    while plies:
        plies -= 1
        take_back(pos, w.undo[MAX_PLY - FARTHEST + plies])
    return kept


@kernel(I64(WORK_T, TABLES_T, STATE_T, KEYS_T, KEYS_T, SEEN_T, I64, I64, I64))
def play_game(
    w: Work, t: Tables, pos: State, keys: Any, rng: Any, rows: Any,
    opening: int, nodes: int, leaf_nodes: int,
) -> int:  # fmt: skip
    """Play a game that begins with `opening` random moves. Returns how many of `rows` it filled;
    none if the opening was too one-sided."""
    for _ in range(opening):
        n = generate_at(w, t, pos, 0, -1)
        if n == 0:
            return 0
        play(pos, t, int(w.moves[u(chance(rng, n))]), w.undo[0])
    n = 0
    white = 0
    won = 0
    for ply in range(LONGEST):
        if generate_at(w, t, pos, 0, -1) == 0:
            if in_check(t, pos):
                white = 2 * pos.turn - 1
            break
        if is_drawn(pos, keys, ply):
            break
        keys[ply] = pos.key
        first = max(ply - GAME_KEYS, 0)
        for i in range(first, ply):
            w.keys[u(i - first)] = keys[i]
        w.root_key = ply - first
        checked = in_check(t, pos)
        score = think(w, t, pos, nodes, 0)
        move = int(w.root_moves[0])
        if ply == 0 and opening and abs(score) > 300:
            return 0
        if not checked and abs(score) < MATED_SOON and is_quiet(pos, move):
            note(w, pos, rows[n], score)
            rows[n].result = 0
            n += 1
        for _ in range(LEAVES):
            n += keep_leaf(w, t, pos, leaf_nodes, rng, rows[n])
        won = won + 1 if abs(score) >= DECIDED else 0
        if won == CERTAIN:
            white = 1 if (score > 0) == (pos.turn == 0) else -1
            break
        play(pos, t, move, w.undo[0])
    for i in range(n):
        if rows[i].result == 0:
            rows[i].result = white if rows[i].turn == 0 else -white
    return n


class Games:
    """Plays games with the memory of one thread."""

    def __init__(self, seed: int, nodes: int, leaf_nodes: int) -> None:
        self.nodes, self.leaf_nodes = nodes, leaf_nodes
        self.rng = np.random.default_rng(seed)
        self.numbers = self.rng.integers(1 << 62, size=1)
        self.table = Table(2)
        self.work = new_work()
        self.work["table"], self.work["buckets"] = self.table.address, self.table.buckets
        self.control = Control()
        self.work["control"] = self.control.address
        self.keys = np.zeros(LONGEST, np.int64)
        self.rows = np.zeros((LEAVES + 1) * LONGEST, SEEN)

    def play(self) -> np.ndarray:
        """The positions kept of a game."""
        sparse = self.rng.random() < SPARSE
        position = sparse_position(self.rng) if sparse else Position()
        opening = 0 if sparse else int(self.rng.integers(6, 12))
        n = play_game(
            self.work, T, position.copy(), self.keys, self.numbers, self.rows,
            opening, self.nodes, self.leaf_nodes,
        )  # fmt: skip
        return self.rows[:n].copy()


def sparse_position(rng: np.random.Generator) -> Position:
    """A few pieces at random."""
    while True:
        board = chess.Board(None)
        squares = [int(sq) for sq in rng.permutation(64)]
        for colour in chess.COLORS:
            board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
        kinds = rng.choice(5, int(rng.integers(1, 12)), p=(0.56, 0.12, 0.12, 0.13, 0.07))
        for kind in kinds:
            sq = squares.pop()
            while kind == 0 and chess.square_rank(sq) in (0, 7):
                sq = squares.pop()
            board.set_piece_at(sq, chess.Piece(int(kind) + 1, bool(rng.integers(2))))
        board.turn = bool(rng.integers(2))
        if board.is_valid() and not board.is_game_over():
            return Position(board.fen())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=positive, default=10_000)
    parser.add_argument("--nodes", type=positive, default=400)
    parser.add_argument("--leaf-nodes", type=positive, default=400)
    parser.add_argument("--seed", type=positive, default=1)
    parser.add_argument("--terms", action="store_true")
    options = parser.parse_args()
    if options.terms:
        NETWORK["heads"] = 0
    try:
        files = file_names(options.folder, options.seed)
    except OSError as problem:
        parser.error(str(problem))
    player = Games(options.seed, options.nodes, options.leaf_nodes)
    games: list[np.ndarray] = []

    def write() -> None:
        np.save(next(files), np.concatenate([np.zeros(0, SEEN), *games]))
        games.clear()

    try:
        for _ in tqdm(range(options.games), unit="game", mininterval=5):
            games.append(player.play())
            if len(games) == PER_FILE:
                write()
    except KeyboardInterrupt:
        pass
    if games:
        write()


if __name__ == "__main__":
    main()
