"""Chess behind the facade: what ends a search, what narrows it, and that it can be repeated."""

import threading
import time
from collections.abc import Sequence

import chess
import pytest
from chess_oracle import DATA
from thinking import POSITIONS, Thought, check, fresh, think, told

from engine.control import Control
from engine.engine import Engine
from engine.types import BestMove, Limits, Score

BENCH = DATA / "bench.txt"
"""The signature of the search: its nodes over the fixed positions."""


# The same again


@pytest.mark.parametrize("limits", [Limits(depth=8), Limits(nodes=20_000)], ids=told)
def test_a_search_can_be_repeated(limits: Limits) -> None:
    """By a new engine, and by the same one after a new game."""
    results = []
    engine = fresh()
    for new_game in (False, True, None):
        if new_game is None:
            engine = fresh()
        elif new_game:
            engine.new_game()
        results.append([summary(think(engine, chess.Board(fen), limits)) for fen in POSITIONS[:6]])
    assert results[0] == results[1] == results[2]


def summary(thought: Thought) -> Sequence[object]:
    """All that must be equal: everything but time."""
    told = [(i.depth, i.seldepth, i.score, i.nodes, i.hashfull, i.pv) for i in thought.infos]
    return thought.best, told


def test_node_limits_are_kept(chess_engine: Engine) -> None:
    """None are counted while the search unwinds; the last info may be older."""
    for fen in (chess.STARTING_FEN, "3K4/8/1k6/4P3/8/5P2/5B2/8 b - - 0 1"):
        for nodes in (1_000, 10_000, 50_000):
            thought = think(chess_engine, chess.Board(fen), Limits(nodes=nodes))
            assert nodes // 8 < thought.nodes <= nodes


FULL = "qn6/PQbPPQP1/1Q3q1P/r2RN1Rp/n7/Rb2K3/PpRpRnpp/2b1bk2 w - - 0 1"
"""Captures and promotions alone go on for a million nodes here."""


@pytest.mark.parametrize("places", [1, 3, 218])
def test_the_first_iteration_ends_where_captures_do_not(places: int) -> None:
    """And there is a move to play, and one for each place."""
    board = chess.Board(FULL)
    thought = think(fresh(MultiPV=str(places)), board, Limits(nodes=1))
    assert 0 < thought.nodes <= 20_000
    firsts = [info.pv[0] for info in thought.infos if info.depth == 1]
    assert len(set(firsts)) == len(firsts) == min(places, board.legal_moves.count())


def test_bench_is_that_of_the_last_change_of_the_search() -> None:
    engine = fresh()
    engine.set_position("8/8/8/8/8/8/8/K1k5 w - - 0 1", [])
    nodes = engine.bench(None, Control(), lambda line: None).nodes
    assert nodes == fresh().bench(None, Control(), lambda line: None).nodes
    assert "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in engine.display()
    assert nodes == int(BENCH.read_text()), (
        f"bench is {nodes}. If the search was meant to change, put that number into "
        f"tests/data/{BENCH.name}; if not, something changed that should not have."
    )


# Root moves and castling


def test_searchmoves_are_honoured(chess_engine: Engine) -> None:
    board = chess.Board()
    for wanted in (("a2a3",), ("h2h4", "b1a3"), ("A2A3", "e2e5")):
        thought = think(chess_engine, board, Limits(depth=5, searchmoves=wanted))
        allowed = {move.lower() for move in wanted}
        assert {info.pv[0] for info in thought.infos} <= allowed & set(chess_engine.legal_moves())


def test_searchmoves_without_a_legal_one_mean_all(chess_engine: Engine) -> None:
    found = think(chess_engine, chess.Board(), Limits(depth=5, searchmoves=("e2e5", "xyz")))
    chess_engine.new_game()
    plain = think(chess_engine, chess.Board(), Limits(depth=5))
    assert summary(found) == summary(plain)


CASTLING_MATE = "4R3/8/8/8/8/5k1P/7P/4K2R w K - 0 1"
CASTLING_MATE_960 = "2rkr3/7R/8/8/8/8/2P5/RK6 w A - 0 1"
"""In both only castling mates at once. In the second the king clears the way for the rook."""


@pytest.mark.parametrize(
    ("fen", "chess960", "move"),
    [
        (CASTLING_MATE, False, "e1g1"),
        (CASTLING_MATE, True, "e1h1"),
        (CASTLING_MATE_960, True, "b1a1"),
    ],
)
def test_castling_is_found_and_written(
    chess_engine: Engine, fen: str, chess960: bool, move: str
) -> None:
    board = chess.Board(fen, chess960=chess960)
    thought = think(chess_engine, board, Limits(depth=5))
    assert (thought.score, thought.best.move) == (Score(mate=1), move)


@pytest.mark.parametrize("wanted", ["e1g1", "e1h1"])
@pytest.mark.parametrize("chess960", [False, True])
def test_searchmoves_take_both_notations_of_castling(
    chess_engine: Engine, wanted: str, chess960: bool
) -> None:
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    board = chess.Board(fen, chess960=chess960)
    thought = think(chess_engine, board, Limits(depth=4, searchmoves=(wanted,)))
    assert thought.best.move == ("e1h1" if chess960 else "e1g1")


# Waiting


class Running:
    """A search in a thread of its own."""

    def __init__(self, engine: Engine, board: chess.Board, limits: Limits) -> None:
        self.control = Control()
        self.found: list[Thought] = []
        self.thread = threading.Thread(
            target=lambda: self.found.append(think(engine, board, limits, self.control))
        )
        self.thread.start()

    def ended(self, seconds: float) -> bool:
        self.thread.join(seconds)
        return not self.thread.is_alive()

    def stop(self) -> Thought:
        self.control.stop()
        assert self.ended(5)
        (thought,) = self.found
        return thought


MATE_IN_1 = chess.Board("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1")


@pytest.mark.parametrize(
    "limits",
    [
        Limits(infinite=True),
        Limits(infinite=True, depth=2),
        Limits(infinite=True, nodes=100),
        Limits(infinite=True, time=(100, 100)),
        Limits(infinite=True, movetime=20),
        Limits(infinite=True, mate=1),
        Limits(ponder=True, depth=2),
        Limits(ponder=True, time=(20, 20)),
        Limits(ponder=True, mate=1),
    ],
    ids=told,
)
def test_infinite_and_ponder_wait(chess_engine: Engine, limits: Limits) -> None:
    """Also with the tree finished, the mate found, or a limit reached that is given beside."""
    running = Running(chess_engine, MATE_IN_1 if limits.mate else chess.Board(), limits)
    try:
        assert not running.ended(0.3)
        if limits.infinite:
            running.control.ponderhit()
            assert not running.ended(0.1)
    finally:
        running.stop()


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        (Limits(ponder=True, depth=2), 0.0),
        (Limits(ponder=True, nodes=500), 0.0),
        (Limits(ponder=True, time=(1_000, 1_000)), 1.0),
        (Limits(ponder=True, movetime=200), 0.2),
        (Limits(ponder=True), 1.0),
    ],
    ids=told,
)
def test_a_ponder_hit_starts_the_clock(
    chess_engine: Engine, limits: Limits, seconds: float
) -> None:
    running = Running(chess_engine, chess.Board(), limits)
    try:
        assert not running.ended(0.3)
        began = time.monotonic()
        running.control.ponderhit()
        assert running.ended(seconds + 2)
        spent = time.monotonic() - began
        assert limits.movetime is None or spent > 0.15
    finally:
        running.stop()


@pytest.mark.parametrize(
    "fen", ["R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"]
)
@pytest.mark.parametrize(
    "limits", [Limits(ponder=True, depth=2), Limits(ponder=True, time=(100, 100))], ids=told
)
def test_a_ponder_hit_ends_what_has_no_moves(
    chess_engine: Engine, fen: str, limits: Limits
) -> None:
    chess_engine.set_position(fen, [])
    control = Control()
    found: list[BestMove] = []
    thread = threading.Thread(
        target=lambda: found.append(chess_engine.search(limits, control, lambda info: None))
    )
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    control.ponderhit()
    thread.join(2)
    control.stop()
    assert found == [BestMove(None)]


def test_stop_before_the_start_still_gives_a_move(chess_engine: Engine) -> None:
    control = Control()
    control.stop()
    check(chess.Board(), think(chess_engine, chess.Board(), Limits(infinite=True), control))


def test_stopped_multipv_names_each_move_once() -> None:
    """The lines of the last iteration stand in for those that a stop cut off."""
    engine = fresh(MultiPV="218")
    last: dict[int, str] = {}
    engine.search(
        Limits(nodes=20000), Control(), lambda info: last.update({info.multipv: info.pv[0]})
    )
    assert sorted(last.values()) == list(engine.legal_moves())
