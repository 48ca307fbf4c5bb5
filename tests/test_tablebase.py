"""Endgame tables at the root: every move holds what the tables say, to the end of the game."""

import os
import shutil
import threading
import time
from pathlib import Path

import chess
import chess.syzygy
import pytest
from chess_oracle import DATA
from protocol_host import Process
from thinking import fresh, think

from engine.control import Control
from engine.errors import FileError
from engine.games.chess import tablebase
from engine.games.chess.notation import format_move
from engine.games.chess.position import Position
from engine.games.chess.tablebase import SAFE, WON, Tablebase, rank
from engine.types import Limits

TABLES = DATA / "syzygy"
"""All tables of three pieces."""


@pytest.fixture(scope="module")
def tables() -> Tablebase:
    return Tablebase(str(TABLES))


@pytest.fixture(scope="module")
def oracle() -> chess.syzygy.Tablebase:
    return chess.syzygy.open_tablebase(str(TABLES))


def all_positions(piece: str, step: int) -> list[str]:
    """Every `step`-th legal position of the two kings and this white piece, both sides to move."""
    found = []
    kind = chess.Piece.from_symbol(piece)
    for number in range(0, 2 * 64**3, step):
        board = chess.Board(None)
        wk, bk, square = number & 63, number >> 6 & 63, number >> 12 & 63
        if len({wk, bk, square}) == 3:
            board.set_piece_at(wk, chess.Piece.from_symbol("K"))
            board.set_piece_at(bk, chess.Piece.from_symbol("k"))
            board.set_piece_at(square, kind)
            board.turn = bool(number >> 18)
            if board.is_valid() and any(board.legal_moves):
                found.append(board.fen())
    return found


@pytest.mark.parametrize("piece", "PNBRQ")
def test_moves_that_are_kept_hold_the_result(
    tables: Tablebase, oracle: chess.syzygy.Tablebase, piece: str
) -> None:
    fens = all_positions(piece, 15_013)
    assert len(fens) > 10
    for fen in fens:
        board, position = chess.Board(fen), Position(fen)
        legal = position.legal()
        verdict = tables.verdict(position, legal, Control())
        assert verdict is not None and verdict.hits == len(legal)
        wdl = oracle.probe_wdl(board)
        assert verdict.score == {2: WON, 0: 0, -2: -WON}[wdl], fen
        holding = set()
        for move in board.legal_moves:
            board.push(move)
            if -oracle.probe_wdl(board) == wdl:
                holding.add(move.uci())
            board.pop()
        kept = texts(verdict.moves)
        assert kept and kept <= holding, fen
        if wdl >= 0:
            assert kept == holding, fen


def texts(moves: list[int]) -> set[str]:
    return {format_move(move, False) for move in moves}


def test_ranks() -> None:
    assert rank(99, 0, False) == rank(1, 0, False) == rank(40, 59, False) == SAFE
    # What the clock has put in doubt is told apart, and so is all after a repetition.
    assert (
        SAFE > rank(1, 0, True) > rank(2, 0, True) > rank(100, 0, False) > rank(101, 0, False) > 0
    )
    assert rank(0, 70, False) == 0
    assert 0 > rank(-101, 0, False) > rank(-100, 0, False) > rank(-99, 0, False) == -SAFE


def test_the_fifty_move_rule_counts(tables: Tablebase) -> None:
    """Mate takes longer than the clock allows: then it is a draw."""
    far = "8/8/8/3k4/8/8/8/R3K3 w - - {} 90"
    won = tables.verdict(Position(far.format(0)), Position(far.format(0)).legal(), Control())
    late = tables.verdict(Position(far.format(90)), Position(far.format(90)).legal(), Control())
    assert won is not None and won.score == WON
    assert late is not None and late.score == 0


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("8/8/8/3k4/8/8/8/R3K3 w - - 66 90", "1-0"),
        ("8/8/8/3k4/8/8/Q7/4K3 b - - 0 1", "1-0"),
        ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", "1/2-1/2"),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "1/2-1/2"),
        ("8/5k2/8/5K2/8/5P2/8/8 b - - 0 1", "1-0"),
    ],
)
def test_games_end_as_the_tables_say(fen: str, result: str) -> None:
    """Both sides look two plies deep, which alone would win none of these."""
    engine = fresh(SyzygyPath=str(TABLES))
    board = chess.Board(fen)
    while not (board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100):
        thought = think(engine, board, Limits(depth=2))
        assert thought.best.move is not None
        board.push_uci(thought.best.move)
    assert (board.result() if board.is_game_over() else "1/2-1/2") == result


def test_it_can_be_stopped(tables: Tablebase) -> None:
    control = Control()
    control.stop()
    position = Position("8/8/8/3k4/8/8/8/R3K3 w - - 0 1")
    assert tables.verdict(position, position.legal(), control) is None


def test_other_positions_are_left_to_the_search(tables: Tablebase, tmp_path: Path) -> None:
    for fen in (
        "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1",  # too many pieces
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",  # castling
    ):
        assert tables.verdict(Position(fen), Position(fen).legal(), Control()) is None
    # A pawn may promote to what there is no table for.
    for table in TABLES.glob("KPvK.*"):
        shutil.copy(table, tmp_path)
    promoting = Position("8/P7/8/8/8/8/8/K1k5 w - - 0 1")
    assert Tablebase(str(tmp_path)).verdict(promoting, promoting.legal(), Control()) is None


def test_bad_paths(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r'cannot read ".*/none": No such file'):
        Tablebase(str(tmp_path / "none"))
    with pytest.raises(FileError, match="it holds no Syzygy tables"):
        Tablebase(str(tmp_path))
    (tmp_path / "KQvK.rtbw").write_bytes(b"no table")
    with pytest.raises(FileError, match=r'cannot use ".*KQvK.rtbw": it is damaged or no'):
        Tablebase(f"{TABLES}:{tmp_path}")


def test_a_table_damaged_inside_is_as_if_missing(tmp_path: Path) -> None:
    for table in TABLES.iterdir():
        shutil.copy(table, tmp_path)
    (tmp_path / "KQvK.rtbz").write_bytes(
        (TABLES / "KQvK.rtbz").read_bytes()[:16].ljust(80, b"\xff")
    )
    damaged = bytes([*b"\xd7\x66\x0c\xa5", *b"\xff" * 76])
    (tmp_path / "KQvK.rtbz").write_bytes(damaged)
    position = Position("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1")
    assert Tablebase(str(tmp_path)).verdict(position, position.legal(), Control()) is None


def test_over_uci(engine: Process, tmp_path: Path) -> None:
    (error,) = engine.ask(f"setoption name SyzygyPath value {tmp_path}")
    assert error.startswith("info string error: cannot use")
    engine.ask(
        f"setoption name SyzygyPath value {TABLES}", f"setoption name SyzygyPath value {tmp_path}"
    )
    engine.ask("position fen 8/8/8/3k4/8/8/8/R3K3 w - - 0 1")
    engine.send("go depth 3")
    lines = [line for line in engine.expect("bestmove .*") if " pv " in line]
    assert lines
    for line in lines:
        assert " score cp 20000 " in line and " tbhits 15 time " in line, line
    engine.ask("setoption name SyzygyPath value", "position startpos")
    engine.send("go depth 2")
    assert not any("tbhits" in line for line in engine.expect("bestmove .*"))


@pytest.mark.parametrize(
    ("fen", "wdl"),
    [
        ("8/8/8/8/8/2k5/8/K2B4 w - - 0 1", (0, 1000, 0)),
        ("8/8/8/8/8/2k5/8/K2R4 w - - 0 1", (1000, 0, 0)),
        ("8/8/8/2k5/8/8/1r6/K7 w - - 0 1", (0, 1000, 0)),
        ("8/8/8/2k5/8/7r/8/K7 w - - 0 1", (0, 0, 1000)),
    ],
)
def test_what_tables_know_is_certain(fen: str, wdl: tuple[int, int, int]) -> None:
    engine = fresh(SyzygyPath=str(TABLES), UCI_ShowWDL="true")
    thought = think(engine, chess.Board(fen), Limits(depth=3))
    assert [info.wdl for info in thought.infos] == [wdl] * len(thought.infos)


def mislabelled(folder: Path) -> str:
    """A folder with a table under the name of another: reading it leads the library in circles."""
    for suffix in (".rtbw", ".rtbz"):
        shutil.copy(TABLES / f"KQvK{suffix}", folder / f"KRvK{suffix}")
    return str(folder)


IN_CIRCLES = "8/8/8/8/8/2k5/8/K2R4 w - - 0 1"


def test_a_damaged_table_does_not_outlast_the_clock(tmp_path: Path) -> None:
    engine = fresh(SyzygyPath=mislabelled(tmp_path))
    start = time.monotonic()
    assert think(engine, chess.Board(IN_CIRCLES), Limits(movetime=100)).best.move is not None
    assert time.monotonic() - start < 2


def test_a_damaged_table_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tablebase, "PATIENCE", 0.2)
    tables = Tablebase(mislabelled(tmp_path))
    position = Position(IN_CIRCLES)
    before = threading.active_count()
    assert tables.verdict(position, position.legal(), Control()) is None
    assert tables.damaged
    start = time.monotonic()
    assert tables.verdict(position, position.legal(), Control()) is None
    assert time.monotonic() - start < 0.1, "it is not tried again"
    while threading.active_count() > before:
        assert time.monotonic() - start < 10, "the look-up goes on"
        time.sleep(0.01)


def test_what_cannot_be_a_folder_or_a_table(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is a NUL in the name"):
        Tablebase("/tmp/\0x")
    with pytest.raises(FileError, match="on each side of a separator"):
        Tablebase(f"{TABLES}:")
    os.mkfifo(tmp_path / "KQvK.rtbw")
    with pytest.raises(FileError, match="holds no Syzygy tables"):
        Tablebase(str(tmp_path))
