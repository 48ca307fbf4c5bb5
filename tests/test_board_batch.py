"""Files of positions through the engines of Blokus and CoTuLenh in this process."""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest
from batch_files import analyse, one_by_one, run
from blokus_games import position_of, rows
from cotulenh_positions import random_cases

from engine.engine import Engine
from engine.errors import EngineError
from engine.games.cotulenh import position as cotulenh


@cache
def texts(game: str) -> list[str]:
    """Positions of all kinds, some finished, some with an open deployment, as `fen` says them."""
    if game == "blokus":
        return [position_of(row).fen() for row in rows("moves")[::9]]
    found = []
    for fen, steps in random_cases(5, 40):
        position = cotulenh.Position(fen)
        position.play_turn(",".join(steps)) if steps else None
        found.append(position.fen())
    assert any(">" in text for text in found)
    return found


@pytest.fixture(scope="module")
def cotulenh_engine() -> Engine:
    from engine.games.cotulenh.session import load

    return load()


@pytest.fixture(params=["blokus", "cotulenh"])
def case(request: pytest.FixtureRequest) -> tuple[Engine, list[str]]:
    """An engine, and positions of its game."""
    return request.getfixturevalue(f"{request.param}_engine"), texts(request.param)


@pytest.mark.parametrize("threads", ["1", "3"])
def test_as_analyze_json_for_any_number_of_threads(
    case: tuple[Engine, list[str]], tmp_path: Path, threads: str
) -> None:
    engine, positions = case
    mixed = [*positions[:9], "no position", positions[9][:-1] + "\u00e9", *positions[10:], "8 w"]
    source = tmp_path / "in"
    source.write_text("\n".join(mixed) + "\n")
    engine.set_option("Threads", threads)
    report, lines = analyse(engine, source)
    engine.set_option("Threads", "1")
    assert lines == one_by_one(engine, mixed)
    assert len({json.loads(line).get("fen", line) for line in lines}) > len(mixed) // 2
    assert (report.lines, report.bad, report.problem) == (len(mixed), 3, "")
    assert report.positions == len(mixed) - 3


def test_gzip_and_the_position_that_stays(case: tuple[Engine, list[str]], tmp_path: Path) -> None:
    engine, positions = case
    source, target = tmp_path / "in", tmp_path / "out.gz"
    source.write_bytes(gzip.compress("\r\n\r\n".join(positions[:5]).encode()))
    engine.set_position(positions[7], ())
    before = engine.analyze()
    assert run(engine, source, str(target)).positions == 5
    assert engine.analyze() == before
    packed = gzip.decompress(target.read_bytes()).decode().splitlines()
    assert packed == one_by_one(engine, positions[:5])


def test_bad_lines(case: tuple[Engine, list[str]], tmp_path: Path) -> None:
    """Each is told in its place, whatever it holds."""
    engine, positions = case
    good = positions[3].encode()
    source = tmp_path / "in"
    bad = [
        b"rubbish", b"\xff\xfe\x00\x01\x80", b'"quotes" \\ and \x1b', b"x" * 200_000, b"\xe9" * 300,
        good + b" moves a1", good.replace(b" ", b" \x00 ", 1), good[: len(good) // 2],
        good.replace(b"/", b"", 1), good.replace(b"/", b"//", 1), "\u0662".encode() + good,
    ]  # fmt: skip
    source.write_bytes(b"\xef\xbb\xbf" + b"\n".join([good, b" \t ", *bad, good + b"\r", b""]))
    report, found = analyse(engine, source)
    first, *errors, last = [json.loads(line) for line in found]
    assert first == last and "error" not in first
    assert [row["line"] for row in errors] == list(range(3, 3 + len(bad)))
    assert all(0 < len(row["error"]) < 300 for row in errors)
    assert (report.lines, report.positions, report.bad) == (len(bad) + 3, 2, len(bad))


def test_there_are_no_columns(case: tuple[Engine, list[str]], tmp_path: Path) -> None:
    engine, positions = case
    source, target = tmp_path / "in", tmp_path / "out.parquet"
    source.write_text(positions[0])
    with pytest.raises(EngineError, match="this game has no columns"):
        run(engine, source, str(target))
    assert not target.exists()
