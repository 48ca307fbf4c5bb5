"""The line protocol as a process, with the fake engine behind it: options, files, endings."""

import os
import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from gtp_host import GtpProcess
from protocol_host import FAKE_PROGRAM, PATIENCE, ROOT
from protocol_host import run as run_program

from protocol.loop import LIMIT, SCRIPT

run = partial(run_program, "--game", "blokus", program=FAKE_PROGRAM)
start = partial(GtpProcess, "--game", "blokus", program=FAKE_PROGRAM)

FIRST = "a16,a17,a18,a19,a20"


@pytest.mark.parametrize("game", ["classic", "c", "blokus"])
def test_names_of_the_game(game: str) -> None:
    done = run_program("-g", game, "-q", text="genmove 1\n", program=FAKE_PROGRAM)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"= {FIRST}\n\n", "")


def test_options_of_other_programs() -> None:
    done = run(
        *("--level", "7", "--seed", "5", "--threads", "2", "--nobook", "--noresign", "--color"),
        *("--quiet", "--book", "/no/such/file"),
        text="param\nparam_base\nquit\n",
    )
    assert done.returncode == 0
    assert done.stdout == "= level 7\nuse_frontier_movegen true\n\n= resign 0\n\n= \n\n"
    assert done.stderr == ""
    done = run("-l", "1", "-r", "-5", "-q", "param")
    assert done.stdout.startswith("level 1\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--level", "0"), '--level takes a whole number from 1 to 9, not "0"'),
        (("--level", "x"), '--level takes a whole number from 1 to 9, not "x"'),
        (("--seed", "x"), '--seed takes a whole number, not "x"'),
        (("--config", "/no/such"), '--config: cannot read "/no/such": No such file or directory'),
        (("--threads", "0"), "option Threads takes a whole number"),
        (("--game", "trigon"), 'unknown game "trigon"; there are: chess, blokus'),
        (("--game", "chess", "--level", "3"), "--level is not an option of the game chess"),
        (("--game", "chess", "--nobook"), "--nobook is not an option of the game chess"),
        (("--protocol", "uci"), 'blokus is served over gtp, not over "uci"'),
        (("--game", "chess", "--protocol", "gtp"), 'chess is served over uci, not over "gtp"'),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_commands_on_the_command_line() -> None:
    done = run("go", "perft", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"(\S+: 58\n){58}total 3364\ntime 7\nnps 480571\n", done.stdout)
    done = run("position startpos moves a20; legalmoves; 3 moves; showboard")
    assert done.stdout.startswith("58\n")
    assert done.stdout.endswith("\n1 a20\n20 . . .\n\n19 . . .\n")
    assert run("clear_board").stdout == ""
    assert run("--protocol", "gtp", "moves").returncode == 0
    assert run("g; quit; g").stdout == f"{FIRST}\n"
    assert run("help", "g", env={"FAKE_HOLD": "load"}).stdout.startswith("  Usage     g\n")


@pytest.mark.parametrize("words", [("play", "1", "a1"), ("foo",), ("g; undo 1; g",)])
def test_a_failure_on_the_command_line(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.returncode == 1
    assert done.stderr.startswith("triptych: ")
    assert done.stderr.count("\n") == 1
    assert "triptych" not in done.stdout


def test_files_of_commands(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("# a script\n1 g\n\n2 foo\n")
    second.write_bytes(b"3 moves\r\nquit\n4 name")
    done = run(str(first), str(second), text="name\n")
    assert done.stdout == f"=1 {FIRST}\n\n?2 unknown command (foo)\n\n=3 1 {FIRST}\n\n= \n\n"
    assert done.returncode == 1
    assert run(str(second)).returncode == 0
    done = run(str(first), "/no/such/file")
    assert (done.returncode, done.stdout) == (1, "")


def test_config(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text("# start\nparam level 2\nplay 1 a20\n")
    done = run("--config", str(config), text="param\nmoves\n")
    assert done.stdout == "= level 2\nuse_frontier_movegen true\n\n= 1 a20\n\n"
    assert run("-c", str(config), "moves").stdout == "1 a20\n"
    config.write_text("play 1 a1\n")
    with start("-c", str(config)) as engine:
        assert engine.wait() == 1
        assert engine.errors == b"triptych: --config: play: illegal move\n"
    config.write_text("quit\n")
    assert run("-c", str(config), text="name\n").stdout == ""


def test_showboard() -> None:
    done = run("--showboard", text="g\nmoves\nundo\nundo\n")
    assert done.stdout == f"= {FIRST}\n\n= 1 {FIRST}\n\n= \n\n? cannot undo\n\n"
    assert done.stderr == 2 * "20 . . .\n\n19 . . .\n"


def test_log_has_the_progress(tmp_path: Path) -> None:
    run("--log", str(tmp_path / "log"), text="7 g\n")
    text = (tmp_path / "log").read_text()
    assert re.search(r"DEBUG < 7 g$", text, re.M)
    assert re.search(r"DEBUG # info depth 1 ", text, re.M)
    assert re.search(rf"DEBUG > =7 {FIRST}$", text, re.M)


def test_input_in_pieces() -> None:
    text = b"1 genmove 1\r\n\n# x\n2 play 2 t20 # y\n3 foo\n4 moves"
    with start() as engine:
        for number in text:
            engine.send_bytes(bytes((number,)))
        engine.close_input()
        assert engine.wait() == 0
        assert engine.rest().decode() == (
            f"=1 {FIRST}\n\n=2 \n\n?3 unknown command (foo)\n\n=4 1 {FIRST}\n2 t20\n\n"
        )
        assert engine.errors == b""


@pytest.mark.parametrize("ending", ["quit", "end of input"])
@pytest.mark.parametrize("command", ["genmove 1", "go perft 3", "bench"])
def test_ending_while_a_command_computes(command: str, ending: str) -> None:
    with start(env={"FAKE_HOLD": "think count"}) as engine:
        engine.send(command)
        while b"waiting" not in engine.errors:
            time.sleep(0.01)
        time.sleep(2 * SCRIPT)
        began = time.monotonic()
        if ending == "quit":
            engine.send("quit")
        else:
            engine.close_input()
        assert engine.wait() == 0
        assert time.monotonic() - began < LIMIT / 2
        assert engine.reply().startswith("= ")
        assert engine.rest() == (b"= \n\n" if ending == "quit" else b"")


def test_stop_while_a_command_computes() -> None:
    with start(env={"FAKE_HOLD": "think count"}) as engine:
        engine.ask("legalmoves")  # loaded
        engine.send("genmove 1", "go perft 3")
        assert engine.silent(0.5)
        engine.send("stop")
        assert engine.reply() == f"= {FIRST}"
        assert engine.reply().endswith("perft stopped")
        assert engine.reply() == "= "
        assert engine.ask("moves") == f"1 {FIRST}"


def test_a_game_that_cannot_be_loaded_ends_the_process() -> None:
    with start(env={"FAKE_BROKEN": "1"}) as engine:
        engine.send("g")
        assert engine.wait() == 1
        assert engine.rest() == b""
        assert b"cannot be loaded" in engine.errors


def test_a_broken_output_pipe_ends_the_process_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(
        [sys.executable, *FAKE_PROGRAM, "--game", "blokus"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(writing)
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(b"g\n" * 1000)
        process.stdin.flush()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""


def test_closed_streams() -> None:
    program = f"{sys.executable} {FAKE_PROGRAM[0]} --game blokus"
    for redirection in ("<&-", "</dev/null", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"{program} {redirection}"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), redirection
