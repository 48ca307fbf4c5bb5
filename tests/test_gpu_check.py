"""`scripts/gpu_check.py` with cards that are the CPU, and counts that are small."""

import time
from typing import Any

import gpu_check
import pytest
from device_games import CASES
from device_runners import Host
from gpu_check import Clock

from engine.divide import Counts
from engine.games.cotulenh.divide import divide


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        gpu_check, "CASES", {"startpos": {3: 8902, 4: 197281}, "kiwipete": {3: 97862, 4: 4085603}}
    )
    monkeypatch.setattr(gpu_check, "BLOKUS", {2: 3364, 3: 195112})
    monkeypatch.setattr(gpu_check, "COTULENH", {2: 13460})
    monkeypatch.setattr(gpu_check, "COTULENH_UNKNOWN", {3: 1_500_000})
    monkeypatch.setattr(gpu_check, "MANY", [None] * 3)
    monkeypatch.setattr(gpu_check, "many_rows", lambda card, facts, many: [{"right": True}])


def measured(seconds: float) -> dict[str, Any]:
    report: dict[str, Any] = {}
    cards: list[Any] = [Host(case.rules, case.tables) for case in CASES]
    gpu_check.measure(report, cards, cards, Clock(seconds))
    return report


def test_all_is_counted_with_and_without_merging(capsys: pytest.CaptureFixture[str]) -> None:
    report = measured(300)
    assert report["left_out"] == []
    assert all(row["right"] for row in (*report["perft"], *report["positions"]))
    names = [(row["game"], row["position"], row["depth"], row["merged"]) for row in report["perft"]]
    assert names[:4] == [
        ("chess", "startpos", depth, merge) for depth in (3, 4) for merge in (0, 1)
    ]
    assert len(set(names)) == len(names) == 8 + 3 + 3
    assert report["perft"][-1]["root_moves_checked"] == 116
    shown = capsys.readouterr().out
    assert shown.count(" ok\n") == len(names)  # the last one by its root moves
    assert "116 of 116 root moves are ok\n" in shown


def test_a_wrong_count_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_check, "COTULENH", {2: 13461})

    def wrong(position: Any, depth: int, threads: int, control: Any, on_count: Any) -> Counts:
        return divide(position, depth, threads, control, lambda move, n: on_count(move, n + 1))

    monkeypatch.setattr(gpu_check, "divide_cotulenh", wrong)
    rows = measured(300)["perft"]
    assert [row["game"] for row in rows if not row["right"]] == ["cotulenh"] * 3


def test_what_there_is_no_time_for_is_left_out_and_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = measured(0)
    assert report["perft"] == report["positions"] == []
    assert len(report["left_out"]) == 8 + 3 + 3 + 3
    assert capsys.readouterr().out.count("left out: ") == len(report["left_out"])


def test_a_count_ends_when_the_time_is_up() -> None:
    clock = Clock(60)
    card: Any = Host(CASES[0].rules, CASES[0].tables)
    plain = card.run

    def slow(*arguments: Any) -> None:
        plain(*arguments)
        time.sleep(0.1)

    perft = gpu_check.Perft(card, clock)
    card.run = slow
    clock._end = time.perf_counter() + 1.2  # enough by what is known beforehand
    perft.run(gpu_check.chess_counts())
    assert perft.rows == []
    assert clock.left_out[0] == "chess startpos 3"
