"""The text of UCI: lines to dataclasses and dataclasses to lines. Nothing here acts.

Standard commands follow the UCI protocol of 2006; `PROTOCOL.md` says what is taken beyond it.
"""

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from engine.types import BenchReport, BestMove, Info, Limits, PerftReport

QUOTE_LIMIT = 80
ERROR_LIMIT = 400

_NUMBER = re.compile(r"[+-]?[0-9]+")
_UNPRINTABLE = re.compile(r"[^ -~]")
_WORD = re.compile(r"\S+", re.ASCII)

LARGEST_TIME = 10**12
"""Thirty years in milliseconds; as nanoseconds it still fits 64 bits."""

_NUMBERED = {
    "wtime": LARGEST_TIME,
    "btime": LARGEST_TIME,
    "winc": LARGEST_TIME,
    "binc": LARGEST_TIME,
    "movestogo": 10**6,
    "depth": 10**6,
    "nodes": 1 << 62,
    "mate": 10**6,
    "movetime": LARGEST_TIME,
}
"""Keywords of `go` that take a number, with the largest magnitude handed on."""

_DEEPEST = 10**6
"""Depths from here on are refused in the user's own words; what is below, the engine judges."""

GO_KEYWORDS = frozenset(_NUMBERED) | {"searchmoves", "ponder", "infinite", "perft"}


class UsageError(Exception):
    """The words of a command make no sense. The message is one line for the user."""


@dataclass(frozen=True)
class SetPosition:
    """`position`: a FEN, or None for the start position, and the moves played from there."""

    text: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Go:
    """`go` as a search. A value that could not be read is left out and told in `problems`."""

    limits: Limits
    problems: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    """Words that mean nothing to `go`; passed over in silence, shown under `debug on`."""


@dataclass(frozen=True)
class GoPerft:
    """`go perft`: count leaves, search nothing."""

    depth: int


def quote(text: str) -> str:
    """The user's text as an error message shows it: in quotes, printable, and never long."""
    short = text if len(text) <= QUOTE_LIMIT else text[: QUOTE_LIMIT - 3] + "..."
    return f'"{_UNPRINTABLE.sub("?", short)}"'


def words_of(line: str) -> list[str]:
    """The words of a line. Only blanks of ASCII separate them."""
    return _WORD.findall(line)


def parse_number(word: str, largest: int) -> int | None:
    """A whole number, or None. Beyond `largest` either way it is cut to that."""
    if not _NUMBER.fullmatch(word):
        return None
    sign = -1 if word[0] == "-" else 1
    digits = word.lstrip("+-").lstrip("0")
    # Python refuses to convert thousands of digits, and no limit needs them.
    magnitude = largest if len(digits) > 20 else min(int(digits or "0"), largest)
    return sign * magnitude


def parse_position(words: Sequence[str]) -> SetPosition:
    """`words` are those after `position`."""
    if not words:
        raise UsageError('position: expected "startpos" or "fen", got nothing')
    kind, rest = words[0], list(words[1:])
    if kind not in ("startpos", "fen"):
        raise UsageError(f'position: expected "startpos" or "fen", got {quote(kind)}')
    split = rest.index("moves") if "moves" in rest else len(rest)
    before, moves = rest[:split], tuple(rest[split + 1 :])
    if kind == "fen":
        if not before:
            raise UsageError('position: expected a FEN after "fen", got nothing')
        return SetPosition(" ".join(before), moves)
    if before:
        raise UsageError(f'position: expected "moves" after "startpos", got {quote(before[0])}')
    return SetPosition(None, moves)


def parse_go(words: Sequence[str]) -> Go | GoPerft:
    """`words` are those after `go`, in any order."""
    if "perft" in words:
        return _parse_perft(words[words.index("perft") + 1 :])
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    searchmoves: list[str] = []
    problems: list[str] = []
    skipped: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "searchmoves":
            while at < len(words) and words[at] not in GO_KEYWORDS:
                searchmoves.append(words[at])
                at += 1
        elif word in _NUMBERED:
            text = words[at] if at < len(words) and words[at] not in GO_KEYWORDS else None
            at += text is not None
            number = None if text is None else parse_number(text, _NUMBERED[word])
            if number is None:
                given = "nothing" if text is None else quote(text)
                problems.append(f"go: expected a whole number after {quote(word)}, got {given}")
            else:
                numbers[word] = number
        elif word in GO_KEYWORDS:
            flags.add(word)
        else:
            skipped.append(word)
    limits = _limits(numbers, flags, tuple(searchmoves))
    return Go(limits, tuple(problems), tuple(skipped))


def _limits(numbers: dict[str, int], flags: set[str], searchmoves: tuple[str, ...]) -> Limits:
    return Limits(
        depth=numbers.get("depth"),
        nodes=numbers.get("nodes"),
        mate=numbers.get("mate"),
        movetime=numbers.get("movetime"),
        time=(numbers.get("wtime"), numbers.get("btime")),
        inc=(numbers.get("winc", 0), numbers.get("binc", 0)),
        movestogo=numbers.get("movestogo"),
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        searchmoves=searchmoves,
    )


def _parse_perft(words: Sequence[str]) -> GoPerft:
    given = quote(words[0]) if words else "nothing"
    depth = parse_number(words[0], _DEEPEST) if words else None
    if depth is None or depth < 0:
        raise UsageError(f'go: expected a depth of 0 or more after "perft", got {given}')
    if depth == _DEEPEST:
        raise UsageError(f'go: expected a depth that can be counted after "perft", got {given}')
    return GoPerft(depth)


def parse_setoption(line: str) -> tuple[str, str | None]:
    """Name and value of a `setoption` line; the blanks inside the value are kept."""
    words = list(_WORD.finditer(line))[1:]
    if not words or words[0][0] != "name":
        given = quote(words[0][0]) if words else "nothing"
        raise UsageError(f'setoption: expected "name" and an option, got {given}')
    name: list[str] = []
    value = None
    for word in words[1:]:
        if word[0] == "value":
            value = line[word.end() :].strip(string.whitespace)
            break
        name.append(word[0])
    if not name:
        raise UsageError('setoption: expected the name of an option after "name", got nothing')
    return " ".join(name), value


def parse_bench(words: Sequence[str]) -> int | None:
    """`words` are those after `bench`; None is the depth that the engine prefers."""
    if not words:
        return None
    depth = parse_number(words[0], 10**6)
    if depth is None or depth < 1:
        raise UsageError(f"bench: expected a depth of 1 or more, got {quote(words[0])}")
    return depth


def render_error(message: str) -> str:
    """The one line that answers a failed command."""
    text = _UNPRINTABLE.sub("?", " ".join(message.split()))
    if len(text) > ERROR_LIMIT:
        text = text[: ERROR_LIMIT - 3] + "..."
    return f"info string error: {text}"


def render_info(info: Info) -> str:
    """One step of a search. A root without moves has nothing to tell but its score."""
    score = info.score
    value = f"cp {score.cp}" if score.mate is None else f"mate {score.mate}"
    if info.depth == 0 and not info.pv:
        return f"info depth 0 score {value}"
    bound = f" {score.bound}" if score.bound else ""
    wdl = " wdl {} {} {}".format(*info.wdl) if info.wdl else ""
    tbhits = f" tbhits {info.tbhits}" if info.tbhits else ""
    line = (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
        f" score {value}{bound}{wdl} nodes {info.nodes} nps {info.nps}"
        f" hashfull {info.hashfull}{tbhits} time {info.time}"
    )
    return f"{line} pv {' '.join(info.pv)}" if info.pv else line


def render_bestmove(best: BestMove) -> str:
    """The line that ends a search."""
    if best.move is None:
        return "bestmove (none)"
    ponder = f" ponder {best.ponder}" if best.ponder else ""
    return f"bestmove {best.move}{ponder}"


def render_perft(report: PerftReport) -> list[str]:
    """What follows the `MOVE: COUNT` lines."""
    if report.stopped:
        return ["info string perft stopped"]
    nps = report.nodes * 1000 // max(report.time, 1)
    gap = [""] if report.counts else []
    return [
        *gap,
        f"Nodes searched: {report.nodes}",
        f"info string perft depth {report.depth} nodes {report.nodes} time {report.time} nps {nps}",
    ]


def render_legal_moves(moves: Sequence[str]) -> str:
    """One line: how many, then each."""
    return " ".join(("legalmoves", str(len(moves)), *moves))


def render_bench(report: BenchReport) -> list[str]:
    """The three lines that end a bench."""
    if report.stopped:
        return ["info string bench stopped"]
    return [
        f"Total time (ms): {report.time}",
        f"Nodes searched: {report.nodes}",
        f"Nodes/second: {report.nodes * 1000 // max(report.time, 1)}",
    ]
