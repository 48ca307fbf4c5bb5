"""The text of `analyze`: its arguments, and the facts of a position as lines for people."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.types import BatchReport
from protocol.uci import UsageError, quote

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*+"(?=\s|$)|\S+', re.ASCII | re.DOTALL)
"""A word, or anything in double quotes."""
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(frozen=True)
class Analyze:
    """`analyze` and `analyze json`: the current position."""

    as_json: bool


@dataclass(frozen=True)
class AnalyzeFile:
    """`analyze file`: every line of a file; without `target` the results go to stdout."""

    source: str
    target: str | None


def parse_analyze(line: str) -> Analyze | AnalyzeFile:
    """The whole line, as paths may hold blanks."""
    words = list(_PIECE.finditer(line))[1:]
    if not words:
        return Analyze(False)
    kind, rest = words[0][0], words[1:]
    if kind == "json" and not rest:
        return Analyze(True)
    if kind == "file":
        return _parse_file(line, rest)
    if kind == "json":
        raise UsageError(f'analyze: expected nothing after "json", got {quote(rest[0][0])}')
    raise UsageError(f'analyze: expected "json", "file" or nothing, got {quote(kind)}')


def _parse_file(line: str, words: list[re.Match[str]]) -> AnalyzeFile:
    names = [word[0] for word in words]
    split = names.index("out") if "out" in names else len(words)
    source = _path(line, words[:split], "file", names[split:])
    if split == len(words):
        return AnalyzeFile(source, None)
    return AnalyzeFile(source, _path(line, words[split + 1 :], "out", []))


def _path(line: str, words: list[re.Match[str]], after: str, then: list[str]) -> str:
    """The path that some words make; blanks between them stay as they are."""
    if not words:
        given = quote(then[0]) if then else "nothing"
        raise UsageError(f'analyze: expected a path after "{after}", got {given}')
    first = words[0][0]
    if not first.startswith('"'):
        return line[words[0].start() : words[-1].end()]
    if len(first) < 2 or not first.endswith('"'):
        raise UsageError(f"analyze: expected a quotation mark at the end of {quote(first)}")
    if len(words) > 1:
        raise UsageError(
            f"analyze: expected nothing more after the path {quote(first[1:-1])}, "
            f"got {quote(words[1][0])}"
        )
    return _ESCAPED.sub(r"\1", first[1:-1])


def quote_path(path: str) -> str:
    """A path in a form that `analyze file` takes whatever it holds."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def split_commands(text: str) -> list[str]:
    """The commands between semicolons; one inside quotation marks does not count."""
    pieces = re.findall(r'"(?:[^"\\]|\\.)*+"|[^;]|;', text, re.DOTALL)
    commands = [""]
    for piece in pieces:
        if piece == ";":
            commands.append("")
        else:
            commands[-1] += piece
    return commands


def render_analysis(text: str) -> list[str]:
    """The JSON of a position as lines `analysis KEY VALUE ...`."""
    return [*(f"analysis {line}" for line in facts_as_lines(text)), "analysis end"]


def facts_as_lines(text: str) -> list[str]:
    """JSON as lines `KEY VALUE ...`: objects within objects are joined by dots in the key, and an
    empty list or object has no value."""
    return list(_flat(json.loads(text), ""))


def _flat(facts: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in facts.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            words = value if isinstance(value, list | dict) else [value]
            yield " ".join([prefix + name, *map(_word, words)])


def _word(value: Any) -> str:
    """What stands in a list: `a1`, `a1-a2-a7`, `c7:a8,e8`; or a single value."""
    if isinstance(value, bool | None):
        return json.dumps(value)
    if isinstance(value, list):
        return "-".join(value)
    if isinstance(value, dict):
        return ":".join(",".join(v) if isinstance(v, list) else str(v) for v in value.values())
    return str(value)


def render_batch(report: BatchReport, source: str) -> str:
    """How `analyze file` went, in one line."""
    speed = report.positions * 1000 // max(report.time, 1)
    line = (
        f"analyze file: {report.positions} positions, {report.bad} bad lines, "
        f"{report.time} ms, {speed} positions/s"
    )
    if report.stopped:
        return f"{line} stopped"
    return f"{line}, {quote(source)} is empty" if report.lines == 0 and not report.problem else line
