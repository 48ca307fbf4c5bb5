"""Opening books: what is played from them, when, and what is no book."""

import os
import struct
from collections import Counter
from pathlib import Path

import chess
import chess.polyglot
import pytest
from protocol_host import Process
from thinking import fresh, think

from engine.errors import FileError
from engine.games.chess.book import Book
from engine.games.chess.position import Position
from engine.types import Limits

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
CHESS960 = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1"
PROMOTION = "8/P7/8/8/8/8/8/K1k5 w - - 0 1"


def entry(board: chess.Board, move: str, weight: int) -> bytes:
    """`move` as the format has it: castling is king takes rook."""
    parsed = chess.Move.from_uci(move)
    promotion = parsed.promotion - 1 if parsed.promotion else 0
    raw = parsed.to_square | parsed.from_square << 6 | promotion << 12
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), raw, weight, 0)


def write(path: Path, *entries: bytes) -> Path:
    path.write_bytes(b"".join(sorted(entries)))
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    start = chess.Board()
    return write(
        tmp_path / "my book.bin",
        entry(start, "e2e4", 3),
        entry(start, "a2a4", 1),
        entry(start, "h2h4", 0),
        entry(start, "e2e5", 50),  # illegal
        entry(chess.Board(CASTLING), "e1h1", 1),
        entry(chess.Board(CHESS960, chess960=True), "b1e1", 1),
        entry(chess.Board(PROMOTION), "a7a8n", 1),
    )


def test_moves_come_as_often_as_they_weigh(book: Path) -> None:
    opened = Book(str(book))
    opened.random.seed(7)
    position = Position()
    counts = Counter(opened.choose(position) for _ in range(400))
    assert len(counts) == 2 and set(counts) <= set(position.legal())
    (_, often), (_, seldom) = counts.most_common()
    assert 250 < often < 350 and often + seldom == 400
    position.play_text(["e2e4"])
    assert opened.choose(position) == 0


@pytest.mark.parametrize(
    ("fen", "chess960", "move"),
    [
        (CASTLING, False, "e1g1"),
        (CASTLING, True, "e1h1"),
        (CHESS960, True, "b1e1"),
        (PROMOTION, False, "a7a8n"),
    ],
)
def test_moves_of_every_kind(book: Path, fen: str, chess960: bool, move: str) -> None:
    engine = fresh(OwnBook="true", BookFile=str(book))
    thought = think(engine, chess.Board(fen, chess960=chess960), Limits(depth=6))
    assert thought.best.move == move
    assert [info.depth for info in thought.infos] == [1]


def test_when_the_book_is_used(book: Path) -> None:
    path = str(book)
    start = chess.Board()
    engine = fresh(OwnBook="true", BookFile=path)
    assert think(engine, start, Limits(nodes=3000)).best.move in ("e2e4", "a2a4")
    assert think(engine, start, Limits(depth=3)).infos[-1].depth == 1
    engine.set_option("UCI_AnalyseMode", "true")
    assert think(engine, start, Limits(depth=3)).infos[-1].depth == 3
    engine.set_option("UCI_AnalyseMode", "false")
    engine.set_option("OwnBook", "false")
    assert think(engine, start, Limits(depth=3)).infos[-1].depth == 3
    engine.set_option("OwnBook", "true")
    assert think(engine, start, Limits(depth=3, searchmoves=("b1c3",))).best.move == "b1c3"
    engine.set_option("BookFile", "")
    assert think(engine, start, Limits(depth=3)).infos[-1].depth == 3


def test_what_is_no_book(tmp_path: Path, book: Path) -> None:
    data = book.read_bytes()
    for content, problem in (
        (b"", "it is empty"),
        (data[:-1], f"{len(data) - 1} bytes are no whole book entries"),
        (data[16:] + data[:16], "its entries are not sorted, so it is no book"),
    ):
        path = tmp_path / "bad.bin"
        path.write_bytes(content)
        with pytest.raises(FileError, match=f'cannot use ".*bad.bin": {problem}'):
            Book(str(path))
    with pytest.raises(FileError, match=r'cannot read ".*none.bin": No such file or directory'):
        Book(str(tmp_path / "none.bin"))
    with pytest.raises(FileError, match=r'cannot read ".*": Is a directory'):
        Book(str(tmp_path))


def test_over_uci(engine: Process, book: Path) -> None:
    """A bad file changes nothing: the old book stays."""
    assert (
        engine.ask("setoption name OwnBook value true", f"setoption name BookFile value {book}")
        == []
    )
    (error,) = engine.ask("setoption name BookFile value /no/such/book.bin")
    assert error == 'info string error: cannot read "/no/such/book.bin": No such file or directory'
    engine.ask(f"position fen {PROMOTION}")
    engine.send("go movetime 10000")
    *infos, best = engine.expect("bestmove .*")
    assert best.startswith("bestmove a7a8n") and len(infos) == 1


def test_what_cannot_be_a_book(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(FileError, match="it is no regular file"):
            Book(str(path))
    with pytest.raises(FileError, match="there is a NUL in the name"):
        Book("/tmp/\0x")


def test_a_path_needs_a_value(engine: Process) -> None:
    for name in ("BookFile", "SyzygyPath"):
        (error,) = engine.ask(f"setoption name {name}")
        assert f"option {name} takes a text or <empty>, no value was given" in error
