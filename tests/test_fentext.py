"""The compiled reader of positions, against `notation.parse_fen` and `verify.build`.

Records are compared as bytes, so also where they mean nothing: beyond the ends of lists.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import numpy as np
import pytest
from chess_oracle import DATA, game, rows
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import PositionError
from engine.games.chess import fentext
from engine.games.chess.fentext import END, FULL, LEFT, LINES, NEXT, RECORDS, REPORT, WHY
from engine.games.chess.notation import START, parse_fen
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.verify import build

FENS: list[str] = [
    row["fen"] for name in ("perft.jsonl", "moves.jsonl", "analysis.jsonl") for row in rows(name)
]
EPD = (DATA / "openings.epd").read_text().splitlines()
TAILS = [
    "",
    "7",
    "0007 0",
    "10000 100000",
    "0 1 and what follows -3 \x00",
    "bm Nf3 Nc3; ce -32;",
    'id "a; b"; c0 "";noop;',
    "fmvn 4;hmvc\t3 ; acd 20;\tx_9 ;",
    'id "hmvc 9; 1"; hmvc 2; c9 "Élő\xa0\u2003";',
]
KINGS = "4k3/8/8/8/8/8/8/4K3 w - -"
VALID = list(dict.fromkeys((*FENS, *EPD, *(f"{KINGS} {tail}" for tail in TAILS))))
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
    data: bytes, chess960: bool, room: int = 8, start: int = 0, stop: int | None = None
) -> Read:
    states, lines = np.zeros(room + 1, STATE), np.full(room + 1, -7)
    states.view(np.uint8)[:] = 0xA5  # whatever an earlier call left
    fence = states[room].tobytes()
    report = np.full(REPORT, -7)
    buffer = np.frombuffer(data, np.uint8)
    end = len(data) if stop is None else stop
    at = fentext.read_positions(
        buffer, start, end, chess960, T, states[:room], lines[:room], report
    )
    assert states[room].tobytes() == fence and lines[room] == -7
    n = int(report[RECORDS])
    records: list[bytes | None] = [state.tobytes() for state in states[:n]]
    told = (int(report[place]) for place in (LINES, NEXT, WHY))
    return Read(records, lines[:n].tolist(), at, *told)


def expected(text: str, chess960: bool) -> bytes | None:
    """The record from Python, None if the line is refused."""
    try:
        return build(parse_fen(text, chess960), T).tobytes()
    except PositionError:
        return None


def compare(line: bytes, chess960: bool) -> None:
    """One line without its end: taken with the same record, or refused by Python and left here.

    It would be enough if more were left, but only one kind is: counters that come twice.
    """
    found, wanted = read(line, chess960), expected(line.decode("utf-8", "replace"), chess960)
    end = len(line)
    if not line.strip():
        assert found == Read([], [], end, 1 if line else 0, end, END)
    elif found.why == LEFT:
        assert found == Read([], [], 0, 0, end, LEFT)
        assert wanted is None or max(line.count(b"hmvc"), line.count(b"fmvn")) > 1
    else:
        assert found == Read([wanted], [0], end, 1, end, END)


# Single lines


@pytest.mark.parametrize("chess960", [False, True])
def test_every_valid_line_is_taken(chess960: bool) -> None:
    for text in VALID:
        assert read(text.encode(), chess960).records == [expected(text, chess960)], text


@pytest.mark.parametrize("chess960", [False, True])
def test_bad_lines(chess960: bool) -> None:
    for text in BAD:
        compare(text.encode(), chess960)


@pytest.mark.parametrize(
    "line",
    [
        "",
        KINGS[:-1],
        KINGS[:-2],
        KINGS[:-4],
        KINGS[:19],
        f"{KINGS}\x00",
        f"{KINGS} -3 1",
        f"{KINGS} 0 1x",
        f"{KINGS} 0 100001",
        f"{KINGS} 10001",
        f"{KINGS} {'9' * 40}",
        f"{KINGS} {'0' * 40}1",
        f"{KINGS} x;",
        f"{KINGS} xy",
        f"{KINGS} _x;",
        f"{KINGS} 9x;",
        f"{KINGS} hmvc;",
        f"{KINGS} hmvc 1 2;",
        f"{KINGS} hmvcx 1 2; hmvd x;",
        f"{KINGS} HMVC 7; Fmvn 7;",
        f"{KINGS} bm e4; ;",
        f'{KINGS} id "open; hmvc 1;',
        f"{KINGS} bm-e4;",
        f"{KINGS} bm e4; 0 1",
        f"{KINGS} hmvc x; hmvc 2;",
        f"{KINGS[:-1]}e6\xa0",
        f"{KINGS[:-1]}e6x",
        f"{KINGS[:-1]}-x",
        f"{KINGS[:-3]}--",
        f"{KINGS[:-3]}-K -",
        f"{KINGS[:-5]}wb - -",
        f"{KINGS[:-5]}w- -",
        "rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - -",
        "4k3/8/8/8/8/8/8/4K3/ w - -",
        "4k3/8/8/8/8/8/8/4K2p w - -",
        "4k3/8/8/8/8/8/8/4K31 w - -",
        "4k3/8/8/8/8/8/4K3 w - -",
        "/4k3/8/8/8/8/8/8/4K3 w - -",
        "4k2.3/8/8/8/8/8/8/4K3 w - -",
        "QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/4K2k b - -",
        f"{'K' * 300} w - -",
        "/".join(["KKKKKKKK"] * 8) + " w KQkq -",
        "/".join(["qqqqqqqq"] * 8) + " w KQkq -",
        "/".join(["8"] * 300) + " w - -",
    ],
)
@pytest.mark.parametrize("chess960", [False, True])
def test_odd_lines(line: str, chess960: bool) -> None:
    compare(line.encode(), chess960)


def test_what_separates_fields() -> None:
    fields = f"{START} x".encode().split()
    for letter in range(256):
        gap = bytes([letter])
        if gap != b"\n":
            compare(gap.join(fields), False)
            for i in range(1, len(fields)):
                compare(b" ".join(fields[:i]) + gap + b" ".join(fields[i:]), False)
            compare(f"{KINGS} ".encode() + gap.join([b"hmvc", b"3", b";"]), False)


@pytest.mark.parametrize("filler", [b" ", b"8", b"K", b"/", b"/8", b'"', b'"";', b"\xff", b"\0"])
@pytest.mark.parametrize("front", ["", f"{KINGS} ", f"{KINGS} ab "])
def test_very_long_lines(front: str, filler: bytes) -> None:
    compare(front.encode() + filler * 100_000, False)


SPICE = b'KQRBNPkqrbnpABCDEFGHabcdefghw-/0123456789 ;"\t\r\x00\x1c\x7f\x80\xa0\xc2\xff_xhmvcfn'
PIECES = st.lists(st.sampled_from(SPICE), max_size=3).map(bytes)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid line with up to three bytes put in place of up to three others, a few times."""
    line = draw(st.sampled_from(VALID)).encode()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(line)))
        end = draw(st.integers(at, min(at + 3, len(line))))
        line = line[:at] + draw(PIECES) + line[end:]
    return line


@given(damaged(), st.booleans())
@settings(max_examples=500, deadline=None)
def test_damaged_lines(line: bytes, chess960: bool) -> None:
    compare(line, chess960)


@given(st.binary(max_size=100).filter(lambda line: b"\n" not in line), st.booleans())
@settings(deadline=None)
def test_any_bytes(line: bytes, chess960: bool) -> None:
    compare(line, chess960)
    compare(KINGS.encode() + line, chess960)


# Positions of games


def games(chess960: bool) -> Iterator[chess.Board]:
    rng = random.Random(960 if chess960 else 64)
    for _ in range(5):
        start = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for board, _ in game(start.fen(), chess960, rng.choices(range(1000), k=80)):
            yield board


@pytest.mark.parametrize("chess960", [False, True])
def test_positions_of_games(chess960: bool) -> None:
    for board in games(chess960):
        for text in {board.fen(en_passant="fen"), board.fen(shredder=True), board.epd(id="x;y")}:
            assert read(text.encode(), chess960).records == [expected(text, chess960)], text


@given(
    st.lists(st.sampled_from("RRRNB1"), min_size=8, max_size=8),
    st.lists(st.sampled_from("rrrnb1"), min_size=8, max_size=8),
    st.integers(0, 7),
    st.integers(0, 7),
    st.lists(st.sampled_from("KQABCDEFGHkqabcdefgh"), max_size=5).map("".join),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_castling_rights(
    white: list[str], black: list[str], king: int, enemy: int, letters: str, chess960: bool
) -> None:
    white[king], black[enemy] = "K", "k"
    board = chess.Board(None)
    for sq, letter in zip((*range(8), *range(56, 64)), white + black, strict=True):
        board.set_piece_at(sq, chess.Piece.from_symbol(letter) if letter != "1" else None)
    compare(f"{board.board_fen()} w {letters or '-'} - 0 1".encode(), chess960)


SQUARE = st.integers(0, 63)


@given(
    st.integers(0, 7),
    st.booleans(),
    st.dictionaries(st.integers(8, 55), st.sampled_from("QRBNPqrbnp"), max_size=6),
    st.lists(SQUARE, min_size=2, max_size=2, unique=True),
)
@settings(max_examples=300, deadline=None)
def test_en_passant(file: int, turn: bool, others: dict[int, str], kings: list[int]) -> None:
    """After two steps of a pawn past another one, if nothing else came to stand in their place."""
    board = chess.Board(None)
    row, ep = (4, 5) if turn else (3, 2)
    pieces = {
        chess.square(file, row): "p" if turn else "P",
        chess.square(file ^ 1, row): "P" if turn else "p",
        **others,
        **dict(zip(kings, "Kk", strict=True)),
    }
    for sq, letter in pieces.items():
        board.set_piece_at(sq, chess.Piece.from_symbol(letter))
    square = chess.square_name(chess.square(file, ep))
    compare(f"{board.board_fen()} {'w' if turn else 'b'} - {square}".encode(), False)


# Buffers of many lines


def read_all(
    data: bytes, chess960: bool, room: int, start: int, stop: int
) -> tuple[list[tuple[int, bytes | None]], int]:
    """What a caller does: the number and the record of each line that is not blank, None where it
    is refused, and how many lines there are."""
    found: list[tuple[int, bytes | None]] = []
    at, first = start, 0
    while at < stop:
        part = read(data, chess960, room, at, stop)
        found += zip((first + line for line in part.lines), part.records, strict=True)
        first += part.passed
        at = part.at
        if part.why == FULL:
            assert len(part.records) == room
        elif part.why == LEFT:
            text = data[at : part.next].decode("utf-8", "replace")
            found.append((first, expected(text, chess960)))
            first += 1
            at = part.next
        else:
            assert at == part.next == stop
    return found, first


@given(
    st.lists(
        st.tuples(
            st.one_of(
                st.sampled_from(VALID).map(str.encode),
                st.sampled_from([b"", b" \t", b"\r"]),
                damaged(),
            ),
            st.sampled_from([b"\n", b"\r\n"]),
        ),
        max_size=8,
    ),
    st.booleans(),
    st.booleans(),
    st.integers(1, 4),
    st.sampled_from([b"", b"8/", b"\n"]),
    st.sampled_from([b"", b"7\n", b" hmvc 3;", b"\n\n", b"x"]),
)
@settings(max_examples=150, deadline=None)
def test_many_lines(
    parts: list[tuple[bytes, bytes]],
    ended: bool,
    chess960: bool,
    room: int,
    before: bytes,
    after: bytes,
) -> None:
    text = b"".join(line + end for line, end in parts)
    text = text if ended else text.removesuffix(b"\n")
    lines = text.split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    wanted = [
        (number, expected(line.decode("utf-8", "replace"), chess960))
        for number, line in enumerate(lines)
        if line.strip()
    ]
    stop = len(before) + len(text)
    found = read_all(before + text + after, chess960, room, len(before), stop)
    assert found == (wanted, len(lines))


def test_where_it_stops() -> None:
    data = b"\n".join([START.encode(), b" \t", b"bad", b"", START.encode() + b"\r", b"\r"])
    bad = data.index(b"bad")
    record = expected(START, False)
    assert read(data, False) == Read([record], [0], bad, 2, bad + 4, LEFT)
    rest = read(data, False, start=bad + 4)
    assert rest == Read([record], [1], len(data), 3, len(data), END)
    full = read(data, False, room=0, start=bad + 4)
    assert full == Read([], [], bad + 5, 1, len(data) - 1, FULL)
    short = read(data, False, stop=len(START) - 2)
    assert short == Read([expected(START[:-2], False)], [0], len(START) - 2, 1, len(START) - 2, END)
