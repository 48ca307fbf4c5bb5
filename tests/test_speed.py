"""The measurement of the analysis: right facts only, and the arithmetic of speeds."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import speed
import speed_analysis
from engine_process import EngineFault
from speed_analysis import FULL, PLAIN, Analyst, Row, arrays_of, random_positions, records_of
from speed_peers import UciPeer, WrongAnswer

from engine.games.chess.tables import T
from engine.games.chess.verify import verify

BOARDS = random_positions(40)


def lines() -> list[bytes]:
    return b"".join(Analyst(records_of(BOARDS)).write()).splitlines()


def test_positions_are_different_and_always_the_same() -> None:
    fens = [board.fen() for board in BOARDS]
    assert len(set(fens)) == 40
    assert fens == [board.fen() for board in random_positions(40)]


def test_positions_as_records_and_as_arrays() -> None:
    states = records_of(BOARDS)
    pieces, colours = arrays_of(BOARDS)
    for i, state in enumerate(states):
        assert verify(state, T) is None
        board = state["board"]
        assert (pieces[i] == (board & 7)).all()
        assert ((colours[i] == -1) == (board == 0)).all()
        assert ((colours[i] == 1) == (board >= 8)).all()


def test_every_block_is_analyzed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lines()
    monkeypatch.setattr(speed_analysis, "BLOCK", 16)
    assert sum(n for _, n in Analyst(records_of(BOARDS)).analyze()) == 40
    assert lines() == whole


def test_right_facts_pass() -> None:
    speed_analysis.compare(lines(), BOARDS)


def test_wrong_facts_are_no_speed() -> None:
    wrong = lines()
    wrong[-1] = wrong[-1].replace(b'"check":false', b'"check":true')
    with pytest.raises(WrongAnswer, match="check differs from what python-chess finds"):
        speed_analysis.compare(wrong, BOARDS)


def test_work_is_repeated_until_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_analysis, "LEAST", 0.5)
    clock = iter([10.0, 10.2, 10.4, 10.9])
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    done: list[int] = []
    positions, seconds = speed_analysis.timed(lambda: done.append(1), 7)()
    assert (positions, len(done)) == (21, 3)
    assert seconds == pytest.approx(0.9)


def test_rows_take_turns_and_medians_count(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def row(label: str, seconds: Sequence[float]) -> Row:
        times = iter(seconds)

        def work() -> tuple[int, float]:
            asked.append(label)
            return 100, next(times)

        return Row(label, work)

    @contextmanager
    def rows(engine: object) -> Iterator[list[Row]]:
        yield [row(FULL, [1, 2, 10]), row(PLAIN, [40, 50, 10])]

    monkeypatch.setattr(speed_analysis, "TURNS", 1)
    monkeypatch.setattr(speed_analysis, "open_rows", rows)
    rates, ratio = speed.measure_analysis(cast(UciPeer, None), 3)
    assert asked == [FULL, PLAIN] * 3
    assert rates == {FULL: 50.0, PLAIN: 2.5}
    assert ratio == 25.0  # the middle one of 40, 25 and 1
    assert "full analysis / python-chess" in speed.analysis_table(rates, ratio)


class Client:
    """A client whose engine has one reply."""

    def __init__(self, *reply: str) -> None:
        self._reply = reply

    def read_until(self, token: str, timeout: float) -> Iterator[str]:
        yield from self._reply

    def cpu_seconds(self) -> float:
        return 1.5

    def send(self, line: str) -> None:
        assert line == 'analyze file "/a b/in" out "/a b/out"'

    def sync(self) -> None: ...


def analyzed(*reply: str) -> tuple[int, float]:
    peer = UciPeer.__new__(UciPeer)
    peer.client = cast(Any, Client(*reply))
    return peer.analyze_file(Path("/a b/in"), Path("/a b/out"))


def test_replies_to_analyze_file() -> None:
    done = "info string analyze file: 1200 positions, 0 bad lines, 3 ms, 400000 positions/s"
    assert analyzed("info string compiling", done) == (1200, 0.0)
    with pytest.raises(EngineFault, match="unknown command"):
        analyzed('info string error: unknown command "analyze"')
