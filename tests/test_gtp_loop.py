"""The line protocol with a fake engine inside this process: framing, and each command."""

from pathlib import Path

import pytest
from fake_board_engine import FAKE_BLOKUS, FakeBoardEngine
from gtp_host import GtpHost

from engine import __version__
from engine.engine import Engine
from engine.types import Limits
from protocol.loop import Job

pytestmark = pytest.mark.usefixtures("held")


def engine_of(host: GtpHost) -> FakeBoardEngine:
    """The engine behind a host; asks for it in a job of its own."""
    host.ask("fen")  # the thread is running
    found: list[Engine] = []
    host.worker.submit(Job("test", found.append))
    host.ask("fen")
    (engine,) = found
    assert isinstance(engine, FakeBoardEngine)
    return engine


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


def test_many_commands_at_once(gtp: GtpHost) -> None:
    commands = ["name", "g", "foo", "moves", "undo", "undo", "clear_board"]
    texts = ["= Triptych", "= a16,a17,a18,a19,a20", "? unknown command (foo)",
             "= 1 a16,a17,a18,a19,a20", "= ", "? cannot undo", "= "]  # fmt: skip
    for first in (b"", b"7 "):
        gtp.send_bytes(b"".join(b"%s%s\n" % (first, c.encode()) for c in commands) * 50)
        id = first.decode().strip()
        for _ in range(50):
            for text in texts:
                assert gtp.reply() == text[0] + id + text[1:]


def test_long_lines(gtp: GtpHost) -> None:
    assert gtp.fail("x" * 1_000_000) == f"unknown command ({'x' * 77}...)"
    assert gtp.fail("play 1 " + "a20," * 250_000) == "invalid move"
    assert len(gtp.fail(f"genmove {'5' * 1_000_000}")) == 400
    gtp.send("9" * 1_000_000 + " name")
    assert gtp.reply() == f"={'9' * 1_000_000} Triptych"
    assert gtp.ask("moves") == ""


# Commands.


def test_who_it_is(gtp: GtpHost) -> None:
    assert gtp.ask("protocol_version") == "2"
    assert gtp.ask("name") == "Triptych"
    assert gtp.ask("version") == __version__
    names = gtp.ask("list_commands").split("\n")
    assert names == sorted(names)
    assert {"quit", "genmove", "d", "showboard", "get_value"} <= set(names)
    for name in names:
        assert gtp.ask(f"known_command {name}") == "true"
        assert gtp.ask(f"help {name}").startswith("  Usage     ")
    for name in ("x", "NAME", "go perft", "boardsize"):
        assert gtp.fail("known_command") == "command needs one argument"
        if " " not in name:
            assert gtp.ask(f"known_command {name}") == "false"
    assert float(gtp.ask("cputime")) > 0


def test_every_listed_command_is_served_and_counts_its_arguments(gtp: GtpHost) -> None:
    for name in gtp.ask("list_commands").split("\n"):
        gtp.send(f"{name} 1 2 3 4 5")
        reply = gtp.reply()
        assert "unknown command" not in reply and "internal" not in reply
        assert reply.startswith("? ") or name in ("get_value", "move_values", "move_info"), name
        if name not in ("quit", "stop"):
            gtp.send(name)
            reply = gtp.reply()
            assert "unknown command" not in reply and "internal" not in reply


def test_the_game_commands_are_those_that_are_documented(gtp: GtpHost) -> None:
    own = engine_of(gtp).more()
    gtp.worker.submit(Job("test", lambda engine: own.clear()))
    listed = set(gtp.ask("list_commands").split("\n"))
    assert set(FakeBoardEngine().more()) <= listed
    assert gtp.ask("get_value") == "0.5"
    assert gtp.ask("move_info 4057") == "\nID:     4057"


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
    gtp: GtpHost, line: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = [gtp.ask(line) for line in ("moves", "legalmoves", "param", "param_base")]
    assert gtp.fail(line) == message
    assert [gtp.ask(line) for line in ("moves", "legalmoves", "param", "param_base")] == before
    assert gtp.service.failures == 1


def test_recorded_dialogue(gtp: GtpHost) -> None:
    assert gtp.ask("set_game Blokus Duo") == ""
    assert gtp.ask("play b e8,d9,e9,f9,e10") == ""
    gtp.send("2 genmove w")
    assert gtp.reply().startswith("=2 ")
    assert gtp.ask("reg_genmove b") in gtp.ask("all_legal b").split("\n")
    assert gtp.ask("undo") == gtp.ask("undo") == ""
    assert gtp.fail("undo") == "cannot undo"
    assert gtp.ask("set_game Blokus") == ""
    moves = [gtp.ask(f"genmove {colour}") for colour in "1234"]
    moves.append(gtp.ask("g"))
    assert gtp.ask("moves").split("\n") == [
        f"{c} {move}" for c, move in zip("12341", moves, strict=True)
    ]
    assert gtp.ask("final_score") == "10 5 5 1 "
    assert gtp.ask("undo") == gtp.ask("redo") == ""
    assert gtp.ask("moves").count("\n") == 4
    assert gtp.ask("quit") == ""
    assert gtp.finish() == b""


def test_moves_in_any_form(gtp: GtpHost) -> None:
    gtp.ask("play Blue A20 , b20,\tA19")
    gtp.ask("p t20")
    assert gtp.ask("moves") == "1 a19,a20,b20\n2 t20"
    gtp.ask("play 2 s19,r19")
    assert gtp.ask("moves").endswith("\n2 r19,s19")
    assert gtp.ask("legalmoves").split("\n")[0] == "58"
    assert gtp.ask("legalmoves red") == gtp.ask("legalmoves")
    assert gtp.ask("all_legal 3") == gtp.ask("legalmoves").partition("\n")[2]


def test_fen_and_position(gtp: GtpHost) -> None:
    gtp.ask("position startpos moves a20 t20 t1")
    text = gtp.ask("fen")
    gtp.ask("clear_board")
    gtp.ask(f"position fen {text} moves a1")
    assert gtp.ask("moves") == "1 a20\n2 t20\n3 t1\n4 a1"


def test_files(gtp: GtpHost, tmp_path: Path) -> None:
    name = tmp_path / "my game"
    gtp.ask("position startpos moves a20 t20 t1")
    gtp.ask(f'savesgf "{name}"')
    gtp.ask("clear_board")
    gtp.ask(f'loadsgf "{name}" 3')
    assert gtp.ask("moves") == "1 a20\n2 t20"
    gtp.ask(f'loadsgf "{name}"')
    assert gtp.ask("moves") == "1 a20\n2 t20\n3 t1"


def test_settings(gtp: GtpHost) -> None:
    engine = engine_of(gtp)
    assert gtp.ask("param") == "level 4\nuse_frontier_movegen true"
    assert gtp.ask("param level 7") == ""
    assert engine.values["level"] == "7"
    assert gtp.ask("param_base") == "resign 0"
    assert gtp.ask("param_base resign 1") == ""
    assert gtp.ask("param_base") == "resign 1"
    gtp.ask("set_random_seed -5")
    assert engine.seed == -5


def test_limits_of_searches(gtp: GtpHost) -> None:
    engine = engine_of(gtp)
    gtp.ask("genmove 2")
    gtp.ask("time_settings 60 0 0")
    assert gtp.ask("go movetime 50 nodes 9").startswith("bestmove p1,")
    gtp.ask("genmove 3")
    gtp.ask("time_left 4 7 2")
    gtp.ask("genmove 4")
    gtp.ask("go")
    gtp.ask("clear_board")
    gtp.ask("g")
    minute = Limits(time=(60_000, 60_000))
    assert engine.searches == [
        (1, Limits()), (2, Limits(nodes=9, movetime=50)), (2, minute),
        (3, Limits(time=(7_000, 7_000), movestogo=2)), (0, minute), (0, minute),
    ]  # fmt: skip


def test_go_and_perft(gtp: GtpHost) -> None:
    lines = gtp.ask("go perft 2").split("\n")
    assert lines[0] == "a16,a17,a18,a19,a20: 58"
    assert lines[58:] == ["total 3364", "time 7", "nps 480571"]
    assert gtp.ask("go perft 0") == "total 1\ntime 7\nnps 142"
    assert gtp.ask("bench 2") == "Total time (ms): 500\nNodes searched: 2000\nNodes/second: 4000"


def test_nothing_to_move(gtp: GtpHost) -> None:
    gtp.ask("set_game Blokus Duo")
    gtp.ask("play b e10")
    assert gtp.fail("play w e10") == "illegal move"
    # The first piece of b covers the start square of w, which then can never move.
    gtp.ask("clear_board")
    while "j5" not in gtp.ask("moves"):
        legal = gtp.ask("all_legal b").split("\n")
        towards = [move for move in legal if "j5" in move.split(",")] or legal
        gtp.ask(f"play b {max(towards, key=len)}")
    assert gtp.ask("all_legal w") == ""
    assert gtp.ask("legalmoves w") == "0"
    before = gtp.ask("moves")
    assert gtp.ask("genmove w") == "pass"
    assert gtp.fail("reg_genmove w") == "player failed to generate a move"
    assert gtp.ask("moves") == before
