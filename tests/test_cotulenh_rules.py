"""The rules of CoTuLenh: the engine against the oracle and against a slow second program."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cotulenh_positions import Case, random_cases
from oracles import cotulenh as rules

from engine.games.cotulenh.notation import NAME, Setup, format_fen, members_text
from engine.games.cotulenh.perft import perft
from engine.games.cotulenh.position import Position, setup_of
from engine.games.cotulenh.records import UNDO
from engine.games.cotulenh.tables import T
from engine.games.cotulenh.verify import content

DATA = Path(__file__).parent / "data"
CASES = int(os.environ.get("COTULENH_CASES", "80"))
"""How many random positions are compared with the slow program."""

MATED = "M322"
"""The oracle calls it ongoing, by the count of single steps; none of them leads to a whole turn."""


def rows(name: str) -> list[dict[str, Any]]:
    path = DATA / f"cotulenh_{name}.jsonl.gz"
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


MOVES, RULES, PERFT = rows("moves"), rows("rules"), rows("perft")


def set_up(fen: str, steps: list[str]) -> Position:
    position = Position(fen)
    for step in steps:
        position.play_turn(step)
    return position


def placement_of(position: Position) -> str:
    """Of the board as it is, not as it was when an open deployment began."""
    return format_fen(Setup(position.words(), position.turn, 0, 1)).split()[0]


def result_of(position: Position) -> str:
    """As the oracle writes results: placement, side to move, a star while a deployment is open."""
    star = " *" if position.deploying else ""
    return f"{placement_of(position)} {'rb'[position.turn]}{star}"


def results(position: Position) -> dict[str, str]:
    """Every legal action and what it leads to."""
    found = {}
    for text, action in position.legal_texts().items():
        position.play(action)
        found[text] = result_of(position)
        position.undo_step()
    return found


def status_of(position: Position) -> str:
    if position.deploying:
        return "deploying"
    if position.captured_commander():
        return "commander-captured"
    if position.can_finish_turn():
        return "ongoing"
    return "checkmate" if position.check() else "stalemate"


def corrected(row: dict[str, Any]) -> dict[str, str]:
    """The actions of a row and their results, defects of its author mended."""
    changes = row.get("expected", {})
    moves = {**row["moves"], **changes}
    return {text: result for text, result in moves.items() if result is not None}


@pytest.mark.parametrize(
    "row", [row for row in MOVES + RULES if "moves" in row], ids=lambda row: row["id"]
)
def test_oracle_positions(row: dict[str, Any]) -> None:
    position = set_up(row["fen"], row.get("steps", []))
    texts = position.legal_texts()
    assert len(texts) == len(position.legal())
    before = content(position.state)
    assert results(position) == corrected(row)
    assert content(position.state) == before
    assert position.check() == row["check"]
    status = "checkmate" if row["id"] == MATED else row.get("expected_status", row["status"])
    assert status_of(position) == status


@pytest.mark.parametrize("row", [row for row in RULES if "play" in row], ids=lambda row: row["id"])
def test_oracle_counters(row: dict[str, Any]) -> None:
    position = set_up(row["fen"], row["play"])
    assert position.fen() == row.get("expected_fen_after", row["fen_after"])


def test_a_combination_can_be_replayed_as_a_join() -> None:
    """The ship joins the plane, which it could have carried to e7 by capturing; it cannot go there
    past the corner of the shore. With the commander along that is still so. They end on an open
    line, where the turn cannot end."""
    fen = next(row["fen"] for row in PERFT if row["id"] == "P25")
    case = (fen, ["Fc5>xe7", "Nc5>&e7"])
    compare(case)
    position = set_up(*case)
    position.play_turn("Cc5>&e7")
    assert position.deploying and position.legal() == []
    assert "2(N+FC)3c" in placement_of(position)
    assert placement_of(Position(position.fen())) == placement_of(position)


def test_a_combination_that_is_no_join_goes_on() -> None:
    """The tank takes the ship, whose air defence would have let the plane come with it only to die.
    With the ship gone the plane may follow, as an ordinary combination; then the blue ship may act,
    also to pick up both. The count of the row lacks as many as there are actions in the two nodes.
    """
    row = next(row for row in PERFT if "expected_nodes" in row)
    found = []
    for square in ("c3", "c5"):
        case = (row["fen"], [f"Nb4{square}", f"Tc4>x{square}", f"Fc4>&{square}"])
        compare(case)
        position = set_up(*case)
        assert position.deploying
        assert Position(position.fen()).legal_texts().keys() == position.legal_texts().keys()
        found.append(sorted(position.legal_texts()))
    assert row["expected_nodes"] - row["nodes"] == sum(map(len, found))
    assert found[1] == [
        *("COMMIT", "Nc4>&c5", "Nc4>a2", "Nc4>a4", "Nc4>a6", "Nc4>b3", "Nc4>b4", "Nc4>b5"),
        *("Nc4>c1", "Nc4>c2", "Nc4>c3", "Nc4>c6", "Nc4>c7", "Nc4>c8"),
    ]


def leaves(position: Position, depth: int) -> int:
    stop = np.zeros(1, np.int64)
    undos = np.zeros(depth + 1, UNDO)
    return int(perft(position.state, T, depth, undos, position._work, stop.ctypes.data))


@pytest.mark.parametrize(
    "row",
    [row for row in PERFT if row["nodes"] <= 2_000_000],
    ids=lambda row: f"{row['id']}-{row['depth']}",
)
def test_oracle_perft(row: dict[str, Any]) -> None:
    assert leaves(Position(row["fen"]), row["depth"]) == row["nodes"]


@pytest.mark.parametrize(
    "row", [row for row in PERFT if row.get("turns", 10**9) <= 400], ids=lambda row: row["id"]
)
def test_oracle_whole_turns(row: dict[str, Any]) -> None:
    assert len(Position(row["fen"]).distinct_turns()) == row["turns"]


def same_step_list(position: Position, slow: rules.Position) -> bool:
    deployment = slow.deployment
    if deployment is None:
        return not position.deploying
    found = setup_of(position.state)
    mine = [(members_text(step.group), NAME[step.to]) for step in found.steps]
    theirs = [
        (rules.stack_text(step.group).replace("+", ""), rules.name(step.target))
        for step in deployment.steps
    ]
    return mine == theirs and NAME[found.origin or 0] == rules.name(deployment.origin)


def compare(case: Case) -> None:
    """One position, all its actions, and all that they lead to."""
    fen, steps = case
    position = set_up(fen, steps)
    slow = rules.play(rules.parse_fen(fen), *steps)
    assert position.check() == rules.in_check(slow)
    theirs = rules.actions(slow)
    mine = position.legal_texts()
    assert len(position.legal()) == len(mine)
    assert mine.keys() == theirs.keys()
    for text, action in mine.items():
        position.play(action)
        assert result_of(position) == rules.result_text(theirs[text]), text
        assert same_step_list(position, theirs[text]), text
        if not position.deploying:
            assert position.fen() == rules.fen(theirs[text]), text
        position.undo_step()
    if len(mine) < 20:
        assert status_of(position) == rules.status(slow)


@pytest.mark.parametrize("part", range(8))
def test_random_positions(part: int) -> None:
    """`COTULENH_CASES=2000` compares more of them."""
    deploying = 0
    for case in random_cases(20260105 + part, CASES // 8):
        deploying += bool(case[1])
        try:
            compare(case)
        except AssertionError as error:
            raise AssertionError(f"{case}: {error}") from error
    assert deploying
