"""CoTuLenh as `gtp_match.py` plays it: openings, and what a result is worth."""

import random

from gtp_game import Game

from engine.board_engine import BoardEngine

CAPTURES = "x_@"


class CotulenhGame(Game):
    """One game of CoTuLenh in play. A move is a whole turn."""

    def outcome(self) -> tuple[list[float], str]:
        score = self.referee.final_score()
        if score.startswith("draw"):
            return [0.5, 0.5], score
        red = float(score.startswith("red"))
        return [red, 1 - red], score.partition("(")[2].rstrip(")")


def opening_of(referee: BoardEngine, name: str, plies: int, seed: int) -> list[str]:
    """The first turns of a game, at random among the moves of whole units that capture nothing."""
    rng = random.Random(seed)
    referee.set_game(name)
    turns: list[str] = []
    for _ in range(plies):
        legal = [text for text in referee.legal_moves() if not set(text) & set(CAPTURES + ">")]
        if not legal:
            break
        turns.append(rng.choice(legal))
        referee.play(referee.to_move(), turns[-1])
    return turns
