"""Files of positions through the chess engine of this process: results, bad lines, full disks."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from batch_files import FENS, MIXED, ROOT, START, analyse, no_file_above, one_by_one, run

from engine.control import Control
from engine.engine import Engine
from engine.errors import EngineError


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_as_analyze_json_for_any_number_of_threads(
    chess_engine: Engine, tmp_path: Path, threads: str
) -> None:
    source = tmp_path / "in"
    source.write_text("\n".join(MIXED * 8))
    chess_engine.set_option("Threads", threads)
    report, lines = analyse(chess_engine, source)
    expected = one_by_one(chess_engine, MIXED)
    bad = {number for number, line in enumerate(expected) if line.startswith('{"error"')}
    assert len(bad) >= 22
    for number, line in enumerate(lines):
        wanted = expected[number % len(MIXED)]
        if number % len(MIXED) in bad:
            wanted = json.dumps({**json.loads(wanted), "line": number + 1})
        assert line == wanted
    assert len(lines) == report.lines == len(MIXED) * 8
    assert (report.bad, report.positions) == (8 * len(bad), len(lines) - 8 * len(bad))
    assert (report.stopped, report.problem) == (False, "")


def test_chess960(chess_engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_text("4k3/8/8/8/8/8/8/5RK1 w F - 0 1\n1r2k3/8/8/8/8/8/8/1RK5 w Bb - 0 1\n")
    chess_engine.set_option("UCI_Chess960", "true")
    _, lines = analyse(chess_engine, source)
    assert lines == one_by_one(chess_engine, source.read_text().splitlines())
    assert ' w F - 0 1"' in lines[0]


def test_the_position_stays(chess_engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_text(FENS[5])
    chess_engine.set_position(None, ["e2e4"])
    before = chess_engine.analyze()
    run(chess_engine, source, str(tmp_path / "out"))
    assert chess_engine.analyze() == before


def test_bad_lines_are_told_in_their_place(chess_engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "in"
    lines = [
        b"\xef\xbb\xbf" + START.encode(), b"", b"  \t ", START.encode() + b"\r", b"rubbish",
        b"\xff\xfe\x00\x01\x80", b'"quotes" \\ and a \x1b', b"x" * 200_000, b"\xe9" * 300,
        b"8/8/8/8/8/8/8/8 w - - 0 1", START.encode().replace(b" w ", b" \x00 "),
        b"\xc2\xa0", START.encode() + b" moves e2e4", START.encode(),
    ]  # fmt: skip
    source.write_bytes(b"\n".join(lines))
    report, found = analyse(chess_engine, source)
    rows = [json.loads(line) for line in found]
    good = {number: row for number, row in enumerate(rows) if "fen" in row}
    assert [row["fen"] for row in good.values()] == [START] * len(good)
    assert [row["line"] for row in rows if "error" in row] == [5, 6, 7, 8, 9, 10, 11, 12]
    assert rows[5]["error"] == "line of more than 131072 bytes"
    assert all(0 < len(row["error"]) < 300 for row in rows if "error" in row)
    assert (report.lines, report.positions, report.bad) == (14, 4, 8)


def test_binary_rubbish(chess_engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "in"
    data = Path(sys.executable).read_bytes()[:500_000]
    source.write_bytes(data)
    report, lines = analyse(chess_engine, source)
    assert report.positions == 0
    assert report.bad == len(lines) == sum(bool(line.strip()) for line in data.split(b"\n"))
    assert all(json.loads(line)["error"] for line in lines)


def test_empty_files(chess_engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "in"
    for data, lines in ((b"", 0), (gzip.compress(b""), 0), (b"\n\r\n", 2)):
        source.write_bytes(data)
        report, found = analyse(chess_engine, source)
        assert (report.lines, report.positions, report.bad, found) == (lines, 0, 0, [])


def test_gzip_in_and_out(chess_engine: Engine, tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out.gz"
    source.write_bytes(gzip.compress("\n".join(FENS * 20).encode()))
    report = run(chess_engine, source, str(target))
    assert report.positions == 20 * len(FENS)
    assert gzip.decompress(target.read_bytes()).decode().splitlines() == (
        one_by_one(chess_engine, FENS) * 20
    )
    source.write_bytes(source.read_bytes()[:-2000])
    report, found = analyse(chess_engine, source)
    assert report.problem.startswith(f'cannot read "{source}": gzip data that breaks off after')
    assert report.positions == len(found) == report.lines > 100
    assert found[:100] == one_by_one(chess_engine, FENS[:100])
    assert not report.stopped


@pytest.mark.parametrize(
    ("source", "target", "problem"),
    [
        ("missing", "out", 'cannot read "missing": No such file or directory'),
        (".", "out", 'cannot read ".": it is a directory, expected a file'),
        ("in", "in", 'cannot write to "in": it is the file that is read'),
        ("in", "link", 'cannot write to "link": it is the file that is read'),
        ("in", "none/out", 'cannot write to "none/out": No such file or directory'),
        ("in", "none/out.parquet", 'cannot write to "none/out.parquet": No such file or directory'),
        ("in", ".", 'cannot write to ".": Is a directory'),
        ("in", "", 'cannot write to "": No such file or directory'),
    ],
)
def test_files_that_cannot_be_used(
    chess_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    source: str, target: str, problem: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("in").write_text(START)
    Path("link").symlink_to("in")
    if target.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    with pytest.raises(EngineError) as caught:
        chess_engine.analyze_file(source, target, Control(), lambda done, total: None)
    assert str(caught.value) == problem
    assert Path("in").read_text() == START
    assert {path.name for path in tmp_path.iterdir()} == {"in", "link"}


def test_a_named_pipe_needs_a_reader(chess_engine: Engine, tmp_path: Path) -> None:
    source, pipe = tmp_path / "in", tmp_path / "pipe"
    source.write_text("\n".join(FENS[:9]))
    os.mkfifo(pipe)
    with pytest.raises(EngineError) as caught:
        run(chess_engine, source, str(pipe))
    assert str(caught.value) == f'cannot write to "{pipe}": it is a pipe that nobody reads from'
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        while True:
            try:
                report = run(chess_engine, source, str(pipe))
                break
            except EngineError:
                """The reader has not come yet."""
        assert reader.stdout is not None
        assert reader.stdout.read().count(b"\n") == report.positions == 9


def test_without_pyarrow_nothing_is_written(
    chess_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.endswith((".columns", ".parquet"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    source = tmp_path / "in"
    source.write_text(START)
    with pytest.raises(EngineError, match=r"needs pyarrow, .* pip install pyarrow$"):
        run(chess_engine, source, str(tmp_path / "out.parquet"))
    assert not (tmp_path / "out.parquet").exists()


def test_stop_keeps_what_is_done(chess_engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_text("\n".join(FENS * 100))
    expected = one_by_one(chess_engine, FENS)
    control = Control()
    seen: list[tuple[int, int]] = []

    def stop_soon(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 3:
            control.stop()

    for target in (tmp_path / "out", tmp_path / "out.gz"):
        control = Control()
        seen.clear()
        report = run(chess_engine, source, str(target), control, stop_soon)
        assert report.stopped and not report.problem
        data = target.read_bytes()
        lines = (gzip.decompress(data) if target.suffix else data).decode().splitlines()
        assert 1000 < len(lines) == report.positions < 100 * len(FENS)
        assert all(line == expected[n % len(FENS)] for n, line in enumerate(lines))
        assert all(total == source.stat().st_size for _, total in seen)
    control = Control()
    control.stop()
    report = run(chess_engine, source, str(target), control)
    assert (report.stopped, report.positions) == (True, 0)


@pytest.mark.parametrize("size", [0, 1000, 3_000_000])
def test_a_full_disk_leaves_whole_lines(chess_engine: Engine, tmp_path: Path, size: int) -> None:
    source = tmp_path / "in"
    source.write_text("\n".join(MIXED * 20))
    _, whole = analyse(chess_engine, source)
    for target in (tmp_path / "out", tmp_path / "out.gz"):
        with no_file_above(size // 10 if target.suffix else size):
            report = run(chess_engine, source, str(target))
        assert report.problem == f'cannot write to "{target}": File too large'
        data = target.read_bytes()
        lines = (gzip.decompress(data) if target.suffix and data else data).decode().splitlines()
        assert lines == whole[: len(lines)]
        assert len(data) <= size
        assert (len(lines) > 500) == (size == 3_000_000)
        bad = sum(line.startswith('{"error"') for line in lines)
        assert (report.positions, report.bad) == (len(lines) - bad, bad)


def test_a_device_that_is_full(chess_engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_text(START)
    report = run(chess_engine, source, "/dev/full")
    assert report.problem == 'cannot write to "/dev/full": No space left on device'
    assert report.positions == 0


MEMORY = """
import resource, sys
from engine.control import Control
from engine.engine import open_engine
from engine.games.chess import CHESS
engine = open_engine(CHESS)
engine.set_option("Threads", "2")
peaks = []
for source in sys.argv[1:]:
    total = []
    report = engine.analyze_file(source, lambda data: total.append(len(data)), Control(), max)
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
print(peaks[1] - peaks[0], sum(total) >> 20)
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    short, long = tmp_path / "short", tmp_path / "long"
    short.write_text("\n".join(FENS * 40))
    long.write_bytes(gzip.compress(("\n".join(FENS * 500)).encode(), 1))
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, short, long],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    growth, results = map(int, done.stdout.split())
    assert results > 90
    assert growth < 30
