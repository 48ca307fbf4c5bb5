"""Blokus as `gtp_match.py` plays it: whose turn it is, openings, and what a score is worth."""

import random
from collections.abc import Sequence

from gtp_game import Game, Player

from engine.board_engine import BoardEngine

PLAYERS = {"Blokus": 4, "Blokus Two-Player": 2, "Blokus Three-Player": 3, "Blokus Duo": 2}
"""Name of the game -> number of players."""


class BlokusGame(Game):
    """One game of Blokus in play."""

    def __init__(
        self, name: str, players: Sequence[Player], limits: Sequence[str], referee: BoardEngine
    ) -> None:
        super().__init__(name, players, limits, referee)
        self.greens = 0
        """Pieces of the fourth colour: it goes round three players."""

    def mover(self) -> int:
        going_round = self.name == "Blokus Three-Player" and self.referee.to_move() == 3
        return self.greens % 3 if going_round else super().mover()

    def keep(self, move: str) -> None:
        colour = self.referee.to_move()
        super().keep(move)
        self.greens += colour == 3

    def outcome(self) -> tuple[list[float], str]:
        return values_of(self.name, self.referee.final_score()), ""


def values_of(name: str, score: str) -> list[float]:
    """What each player has won, from the reply to `final_score`."""
    if PLAYERS[name] == 2:
        first = 0.5 if score.strip() == "0" else float(score.startswith("B"))
        return [first, 1 - first]
    points = [int(word) for word in score.split()][: PLAYERS[name]]
    ranks = sorted(points)
    values = []
    for own in points:
        shared = [rank for rank, other in enumerate(ranks) if other == own]
        values.append(sum(shared) / len(shared) / (len(points) - 1))
    return values


def opening_of(referee: BoardEngine, name: str, plies: int, seed: int) -> list[str]:
    """The first moves of a game, at random among the moves of the largest pieces."""
    rng = random.Random(seed)
    referee.set_game(name)
    moves: list[str] = []
    for _ in range(plies):
        legal = referee.legal_moves()
        most = max(move.count(",") for move in legal)
        moves.append(rng.choice([move for move in legal if move.count(",") == most]))
        referee.play(referee.to_move(), moves[-1])
    return moves
