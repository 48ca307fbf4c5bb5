"""Conversations with a fake engine inside this process: who waits for whom."""

import time
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from fake_engine import FAKE, HELD, FakeEngine, Hold
from protocol_host import Host

from engine.engine import Engine
from engine.types import Limits

pytestmark = pytest.mark.usefixtures("held")

NEVER = replace(FAKE, module="no_such_module_anywhere")


def engine_of(host: Host) -> FakeEngine:
    """The engine behind a host; asks for it in a job of its own."""
    found: list[Engine] = []
    host.service._submit("test", found.append)
    host.ask()
    assert isinstance(found[0], FakeEngine)
    return found[0]


def test_uci_and_help_answer_while_the_engine_loads() -> None:
    Hold.load.clear()
    host = Host(FAKE)
    host.send("uci", "help", "isready")
    host.expect("uciok")
    host.expect('  "help COMMAND" tells more about one.')
    with pytest.raises(AssertionError, match="nothing came"):
        host.expect("readyok", patience=0.2)
    Hold.load.set()
    host.expect("readyok")
    host.finish()


def test_isready_does_not_wait_for_a_search_that_waits_for_the_engine() -> None:
    Hold.load.clear()
    host = Host(FAKE)
    host.send("position startpos moves e2e4", "go infinite", "isready", "isready")
    with pytest.raises(AssertionError):
        host.expect(".*", patience=0.2)
    Hold.load.set()
    host.expect("readyok")
    host.expect("readyok")
    host.send("stop")
    host.expect("bestmove a7a5")
    host.finish()


def test_stop_reaches_a_search_that_has_not_started() -> None:
    Hold.load.clear()
    host = Host(FAKE)
    host.send("go infinite", "stop")
    host.send("uci")
    host.expect("uciok")
    Hold.load.set()
    host.expect("bestmove a2a3")
    host.finish()


def test_isready_answers_during_a_search_and_a_count(host: Host) -> None:
    host.send("go infinite")
    for _ in range(10):
        host.send("isready")
        assert not any("bestmove" in line for line in host.expect("readyok"))
    host.send("stop")
    host.expect("bestmove .*")
    Hold.count.clear()
    host.send("go perft 2", "isready")
    host.expect("readyok")
    Hold.count.set()
    host.expect("Nodes searched: 400")


def test_stop_while_idle_is_forgotten(host: Host) -> None:
    assert host.ask("stop", "ponderhit") == []
    host.send("go depth 4")
    assert sum(line.startswith("info depth") for line in host.expect("bestmove .*")) == 4


def test_position_stops_the_search_then_is_obeyed(host: Host) -> None:
    host.send("go infinite", "position startpos moves e2e4")
    host.expect("bestmove a2a3")
    host.send("go depth 1")
    host.expect("bestmove a7a5")


def test_go_stops_the_search_before(host: Host) -> None:
    host.send("go infinite", "go infinite searchmoves g1f3", "stop")
    host.expect("bestmove a2a3")
    host.expect("bestmove g1f3")
    assert host.ask() == []


def test_ucinewgame_stops_the_search_then_is_obeyed(host: Host) -> None:
    host.send("position startpos moves e2e4", "go infinite", "ucinewgame", "legalmoves")
    host.expect("bestmove a7a5")
    assert host.expect("legalmoves .*")[0].startswith("legalmoves 20 a2a3 a2a4 ")


@pytest.mark.parametrize("line", ["position", "position here", "go perft x"])
def test_a_command_without_sense_does_not_stop_the_search(host: Host, line: str) -> None:
    host.send("go infinite", line)
    host.expect("info string error: .*")
    assert not any("bestmove" in line for line in host.ask())
    host.send("stop")
    host.expect("bestmove .*")


def test_setoption_is_refused_during_a_search(host: Host) -> None:
    host.send("go infinite", "setoption name Hash value 32")
    host.expect("info string error: setoption: refused during a search, Hash is unchanged; .*")
    host.send("stop")
    host.expect("bestmove .*")
    assert host.ask("setoption name Hash value 64") == []
    assert engine_of(host).settings == {"Hash": "64"}


def test_setoption_is_taken_at_once_after_bestmove(host: Host) -> None:
    for _ in range(50):
        host.send("go infinite", "stop")
        host.expect("bestmove .*")
        assert host.ask("setoption name Hash value 64") == []


def test_isready_waits_for_what_was_asked_after_the_end_of_a_perft(host: Host) -> None:
    for _ in range(200):
        host.send("go perft 1")
        host.expect("info string perft depth .*")
        assert len(host.ask("legalmoves")) == 1


def test_setoption(host: Host) -> None:
    assert host.ask("setoption name hASH value 32", "setoption name clear hash") == []
    assert engine_of(host).settings == {"Hash": "32", "Clear Hash": ""}
    for line in (
        "setoption",
        "setoption Hash value 16",
        "setoption name",
        "setoption name Nash value 1",
        "setoption name Hash",
        "setoption name Hash value abc",
        "setoption name Hash value 0",
        "setoption name UCI_Chess960 value maybe",
        "setoption name No Such value 1 value 2",
        "setoption name Hash value 4096",
    ):
        (error,) = host.ask(line)
        assert error.startswith("info string error: "), line
    assert engine_of(host).settings == {"Hash": "32", "Clear Hash": ""}


@pytest.mark.parametrize(
    "line",
    ["d", "showboard", "eval", "legalmoves", "analyze", "analyze json", "analyze file x", "bench"],
)
@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 100"])
def test_questions_are_refused_in_an_endless_search(host: Host, go: str, line: str) -> None:
    host.send(go, line)
    host.expect('info string error: .*: refused while "go infinite" or "go ponder" runs; .*')
    host.send("stop")
    host.expect("bestmove .*")


def test_questions_wait_for_a_search_that_ends(host: Host) -> None:
    host.send("go depth 20", "legalmoves", "eval", "d")
    assert host.expect("bestmove .*")[-1] == "bestmove a2a3"
    assert host.expect("legalmoves .*")[0].startswith("legalmoves 20 ")
    host.expect("Final evaluation .*")
    host.expect("Fen: .*")
    host.send("go depth 20", "analyze json", "analyze")
    host.expect("bestmove .*")
    assert host.expect("analysis end")[0].startswith('{"fen": ')


def test_questions_wait_for_a_ponder_search_that_was_hit(host: Host) -> None:
    host.send("go ponder depth 3", "ponderhit", "legalmoves")
    host.expect("bestmove .*")
    host.expect("legalmoves 20 .*")


def test_ponderhit_does_not_end_an_infinite_search(host: Host) -> None:
    host.send("go infinite", "ponderhit", "d")
    host.expect("info string error: d: refused .*")
    host.send("stop")
    host.expect("bestmove .*")


def test_stop_breaks_off_a_perft_and_what_waits_goes_on(host: Host) -> None:
    Hold.count.clear()
    host.send("go perft 9", "position startpos moves e2e4", "legalmoves", "uci")
    host.expect("uciok")
    host.send("stop")
    assert host.expect("info string perft stopped") == ["info string perft stopped"]
    assert "a7a5" in host.expect("legalmoves .*")[0]


@pytest.fixture
def held_file(tmp_path: Path) -> Path:
    """Three positions; the analysis of the second one waits for `Hold.count`."""
    path = tmp_path / "in"
    path.write_text(f"{chess.STARTING_FEN}\n{HELD}\n{chess.STARTING_FEN}\n")
    return path


def test_stop_breaks_off_a_file_and_what_waits_goes_on(host: Host, held_file: Path) -> None:
    Hold.count.clear()
    host.send(f"analyze file {held_file}", "position startpos moves e2e4", "legalmoves", "uci")
    host.expect("uciok")
    host.send("isready")
    assert host.expect("readyok") == ["readyok"]
    assert Hold.reached.wait(10)
    host.send("stop")
    lines = host.expect(r"info string analyze file: 2 positions, 0 bad lines, .* stopped")
    assert len(lines) == 3
    assert "a7a5" in host.expect("legalmoves .*")[0]


def test_a_file_waits_for_a_search(host: Host, held_file: Path) -> None:
    host.send("go depth 5", f"analyze file {held_file}")
    host.expect("bestmove .*")
    assert len(host.expect("info string analyze file: 3 positions, .*")) == 4


def test_end_of_input_stops_a_file(held_file: Path) -> None:
    host = Host(FAKE)
    Hold.count.clear()
    out = held_file.with_suffix(".out")
    host.send(f"analyze file {held_file} out {out}", f"analyze file {held_file} out {out}.2")
    assert Hold.reached.wait(10)
    (summary,) = host.finish()
    assert summary.endswith(" stopped")
    assert host.left
    assert out.read_text().count("\n") == 2
    assert not Path(f"{out}.2").exists()


def test_setoption_waits_for_a_perft(host: Host) -> None:
    Hold.count.clear()
    host.send("go perft 1", "setoption name Hash value 64")
    host.ask()
    Hold.count.set()
    host.expect("Nodes searched: 20")
    assert engine_of(host).settings == {"Hash": "64"}


def test_go_passes_its_limits_on(host: Host) -> None:
    host.send("go wtime -5 nodes 0 searchmoves e2e4 zzzz")
    host.expect("bestmove e2e4")
    host.send("go depth abc")
    host.expect('info string error: go: expected a whole number after "depth", got "abc"')
    host.expect("bestmove .*")
    assert engine_of(host).searches == [
        Limits(nodes=0, time=(-5, None), searchmoves=("e2e4", "zzzz")),
        Limits(),
    ]


def test_a_game_that_cannot_be_loaded_is_told() -> None:
    host = Host(NEVER)
    deadline = time.monotonic() + 60
    while not host.failed and time.monotonic() < deadline:
        time.sleep(0.01)
    assert isinstance(host.failed[0], ModuleNotFoundError)
    host.finish()


def test_end_of_input_finishes_what_ends_by_itself() -> None:
    host = Host(FAKE)
    host.send("position startpos moves e2e4", "legalmoves", "go perft 2", "isready")
    lines = host.finish()
    assert lines[0].startswith("legalmoves 20 a7a5 ")
    assert "Nodes searched: 600" in lines
    assert host.left


def test_end_of_input_stops_a_search_and_gives_its_move() -> None:
    for last in ((), ("quit",)):
        host = Host(FAKE)
        host.send("go infinite", *last)
        assert host.finish()[-1] == "bestmove a2a3"
        assert host.left


def test_end_of_input_stops_a_long_count() -> None:
    host = Host(FAKE)
    Hold.count.clear()
    host.send("go perft 9", "legalmoves")
    began = time.monotonic()
    assert host.finish() == ["info string perft stopped"]
    assert host.left
    assert 0.5 < time.monotonic() - began < 10


def test_end_of_input_does_not_wait_for_a_load() -> None:
    Hold.load.clear()
    host = Host(FAKE)
    began = time.monotonic()
    assert host.finish() == []
    assert not host.left
    assert time.monotonic() - began < 0.9
