"""Bad input, and faults seen in real engines, against the real engine over pipes."""

import json
import time
from pathlib import Path

import chess
import pytest
from protocol_host import ROOT, Process
from uci_checks import check, fen_of, is_over, legal_moves, parse, search, set_up

BAD_INPUT = [
    json.loads(line) for line in (ROOT / "tests/data/bad_input.jsonl").read_text().splitlines()
]
START = chess.STARTING_FEN
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"

ENDING = 2.0
SLACK = 2.0
"""Seconds more than a limit allows, for a machine that is busy with something else."""


def chess960(engine: Process, fen: str) -> chess.Board:
    assert engine.ask("setoption name UCI_Chess960 value true") == []
    return chess.Board(fen, chess960=True)


@pytest.mark.parametrize("row", BAD_INPUT, ids=lambda row: row["id"])
def test_bad_input(engine: Process, row: dict[str, object]) -> None:
    engine.ask("position startpos moves e2e4 c7c5")
    before = fen_of(engine)
    if row["kind"] == "fen":
        check_fen_row(engine, row, before)
    else:
        check_uci_row(engine, row, before)


def check_fen_row(engine: Process, row: dict[str, object], before: str) -> None:
    errors = engine.ask(f"position fen {row['input']}")
    after, moves = fen_of(engine), legal_moves(engine)
    assert len(errors) <= 1
    if errors:
        assert errors[0].startswith("info string error: ")
        assert after == before
    if row["expect"] == "reject":
        assert errors
    elif row["expect"] != "survive":
        assert not errors
        assert len(moves) == row["legal_moves"]
        if "becomes" in row:
            assert after == row["becomes"]


def check_uci_row(engine: Process, row: dict[str, object], before: str) -> None:
    lines, replies = row["lines"], row["replies"]
    assert isinstance(lines, list) and isinstance(replies, list)
    engine.send(*lines)
    seen: list[str] = []
    for reply in replies:
        seen += engine.expect(f".*(?:{reply}).*")
    seen += engine.ask()
    if row["expect"] == "reject":
        assert sum(line.startswith("info string error: ") for line in seen) == 1
        assert fen_of(engine) == before
    assert engine.ask() == []


# The twelve cases of real engines.


def test_every_reply_comes_by_itself() -> None:
    with Process() as engine:
        engine.send("uci")
        engine.expect("uciok")
        engine.send("isready")
        engine.expect("readyok")
        engine.send("go depth 2")
        check(chess.Board(), engine.expect("bestmove.*"))


def test_cold_start(tmp_path: Path) -> None:
    env = {"TRIPTYCH_CACHE": str(tmp_path)}
    with Process(env=env) as engine:
        began = time.monotonic()
        engine.send("uci")
        engine.expect("uciok")
        assert time.monotonic() - began < 5
        engine.ask()
        began = time.monotonic()
        search(engine, chess.Board(), "go movetime 50")
        assert time.monotonic() - began < 2
        # Nothing is left to compile within a game.
        files = sum(1 for path in tmp_path.rglob("*") if path.is_file())
        engine.send("setoption name MultiPV value 3", "go depth 3", "go perft 3", "eval")
        engine.expect("Final evaluation.*")
        assert sum(1 for path in tmp_path.rglob("*") if path.is_file()) == files


def test_quit_while_compiling(tmp_path: Path) -> None:
    with Process(env={"TRIPTYCH_CACHE": str(tmp_path)}) as engine:
        engine.send("isready", "position startpos", "go infinite")
        time.sleep(1.0)
        began = time.monotonic()
        engine.close_input()
        assert engine.wait() == 0
        assert time.monotonic() - began < ENDING + SLACK


def test_hears_while_it_searches(engine: Process) -> None:
    engine.send("go infinite")
    for _ in range(10):
        began = time.monotonic()
        assert not any(line.startswith("bestmove") for line in engine.ask())
        assert time.monotonic() - began < SLACK
        time.sleep(0.02)
    began = time.monotonic()
    engine.send("stop")
    engine.expect("bestmove.*")
    assert time.monotonic() - began < SLACK
    assert engine.ask() == []


@pytest.mark.parametrize("piece", "qrbn")
def test_promotions_in_lower_case(engine: Process, piece: str) -> None:
    for fen, move in (
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8"),
        ("k7/8/8/8/8/8/p6K/8 b - - 0 1", "a2a1"),
    ):
        found = search(engine, chess.Board(fen), f"go depth 5 searchmoves {move}{piece}")
        assert found.move == move + piece
        board = chess.Board(fen)
        assert engine.ask(f"position fen {fen} moves {move}{piece.upper()}") == []
        board.push_uci(move + piece)
        assert fen_of(engine).split()[0] == board.fen().split()[0]


CASTLING = [
    # FEN, king takes rook, king's target square
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", "e8c8"),
    ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", None),
    ("4k3/8/8/8/8/8/8/5RK1 w F - 0 1", "g1f1", None),
    ("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "c8b8", None),
    ("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", "c1a1", None),
]


@pytest.mark.parametrize(("fen", "takes", "target"), CASTLING)
def test_castling_text(engine: Process, fen: str, takes: str, target: str | None) -> None:
    board = chess960(engine, fen)
    assert takes in [board.uci(move) for move in board.legal_moves]
    check_castling(engine, board, takes)
    if target is not None:
        engine.ask("setoption name UCI_Chess960 value false")
        check_castling(engine, chess.Board(fen), target)


def check_castling(engine: Process, board: chess.Board, text: str) -> None:
    """Search, perft, list and input all use the same text for the castling move."""
    assert search(engine, board, f"go depth 4 searchmoves {text}").move == text
    legal = sorted(board.uci(move, chess960=board.chess960) for move in board.legal_moves)
    assert legal_moves(engine) == legal
    engine.send("go perft 1")
    counted = [line.split(":")[0] for line in engine.expect("Nodes searched: .*")[:-2]]
    assert sorted(counted) == legal
    board = board.copy()
    board.push(parse(board, text))
    set_up(engine, board)
    assert fen_of(engine).split()[0] == board.fen().split()[0]


def test_option_names(engine: Process) -> None:
    for line in (
        "setoption name move overhead value 30",
        "setoption name HASH value 8",
        "setoption name Clear Hash",
        "setoption name clear hash value x",
        "setoption name Threads value 1",
        "setoption name uci_analysemode value TRUE",
    ):
        assert engine.ask(line) == [], line
    for line in (
        "setoption name No Such value 1 value 2",
        "setoption name",
        "setoption",
        "setoption name value 4",
        "setoption name Hash value",
        "setoption name Hash value 99999999999",
        "setoption name Ponder value perhaps",
    ):
        (error,) = engine.ask(line)
        assert error.startswith("info string error: "), line


@pytest.mark.parametrize(
    "line", ["", "go infinite", "go ponder wtime 1000 btime 1000", "go perft 9", "bench 30"]
)
@pytest.mark.parametrize("loaded", [True, False])
def test_end_of_input(line: str, loaded: bool) -> None:
    with Process() as engine:
        if loaded:
            engine.ask()
        engine.send(line)
        if loaded and line:
            engine.ask()
            time.sleep(0.2)
        began = time.monotonic()
        engine.close_input()
        assert engine.wait() == 0
        assert time.monotonic() - began < ENDING + SLACK
        assert "".join(engine.errors) == ""


def test_waiting_costs_no_cpu(engine: Process) -> None:
    before = engine.cpu_seconds()
    time.sleep(0.5)
    assert engine.cpu_seconds() - before < 0.1
    engine.send(f"position fen {STALEMATED}", "go infinite")
    engine.ask()
    before = engine.cpu_seconds()
    time.sleep(0.5)
    assert engine.cpu_seconds() - before < 0.1
    engine.send("stop")
    assert engine.expect("bestmove.*")[-1] == "bestmove (none)"


def test_empty_move_list(engine: Process) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9"
    assert engine.ask("position startpos moves") == []
    assert fen_of(engine) == START
    assert engine.ask(f"position fen {fen} moves") == []
    assert fen_of(engine) == fen


@pytest.mark.parametrize("fen", [MATED, STALEMATED])
@pytest.mark.parametrize("multipv", ["1", "3"])
def test_no_legal_move(engine: Process, fen: str, multipv: str) -> None:
    engine.ask(f"setoption name MultiPV value {multipv}")
    board = chess.Board(fen)
    for go in (("go depth 3",), ("go movetime 50",), ("go infinite", "stop"), ("go nodes 9",)):
        assert search(engine, board, *go).move is None
    engine.send("go perft 1")
    assert engine.expect("Nodes searched: .*") == ["Nodes searched: 0"]
    engine.ask()
    assert legal_moves(engine) == []


@pytest.mark.parametrize(
    "go",
    [
        "movetime 0",
        "depth 0",
        "nodes 0",
        "wtime 0 btime 0",
        "wtime -20 btime 1000",
        "depth -3",
        "movetime -1",
        "nodes -5",
        "mate 0",
        "wtime 1 btime 1 movestogo 0",
        "wtime 5 winc -10",
        "wtime -99999999999999999999 btime 1",
    ],
)
def test_zero_and_negative_limits(engine: Process, go: str) -> None:
    found = search(engine, chess.Board(), f"go {go}")
    assert found.seconds < 0.2 + SLACK


def test_huge_limits_do_not_overflow(engine: Process) -> None:
    for go in (
        "go depth 99999999999 nodes 2000",
        "go nodes 99999999999999999999999 depth 2",
        "go movetime 9999999999999999999 depth 2",
        "go wtime 9999999999999999999 winc 9999999999999999999 depth 2",
        "go wtime 60000 movestogo 999999999999 depth 2",
        "go mate 99999999999 depth 2",
    ):
        search(engine, chess.Board(), go)
    engine.send("go perft 99999999")
    engine.expect('info string error: go: expected a depth that can .*, got "99999999"')
    engine.send("go perft 99999")
    engine.expect(r"info string error: perft 99999: expected a depth of at most \d+")
    engine.ask()


def play_on_clock(engine: Process, moves: int, clock: int, inc: int, period: int) -> None:
    """Play against itself with a clock kept from outside, both sides on the same one."""
    board = chess.Board()
    left = [clock, clock]
    for ply in range(2 * moves):
        if is_over(board):
            return
        side = ply % 2
        number = ply // 2
        togo = f" movestogo {period - number % period}" if period else ""
        if period and ply > 1 and number % period == 0:
            left[side] += clock
        go = f"go wtime {left[0]} btime {left[1]} winc {inc} binc {inc}{togo}"
        found = search(engine, board, go)
        left[side] -= round(found.seconds * 1000)
        assert left[side] > 0, f"out of time at ply {ply}: {go}"
        left[side] += inc
        assert found.move is not None
        board.push_uci(found.move)


def test_the_clock_holds(engine: Process) -> None:
    """The overhead is large because this machine may be busy; the time outside it is not."""
    engine.ask("setoption name Move Overhead value 100")
    for go in (
        "wtime 400 btime 400 movestogo 1",
        "wtime 400 btime 400 winc 900 binc 900 movestogo 1",
    ):
        assert search(engine, chess.Board(), f"go {go}").seconds < 0.4
    play_on_clock(engine, 20, 1000, 0, 10)
    play_on_clock(engine, 6, 300, 300, 0)


@pytest.mark.parametrize(
    ("fen", "becomes"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 7", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 7 30 and more", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30"),
    ],
)
def test_short_fen(engine: Process, fen: str, becomes: str) -> None:
    assert engine.ask(f"position fen {fen}") == []
    assert fen_of(engine) == becomes


def test_epd_operations_do_not_silence_it(engine: Process) -> None:
    before = fen_of(engine)
    errors = engine.ask('position fen 4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "x";')
    after = fen_of(engine)
    assert after == (before if errors else "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")


# Long and broken lines.


def test_a_game_of_a_thousand_moves(engine: Process) -> None:
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 250
    line = "position startpos moves " + " ".join(moves)
    began = time.monotonic()
    assert engine.ask(line) == []
    assert time.monotonic() - began < SLACK
    assert fen_of(engine).split()[4:] == ["1000", "501"]
    engine.send("go depth 2")
    check_lines = engine.expect("bestmove.*")
    assert check_lines[-1] != "bestmove (none)"


def test_garbage(engine: Process) -> None:
    for data in (
        b"\xff\xfe\x00\x01" * 10,
        b"x" * (1 << 20),
        b"position fen " + b"\xe9" * (1 << 20),
        b"position startpos moves " + b"e2e4 " * 200_000,
        b"position startpos moves \x00",
        b"go depth 1\x00",
        b"setoption name Hash value " + b"9" * (1 << 20),
    ):
        engine.send_bytes(data + b"\n")
        engine.send("isready")
        lines = [line for line in engine.expect("readyok") if "bestmove" not in line]
        errors = [line for line in lines if line.startswith("info string error: ")]
        assert len(errors) == 1, data[:40]
        assert len(errors[0]) < 500
        if data.startswith(b"go "):
            engine.send("stop")
            engine.expect("bestmove .*")
