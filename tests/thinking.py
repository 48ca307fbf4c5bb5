"""Searches of the chess engine in this process, and what each of them must keep to.

The engine is the one behind the facade; no protocol and no second process is in between.
"""

from dataclasses import dataclass, field, fields

import chess
from uci_checks import is_over, parse

from engine.control import Control
from engine.engine import Engine, open_engine
from engine.games.chess import CHESS
from engine.types import BestMove, Info, Limits, Score

POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/1p1k4/p1pPp3/P1P1P1p1/6P1/3K4/8 w - - 0 1",
    "8/P1k5/8/8/8/8/1p3K2/8 w - - 0 1",
    "8/8/8/8/8/3k4/3p4/3K4 b - - 0 1",  # stalemate is near
    "7k/8/8/8/8/8/R7/1R4K1 w - - 96 90",  # mate comes before the fiftieth move, but barely
    "6k1/6p1/8/7Q/8/8/rr6/6K1 w - - 0 1",  # perpetual check
    "4k3/8/8/8/8/8/4P3/4K3 b - - 99 80",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "2r3k1/5ppp/p7/1p1Pb3/4P3/1Pr2B2/P1R2KPP/2R5 b - - 0 29",
)


@dataclass
class Thought:
    """What one search said."""

    best: BestMove
    infos: list[Info] = field(default_factory=list)

    @property
    def lines(self) -> list[Info]:
        """The last exact info of each MultiPV place, the best place first."""
        last = {info.multipv: info for info in self.infos if not info.score.bound}
        return [last[place] for place in sorted(last)]

    @property
    def score(self) -> Score:
        return self.lines[0].score

    @property
    def nodes(self) -> int:
        return self.infos[-1].nodes


def fresh(**options: str) -> Engine:
    """A new engine. `Move_Overhead="0"` sets the option Move Overhead."""
    engine = open_engine(CHESS)
    for name, value in options.items():
        engine.set_option(name if name.startswith("UCI_") else name.replace("_", " "), value)
    return engine


def think(
    engine: Engine,
    board: chess.Board,
    limits: Limits,
    control: Control | None = None,
) -> Thought:
    """Search the board's position, its moves and notation included, and check what comes back."""
    engine.set_option("UCI_Chess960", str(board.chess960).lower())
    fen = board.root().fen(en_passant="fen", shredder=board.chess960)
    engine.set_position(fen, [move.uci() for move in board.move_stack])
    infos: list[Info] = []
    best = engine.search(limits, control or Control(), infos.append)
    thought = Thought(best, infos)
    check(board, thought)
    return thought


def check(board: chess.Board, thought: Thought) -> None:
    """The rules of every search of a position that has legal moves."""
    assert thought.infos, "a search must show a score"
    for info in thought.infos:
        check_line(board, info)
    assert thought.best.move == thought.lines[0].pv[0]
    after = board.copy(stack=True)
    after.push(parse(board, thought.best.move))
    if thought.best.ponder is not None:
        assert not is_over(after)
        parse(after, thought.best.ponder)


def check_line(board: chess.Board, info: Info) -> None:
    """Every move legal, nothing after the end, a mate shown to its end."""
    assert info.pv or info.score.bound, info
    assert (info.score.cp is None) != (info.score.mate is None), info
    after = board.copy(stack=True)
    for number, text in enumerate(info.pv):
        assert number == 0 or not is_over(after), f"goes on after the end: {info}"
        after.push(parse(after, text))
    mate = info.score.mate
    if mate is not None and not info.score.bound:
        assert len(info.pv) == (2 * mate - 1 if mate > 0 else -2 * mate), info
        assert after.is_checkmate(), info


def worth(score: Score) -> int:
    """A score as one number."""
    if score.mate is None:
        assert score.cp is not None
        return score.cp
    return 100_000 - score.mate if score.mate > 0 else -100_000 - score.mate


def told(value: object) -> str:
    """Limits as the name of a test, and other values as they are."""
    if not isinstance(value, Limits):
        return str(value)
    known = [each for each in fields(Limits) if each.name != "searchmoves"]
    given = ((each.name, getattr(value, each.name), each.default) for each in known)
    return " ".join(f"{name}={it}" for name, it, default in given if it != default) or "none"
