"""What every search must keep to, checked with python-chess, and small helpers around it."""

import re
import time
from dataclasses import dataclass, field

import chess
from protocol_host import Process

INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth \d+ multipv (?P<multipv>\d+)"
    r" score (?P<kind>cp|mate) (?P<value>-?\d+)(?P<bound> lowerbound| upperbound)?"
    r" nodes \d+ nps \d+ hashfull \d{1,4} time \d+(?: pv (?P<pv>[a-h1-8nbrq ]+))?"
)
BESTMOVE = re.compile(
    r"bestmove (?:\(none\)|(?P<move>[a-h][1-8][a-h][1-8][nbrq]?)(?: ponder (?P<ponder>\S+))?)"
)
OVER = (
    chess.Termination.CHECKMATE,
    chess.Termination.STALEMATE,
    chess.Termination.THREEFOLD_REPETITION,
    chess.Termination.FIFTY_MOVES,
)


@dataclass
class Search:
    """What a search said."""

    move: str | None
    ponder: str | None
    infos: list[re.Match[str]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def last(self) -> dict[int, re.Match[str]]:
        """The last exact info of each pv."""
        return {int(info["multipv"]): info for info in self.infos if not info["bound"]}


def set_up(engine: Process, board: chess.Board) -> None:
    """Send the board's start and moves; a Chess960 board expects the option to be on."""
    fen = board.root().fen(en_passant="fen", shredder=board.chess960)
    moves = " ".join(move.uci() for move in board.move_stack)
    engine.send(f"position fen {fen} moves {moves}")


def search(engine: Process, board: chess.Board, go: str, *later: str) -> Search:
    """Search the board's position and check all that came back."""
    set_up(engine, board)
    engine.ask()
    began = time.monotonic()
    engine.send(go, *later)
    lines = [line for line in engine.expect("bestmove.*") if line != "readyok"]
    return check(board, lines, time.monotonic() - began)


def check(board: chess.Board, lines: list[str], seconds: float = 0.0) -> Search:
    """The lines of one search, `bestmove` last, against the rules of the protocol."""
    best = BESTMOVE.fullmatch(lines[-1])
    assert best, lines[-1]
    if not any(board.legal_moves):
        score = "mate 0" if board.is_check() else "cp 0"
        assert f"info depth 0 score {score}" in lines
        assert best["move"] is None
        return Search(None, None, [], seconds)
    infos = []
    for line in lines[:-1]:
        if line.startswith("info string "):
            continue
        info = INFO.fullmatch(line)
        assert info, line
        check_pv(board, info)
        infos.append(info)
    result = Search(best["move"], best["ponder"], infos, seconds)
    assert infos, "a search must show a score"
    assert result.move is not None
    if 1 in result.last:
        assert result.last[1]["pv"].split()[0] == result.move
    after = board.copy(stack=True)
    after.push(parse(board, result.move))
    if result.ponder is not None:
        assert not is_over(after)
        parse(after, result.ponder)
    return result


def check_pv(board: chess.Board, info: re.Match[str]) -> None:
    """Every move legal, nothing after the end, a mate shown to its end."""
    pv = (info["pv"] or "").split()
    assert pv or info["bound"], info[0]
    after = board.copy(stack=True)
    for number, text in enumerate(pv):
        assert number == 0 or not is_over(after), f"goes on after the end: {info[0]}"
        after.push(parse(after, text))
    if info["kind"] == "mate" and not info["bound"]:
        moves = int(info["value"])
        plies = 2 * moves - 1 if moves > 0 else -2 * moves
        assert len(pv) == plies and after.is_checkmate(), info[0]


def is_over(board: chess.Board) -> bool:
    """As match programs see it: repetitions and the fifty moves count without a claim."""
    return not any(board.legal_moves) or board.is_repetition(3) or board.is_fifty_moves()


def parse(board: chess.Board, text: str) -> chess.Move:
    """A legal move in exactly the notation that the mode asks for."""
    for move in board.legal_moves:
        if board.uci(move, chess960=board.chess960) == text:
            return move
    raise AssertionError(f"{text} is not legal in {board.fen()}")


def fen_of(engine: Process) -> str:
    """The position as the engine shows it."""
    for line in engine.ask("d"):
        if line.startswith("Fen: "):
            return line.removeprefix("Fen: ")
    raise AssertionError("d shows no FEN")


def legal_moves(engine: Process) -> list[str]:
    (line,) = engine.ask("legalmoves")
    word, count, *moves = line.split()
    assert word == "legalmoves" and int(count) == len(moves)
    assert moves == sorted(moves)
    return moves
