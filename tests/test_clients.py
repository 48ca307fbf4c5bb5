"""The real engine as its hosts see it: match programs, python-chess, scripts."""

import sys
import time

import chess
import chess.engine
import pytest
from protocol_host import REAL, ROOT, Process, run
from uci_checks import check, search, set_up

from engine.games.chess import CHESS

COMMAND = [sys.executable, *REAL]
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
SLACK = 2.0
"""Seconds more than a limit allows, for a machine that is busy with something else."""


def test_compliance_steps_of_a_match_program() -> None:
    """The forty steps that a widely used match program asks of an engine, in its order."""
    with Process() as engine:
        engine.send("uci")
        lines = engine.expect("uciok")
        assert any(line.startswith("id name ") for line in lines)
        assert any(line.startswith("id author ") for line in lines)
        engine.ask()
        assert engine.ask("ucinewgame") == []
        assert engine.ask("position startpos") == []
        assert engine.ask(f"position fen {STALEMATED}") == []
        black = chess.STARTING_FEN.replace(" w ", " b ")
        for moves, go in (
            ("position startpos", "go wtime 100"),
            (f"position fen {black}", "go btime 100"),
            ("position startpos", "go wtime 100 winc 100 btime 100 binc 100"),
            ("position startpos", "go btime 100 binc 100 wtime 100 winc 100"),
            ("ucinewgame\nposition startpos", "go wtime 100 btime 100"),
            ("position startpos moves e2e4 e7e5", "go wtime 100 btime 100"),
        ):
            assert engine.ask(*moves.split("\n")) == []
            engine.send(go)
            lines = engine.expect("bestmove .*")
            infos = [line for line in lines if line.startswith("info ") and " score " in line]
            assert lines[-2] == infos[-1]
            words = infos[-1].split()
            for key in ("time", "nps", "score"):
                following = words[words.index(key) + 1 :][: 2 if key == "score" else 1]
                assert "." not in " ".join(following)
            engine.ask()
        engine.send("quit")
        assert engine.wait() == 0


def play_a_game(host: chess.engine.SimpleEngine, board: chess.Board) -> int:
    """One whole game by one engine; python-chess refuses every illegal move."""
    plies = 0
    while not board.is_game_over(claim_draw=True) and plies < 120:
        limit = chess.engine.Limit(nodes=300)
        result = host.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move is not None
        assert "score" in result.info
        board.push(result.move)
        plies += 1
    return plies


def test_python_chess_plays_whole_games() -> None:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, cwd=ROOT, timeout=60) as host:
        assert host.id["name"].startswith("Triptych ")
        assert {option.name for option in CHESS.options} <= set(host.options)
        host.configure({"Hash": 4, "Threads": 1, "Move Overhead": 30})
        assert play_a_game(host, chess.Board()) > 8
        for number in (0, 518, 959, 700):
            assert play_a_game(host, chess.Board.from_chess960_pos(number)) > 8


def test_python_chess_ponders() -> None:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, cwd=ROOT, timeout=60) as host:
        board = chess.Board()
        for _ in range(8):
            result = host.play(board, chess.engine.Limit(white_clock=5, black_clock=5), ponder=True)
            assert result.move is not None
            board.push(result.move)
            reply = result.ponder or next(iter(board.legal_moves))
            if len(board.move_stack) % 4 == 3:
                reply = list(board.legal_moves)[-1]
            time.sleep(0.02)
            board.push(reply)


def test_python_chess_analyses() -> None:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, cwd=ROOT, timeout=60) as host:
        infos = host.analyse(chess.Board(), chess.engine.Limit(depth=4), multipv=5)
        assert len(infos) == 5
        assert len({info["pv"][0] for info in infos}) == 5
        with host.analysis(chess.Board(), multipv=2) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
        few = chess.Board("7k/8/8/8/8/8/8/K7 w - - 0 1")
        assert len(host.analyse(few, chess.engine.Limit(depth=2), multipv=9)) == 3
        host.ping()


def test_ponder_hit_and_miss(engine: Process) -> None:
    board = chess.Board()
    for later in (("ponderhit",), ("stop",)):
        set_up(engine, board)
        engine.send("go ponder wtime 500 btime 500 winc 10 binc 10")
        time.sleep(0.2)
        lines = engine.ask()
        assert not any(line.startswith("bestmove") for line in lines)
        began = time.monotonic()
        engine.send(*later)
        found = check(board, [*lines, *engine.expect("bestmove.*")])
        assert found.move is not None
        assert time.monotonic() - began < 0.5 + SLACK


def test_multipv_lines(engine: Process) -> None:
    engine.ask("setoption name MultiPV value 4")
    found = search(engine, chess.Board(), "go depth 5")
    assert sorted(found.last) == [1, 2, 3, 4]
    assert len({info["pv"].split()[0] for info in found.last.values()}) == 4


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
        ("6k1/R7/8/8/8/8/8/1R4K1 b - - 0 1", -1),
    ],
)
def test_mates_are_shown_to_their_end(engine: Process, fen: str, moves: int) -> None:
    last = search(engine, chess.Board(fen), "go depth 8").last[1]
    assert (last["kind"], int(last["value"])) == ("mate", moves)


def test_the_same_search_twice_is_the_same(engine: Process) -> None:
    results = []
    for _ in range(2):
        engine.ask("ucinewgame")
        found = search(engine, chess.Board(), "go depth 6")
        results.append((found.move, found.last[1]["pv"], found.last[1][0].split(" nps ")[0]))
    assert results[0] == results[1]


def test_one_shot_forms() -> None:
    done = run("go", "perft", "3")
    assert done.returncode == 0
    assert "\n\nNodes searched: 8902\ninfo string perft depth 3 nodes 8902 time " in done.stdout
    done = run("position startpos moves e2e4; legalmoves; eval; d")
    assert done.returncode == 0
    assert done.stdout.startswith("legalmoves 20 a7a5 ")
    assert "\nFinal evaluation " in done.stdout
    assert "\nFen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n" in done.stdout
    done = run("position fen 8/8/8/8/8/8/8/8 w - - 0 1")
    assert done.returncode == 1
    assert done.stdout.startswith("info string error: ")
    done = run("--threads", "2", "bench", "2")
    assert done.returncode == 0
    lines = done.stdout.splitlines()[-3:]
    assert [line.split(":")[0] for line in lines] == [
        "Total time (ms)", "Nodes searched", "Nodes/second",
    ]  # fmt: skip
