"""The text of `analyze`: its arguments, and the facts as lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types import BatchReport
from protocol.analysis import (
    Analyze,
    AnalyzeFile,
    parse_analyze,
    quote_path,
    render_analysis,
    render_batch,
    split_commands,
)
from protocol.cli import _joined


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("", Analyze(False)),
        ("json", Analyze(True)),
        ("  json ", Analyze(True)),
        ("file a.epd", AnalyzeFile("a.epd", None)),
        ("file a.epd out b", AnalyzeFile("a.epd", "b")),
        ("file my  old games out b c ", AnalyzeFile("my  old games", "b c")),
        ("file a out b out c", AnalyzeFile("a", "b out c")),
        ("file outer out out", AnalyzeFile("outer", "out")),
        ('file "a out b" out "c"', AnalyzeFile("a out b", "c")),
        ('file "a\tb;c"', AnalyzeFile("a\tb;c", None)),
        ('file a"b" out "', None),
        (r'file "say \"x\" \\ C:\dir"', AnalyzeFile(r'say "x" \ C:\dir', None)),
        ("file json", AnalyzeFile("json", None)),
        ("file caf\u00e9\u00a0x", AnalyzeFile("caf\u00e9\u00a0x", None)),
    ],
)
def test_arguments(text: str, order: Analyze | AnalyzeFile | None) -> None:
    if order is not None:
        assert parse_analyze(f"analyze {text}") == order
    else:
        with pytest.raises(Exception, match="expected a quotation mark at the end of"):
            parse_analyze(f"analyze {text}")


@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_any_path_can_be_quoted(source: str, target: str) -> None:
    line = f"analyze file {quote_path(source)} out {quote_path(target)}"
    assert split_commands(f"isready;{line};d") == ["isready", line, "d"]
    assert parse_analyze(line) == AnalyzeFile(source, target)


@given(st.text(min_size=1).filter(lambda path: path not in ("out", ";")))
def test_words_of_the_command_line_are_paths(path: str) -> None:
    (line,) = split_commands(_joined(["analyze", "file", path, "out", path]))
    assert parse_analyze(line) == AnalyzeFile(path, path)


def test_commands_of_the_command_line() -> None:
    words = ["analyze", "file", "a;b c", "out", "d", ";", "position", "startpos;", "d"]
    lines = split_commands(_joined(words))
    assert parse_analyze(lines[0]) == AnalyzeFile("a;b c", "d")
    assert [line.strip() for line in lines[1:]] == ["position startpos", "d"]
    assert split_commands('a "b; c; d') == ['a "b', " c", " d"]


def test_facts_as_lines() -> None:
    facts = {
        "fen": "8/8/8 w - - 0 1", "check": False, "phase": 3, "eval": -7, "checkers": [],
        "fork_moves": ["a1b3", "c7c8q"],
        "white": {
            "attackers": {"e4": ["d5", "f6"]}, "defenders": {}, "pawns": {"all": ["a2"]},
            "skewers": [["a1", "a2", "a7"], ["h1", "g1", "f1"]],
            "forks": [{"by": "c7", "targets": ["a8", "e8"]}],
        },
    }  # fmt: skip
    assert render_analysis(json.dumps(facts)) == [
        "analysis fen 8/8/8 w - - 0 1",
        "analysis check false",
        "analysis phase 3",
        "analysis eval -7",
        "analysis checkers",
        "analysis fork_moves a1b3 c7c8q",
        "analysis white.attackers.e4 d5 f6",
        "analysis white.defenders",
        "analysis white.pawns.all a2",
        "analysis white.skewers a1-a2-a7 h1-g1-f1",
        "analysis white.forks c7:a8,e8",
        "analysis end",
    ]


def test_summary() -> None:
    start = "analyze file: "
    report = BatchReport(11, 9, 2, 4)
    assert render_batch(report, "x") == f"{start}9 positions, 2 bad lines, 4 ms, 2250 positions/s"
    stopped = BatchReport(11, 9, 2, 0, stopped=True)
    assert render_batch(stopped, "x").endswith(" 9000 positions/s stopped")
    empty = BatchReport(0, 0, 0, 0)
    assert render_batch(empty, "a b").endswith(', 0 positions/s, "a b" is empty')
    assert render_batch(BatchReport(0, 0, 0, 0, problem="damaged"), "x").endswith(" positions/s")
