"""The compiled reader of positions, against `notation.parse_fen` and `verify.build`."""

from dataclasses import dataclass

import numpy as np
import pytest
from chess_oracle import DATA, rows

from engine.errors import PositionError
from engine.games.chess import fentext
from engine.games.chess.fentext import END, FULL, LEFT, LINES, NEXT, RECORDS, REPORT, WHY
from engine.games.chess.notation import START, parse_fen
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.verify import build

VALID = [
    row["fen"]
    for name in ("perft.jsonl", "moves.jsonl", "analysis.jsonl")
    for row in rows(name)
] + (DATA / "openings.epd").read_text().splitlines()  # fmt: skip
BAD = [row["input"] for row in rows("bad_input.jsonl") if row["kind"] == "fen"]


@dataclass
class Read:
    """What one call gave."""

    records: list[bytes | None]
    lines: list[int]
    at: int
    passed: int
    next: int
    why: int


def read(
    data: bytes, chess960: bool = False, room: int = 8, start: int = 0, stop: int | None = None
) -> Read:
    states, lines = np.zeros(room + 1, STATE), np.full(room + 1, -7)
    states[:].view(np.uint8)[:] = 0xA5  # whatever an earlier call left
    fence = states[room].tobytes()
    report = np.full(REPORT, -7)
    buffer = np.frombuffer(data, np.uint8)
    end = len(data) if stop is None else stop
    at = fentext.read_positions(
        buffer, start, end, chess960, T, states[:room], lines[:room], report
    )
    assert states[room].tobytes() == fence and lines[room] == -7
    n = int(report[RECORDS])
    return Read(
        [state.tobytes() for state in states[:n]],
        lines[:n].tolist(),
        at,
        int(report[LINES]),
        int(report[NEXT]),
        int(report[WHY]),
    )


def expected(text: str, chess960: bool) -> bytes | None:
    """The record from Python, None if the line is refused."""
    try:
        return build(parse_fen(text, chess960), T).tobytes()
    except PositionError:
        return None


@pytest.mark.parametrize("chess960", [False, True])
def test_every_valid_line_is_taken(chess960: bool) -> None:
    for text in dict.fromkeys(VALID):
        assert read(text.encode(), chess960).records == [expected(text, chess960)], text


@pytest.mark.parametrize("chess960", [False, True])
def test_refused_lines_are_left(chess960: bool) -> None:
    for text in BAD:
        found = read(text.encode(), chess960)
        wanted = expected(text, chess960)
        if found.why == LEFT:
            assert found == Read([], [], 0, 0, len(text.encode()), LEFT)
        else:
            assert found.records == [wanted], text


def test_lines_of_a_buffer() -> None:
    lines = [START.encode(), b" \t", b"bad", b"", START.encode() + b"\r", b"\r"]
    data = b"\n".join(lines)
    record = expected(START, False)
    first = read(data)
    bad = data.index(b"bad")
    assert first == Read([record], [0], bad, 2, bad + 4, LEFT)
    rest = read(data, start=first.next)
    assert rest == Read([record], [1], len(data), 3, len(data), END)
    full = read(data, start=first.next, room=0)
    assert full == Read([], [], first.next + 1, 1, len(data) - 1, FULL)
