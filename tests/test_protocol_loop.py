"""Conversations with a fake engine inside this process: who waits for whom, and what is said."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fake_engine import FAKE, FakeEngine, Hold
from protocol_host import Host

from engine.engine import Engine
from engine.types import Limits

NEVER = replace(FAKE, module="no_such_module_anywhere")

MATED = "position startpos moves f2f3 e7e5 g2g4 d8h4"


@pytest.fixture(autouse=True)
def _open_all() -> Iterator[None]:
    Hold.open_all()
    yield
    Hold.open_all()


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host(FAKE)
    yield host
    host.finish()
    assert host.left


def engine_of(host: Host) -> FakeEngine:
    """The engine behind a host; asks for it in a job of its own."""
    found: list[Engine] = []
    host.service._submit("test", found.append)
    host.ask()
    assert isinstance(found[0], FakeEngine)
    return found[0]


def test_uci(host: Host) -> None:
    host.send("uci")
    lines = host.expect("uciok")
    assert lines[0].startswith("id name Triptych ")
    assert lines[1] == "id author the Triptych authors"
    assert len(lines) == 3 + len(FAKE.options)
    assert "option name Clear Hash type button" in lines


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


@pytest.mark.parametrize("line", ["d", "showboard", "eval", "legalmoves", "bench"])
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


def test_questions_wait_for_a_ponder_search_that_was_hit(host: Host) -> None:
    host.send("go ponder depth 3", "ponderhit", "legalmoves")
    host.expect("bestmove .*")
    host.expect("legalmoves 20 .*")


def test_ponderhit_does_not_end_an_infinite_search(host: Host) -> None:
    host.send("go infinite", "ponderhit", "d")
    host.expect("info string error: d: refused .*")
    host.send("stop")
    host.expect("bestmove .*")


def test_perft(host: Host) -> None:
    host.send("go perft 3")
    lines = host.expect("info string perft .*")
    assert lines[0] == "a2a3: 380"
    assert lines[20:] == [
        "",
        "Nodes searched: 8902",
        "info string perft depth 3 nodes 8902 time 7 nps 1271714",
    ]
    host.send("go perft 0")
    assert host.expect("info string perft .*")[:-1] == ["Nodes searched: 1"]
    host.send(MATED, "go perft 2")
    assert host.expect("info string perft .*")[:-1] == ["Nodes searched: 0"]


@pytest.mark.parametrize("depth", ["", " -1", " two"])
def test_perft_wants_a_depth(host: Host, depth: str) -> None:
    (error,) = host.ask(f"go perft{depth}")
    assert error.startswith('info string error: go: expected a depth of 0 or more after "perft"')


def test_stop_breaks_off_a_perft_and_what_waits_goes_on(host: Host) -> None:
    Hold.count.clear()
    host.send("go perft 9", "position startpos moves e2e4", "legalmoves", "uci")
    host.expect("uciok")
    host.send("stop")
    assert host.expect("info string perft stopped") == ["info string perft stopped"]
    assert "a7a5" in host.expect("legalmoves .*")[0]


def test_setoption_waits_for_a_perft(host: Host) -> None:
    Hold.count.clear()
    host.send("go perft 1", "setoption name Hash value 64")
    host.ask()
    Hold.count.set()
    host.expect("Nodes searched: 20")
    assert engine_of(host).settings == {"Hash": "64"}


def test_bench(host: Host) -> None:
    host.send("bench 5")
    assert host.expect("Nodes/second: .*") == [
        "info string position 1 of 1",
        "Total time (ms): 500",
        "Nodes searched: 5000",
        "Nodes/second: 10000",
    ]
    Hold.count.clear()
    host.send("bench")
    host.ask()
    host.send("stop")
    host.expect("info string bench stopped")
    (error,) = host.ask("bench x")
    assert error == 'info string error: bench: expected a depth of 1 or more, got "x"'


def test_no_legal_move(host: Host) -> None:
    host.send(MATED, "go depth 3")
    assert host.expect("bestmove .*") == ["info depth 0 score mate 0", "bestmove (none)"]
    host.send("go infinite")
    host.ask()
    host.send("stop")
    assert host.expect("bestmove .*")[-1] == "bestmove (none)"
    assert host.ask("legalmoves") == ["legalmoves 0"]


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


def test_a_failed_position_changes_nothing(host: Host) -> None:
    host.ask("position startpos moves e2e4")
    for line in (
        "position",
        "position startpos e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4 e2e4",
    ):
        (error,) = host.ask(line)
        assert error.startswith("info string error: "), line
    assert "a7a5" in host.ask("legalmoves")[0]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("xyzzy 1  2", "xyzzy 1 2"),
        ("xboard", "xboard"),
        ("UCI", "UCI"),
        ("analyze json", "analyze json"),
        ("isready\x00", "isready?"),
        ("h\u00e4? \x1b[2J", "h?? ?[2J"),
        ("x" * 10**6, "x" * 77 + "..."),
    ],
)
def test_unknown_commands(host: Host, line: str, shown: str) -> None:
    assert host.ask(line) == [
        f'info string error: unknown command "{shown}"; "help" lists the commands'
    ]


def test_white_space_and_bad_bytes(host: Host) -> None:
    for data in (b" \t isready \t \n", b"isready\r\n", b"\n\r\n\n  \nisready\n"):
        host.send_bytes(data)
        assert host.expect("readyok") == ["readyok"]
    host.send_bytes(b"\xff\xfe\x00\n")
    assert host.ask() == ['info string error: unknown command "???"; "help" lists the commands']
    host.send_bytes(b"position\tstartpos \t moves  e2e4\r\n")
    assert host.ask() == []
    host.send_bytes(b"isrea")
    host.send_bytes(b"dy\nisready")
    assert host.finish() == ["readyok", "readyok"]


def test_debug(host: Host) -> None:
    assert host.ask("debug on", "go depth 1 soon")[0] == ('info string debug: go skips "soon"')
    host.expect("bestmove .*")
    host.send("ucinewgame")
    host.expect(r"info string debug: ucinewgame took \d+ ms")
    assert host.ask("debug off", "ucinewgame", "register later") == []
    (error,) = host.ask("debug")
    assert error == 'info string error: debug: expected "on" or "off", got nothing'


def test_help(host: Host) -> None:
    lines = host.ask("help go perft")
    assert lines[0] == "  Usage     go perft N"
    (error,) = host.ask("help me")
    assert error.startswith('info string error: help: no command is named "me"; there are: uci,')


def test_a_defect_in_a_search_still_gives_a_move(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    host.send("go nodes 666")
    assert host.expect("bestmove .*") == [
        "info string error: internal: ZeroDivisionError: a defect",
        "info depth 0 score cp 0",
        "bestmove a2a3",
    ]
    host.send("go depth 1")
    host.expect("bestmove a2a3")


def test_a_defect_in_a_job_is_one_line(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: FakeEngine) -> str:
        raise RuntimeError("several\nlines")

    monkeypatch.setattr(FakeEngine, "display", broken)
    assert host.ask("d") == ["info string error: internal: RuntimeError: several lines"]
    assert host.ask() == []


def test_quiet_keeps_only_the_last_info() -> None:
    host = Host(FAKE, quiet=True)
    host.send("go depth 5")
    lines = host.expect("bestmove .*")
    assert [line.split(" seldepth")[0] for line in lines[:-1]] == ["info depth 5"]
    host.send("bench 1")
    assert host.expect("Nodes/second: .*")[0] == "Total time (ms): 500"
    host.finish()


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
