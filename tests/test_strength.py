"""Playing weaker: levels, the choice among moves, and what a host sees of it."""

from collections import Counter
from itertools import pairwise

import chess
import pytest
from thinking import POSITIONS, fresh, think

from engine.games.chess import CHESS
from engine.games.chess.strength import LEVELS, Level, level_of
from engine.types import Limits

LOWEST, HIGHEST = LEVELS[0].elo, LEVELS[-1].elo


def test_the_option_spans_the_table() -> None:
    (option,) = [option for option in CHESS.options if option.name == "UCI_Elo"]
    assert (option.low, option.high, option.default) == (LOWEST, HIGHEST, str(HIGHEST))


def test_a_higher_elo_is_never_played_weaker() -> None:
    levels = [level_of(elo) for elo in range(LOWEST, HIGHEST + 1)]
    for before, after in pairwise(levels):
        assert after.nodes >= before.nodes and after.noise <= before.noise
    for level in LEVELS:
        assert level_of(level.elo) == level


def test_noise_chooses_worse_moves_less_often() -> None:
    level = Level(1500, 1000, 50)
    counts = Counter(level.choose([30, 10, -40, -200], seed) for seed in range(500))
    assert counts[0] > counts[1] > counts[2] > counts[3]
    assert counts[1] > 100
    exact = Level(1500, 1000, 0)
    assert {exact.choose([30, 10, -40, -200], seed) for seed in range(20)} == {0}


@pytest.mark.parametrize("multipv", [1, 2, 6])
def test_what_is_shown_and_played(multipv: int) -> None:
    """`think` checks that the last first line begins with the move that is played."""
    engine = fresh(UCI_LimitStrength="true", UCI_Elo=str(LOWEST), MultiPV=str(multipv), Threads="2")
    for fen in POSITIONS[:8]:
        thought = think(engine, chess.Board(fen), Limits(movetime=5000))
        assert {info.multipv for info in thought.infos} <= set(range(1, multipv + 1))
        assert thought.nodes < 5000


def moves(elo: int, games: int) -> list[list[str | None]]:
    engine = fresh(UCI_LimitStrength="true", UCI_Elo=str(elo))
    played = []
    for _ in range(games):
        engine.new_game()
        boards = [chess.Board(fen) for fen in POSITIONS[:6]]
        played.append([think(engine, board, Limits(movetime=5000)).best.move for board in boards])
    return played


def test_the_same_commands_give_the_same_moves_and_games_differ() -> None:
    first, second = moves(LOWEST, 4), moves(LOWEST, 4)
    assert first == second
    assert any(game != first[0] for game in first)


def test_smaller_limits_hold() -> None:
    engine = fresh(UCI_LimitStrength="true", UCI_Elo=str(HIGHEST))
    assert think(engine, chess.Board(), Limits(nodes=1000)).nodes < 1100
    assert think(engine, chess.Board(), Limits(depth=2)).infos[-1].depth == 2


def test_it_is_off_unless_asked_for() -> None:
    weak = fresh(UCI_Elo=str(LOWEST))
    assert think(weak, chess.Board(), Limits(nodes=9000)).nodes > 5000
