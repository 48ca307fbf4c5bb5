"""Conversations of the line protocol with a fake engine inside this process."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fake_board_engine import FAKE_BLOKUS, FakeBoardEngine
from fake_engine import Hold
from gtp_host import GtpHost

from engine import __version__
from engine.engine import Engine
from engine.types import Limits
from protocol import loop
from protocol.loop import Job, Kind


@pytest.fixture(autouse=True)
def _open_all() -> Iterator[None]:
    Hold.open_all()
    yield
    Hold.open_all()


@pytest.fixture
def host() -> Iterator[GtpHost]:
    host = GtpHost(FAKE_BLOKUS)
    yield host
    host.finish()
    assert host.left


def engine_of(host: GtpHost) -> FakeBoardEngine:
    """The engine behind a host; asks for it in a job of its own."""
    host.ask("fen")  # the thread is running
    found: list[Engine] = []
    host.worker.submit(Job("test", found.append))
    host.ask("fen")
    (engine,) = found
    assert isinstance(engine, FakeBoardEngine)
    return engine


def begun(host: GtpHost, line: str) -> None:
    """Send a command that computes, and wait until it does."""
    host.send(line)
    while not (job := host.worker._running) or job.name != line.split()[0]:
        time.sleep(0.001)


# Framing.


@pytest.mark.parametrize(
    ("sent", "got"),
    [
        (b"1 name\n", b"=1 Triptych\n\n"),
        (b"007 name\n", b"=007 Triptych\n\n"),
        (b"-3 name\n", b"=-3 Triptych\n\n"),
        (b"3name\n", b"? unknown command (3name)\n\n"),
        (b"1\n", b"? unknown command (1)\n\n"),
        (b"NAME\n", b"? unknown command (NAME)\n\n"),
        (b"12 foo bar\n", b"?12 unknown command (foo)\n\n"),
        (b"name 1\n", b"? no arguments allowed\n\n"),
        (b"quit 1\nname\n", b"? no arguments allowed\n\n= Triptych\n\n"),
        (b"clear_board\n", b"= \n\n"),
        (b"5 clear_board\n", b"=5 \n\n"),
        (b"\n# note\n\n1 name\n", b"=1 Triptych\n\n"),
        (b" \t name \r\n", b"= Triptych\n\n"),
        (b"name # who\r\n\r\n", b"= Triptych\n\n"),
        (b"play 1 a20 # first\nmoves\n", b"= \n\n= 1 a20\n\n"),
        (b"showboard\n", b"= \n20 . . .\n \n19 . . .\n\n"),
        (b"name", b"= Triptych\n\n"),
        (b"", b""),
        (b"quit\nname\n", b"= \n\n"),
        (b"9 quit", b"=9 \n\n"),
        (b"\xef\xbb\xbfname\n", b"= Triptych\n\n"),
        (b"na\x00me\x01\n", b"= Triptych\n\n"),
        (b"nam\xe9\n", b"? unknown command (nam\\ufffd)\n\n"),
        ("12 fö\n".encode(), b"?12 unknown command (f\\xf6)\n\n"),
        (b"final_score\n", b"= 0 0 0 0 \n\n"),
    ],
)
def test_framing(sent: bytes, got: bytes) -> None:
    whole, single = GtpHost(FAKE_BLOKUS), GtpHost(FAKE_BLOKUS)
    whole.send_bytes(sent) if sent else None
    assert whole.finish() == got
    for number in sent:
        single.send_bytes(bytes((number,)))
    assert single.finish() == got


def test_many_commands_at_once(host: GtpHost) -> None:
    commands = ["name", "g", "foo", "moves", "undo", "undo", "clear_board"]
    texts = ["= Triptych", "= a16,a17,a18,a19,a20", "? unknown command (foo)",
             "= 1 a16,a17,a18,a19,a20", "= ", "? cannot undo", "= "]  # fmt: skip
    for first in (b"", b"7 "):
        host.send_bytes(b"".join(b"%s%s\n" % (first, c.encode()) for c in commands) * 50)
        id = first.decode().strip()
        for _ in range(50):
            for text in texts:
                assert host.reply() == text[0] + id + text[1:]


def test_long_lines(host: GtpHost) -> None:
    assert host.fail("x" * 1_000_000) == f"unknown command ({'x' * 77}...)"
    assert host.fail("play 1 " + "a20," * 250_000) == "invalid move"
    assert len(host.fail(f"genmove {'5' * 1_000_000}")) == 400
    host.send("9" * 1_000_000 + " name")
    assert host.reply() == f"={'9' * 1_000_000} Triptych"
    assert host.ask("moves") == ""


# Commands.


def test_who_it_is(host: GtpHost) -> None:
    assert host.ask("protocol_version") == "2"
    assert host.ask("name") == "Triptych"
    assert host.ask("version") == __version__
    names = host.ask("list_commands").split("\n")
    assert names == sorted(names)
    assert {"quit", "genmove", "d", "showboard", "get_value"} <= set(names)
    for name in names:
        assert host.ask(f"known_command {name}") == "true"
        assert host.ask(f"help {name}").startswith("  Usage     ")
    for name in ("x", "NAME", "go perft", "boardsize"):
        assert host.fail("known_command") == "command needs one argument"
        if " " not in name:
            assert host.ask(f"known_command {name}") == "false"
    assert float(host.ask("cputime")) > 0


def test_every_listed_command_is_served_and_counts_its_arguments(host: GtpHost) -> None:
    for name in host.ask("list_commands").split("\n"):
        host.send(f"{name} 1 2 3 4 5")
        reply = host.reply()
        assert "unknown command" not in reply and "internal" not in reply
        assert reply.startswith("? ") or name in ("get_value", "move_values", "move_info"), name
        if name not in ("quit", "stop"):
            host.send(name)
            reply = host.reply()
            assert "unknown command" not in reply and "internal" not in reply


def test_the_game_commands_are_those_that_are_documented(host: GtpHost) -> None:
    own = engine_of(host).more()
    host.worker.submit(Job("test", lambda engine: own.clear()))
    listed = set(host.ask("list_commands").split("\n"))
    assert set(FakeBoardEngine().more()) <= listed
    assert host.ask("get_value") == "0.5"
    assert host.ask("move_info 4057") == "\nID:     4057"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("play", "missing argument 1"),
        ("play 1", "missing argument 2"),
        ("play 5 a1", "invalid color argument '5'"),
        ("play b", "invalid color argument 'b'"),
        ("play 1 pass", "invalid move"),
        ("play 1 null", "play pass not supported (anymore)"),
        ("play 1 a20,", "invalid move"),
        ("play 1 a20 a19", "invalid move"),
        ("play 1 a1", "illegal move"),
        ("p", "missing argument 1"),
        ("genmove", "command needs one argument"),
        ("genmove 1 2", "command needs one argument"),
        ("genmove x", "invalid color argument 'x'"),
        ("reg_genmove x", "invalid color argument 'x'"),
        ("all_legal", "command needs one argument"),
        ("legalmoves 1 2", "too many arguments"),
        ("g 1", "no arguments allowed"),
        ("undo", "cannot undo"),
        ("redo", "cannot redo"),
        ("set_game", "invalid argument"),
        ("set_game duo", "invalid argument"),
        ("set_game   blokus   duo", "invalid argument"),
        ('set_game "Blokus Duo"', "invalid argument"),
        ("set_random_seed", "command needs one argument"),
        ("set_random_seed x", "argument 1 ('x') has invalid type"),
        ("param level", "command needs 2 arguments"),
        ("param x 1", "unknown parameter 'x'"),
        ("param_base x 1", "unknown parameter 'x'"),
        ("param_base resign x", "argument 2 ('x') has invalid type"),
        ("loadsgf", "missing argument 1"),
        ("loadsgf /no/such/file", "Could not open '/no/such/file'"),
        ("loadsgf a b", "argument 2 ('b') has invalid type"),
        ("loadsgf a 1 2", "too many arguments"),
        ("savesgf", "command needs one argument"),
        ("time_settings 1 2", "command needs 3 arguments"),
        ("time_settings 1 2 x", "argument 3 ('x') has invalid type"),
        ("time_settings -1 0 0", "argument 1 ('-1') has invalid type"),
        ("time_left x 1 0", "invalid color argument 'x'"),
        ("time_left 1 1.5 0", "argument 2 ('1.5') has invalid type"),
        ("position", 'position: expected "startpos" or "fen", got nothing'),
        ("position startpos moves a20 a20", "illegal move"),
        ("go far", 'go: expected "perft", "movetime", "nodes" or "depth", got "far"'),
        ("go perft", 'go: expected one whole number after "perft", got nothing'),
        ("go perft -1", 'go: expected a depth of 0 or more after "perft", got "-1"'),
        ("go nodes 0", 'go: expected a whole number of 1 or more after "nodes", got "0"'),
        ("bench 0", 'bench: expected a depth of 1 or more, got "0"'),
        ("go nodes 666", "internal: ZeroDivisionError: a defect"),
    ],
)
def test_failures_change_nothing(
    host: GtpHost, line: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = [host.ask(line) for line in ("moves", "legalmoves", "param", "param_base")]
    assert host.fail(line) == message
    assert [host.ask(line) for line in ("moves", "legalmoves", "param", "param_base")] == before
    assert host.service.failures == 1


def test_recorded_dialogue(host: GtpHost) -> None:
    assert host.ask("set_game Blokus Duo") == ""
    assert host.ask("play b e8,d9,e9,f9,e10") == ""
    host.send("2 genmove w")
    assert host.reply().startswith("=2 ")
    assert host.ask("reg_genmove b") in host.ask("all_legal b").split("\n")
    assert host.ask("undo") == host.ask("undo") == ""
    assert host.fail("undo") == "cannot undo"
    assert host.ask("set_game Blokus") == ""
    moves = [host.ask(f"genmove {colour}") for colour in "1234"]
    moves.append(host.ask("g"))
    assert host.ask("moves").split("\n") == [
        f"{c} {move}" for c, move in zip("12341", moves, strict=True)
    ]
    assert host.ask("final_score") == "10 5 5 1 "
    assert host.ask("undo") == host.ask("redo") == ""
    assert host.ask("moves").count("\n") == 4
    assert host.ask("quit") == ""
    assert host.finish() == b""


def test_moves_in_any_form(host: GtpHost) -> None:
    host.ask("play Blue A20 , b20,\tA19")
    host.ask("p t20")
    assert host.ask("moves") == "1 a19,a20,b20\n2 t20"
    host.ask("play 2 s19,r19")
    assert host.ask("moves").endswith("\n2 r19,s19")
    assert host.ask("legalmoves").split("\n")[0] == "58"
    assert host.ask("legalmoves red") == host.ask("legalmoves")
    assert host.ask("all_legal 3") == host.ask("legalmoves").partition("\n")[2]


def test_fen_and_position(host: GtpHost) -> None:
    host.ask("position startpos moves a20 t20 t1")
    text = host.ask("fen")
    host.ask("clear_board")
    host.ask(f"position fen {text} moves a1")
    assert host.ask("moves") == "1 a20\n2 t20\n3 t1\n4 a1"


def test_files(host: GtpHost, tmp_path: Path) -> None:
    name = tmp_path / "my game"
    host.ask("position startpos moves a20 t20 t1")
    host.ask(f'savesgf "{name}"')
    host.ask("clear_board")
    host.ask(f'loadsgf "{name}" 3')
    assert host.ask("moves") == "1 a20\n2 t20"
    host.ask(f'loadsgf "{name}"')
    assert host.ask("moves") == "1 a20\n2 t20\n3 t1"


def test_settings(host: GtpHost) -> None:
    engine = engine_of(host)
    assert host.ask("param") == "level 4\nuse_frontier_movegen true"
    assert host.ask("param level 7") == ""
    assert engine.values["level"] == "7"
    assert host.ask("param_base") == "resign 0"
    assert host.ask("param_base resign 1") == ""
    assert host.ask("param_base") == "resign 1"
    host.ask("set_random_seed -5")
    assert engine.seed == -5


def test_limits_of_searches(host: GtpHost) -> None:
    engine = engine_of(host)
    host.ask("genmove 2")
    host.ask("time_settings 60 0 0")
    assert host.ask("go movetime 50 nodes 9").startswith("bestmove p1,")
    host.ask("genmove 3")
    host.ask("time_left 4 7 2")
    host.ask("genmove 4")
    host.ask("go")
    host.ask("clear_board")
    host.ask("g")
    minute = Limits(time=(60_000, 60_000))
    assert engine.searches == [
        (1, Limits()), (2, Limits(nodes=9, movetime=50)), (2, minute),
        (3, Limits(time=(7_000, 7_000), movestogo=2)), (0, minute), (0, minute),
    ]  # fmt: skip


def test_go_and_perft(host: GtpHost) -> None:
    lines = host.ask("go perft 2").split("\n")
    assert lines[0] == "a16,a17,a18,a19,a20: 58"
    assert lines[58:] == ["total 3364", "time 7", "nps 480571"]
    assert host.ask("go perft 0") == "total 1\ntime 7\nnps 142"
    assert host.ask("bench 2") == "Total time (ms): 500\nNodes searched: 2000\nNodes/second: 4000"


def test_analyze(host: GtpHost) -> None:
    assert host.ask("analyze") == "variant classic\ngame_over false\n1.left 89\n1.frontier"
    assert host.ask("analyze json").startswith('{"variant": "classic", ')
    assert host.fail("analyze all") == 'analyze: expected "json" or nothing, got "all"'


def test_nothing_to_move(host: GtpHost) -> None:
    host.ask("set_game Blokus Duo")
    host.ask("play b e10")
    assert host.fail("play w e10") == "illegal move"
    # The first piece of b covers the start square of w, which then can never move.
    host.ask("clear_board")
    while "j5" not in host.ask("moves"):
        legal = host.ask("all_legal b").split("\n")
        towards = [move for move in legal if "j5" in move.split(",")] or legal
        host.ask(f"play b {max(towards, key=len)}")
    assert host.ask("all_legal w") == ""
    assert host.ask("legalmoves w") == "0"
    before = host.ask("moves")
    assert host.ask("genmove w") == "pass"
    assert host.fail("reg_genmove w") == "player failed to generate a move"
    assert host.ask("moves") == before


# Who waits for whom.


def test_answers_that_need_no_engine_do_not_wait_for_it() -> None:
    Hold.load.clear()
    host = GtpHost(FAKE_BLOKUS)
    for line in ("name", "protocol_version", "list_commands", "known_command g", "help", "stop"):
        host.ask(line)
    host.send("g", "name", "foo")
    assert host.silent()
    Hold.load.set()
    assert host.reply().startswith("= a16")
    assert host.reply() == "= Triptych"
    assert host.reply() == "? unknown command (foo)"
    host.finish()


def test_stop_ends_what_runs_and_what_waits(host: GtpHost) -> None:
    Hold.think.clear()
    Hold.count.clear()
    begun(host, "genmove 1")
    host.send("2 name", "3 go perft 3", "4 moves")
    assert host.silent()
    host.send("5 stop")
    assert host.reply() == "= a16,a17,a18,a19,a20"
    assert host.reply() == "=2 Triptych"
    assert host.reply() == "=3 perft stopped"
    assert host.reply() == "=4 1 a16,a17,a18,a19,a20"
    assert host.reply() == "=5 "
    Hold.think.set()
    assert host.ask("genmove 2") == "p20,q20,r20,s20,t20"


def test_a_stopped_perft_tells_what_it_has(host: GtpHost) -> None:
    Hold.count.clear()
    begun(host, "go perft 2")
    time.sleep(0.05)
    host.send("stop")
    assert host.reply() == "= a16,a17,a18,a19,a20: 58\na17,a18,a19,a20: 58\nperft stopped"
    assert host.reply() == "= "
    begun(host, "bench")
    host.send("stop 1", "stop")
    assert host.reply() == "= bench stopped"
    assert host.reply() == "? no arguments allowed"
    assert host.reply() == "= "


def test_stop_while_idle_is_forgotten(host: GtpHost) -> None:
    assert host.ask("stop") == ""
    assert host.ask("reg_genmove 1") == "a16,a17,a18,a19,a20"


def test_everything_else_waits(host: GtpHost) -> None:
    Hold.think.clear()
    begun(host, "g")
    host.send("name", "undo", "genmove 1", "foo", "known_command x", "")
    assert host.silent()
    Hold.think.set()
    replies = [host.reply() for _ in range(6)]
    assert replies == ["= a16,a17,a18,a19,a20", "= Triptych", "= ", "= a16,a17,a18,a19,a20",
                       "? unknown command (foo)", "= false"]  # fmt: skip


# Endings.


def test_a_script_is_carried_out_to_its_end() -> None:
    for last in (b"quit\n", b"quit", b""):
        host = GtpHost(FAKE_BLOKUS)
        host.send_bytes(b"g\n" * 30 + b"go perft 2\nmoves\n" + last)
        output = host.finish()
        assert host.left
        assert output.count(b"\n\n") == (33 if last else 32)
        assert output.endswith(b"\n\n= \n\n") == bool(last)
        assert b"stopped" not in output


def test_a_script_waits_for_the_engine_to_load() -> None:
    Hold.load.clear()
    host = GtpHost(FAKE_BLOKUS)
    host.send("clear_board", "quit")
    assert host.silent(2 * loop.SCRIPT)
    Hold.load.set()
    assert host.finish() == b"= \n\n= \n\n"


def test_without_a_command_nothing_is_waited_for() -> None:
    Hold.load.clear()
    host = GtpHost(FAKE_BLOKUS)
    host.send("name", "quit")
    assert host.finish() == b"= Triptych\n\n= \n\n"
    assert not host.left


def test_a_long_command_of_a_script_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LIMIT", 0.2)
    Hold.think.clear()
    host = GtpHost(FAKE_BLOKUS)
    host.send("g", "g", "moves", "quit")
    output = host.finish().decode().split("\n\n")
    assert output[:2] == ["= a16,a17,a18,a19,a20", "= p20,q20,r20,s20,t20"]
    assert output[2].count("\n") == 1
    assert host.left


@pytest.mark.parametrize("last", ["quit", None])
def test_somebody_who_waited_is_not_kept_waiting(last: str | None) -> None:
    Hold.think.clear()
    host = GtpHost(FAKE_BLOKUS)
    begun(host, "g")
    time.sleep(2 * loop.SCRIPT)
    began = time.monotonic()
    if last:
        host.send(last)
    output = host.finish()
    assert output == b"= a16,a17,a18,a19,a20\n\n" + (b"= \n\n" if last else b"")
    assert host.left
    assert time.monotonic() - began < loop.LIMIT / 2


def test_a_job_that_does_not_listen_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LIMIT", 0.1)
    monkeypatch.setattr(loop, "LISTENING", 0.1)
    host = GtpHost(FAKE_BLOKUS)
    host.ask("fen")
    host.worker.submit(Job("deaf", lambda engine: time.sleep(1), Kind.COUNT))
    host.finish()
    assert not host.left


def test_a_game_that_cannot_be_loaded_is_told() -> None:
    host = GtpHost(replace(FAKE_BLOKUS, module="no_such_module_anywhere"))
    host.send("g")
    host.finish()
    assert isinstance(host.failed[0], ModuleNotFoundError)
