"""The CoTuLenh search: mates in two turns, no dead ends, the same nodes on every run."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.control import Control
from engine.games.cotulenh.bench import POSITIONS
from engine.games.cotulenh.notation import parse_fen
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.session import CotulenhEngine
from engine.games.cotulenh.state import NOWHERE
from engine.games.cotulenh.think import Memory, Thinker
from engine.table import Table
from engine.types import Info, Limits

DATA = Path(__file__).parent / "data"
MATES = [json.loads(line) for line in (DATA / "cotulenh_mates.jsonl").read_text().splitlines()]
QUICK = [5, 10, 18]
"""Mates whose proof by brute force is short."""


def turns(position: Position) -> list[tuple[int, ...]]:
    """The whole turns that lead to different boards."""
    found: dict[bytes, tuple[int, ...]] = {}
    turn, played = position.turn, []

    def walk() -> None:
        for action in position.legal():
            played.append(action)
            position.play(action)
            if position.turn == turn:
                walk()
            else:
                found.setdefault(position.state["board"].tobytes(), tuple(played))
            position.undo_step()
            played.pop()

    walk()
    return list(found.values())


def loses_after(position: Position, turn: tuple[int, ...], depth: int) -> bool:
    """Whether the other side is mated, or loses its commander, within `depth` more turns of ours
    after this one, whatever it does."""
    for action in turn:
        position.play(action)
    if position.state["commander"][position.turn] == NOWHERE:
        lost = True
    elif not position.can_finish_turn():
        lost = position.check()
    elif depth == 0:
        lost = False
    else:
        lost = all(wins_after(position, reply, depth) for reply in turns(position))
    for _ in turn:
        position.undo_step()
    return lost


def wins_after(position: Position, reply: tuple[int, ...], depth: int) -> bool:
    for action in reply:
        position.play(action)
    won = position.state["commander"][position.turn] != NOWHERE and any(
        loses_after(position, turn, depth - 1) for turn in turns(position)
    )
    for _ in reply:
        position.undo_step()
    return won


def think(fen: str, limits: Limits) -> tuple[str, list[Info]]:
    infos: list[Info] = []
    thinker = Thinker(Position(fen), [Memory()], Table(16), limits, Control(), infos.append)
    return ",".join(thinker.run()), infos


@pytest.mark.parametrize("row", MATES, ids=[row["fen"].split()[0] for row in MATES])
def test_finds_mates_in_two_turns(row: dict[str, Any]) -> None:
    best, infos = think(row["fen"], Limits(nodes=200_000))
    assert best in row["turns"]
    assert infos[-1].score.mate is not None and infos[-1].score.mate > 0


@pytest.mark.parametrize("number", QUICK)
def test_these_are_mates_and_no_quicker_ones(number: int) -> None:
    position, proven = Position(MATES[number]["fen"]), MATES[number]["turns"]
    for turn in turns(position):
        assert not loses_after(position, turn, 0)
    for text in proven:
        actions, played = [], 0
        for part in text.split(","):
            actions.append(position.legal_texts()[part])
            position.play(actions[-1])
            played += 1
        for _ in range(played):
            position.undo_step()
        assert loses_after(position, tuple(actions), 1)


def test_the_bench_gives_its_signature() -> None:
    expected = int((DATA / "cotulenh_bench.txt").read_text())
    for _ in range(2):
        report = CotulenhEngine().bench(None, Control(), lambda line: None)
        assert report.nodes == expected


def test_never_enters_a_dead_end() -> None:
    """The tank is afloat once its ship has left: only turns that take it along, or put it ashore,
    can be finished. A search of depth 1 must see that too."""
    position = Position("3c7/11/11/11/11/11/11/11/11/(NT)10/11/6C4 r - - 0 1")
    for depth in (1, 2, 3):
        best, _ = think(position.fen(), Limits(depth=depth))
        before = position.turn
        position.play_turn(best)
        assert position.turn != before
        position.undo_turn()


@pytest.mark.parametrize(
    ("fen", "steps"),
    [
        (
            "6+F3A/3m7/1(+NFT)9/1(nf+i)9/+N3+M1+tS(ti)2/5(TC)I2(+e+a)(E+G)/2H2+HI(EG)3/6g4/"
            "(+nfc)2gA1(ea)1s2/10h/11/8h2 r - - 61 74",
            [],
        ),
        (
            "11/11/(nf)1sH6(eg)/(n+fc)1(TI)8/2+h8/2aI7/3(EG)7/3(ti)1A1e3/2hm(FM)3i2/(NFC)3S1g4/"
            "2tG1HA4/(N+T)4Ea4 b - - 30 41",
            ["Na9>a5", "+Fa9>f9"],
        ),
    ],
)
def test_the_first_iteration_ends_where_captures_do_not(fen: str, steps: list[str]) -> None:
    """Captures go on for 40 and for 11 million nodes here."""
    engine = CotulenhEngine()
    engine.set_position(fen, steps)
    infos: list[Info] = []
    best = engine.search(Limits(nodes=1), Control(), infos.append)
    assert 0 < infos[0].nodes <= 50_000
    position = Position(fen)
    for step in steps:
        position.play_turn(step)
    turn = position.turn
    assert best.move
    position.play_turn(best.move)
    assert position.turn != turn


@pytest.mark.parametrize("fen", POSITIONS)
def test_bench_positions_read_and_write(fen: str) -> None:
    assert Position(fen).fen() == fen
    assert parse_fen(fen).origin is None


def test_answers_whole_turns_only() -> None:
    position = Position(MATES[2]["fen"])
    turn = position.turn
    for text in think(position.fen(), Limits(nodes=20_000))[0].split(","):
        assert position.turn == turn
        position.play_turn(text)
    assert position.turn != turn


def test_a_mated_side_has_no_turn_though_it_has_actions() -> None:
    position = Position("4c6/11/11/11/11/11/11/6f3a/11/11/10h/6a2h(TC) r - - 0 1")
    assert position.legal() and not position.can_finish_turn()
    assert think(position.fen(), Limits(depth=2)) == ("", [])
