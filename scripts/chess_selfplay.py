"""Play games of the chess search against itself, for others to learn from, such as `fit_wdl.py`.

    python scripts/chess_selfplay.py games/ --nodes 200 --games 100000 --seed 1

A game begins with random moves, so that no two are alike, and goes on with the best move of a
search of about `--nodes` nodes. Kept is every position that the evaluation alone should be able to
judge: the side to move is not in check, the best move is no capture and no promotion. One file is
written for 2000 games, the last one when the program is stopped.
"""

import argparse
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine.alphabeta import INFINITE, MATED_SOON, MAX_PLY
from engine.control import Control
from engine.games.chess.position import Position
from engine.games.chess.root import search_root
from engine.games.chess.rules import insufficient
from engine.games.chess.state import CASTLE, EN_PASSANT, PROMOTE_KNIGHT
from engine.games.chess.tables import T
from engine.games.chess.work import GAME_KEYS, new_work
from engine.table import Table

WINDOW = 20
DECIDED = 1500
"""A game is given up once the search has seen this for `PATIENCE` plies."""
PATIENCE = 6
LEVEL = 10
"""A late game is called a draw once the search has seen no more than this for twice as long."""
LATE = 80
LONGEST = 320
PER_FILE = 2000

SEEN = np.dtype(
    [
        # The mailbox, two squares a byte, the lower square in the lower four bits.
        ("board", np.uint8, (32,)),
        ("turn", np.uint8),
        ("result", np.int8),  # 1 won, 0 drawn, -1 lost for the side to move
        ("score", np.int16),  # of the search, for the side to move
    ]
)


class Player:
    """The search of one thread without clock and reports."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.table = Table(4)
        self.work = new_work()
        self.control = Control()

    def best(self, position: Position, legal: list[int]) -> tuple[int, int]:
        """The best move and its score."""
        work, keys = self.work, position.keys[-GAME_KEYS:]
        self.table.age()
        work["table"], work["buckets"] = self.table.address, self.table.buckets
        work["generation"] = self.table.generation
        work["control"] = self.control.address
        for name in ("nodes", "seldepth", "stopped", "null_from"):
            work[name] = 0
        for name in ("killers", "path", "excluded", "evals", "pv_length"):
            work[name][:] = 0
        work["path"][1] = 1
        work["root_count"] = len(legal)
        work["root_moves"][: len(legal)] = legal
        work["keys"][: len(keys)] = keys
        work["root_key"] = len(keys)
        state = position.copy()
        score = 0
        for depth in range(1, MAX_PLY // 2):
            alpha, beta = -INFINITE, INFINITE
            if depth >= 5 and abs(score) < MATED_SOON:
                alpha, beta = score - WINDOW, score + WINDOW
            found = int(search_root(work, T, state, alpha, beta, depth, 0))
            if not alpha < found < beta:
                found = int(search_root(work, T, state, -INFINITE, INFINITE, depth, 0))
            score = found
            if work["nodes"] >= self.nodes:
                break
        return int(work["root_moves"][0]), score


def opening(rng: np.random.Generator) -> Position:
    """A position after some random moves."""
    while True:
        position = Position()
        for _ in range(int(rng.integers(6, 12))):
            legal = position.legal()
            if not legal:
                break
            position.play(int(rng.choice(legal)))
        if position.legal():
            return position


def is_quiet(position: Position, move: int) -> bool:
    """Neither takes nor promotes."""
    kind = move >> 12
    if kind in (CASTLE, EN_PASSANT) or kind >= PROMOTE_KNIGHT:
        return kind == CASTLE
    return not position.state["board"][move >> 6 & 63]


def is_drawn(position: Position) -> bool:
    """By repetition, fifty moves or too few pieces."""
    state = position.state
    if state["halfmove"] >= 100 or position.keys.count(int(state["key"])) >= 2:
        return True
    return bool(insufficient(state))


def play(player: Player, rng: np.random.Generator) -> np.ndarray:
    """The positions kept of one game; none if the opening was too one-sided."""
    position = opening(rng)
    rows = []
    won = level = ply = 0
    white = 0  # the result for white
    while True:
        legal = position.legal()
        if not legal:
            white = 0 if not position.checkers() else 1 if position.turn else -1
            break
        if is_drawn(position) or ply == LONGEST:
            break
        move, score = player.best(position, legal)
        if ply == 0 and abs(score) > 300:
            return np.zeros(0, SEEN)
        if abs(score) < MATED_SOON and not position.checkers() and is_quiet(position, move):
            row = np.zeros((), SEEN)
            board = position.state["board"]
            row["board"] = board[::2] | board[1::2] << 4
            row["turn"], row["score"] = position.turn, score
            rows.append(row)
        for_white = -score if position.turn else score
        won = won + 1 if abs(score) >= DECIDED else 0
        level = level + 1 if ply >= LATE and abs(score) <= LEVEL else 0
        if won == PATIENCE:
            white = 1 if for_white > 0 else -1
            break
        if level == 2 * PATIENCE:
            break
        position.play(move)
        ply += 1
    game = np.array(rows, SEEN)
    game["result"] = np.where(game["turn"] == 0, white, -white)
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(options.seed)
    player = Player(options.nodes)
    games: list[np.ndarray] = []
    files = 0

    def write() -> None:
        path = options.folder / f"{options.seed}-{files:04}.npy"
        np.save(path, np.concatenate([np.zeros(0, SEEN), *games]))

    try:
        for _ in tqdm(range(options.games), unit="game", mininterval=5):
            games.append(play(player, rng))
            if len(games) == PER_FILE:
                write()
                files += 1
                games.clear()
    except KeyboardInterrupt:
        pass
    write()


if __name__ == "__main__":
    main()
