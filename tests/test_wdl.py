"""Likelihoods of win, draw and loss: the curves, and what `UCI_ShowWDL` shows."""

import re

import chess
import fit_wdl
import numpy as np
import pytest
from protocol_host import Process
from thinking import POSITIONS, fresh, think

from engine.alphabeta import MATE
from engine.games.chess import wdl
from engine.games.chess.analysis import examiner
from engine.games.chess.position import Position
from engine.types import Limits


@pytest.mark.parametrize("phase", [0, 5, 12, 24])
def test_the_curves_are_sound(phase: int) -> None:
    """They add up, they mirror, a better score never makes a win less likely."""
    before = (0, 0, 1000)
    for score in range(-3000, 3001, 25):
        win, draw, loss = wdl.outcomes(score, phase)
        assert win + draw + loss == 1000
        assert min(win, draw, loss) >= 0
        assert wdl.outcomes(-score, phase) == (loss, draw, win)
        assert win >= before[0] and loss <= before[2]
        before = (win, draw, loss)
    assert before[0] > 990
    win, draw, loss = wdl.outcomes(0, phase)
    assert win == loss and draw > 0


def test_a_mate_is_certain() -> None:
    assert wdl.outcomes(MATE - 9, 24) == (1000, 0, 0)
    assert wdl.outcomes(-MATE + 9, 0) == (0, 0, 1000)


def test_the_fit_finds_the_curves_that_made_the_games() -> None:
    random = np.random.default_rng(1)
    score = random.uniform(-600, 600, 60_000)
    phase = random.integers(0, 25, 60_000).astype(np.float64)
    slope, margin = 0.006 + 0.0001 * phase, 2.0 - 0.02 * phase
    win = 1 / (1 + np.exp(margin - slope * score))
    loss = 1 / (1 + np.exp(margin + slope * score))
    drawn = random.uniform(0, 1, 60_000)
    points = np.where(drawn < win, 1.0, np.where(drawn > 1 - loss, 0.0, 0.5))
    found = fit_wdl.fit(score, phase, points)
    assert found == pytest.approx([0.006, 0.0001, 2.0, -0.02], rel=0.25)


def test_phase_is_the_same_everywhere() -> None:
    for fen in POSITIONS:
        position = Position(fen)
        board = position.state["board"]
        packed = (board[::2] | board[1::2] << 4)[None]
        facts = position.analysis(examiner())
        assert fit_wdl.phase_of(packed)[0] == position.phase == facts["phase"]


def test_it_is_shown_when_asked_for(engine: Process) -> None:
    engine.ask("setoption name UCI_ShowWDL value true", "position startpos")
    engine.send("go depth 4")
    lines = [line for line in engine.expect("bestmove .*") if line.startswith("info depth")]
    for line in lines:
        found = re.search(r" score cp -?\d+ wdl (\d+) (\d+) (\d+) nodes ", line)
        assert found and sum(map(int, found.groups())) == 1000, line
    engine.ask("setoption name UCI_ShowWDL value false")
    engine.send("go depth 2")
    assert not any(" wdl " in line for line in engine.expect("bestmove .*"))


def test_it_follows_the_score() -> None:
    shown = fresh(UCI_ShowWDL="true")
    up = think(shown, chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"), Limits(depth=3)).lines[0]
    down = think(shown, chess.Board("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1"), Limits(depth=3)).lines[0]
    assert up.wdl is not None and up.wdl[0] > 950
    assert down.wdl is not None and down.wdl[2] > 950
