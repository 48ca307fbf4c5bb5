"""The match program: its rules of play, and that no fault of an engine goes unseen.

The engines are scripted (`bad_engine.py`), so that each does exactly one thing wrong.
"""

import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import match
import pytest
from game import Game, Terms, TimeControl, legal_move, natural_end, pv_fault, repetition_key
from uci_client import Go, Thought, UciClient

ENGINE = shlex.join([sys.executable, str(Path(__file__).with_name("bad_engine.py"))])
OPENINGS = Path(__file__).parent / "data" / "openings.epd"


def play(engine: str, pgn: Path, *more: str) -> int:
    """A two-game match of a scripted engine against a good one; games end after five moves."""
    words = ["--engine", f"{ENGINE} {engine}", "--opponent", f"{ENGINE} good", "--games", "2"]
    words += ["--pgn", str(pgn), "--max-moves", "5", "--openings", str(OPENINGS), *more]
    return match.main(words)


def games_of(path: Path) -> list[chess.pgn.Game]:
    with path.open() as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def test_clean_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn = tmp_path / "games.pgn"
    assert play("good", pgn, "--tc", "5+0.05") == 0
    out = capsys.readouterr().out
    assert "2: 0 won, 2 drawn, 0 lost" in out
    assert "[0, 0, 1, 0, 0]" in out
    assert out.count("faults") == out.count("none") == 2
    first, second = games_of(pgn)
    assert first.headers["White"] == second.headers["Black"] == "good A"
    assert first.headers["FEN"] == second.headers["FEN"]
    assert first.headers["Termination"] == "adjudication"
    assert first.end().board().fullmove_number == first.board().fullmove_number + 5
    assert first.next() is not None and "+0.13/1 0.0" in first.variations[0].comment


@pytest.mark.parametrize(
    ("engine", "kind", "termination", "limits"),
    [
        ("crash", "crash", "abandoned", ["--nodes", "1"]),
        ("hang", "stall", "abandoned", ["--tc", "0.3+0", "--patience", "0.2"]),
        ("hang", "stall", "abandoned", ["--nodes", "1", "--patience", "0.3"]),
        ("late", "time loss", "time forfeit", ["--tc", "0.3+0.01"]),
        ("late", "time loss", "time forfeit", ["--movetime", "100"]),
        ("illegal-move", "illegal move", "rules infraction", ["--nodes", "1"]),
    ],
)
def test_fault_loses_and_is_counted(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    engine: str,
    kind: str,
    termination: str,
    limits: list[str],
) -> None:
    pgn = tmp_path / "games.pgn"
    assert play(engine, pgn, *limits) == 1
    said = capsys.readouterr()
    games = games_of(pgn)
    # A process that crashed or hung is replaced, so it does it again in the second game; one
    # that answered lives on and errs only once.
    faults = 2 if kind in ("crash", "stall") else 1
    losses = [game for game in games if game.headers["Termination"] == termination]
    assert len(losses) == faults
    assert f"{faults} {kind}" in said.out
    assert said.err.count(f"{kind} by {engine}") == faults
    for game in losses:
        lost_as_white = game.headers["White"] == engine
        assert game.headers["Result"] == ("0-1" if lost_as_white else "1-0")
        assert kind in game.end().comment
        assert game.end().ply() - game.ply() in (2, 3)
    if kind == "crash":
        assert "too much for me" in said.err


def test_illegal_pv_is_counted_but_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pgn = tmp_path / "games.pgn"
    assert play("illegal-pv", pgn, "--nodes", "1") == 1
    said = capsys.readouterr()
    assert "1 illegal pv" in said.out
    assert "0 won, 2 drawn, 0 lost" in said.out
    assert "pv move 2 a1h8 is not legal" in said.err
    assert "a1h8" in pgn.read_text()


def test_chess960_match(tmp_path: Path) -> None:
    openings = tmp_path / "frc.epd"
    openings.write_text("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - hmvc 2;\n")
    pgn = tmp_path / "games.pgn"
    assert play("good", pgn, "--nodes", "1", "--chess960", "--openings", str(openings)) == 0
    (first, _) = games_of(pgn)
    assert first.headers["Variant"] == "Chess960"
    assert first.board().halfmove_clock == 2


def test_match_that_cannot_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--engine", "no-such-engine-here", "--opponent", f"{ENGINE} good", "--nodes", "1"]
    assert match.main(words) == 2
    assert "cannot start" in capsys.readouterr().err
    bad = tmp_path / "bad.epd"
    bad.write_text("8/8/8/8/8/8/8/8 w - -\n")
    assert play("good", tmp_path / "x.pgn", "--nodes", "1", "--openings", str(bad)) == 2
    assert "bad.epd:1" in capsys.readouterr().err


def test_sprt_stops_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--nodes", "1", "--games", "40", "--sprt", "0", "400", "--concurrency", "2"]
    assert play("crash", tmp_path / "x.pgn", *words) == 1
    out = capsys.readouterr().out
    assert "H0" in out
    played = int(out.split("games")[1].split(":")[0])
    assert played < 40


def test_interrupt_shows_the_table_so_far(tmp_path: Path) -> None:
    words = [sys.executable, match.__file__, "--engine", f"{ENGINE} good"]
    hangs = tmp_path / "hangs"
    words += ["--opponent", f"{ENGINE} hang {hangs}", "--nodes", "1", "--games", "4"]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if hangs.exists():
            break
        time.sleep(0.1)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=30)
    assert program.returncode == 130
    assert "games           0: 0 won" in out
    assert "Traceback" not in err


def test_time_controls() -> None:
    assert TimeControl.parse("1+0.05") == TimeControl(1000, 50)
    assert TimeControl.parse("40/60+0.6") == TimeControl(60_000, 600, 40)
    assert TimeControl.parse("60") == TimeControl(60_000)
    assert str(TimeControl.parse("40/60+0.6")) == "40/60+0.6"
    for bad in ("", "+1", "0", "0/60", "1:30", "60+-1"):
        with pytest.raises(ValueError):
            TimeControl.parse(bad)


class Scripted:
    """A player that takes a fixed time for each of its moves, given beforehand."""

    def __init__(self, moves: str, elapsed: float) -> None:
        self.moves = moves.split()
        self.elapsed = elapsed
        self.asked: list[Go] = []

    def new_game(self, chess960: bool) -> None:
        pass

    def think(
        self, start: str, moves: object, go: Go, budget: float | None, patience: float
    ) -> Thought:
        self.asked.append(go)
        return Thought(self.moves.pop(0), self.elapsed)


def test_clock_accounting() -> None:
    white = Scripted("f2f3 g2g4 a2a3", 400)
    black = Scripted("e7e6 a7a6 d8h4", 100)
    control = TimeControl(1000, 50, moves=2)
    players = {chess.WHITE: white, chess.BLACK: black}
    record = Game(players, chess.Board(), Terms(control=control)).play()
    assert (record.result, record.reason) == ("0-1", "black mates")
    assert [go.clocks for go in white.asked] == [(1000, 1000), (650, 950), (1300, 1900)]
    assert [go.clocks for go in black.asked] == [(650, 1000), (1300, 950), (950, 1900)]
    assert [go.movestogo for go in white.asked] == [2, 1, 2]
    assert white.asked[0].line() == "go wtime 1000 btime 1000 winc 50 binc 50 movestogo 2"


def test_margin_forgives() -> None:
    for margin, result in ((0.0, "0-1"), (20.0, "1/2-1/2")):
        players = {chess.WHITE: Scripted("a2a3", 1010), chess.BLACK: Scripted("a7a6", 1)}
        terms = Terms(control=TimeControl(1000, 100), margin=margin, max_moves=1)
        assert Game(players, chess.Board(), terms).play().result == result


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", ("1-0", "white mates")),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ("1/2-1/2", "stalemate")),
        ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", ("1/2-1/2", "insufficient material")),
        ("7k/8/6K1/8/8/8/8/6R1 b - - 100 80", ("1/2-1/2", "fifty-move rule")),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", ("1-0", "white mates")),
        (chess.STARTING_FEN, None),
    ],
)
def test_natural_ends(fen: str, end: tuple[str, str] | None) -> None:
    assert natural_end(chess.Board(fen), 1) == end


def test_threefold_repetition_ends_the_game() -> None:
    knights = "g1f3 f3g1 g1f3 f3g1 g1f3 f3g1"
    players = {
        chess.WHITE: Scripted(knights, 1),
        chess.BLACK: Scripted("b8c6 c6b8 b8c6 c6b8 b8c6 c6b8", 1),
    }
    record = Game(players, chess.Board(), Terms(nodes=1)).play()
    assert record.reason == "threefold repetition"
    assert len(record.board.move_stack) == 8


def test_moves_must_be_spelt_as_the_mode_asks() -> None:
    fen = "4k3/8/8/8/8/8/P7/4K2R w K - 0 1"
    assert legal_move(chess.Board(fen), "e1g1")
    assert not legal_move(chess.Board(fen), "e1h1")
    assert legal_move(chess.Board(fen, chess960=True), "e1h1")
    assert not legal_move(chess.Board(fen, chess960=True), "e1g1")
    promotion = chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert legal_move(promotion, "a7a8q")
    for bad in ("a7a8Q", "a7a8", "0000", "(none)", ""):
        assert not legal_move(promotion, bad)


def test_pv_must_not_go_on_after_the_end() -> None:
    board = chess.Board()
    seen = Counter([repetition_key(board)])
    there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert pv_fault(board, seen, there_and_back * 2) == ""
    assert "move 9" in pv_fault(board, seen, [*there_and_back * 2, "e2e4"])
    assert "not legal" in pv_fault(board, seen, ["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"])
    old = chess.Board("7k/8/6K1/8/8/8/8/6R1 w - - 99 80")
    assert pv_fault(old, Counter(), ["g1g2"]) == ""
    assert "move 2" in pv_fault(old, Counter(), ["g1g2", "h8g8"])


def test_adjudication() -> None:
    class Sure(Scripted):
        def think(
            self, start: str, moves: object, go: Go, budget: float | None, patience: float
        ) -> Thought:
            thought = super().think(start, moves, go, budget, patience)
            thought.infos = [f"info depth 5 score cp {self.score} pv {thought.move}"]
            return thought

        score = 0

    def end(white_score: int, black_score: int, terms: Terms) -> tuple[str, str]:
        white, black = Sure("a2a3 b2b3 c2c3 d2d3", 1), Sure("a7a6 b7b6 c7c6 d7d6", 1)
        white.score, black.score = white_score, black_score
        record = Game({chess.WHITE: white, chess.BLACK: black}, chess.Board(), terms).play()
        return record.result, f"{len(record.board.move_stack)} {record.termination}"

    assert end(-700, 700, Terms(resign=(2, 600))) == ("0-1", "4 adjudication")
    assert end(700, -700, Terms(resign=(2, 600))) == ("1-0", "4 adjudication")
    assert end(700, 700, Terms(resign=(2, 600), max_moves=3)) == ("1/2-1/2", "6 adjudication")
    assert end(5, -5, Terms(draw=(3, 4, 10))) == ("1/2-1/2", "4 adjudication")


def test_openings_are_read_with_their_counters() -> None:
    boards = match.read_openings(OPENINGS, chess960=False)
    assert len(boards) == 200
    assert boards[1].halfmove_clock == 1
    assert all(board.fullmove_number >= 4 for board in boards)


def test_cpu_clock_of_another_process() -> None:
    client = UciClient(f"{ENGINE} good")
    before = client.cpu_seconds()
    client.sync()
    assert 0 < before < client.cpu_seconds() < 10
    client.quit()
