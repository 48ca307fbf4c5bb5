"""`analyze file` in a process of its own, with the fake engine behind it."""

import json
import shlex
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import chess
import pexpect
import pytest
from fake_engine import HELD
from protocol_host import FAKE_PROGRAM, PATIENCE, ROOT, Process
from protocol_host import run as run_program

run = partial(run_program, program=FAKE_PROGRAM)
start = partial(Process, program=FAKE_PROGRAM)

HELD_COUNT = {"FAKE_HOLD": "count"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Three positions; the second one is held under HELD_COUNT."""
    path = tmp_path / 'a "b"; out c.epd'
    path.write_text(f"{chess.STARTING_FEN}\n{HELD}\n{chess.STARTING_FEN}\n")
    return path


def test_words_of_the_command_line_are_paths(source: Path) -> None:
    target = source.with_name("x; out y")
    done = run("analyze", "file", str(source), "out", str(target))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("info string analyze file: 3 positions, 0 bad lines, ")
    assert done.stdout.count("\n") == 1
    rows = [json.loads(line)["fen"] for line in target.read_text().splitlines()]
    assert rows == [chess.STARTING_FEN, HELD, chess.STARTING_FEN]
    done = run("analyze", "file", str(source), "out", str(target), ";", "legalmoves")
    assert done.stdout.splitlines()[1].startswith("legalmoves 20 ")


def test_quiet_fills_stdout_with_results_alone(source: Path) -> None:
    done = run("--quiet", "analyze", "file", str(source))
    assert (done.returncode, done.stderr) == (0, "")
    assert len([json.loads(line) for line in done.stdout.splitlines()]) == 3


@pytest.mark.parametrize("words", [("analyze", "file", "missing"), ("analyze", "nothing")])
def test_a_failure_shows_in_the_status(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.returncode == 1
    assert done.stdout.startswith("info string error: ")
    assert done.stdout.count("\n") == 1


def test_a_path_may_be_called_out() -> None:
    done = run("analyze", "file", "out", "out", "elsewhere")
    assert done.returncode == 1
    assert done.stdout.startswith('info string error: cannot read "out": ')


@pytest.fixture
def long_source(source: Path) -> Path:
    """More than a block of positions, and a held one after them."""
    path = source.with_name("long")
    path.write_text(f"{chess.STARTING_FEN}\n" * 1500 + f"{HELD}\n" * 3)
    return path


def wait_for_lines(path: Path) -> None:
    """Until the first results are there."""
    deadline = time.monotonic() + PATIENCE
    while not path.exists() or not path.stat().st_size:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("one_shot", [True, False])
def test_a_signal_closes_the_file_first(
    long_source: Path, number: signal.Signals, one_shot: bool
) -> None:
    target, second = long_source.with_name("out"), long_source.with_name("second")
    command = f"analyze file {long_source} out {target}"
    later = f"analyze file {target} out {second}"
    with start(*([f"{command}; {later}"] if one_shot else []), env=HELD_COUNT) as engine:
        if not one_shot:
            engine.send(command, later)
        wait_for_lines(target)
        engine.signal(number)
        assert engine.wait() == 128 + number
        assert "".join(engine.errors) == ""
        (summary,) = engine.lines
    *lines, end = target.read_text().split("\n")
    assert end == ""
    assert len([json.loads(line) for line in lines]) > 1000
    assert summary.startswith(f"info string analyze file: {len(lines)} positions, 0 bad lines, ")
    assert summary.endswith(" stopped")
    assert not second.exists()


def test_a_signal_leaves_whole_lines_on_stdout(long_source: Path) -> None:
    with start("--quiet", "analyze", "file", str(long_source), env=HELD_COUNT) as engine:
        engine.expect('{"fen": .*')
        engine.signal(signal.SIGINT)
        assert engine.wait() == 130
        assert len([json.loads(line) for line in engine.lines]) > 1000


def test_a_second_signal_does_not_wait(source: Path) -> None:
    """Results go to a pipe that nobody reads, so the first signal waits for the job in vain."""
    big = source.with_name("big")
    big.write_text(f"{chess.STARTING_FEN}\n" * 20_000)
    with subprocess.Popen(
        [sys.executable, *FAKE_PROGRAM, "analyze", "file", str(big)],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.read(1)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(2) == 130


def test_a_reader_that_leaves_ends_it(source: Path) -> None:
    big = source.with_name("big")
    big.write_text(f"{chess.STARTING_FEN}\n" * 20_000)
    with subprocess.Popen(
        [sys.executable, *FAKE_PROGRAM, "analyze", "file", str(big)],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == 1
        assert process.stderr.read() == b""


def test_a_full_disk_behind_stdout_is_told(source: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, *FAKE_PROGRAM, "analyze", "file", str(source)],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == b"triptych: cannot write to stdout: No space left on device\n"


def test_a_closed_stdout_is_no_success(source: Path) -> None:
    words = shlex.join([sys.executable, *FAKE_PROGRAM, "analyze", "file", str(source)])
    done = subprocess.run(
        ["sh", "-c", f"{words} >&-"], cwd=ROOT, capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 1
    assert done.stderr == b"triptych: cannot write to stdout: Bad file descriptor\n"


def test_standard_input_can_be_the_file() -> None:
    done = run("--quiet", "analyze", "file", "/dev/stdin", text=f"{chess.STARTING_FEN}\n{HELD}")
    assert done.returncode == 0
    assert done.stdout.count('{"fen": ') == 2


def test_a_bar_shows_at_a_terminal_only_and_not_among_results(source: Path) -> None:
    target = source.with_name("out")
    for arguments, has_bar in (
        (("analyze", "file", str(source), "out", str(target)), True),
        (("--quiet", "analyze", "file", str(source), "out", str(target)), False),
        (("analyze", "file", str(source)), False),
    ):
        child = pexpect.spawn(
            sys.executable, [*FAKE_PROGRAM, *arguments], cwd=str(ROOT), timeout=PATIENCE,
            encoding="utf-8",
        )  # fmt: skip
        shown = child.read()
        child.close()
        assert child.exitstatus == 0
        assert ("\ranalyze file: " in shown) == has_bar, shown
        assert ("info string analyze file: 3 positions" in shown) == ("--quiet" not in arguments)


@pytest.mark.parametrize("text", ["warmup; d", "d; warmup", "warmup now", "warmup;"])
def test_warmup_stands_alone(text: str) -> None:
    done = run(text)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("triptych: warmup stands alone: ")
    assert done.stderr.count("\n") == 1


SLOW_IMPORT = """
import runpy, sys, time
import protocol.signals
class Slow:
    def find_spec(self, name, *_):
        if name == "argparse":
            print(flush=True)
            time.sleep(30)
sys.meta_path.insert(0, Slow())
sys.argv = ["triptych", "isready"]
runpy.run_module("protocol", run_name="__main__")
"""


def test_a_signal_while_python_imports_gives_no_traceback() -> None:
    """From the first line of `protocol.__main__` on; before that it is not our code that runs."""
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen(
            [sys.executable, "-c", SLOW_IMPORT], cwd=ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert process.stdout is not None and process.stderr is not None
            process.stdout.readline()
            process.send_signal(number)
            assert process.wait(10) == 128 + number
            assert process.stderr.read() == b""
