"""The program as a process, with the fake engine behind it: command line, signals, endings.

What needs the real engine is in `test_clients.py`.
"""

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pexpect
import pytest
from protocol_host import FAKE_PROGRAM, PATIENCE, ROOT, Process
from protocol_host import run as run_program

from engine import __version__

run = partial(run_program, program=FAKE_PROGRAM)
start = partial(Process, program=FAKE_PROGRAM)

ENDING = 2.0
"""Seconds that the process may take to end once it was told to."""
SLACK = 1.0
"""Seconds more for a busy machine to notice."""


def test_importing_protocol_loads_nothing_heavy() -> None:
    check = "import sys, protocol.cli; print(sorted({'numba', 'numpy', 'tqdm'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_one_shot_commands() -> None:
    done = run("position startpos moves e2e4; legalmoves")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("legalmoves 20 a7a5 ")
    done = run("go", "perft", "2")
    assert done.returncode == 0
    assert "\n\nNodes searched: 400\ninfo string perft depth 2 nodes 400 " in done.stdout
    done = run("go", "wtime", "-20", "depth", "2")
    assert done.returncode == 0
    assert done.stdout.endswith("\nbestmove a2a3\n")
    done = run("go depth 1; quit; d")
    assert done.stdout.endswith("bestmove a2a3\n")
    done = run("isready")
    assert done.stdout == "readyok\n"


def test_one_shot_order_waits_for_each_command() -> None:
    done = run("go depth 3; setoption name Hash value 32; position startpos moves e2e4; go depth 1")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[3] == "bestmove a2a3"
    assert lines[-1] == "bestmove a7a5"


def test_one_shot_needs_no_engine_for_help() -> None:
    done = run("help", "go", env={"FAKE_HOLD": "load"})
    assert done.returncode == 0
    assert done.stdout.startswith("  Usage     go [searchmoves")


@pytest.mark.parametrize(
    "words",
    [
        ("go", "perft", "-1"),
        ("position startpos moves e2e5",),
        ("position startpos moves e2e5; legalmoves",),
        ("xyzzy",),
        ("go", "depth", "abc"),
        ("setoption name Hash value abc",),
        ("go nodes 666",),
    ],
)
def test_one_shot_failures(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.returncode == 1
    assert "info string error: " in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--game", "checkers"), 'unknown game "checkers"; there are: chess'),
        (("--backend", "tpu"), 'unknown backend "tpu" .* cpu, gpu, auto, check'),
        (("--threads", "0"), 'option Threads takes a whole number from 1 to 256, not "0"'),
        (("--threads", "many"), 'option Threads takes a whole number .*, not "many"'),
        (("--log", "/no/such/folder/x"), "--log: cannot write to .*: No such file or directory"),
        (("--bogus",), "unrecognized arguments: --bogus|.*--bogus.*"),
        (("go", "perft", "3", "--threads", "2"), 'options come before the command: "--threads"'),
        (("--thr", "2"), ".*--thr.*"),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert re.search(message, done.stderr)


def test_backend_from_the_environment() -> None:
    done = run("legalmoves", env={"TRIPTYCH_BACKEND": "nonsense"})
    assert (done.returncode, done.stdout) == (2, "")
    assert "backend" in done.stderr
    done = run("--backend", "cpu", "isready", env={"TRIPTYCH_BACKEND": "gpu"})
    assert (done.returncode, done.stderr) == (0, "")
    done = run("isready", env={"TRIPTYCH_BACKEND": "auto"})
    assert (done.returncode, done.stdout) == (0, "readyok\n")
    assert done.stderr.startswith("backend ")


def test_version_and_help() -> None:
    assert run("--version").stdout == f"Triptych {__version__}\n"
    done = run("--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: triptych ")


def test_log(tmp_path: Path) -> None:
    file = tmp_path / "log"
    run("--log", str(file), text="uci\nposition startpos moves e2e5\nquit\n")
    text = file.read_text()
    assert re.search(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} DEBUG < uci$", text, re.M)
    assert re.search(r"DEBUG > uciok$", text, re.M)
    assert re.search(r"DEBUG > info string error: move 1, e2e5, is not legal$", text, re.M)


def test_uci_answers_by_itself_and_fast() -> None:
    with start(env={"FAKE_HOLD": "load"}) as engine:
        began = time.monotonic()
        engine.send("uci")
        engine.expect("uciok")
        assert time.monotonic() - began < 5


def test_stdout_is_pure_protocol_and_stderr_empty() -> None:
    done = run(text="uci\nisready\ngo depth 2\nisready\n")
    assert done.returncode == 0
    assert done.stderr == ""
    for line in done.stdout.splitlines():
        assert re.match(r"(id|option|uciok|info|bestmove|readyok)\b", line)


@pytest.mark.parametrize("command", [(), ("legalmoves",)])
def test_a_game_that_cannot_be_loaded_ends_the_process(command: tuple[str, ...]) -> None:
    with start(*command, env={"FAKE_BROKEN": "1"}) as engine:
        if not command:
            engine.send("position startpos", "go infinite")
        assert engine.wait() == 1
        assert engine.lines == ["info string error: internal: RuntimeError: cannot be loaded"]
        assert "Traceback" in "".join(engine.errors)


STATES = {
    "idle": ("", ("isready",), "readyok"),
    "loading": ("load", (), None),
    "loading, work waits": ("load", ("position startpos", "go depth 3", "legalmoves"), None),
    "search": ("", ("go infinite", "isready"), "readyok"),
    "ponder": ("", ("go ponder", "isready"), "readyok"),
    "perft": ("count", ("go perft 9", "isready"), "readyok"),
    "bench": ("count", ("bench", "isready"), "readyok"),
    # A terminal at which nobody types is a file that does not end.
    "file": ("", ("analyze file /dev/ptmx", "isready"), "readyok"),
    "perft, more waits": ("count", ("go perft 9", "go perft 9", "d", "isready"), "readyok"),
}


def bring_about(engine: Process, state: str) -> None:
    """Send what leads to the state, and wait until it holds."""
    _, lines, answer = STATES[state]
    engine.send("uci", *lines)
    engine.expect("uciok")
    if answer is not None:
        engine.expect(answer)


@pytest.mark.parametrize("ending", ["quit", "end of input"])
@pytest.mark.parametrize("state", STATES)
def test_ending(state: str, ending: str) -> None:
    with start(env={"FAKE_HOLD": STATES[state][0]}) as engine:
        bring_about(engine, state)
        before = before_end = engine.cpu_seconds()
        began = time.monotonic()
        if ending == "quit":
            engine.send("quit")
        else:
            engine.close_input()
        while engine.process.poll() is None and time.monotonic() - began < ENDING + SLACK:
            before_end = engine.cpu_seconds() if engine.process.poll() is None else before
            time.sleep(0.02)
        assert engine.wait(0.1) == 0
        assert before_end - before < 1.0
        assert "".join(engine.errors) == ""
        searches = "search" in state or "ponder" in state
        assert searches == any(line.startswith("bestmove") for line in engine.lines)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("state", STATES)
def test_signals(state: str, number: signal.Signals) -> None:
    with start(env={"FAKE_HOLD": STATES[state][0]}) as engine:
        bring_about(engine, state)
        engine.signal(number)
        assert engine.wait() == 128 + number
        assert "".join(engine.errors) == ""


@pytest.mark.parametrize("state", ["idle", "loading", "search"])
def test_a_signal_counts_more_than_the_end_of_input(state: str) -> None:
    with start(env={"FAKE_HOLD": STATES[state][0]}) as engine:
        bring_about(engine, state)
        engine.signal(signal.SIGINT)
        engine.close_input()
        assert engine.wait() == 130


def test_sigint_in_one_shot() -> None:
    with start("go", "perft", "9", env={"FAKE_HOLD": "count"}) as engine:
        time.sleep(0.5)
        engine.signal(signal.SIGINT)
        assert abs(engine.wait()) in (130, signal.SIGINT)
        assert engine.lines == []


def test_a_host_that_does_not_read_does_not_keep_the_process() -> None:
    with subprocess.Popen(
        [sys.executable, *FAKE_PROGRAM], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"legalmoves\n" * 1000)
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("command", [(), ("go", "infinite")])
def test_a_broken_output_pipe_ends_the_process_quietly(command: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [sys.executable, *FAKE_PROGRAM, *command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    assert process.stdin is not None and process.stderr is not None
    if not command:
        process.stdin.write(b"isready\n")
        process.stdin.flush()
    assert process.wait(PATIENCE) == (1 if command else 0)
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


def test_closed_streams() -> None:
    program = f"{sys.executable} {FAKE_PROGRAM[0]}"
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


def test_terminal() -> None:
    child = pexpect.spawn(sys.executable, list(FAKE_PROGRAM), cwd=str(ROOT), timeout=PATIENCE)
    child.expect_exact(f"Triptych {__version__}, chess over UCI. ")
    child.expect_exact('"quit" to leave.')
    child.sendline("isready")
    child.expect("readyok\r\n")
    child.sendline("go infinite")
    child.expect("info depth 3 .*\r\n")
    child.sendline("stop")
    child.expect("bestmove a2a3\r\n")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_no_greeting_when_quiet() -> None:
    child = pexpect.spawn(
        sys.executable, [*FAKE_PROGRAM, "--quiet"], cwd=str(ROOT), timeout=PATIENCE
    )
    child.sendline("isready")
    child.expect("^isready\r\nreadyok\r\n")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
