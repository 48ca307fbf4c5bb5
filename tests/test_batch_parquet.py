"""Files of positions to columns: the same facts as JSON, and a readable file however it ends."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from batch_files import FENS, MIXED, no_file_above, one_by_one, run

from engine.control import Control
from engine.engine import Engine
from engine.errors import EngineError
from engine.games.chess.notation import SQUARES

parquet = pytest.importorskip("pyarrow.parquet")


def bits(names: list[str]) -> int:
    return sum(1 << SQUARES.index(name) for name in names)


def by_square(facts: dict[str, list[str]]) -> list[int]:
    return [bits(facts.get(name, [])) for name in SQUARES]


def side_columns(facts: dict[str, Any], side: str) -> dict[str, Any]:
    """The columns of a side that the JSON of that side amounts to."""
    mine = facts[side]
    pawns = mine["pawns"]
    sets = {name: value for name, value in mine.items() if isinstance(value, list)}
    for name in ("xrays", "skewers", "forks"):
        sets.pop(name)
    sets |= {"pawns": pawns.pop("all"), **pawns}
    numbers = {name: value for name, value in mine.items() if isinstance(value, int)}
    columns: dict[str, Any] = {name: bits(value) for name, value in sets.items()} | numbers
    for name, parts in (("xrays", "slider first next"), ("skewers", "slider front back")):
        columns[name] = [
            dict(zip(parts.split(), map(SQUARES.index, row), strict=True)) for row in mine[name]
        ]
    columns["forks"] = [
        {"by": SQUARES.index(fork["by"]), "targets": bits(fork["targets"])}
        for fork in mine["forks"]
    ]
    return {f"{side}_{name}": value for name, value in columns.items()}


def columns_of(facts: dict[str, Any], line: int) -> dict[str, Any]:
    """The row of a Parquet file that the JSON of a position amounts to, without `defenders`."""
    top = {name: facts[name] for name in ("fen", "turn", "check", "legal_moves", "phase", "eval")}
    both = {
        name: by_square(facts["white"][name] | facts["black"][name])
        for name in ("attackers", "xray_attackers")
    }
    return {
        "line": line, "error": None, **top, **both,
        "checkers": bits(facts["checkers"]), "key": int(facts["key"], 16),
        "fork_moves": facts["fork_moves"],
        **side_columns(facts, "white"), **side_columns(facts, "black"),
    }  # fmt: skip


def read_parquet(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


@pytest.mark.parametrize("chess960", ["false", "true"])
def test_parquet_says_the_same_as_json(chess_engine: Engine, tmp_path: Path, chess960: str) -> None:
    source, target = tmp_path / "in", tmp_path / "out.parquet"
    castling = "r3k2r/8/8/8/8/8/3qn3/R3K2R b KQkq - 0 1"
    forks = "4k2r/8/8/8/2q5/8/3n4/R3K2R w KQk - 3 9"
    texts = [castling, *MIXED[:60], "", forks, *MIXED[60:], "bad"]
    source.write_text("\n".join(texts))
    chess_engine.set_option("UCI_Chess960", chess960)
    chess_engine.set_option("Threads", "2")
    report = run(chess_engine, source, str(target))
    expected = [json.loads(line) for line in one_by_one(chess_engine, texts)]
    del expected[texts.index("")]
    rows = read_parquet(target)
    assert (report.positions + report.bad, report.problem) == (len(rows), "")
    numbers = [number for number, text in enumerate(texts, 1) if text]
    assert len(rows) == len(numbers)
    for row, facts, number in zip(rows, expected, numbers, strict=True):
        if "error" in facts:
            wanted = dict.fromkeys(row) | {"line": number, "error": facts["error"]}
            assert row == wanted
            continue
        defenders = row.pop("defenders")
        attacked = {**facts["white"]["defenders"], **facts["black"]["defenders"]}
        for name, squares in attacked.items():
            assert defenders[SQUARES.index(name)] == bits(squares)
        assert row == columns_of(facts, number)


def test_parquet_of_nothing(chess_engine: Engine, tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out.parquet"
    source.write_text("\n")
    run(chess_engine, source, str(target))
    assert read_parquet(target) == []


@pytest.mark.parametrize("size", [100, 1_200_000, 2_000_000])
def test_a_full_disk_leaves_a_readable_parquet_file(
    chess_engine: Engine, tmp_path: Path, size: int
) -> None:
    source, target = tmp_path / "in", tmp_path / "out.parquet"
    source.write_text("\n".join(MIXED * 60))
    with no_file_above(size):
        if size == 100:
            with pytest.raises(EngineError, match=r'^cannot write to ".*": File too large$'):
                run(chess_engine, source, str(target))
            assert not target.exists()
            return
        report = run(chess_engine, source, str(target))
    assert report.problem == f'cannot write to "{target}": File too large'
    table = parquet.read_table(target)
    assert target.stat().st_size <= size
    assert table.num_rows == report.positions + report.bad > 200
    assert table["line"].to_pylist() == list(range(1, table.num_rows + 1))
    assert table["error"].null_count == report.positions < table.num_rows


def test_a_pyarrow_that_does_not_load(
    chess_engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").write_text(FENS[0])
    monkeypatch.delitem(sys.modules, "engine.games.chess.columns", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(EngineError, match=r"^writing a .parquet file needs pyarrow, which .*: pip"):
        run(chess_engine, tmp_path / "in", str(tmp_path / "out.parquet"))
    assert not (tmp_path / "out.parquet").exists()


def test_stop_leaves_a_readable_parquet_file(chess_engine: Engine, tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out.parquet"
    source.write_text("\n".join(FENS * 100))
    control = Control()
    report = run(
        chess_engine,
        source,
        str(target),
        control,
        lambda done, total: control.stop() if done else None,
    )
    assert report.stopped
    rows = read_parquet(target)
    assert 0 < len(rows) == report.positions < 100 * len(FENS)
    expected = [json.loads(line)["fen"] for line in one_by_one(chess_engine, FENS)]
    assert [row["fen"] for row in rows[: len(FENS)]] == expected
