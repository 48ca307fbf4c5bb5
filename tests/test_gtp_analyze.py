"""`analyze` and `analyze file` of the line protocol, with the fake engine behind it."""

import gzip
import json
import re
import time
from pathlib import Path

import pytest
from fake_board_engine import HELD_LINE
from fake_engine import Hold
from gtp_host import GtpHost
from protocol_host import FAKE_PROGRAM, PATIENCE
from protocol_host import run as run_program

ROW = '{"variant": "classic", "game_over": false, "1": {"left": 89, "frontier": []}}'
LINES = "-\n\n1:a20/2:t20\nrubbish\n1:t20\n-"
BAD = [
    {"error": 'expected COLOUR:MOVE/..., got "rubbish"', "line": 4},
    {"error": "illegal move", "line": 5},
]
SUMMARY = r"analyze file: 3 positions, 2 bad lines, \d+ ms, \d+ positions/s"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a; b out #c"
    path.write_text(LINES)
    return path


def check_rows(rows: list[str]) -> None:
    assert (rows[:2], rows[4:]) == ([ROW, ROW], [ROW])
    assert [json.loads(row) for row in rows[2:4]] == BAD


def test_the_position_as_lines_and_as_json(gtp: GtpHost) -> None:
    lines = gtp.ask("analyze").split("\n")
    assert lines == ["variant classic", "game_over false", "1.left 89", "1.frontier"]
    assert gtp.ask("analyze json") == ROW
    assert gtp.fail("analyze xml") == 'analyze: expected "json", "file" or nothing, got "xml"'
    assert gtp.fail("analyze json x") == 'analyze: expected nothing after "json", got "x"'
    assert gtp.fail("analyze file") == 'analyze: expected a path after "file", got nothing'


def test_rows_go_into_the_reply(gtp: GtpHost, source: Path) -> None:
    gtp.ask("play 1 a20")
    gtp.send(f'7 analyze file "{source}"', "8 moves")
    first, *rows = gtp.reply().split("\n")
    assert first.startswith("=7 {")
    *rows, summary = [first[3:], *rows]
    check_rows(rows)
    assert re.fullmatch(SUMMARY, summary)
    assert gtp.reply() == "=8 1 a20"


def test_rows_go_to_a_file(gtp: GtpHost, source: Path) -> None:
    target = source.with_name("x out.gz")
    assert re.fullmatch(SUMMARY, gtp.ask(f'analyze file "{source}" out {target}'))
    check_rows(gzip.decompress(target.read_bytes()).decode().splitlines())


def test_files_that_cannot_be_used(gtp: GtpHost, source: Path) -> None:
    missing = source.with_name("missing")
    assert gtp.fail(f"analyze file {missing}").startswith("cannot read ")
    why = gtp.fail(f'analyze file "{source}" out {missing}.parquet')
    assert why.endswith(": this game has no columns for .parquet")
    why = gtp.fail(f'analyze file "{source}" out "{source}"')
    assert why.endswith(": it is the file that is read")
    assert source.read_text() == LINES
    assert [path.name for path in source.parent.iterdir()] == [source.name]


def test_a_file_that_breaks_off(gtp: GtpHost, source: Path) -> None:
    source.write_bytes(gzip.compress(b"-\n" * 2 + b"x" * 1000)[:-8])
    target = source.with_name("target")
    begin, end = "cannot read ", "; analyze file: 2 positions, 0 bad lines, "
    message = gtp.fail(f'analyze file "{source}" out {target}')
    assert message.startswith(begin) and end in message
    assert target.read_text() == f"{ROW}\n" * 2
    gtp.send(f'5 analyze file "{source}"', "name")
    first, second, problem = gtp.reply().split("\n")
    assert (first, second) == (f"=5 {ROW}", ROW)
    assert problem.startswith(f"error: {begin}") and end in problem
    assert gtp.reply() == "= Triptych"
    assert gtp.service.failures == 2


def test_stop_breaks_it_off(gtp: GtpHost, source: Path) -> None:
    source.write_text(f"-\n{HELD_LINE}\n" + "-\n" * 5)
    Hold.count.clear()
    gtp.send(f'analyze file "{source}"')
    assert Hold.reached.wait(PATIENCE) and gtp.silent()
    gtp.send("stop")
    job = gtp.worker._running
    assert job is not None
    while not job.control.stopped:
        time.sleep(0.001)
    Hold.count.set()
    *rows, summary = gtp.reply().split("\n")
    assert rows == [f"= {ROW}", ROW]
    assert summary.endswith(" stopped")
    assert gtp.reply() == "= "


def test_on_the_command_line(source: Path) -> None:
    words = ("--game", "blokus", "analyze", "file", str(source))
    done = run_program("--quiet", *words, program=FAKE_PROGRAM)
    assert (done.returncode, done.stderr) == (0, "")
    check_rows(done.stdout.splitlines())
    target = source.with_name("target; #1")
    done = run_program(*words, "out", str(target), ";", "moves", program=FAKE_PROGRAM)
    assert done.returncode == 0
    assert re.fullmatch(SUMMARY + "\n", done.stdout)
    check_rows(target.read_text().splitlines())
    source.unlink()
    done = run_program(*words, program=FAKE_PROGRAM)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch("triptych: cannot read .*\n", done.stderr)
