"""The framing of the line protocol, GTP version 2: lines to requests, replies to lines. Nothing
here acts.

    [id] name [arguments]           a request, one line
    =[id] text                      the reply: status, id, one blank, text, and an empty line

"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.types import Limits, PerftReport
from protocol.uci import ERROR_LIMIT, LARGEST_TIME, UsageError, parse_number, quote

_ID = re.compile(r"[+-]?[0-9]+")
_WORD = re.compile(r"[^ \t]+")
_DISCARDED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_BEFORE_COMMENT = re.compile(r'(?:[^"#]|"[^"]*+"|")*')
_LARGEST = (1 << 63) - 1
_LIMITS = {"movetime": LARGEST_TIME, "nodes": 1 << 62, "depth": 10**6}
"""Words of `go` that limit a search, with the largest value handed on."""


@dataclass(frozen=True)
class Request:
    """One command as it came."""

    id: str
    """Echoed in the reply; empty when none was given."""
    name: str
    rest: str
    """The arguments as they were written, without the blanks around them."""

    @property
    def words(self) -> list[str]:
        return _WORD.findall(self.rest)

    def after(self, word: str) -> str:
        """What follows the first argument, which is `word`."""
        return self.rest[len(word) :].lstrip(" \t")


def parse_request(line: str) -> Request | None:
    """The request of a line; None for a line that gets no reply.

    As GTP has it, CR is a blank, other control characters are dropped, and a comment may begin
    anywhere, but not between double quotes, where the name of a file stands. A whole number before
    the name is the id; alone on its line it is a name.
    """
    text = _DISCARDED.sub("", line.replace("\r", " "))
    content = _BEFORE_COMMENT.match(text)
    text = content[0].strip(" \t") if content else ""
    if not text:
        return None
    first, rest = _split(text)
    if rest and _ID.fullmatch(first):
        name, rest = _split(rest)
        return Request(first, name, rest)
    return Request("", first, rest)


def _split(text: str) -> tuple[str, str]:
    """The first word, and what follows it."""
    end = _WORD.match(text)
    assert end is not None
    return end[0], text[end.end() :].lstrip(" \t")


def render_reply(ok: bool, id: str, text: str) -> list[str]:
    """The lines of a reply. An empty line within the text would end it, so it gets a blank."""
    first, *others = text.rstrip("\n").split("\n")
    return [f"{'=' if ok else '?'}{id} {first}", *(line or " " for line in others), ""]


def render_end(ok: bool, text: str) -> list[str]:
    """The last lines of a reply whose first lines are out; it is too late for another status."""
    return [*([text] if ok and text else []), *([] if ok else [f"error: {text}"]), ""]


def one_line(message: str) -> str:
    """An error message as it is sent: one line, and never long."""
    text = " ".join(message.split())
    return text if len(text) <= ERROR_LIMIT else text[: ERROR_LIMIT - 3] + "..."


# Arguments. The messages are those that controllers know from other engines.


def exactly(words: Sequence[str], count: int) -> Sequence[str]:
    """The arguments, which must be so many."""
    if len(words) != count:
        needs = {0: "no arguments allowed", 1: "command needs one argument"}
        raise UsageError(needs.get(count, f"command needs {count} arguments"))
    return words


def at_least(words: Sequence[str], count: int) -> Sequence[str]:
    if len(words) < count:
        raise UsageError(f"missing argument {len(words) + 1}")
    return words


def at_most(words: Sequence[str], count: int) -> Sequence[str]:
    if len(words) > count:
        raise UsageError("too many arguments")
    return words


def integer(words: Sequence[str], index: int, least: int | None = None) -> int:
    """Argument `index`, counted from 0, as a whole number; huge ones are cut to 64 bits."""
    number = parse_number(words[index], _LARGEST)
    if number is None or (least is not None and number < least):
        raise UsageError(f"argument {index + 1} ('{_short(words[index])}') has invalid type")
    return number


def file_arguments(rest: str) -> list[str]:
    """The arguments of a command whose first one is a file, which may stand in double quotes."""
    if not rest.startswith('"'):
        return _WORD.findall(rest)
    name, quote, others = rest[1:].partition('"')
    if not quote:
        raise UsageError('expected a " at the end of the file name')
    return [name, *_WORD.findall(others)]


def parse_perft(words: Sequence[str]) -> int:
    """The depth of `go perft N`."""
    if len(words) != 2:
        given = quote(" ".join(words[1:])) if len(words) > 1 else "nothing"
        raise UsageError(f'go: expected one whole number after "perft", got {given}')
    depth = parse_number(words[1], 10**6)
    if depth is None or depth < 0:
        raise UsageError(f'go: expected a depth of 0 or more after "perft", got {quote(words[1])}')
    return depth


def parse_limits(words: Sequence[str]) -> Limits | None:
    """The limits of `go`; None when it names none, so that those in force hold."""
    if not words:
        return None
    limits: dict[str, int] = {}
    for at in range(0, len(words), 2):
        name, value = words[at], words[at + 1 : at + 2]
        if name not in _LIMITS:
            raise UsageError(
                f'go: expected "perft", "movetime", "nodes" or "depth", got {quote(name)}'
            )
        number = parse_number(value[0], _LIMITS[name]) if value else None
        if number is None or number < 1:
            given = quote(value[0]) if value else "nothing"
            raise UsageError(
                f"go: expected a whole number of 1 or more after {quote(name)}, got {given}"
            )
        limits[name] = number
    return Limits(limits.get("depth"), limits.get("nodes"), movetime=limits.get("movetime"))


def render_perft(report: PerftReport) -> str:
    """All that is told of a perft, one line a root move."""
    lines = [f"{move}: {count}" for move, count in report.counts]
    if report.stopped:
        return "\n".join([*lines, "perft stopped"])
    nps = report.nodes * 1000 // max(report.time, 1)
    return "\n".join([*lines, f"total {report.nodes}", f"time {report.time}", f"nps {nps}"])


def unknown_command(name: str) -> UsageError:
    return UsageError(f"unknown command ({_short(name)})")


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
