"""Play one game of chess between two players, with the rules, the clock and the record ours.

A player is whatever answers `think`; how it speaks to its engine is no concern of this module.
"""

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import chess
import chess.pgn
from engine_process import EngineFault
from uci_client import Go, Thought

FAULTS = ("crash", "stall", "illegal move", "time loss", "illegal pv")
"""What a player can do wrong. All but the last lose the game at once."""

TERMINATIONS = {
    "crash": "abandoned",
    "stall": "abandoned",
    "illegal move": "rules infraction",
    "time loss": "time forfeit",
}
"""Fault -> what the PGN standard calls a game that ended so."""


class Player(Protocol):
    """An engine, as a game needs it. Either method may raise EngineFault."""

    def new_game(self, chess960: bool) -> None: ...

    def think(
        self, start: str, moves: Sequence[str], go: Go, budget: float | None, patience: float
    ) -> Thought: ...


@dataclass(frozen=True)
class TimeControl:
    """`moves/time+increment` with times in milliseconds; `moves` None for the whole game."""

    base: int
    increment: int = 0
    moves: int | None = None

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Read `40/60+0.6`, `1+0.05` or `60`, in seconds. Raises ValueError."""
        moves, slash, rest = text.rpartition("/")
        base, _, increment = rest.partition("+")
        control = cls(
            round(float(base) * 1000),
            round(float(increment or 0) * 1000),
            int(moves) if slash else None,
        )
        moves_given = 1 if control.moves is None else control.moves
        if control.base <= 0 or control.increment < 0 or moves_given < 1:
            raise ValueError(f"no time control: {text!r}")
        return control

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        increment = f"+{self.increment / 1000:g}" if self.increment else ""
        return f"{moves}{self.base / 1000:g}{increment}"


@dataclass(frozen=True)
class Terms:
    """Under what limits a game is played. Without adjudication it ends by the rules alone."""

    control: TimeControl | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: float = 0.0
    """Milliseconds by which a player may overstep its time unpunished."""
    patience: float = 20.0
    """Seconds past its time, or silent without a clock, after which a player counts as hung."""
    draw: tuple[int, int, int] | None = None
    """From this full move on, so many plies in a row within so many centipawns: a draw."""
    resign: tuple[int, int] | None = None
    """So many moves in a row at this many centipawns or more behind: lost."""
    max_moves: int | None = None
    """Draw after this many full moves."""


@dataclass(frozen=True)
class Fault:
    offender: chess.Color
    kind: str
    detail: str
    ply: int


@dataclass
class Record:
    """A finished game. `result` is the PGN result, `reason` says why it ended."""

    board: chess.Board
    comments: list[str]
    result: str = "*"
    reason: str = ""
    termination: str = "normal"
    faults: list[Fault] = field(default_factory=list)

    @property
    def white_points(self) -> float:
        return {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[self.result]

    def pgn(self, headers: Mapping[str, str]) -> str:
        """The game as PGN, with an evaluation, depth and time for each move."""
        game = chess.pgn.Game.from_board(self.board)
        game.headers.update(headers)
        game.headers["Date"] = f"{datetime.date.today():%Y.%m.%d}"
        game.headers["Result"] = self.result
        game.headers["PlyCount"] = str(len(self.board.move_stack))
        game.headers["Termination"] = self.termination
        for node, comment in zip(game.mainline(), self.comments, strict=False):
            node.comment = comment
        end = game.end()
        end.comment = f"{end.comment}, {self.reason}" if end.comment else self.reason
        return f"{game}\n"


def repetition_key(board: chess.Board) -> tuple[object, ...]:
    """Equal for two positions exactly where the rules call one a repetition of the other."""
    return (
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.turn,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


def legal_move(board: chess.Board, text: str) -> chess.Move | None:
    """The legal move of this exact spelling, or None."""
    try:
        move = board.parse_uci(text)
    except ValueError:
        return None
    return move if move and board.uci(move) == text else None


def natural_end(board: chess.Board, seen: int) -> tuple[str, str] | None:
    """Result and reason if the rules end the game here, at the `seen`-th time of this position."""
    if not any(board.legal_moves):
        if not board.is_check():
            return "1/2-1/2", "stalemate"
        return ("0-1", "black mates") if board.turn else ("1-0", "white mates")
    if board.is_insufficient_material():
        return "1/2-1/2", "insufficient material"
    if seen >= 3:
        return "1/2-1/2", "threefold repetition"
    if board.halfmove_clock >= 100:
        return "1/2-1/2", "fifty-move rule"
    return None


def pv_fault(board: chess.Board, seen: Counter[tuple[object, ...]], pv: Sequence[str]) -> str:
    """What is wrong with a pv from this position: empty if nothing.

    Every move must be legal, and none may follow on the end of the game: after mate or stalemate
    none is legal anyway, after a draw by rule one is an error.
    """
    board = board.copy(stack=False)
    line: Counter[tuple[object, ...]] = Counter()
    for number, text in enumerate(pv, 1):
        if number > 1:
            key = repetition_key(board)
            line[key] += 1
            if board.halfmove_clock >= 100 or seen[key] + line[key] >= 3:
                return f"pv move {number} {text} comes after a draw by rule"
        move = legal_move(board, text)
        if move is None:
            return f"pv move {number} {text} is not legal"
        board.push(move)
    return ""


def words_after(info: str, name: str) -> list[str]:
    """The words of an `info` line after the field `name`, none for free text."""
    words = info.split()
    if words[:1] != ["info"] or words[1:2] == ["string"] or name not in words:
        return []
    return words[words.index(name) + 1 :]


class Game:
    """One game in play."""

    def __init__(self, players: Mapping[chess.Color, Player], start: chess.Board, terms: Terms):
        self.players = players
        self.terms = terms
        self.board = start.copy()
        self.start_fen = start.fen(shredder=start.chess960, en_passant="fen")
        self.moves: list[str] = []
        self.seen: Counter[tuple[object, ...]] = Counter([repetition_key(start)])
        base = terms.control.base if terms.control else 0
        self.clocks: dict[chess.Color, float] = {chess.WHITE: base, chess.BLACK: base}
        self.scores: list[int] = []
        """Centipawns from white's side, one a ply."""
        self.record = Record(self.board, [])

    def play(self) -> Record:
        """Play to the end. Never raises for what a player does."""
        for color, player in self.players.items():
            try:
                player.new_game(self.board.chess960)
            except EngineFault as fault:
                return self._forfeit(color, fault.kind, fault.detail)
        while True:
            end = natural_end(self.board, self.seen[repetition_key(self.board)])
            if end is not None:
                return self._end(*end)
            end = self._adjudicate()
            if end is not None:
                return self._end(*end, termination="adjudication")
            if not self._one_move():
                return self.record

    def _one_move(self) -> bool:
        """Let the side to move think and play; False if that ended the game by a fault."""
        color = self.board.turn
        go, budget = self._limits(color)
        try:
            thought = self.players[color].think(
                self.start_fen, self.moves, go, budget, self.terms.patience
            )
        except EngineFault as fault:
            self._forfeit(color, fault.kind, fault.detail)
            return False
        if budget is not None and thought.elapsed > budget:
            late = thought.elapsed - budget
            self._forfeit(color, "time loss", f"{late:.1f} ms over after {go.line()!r}")
            return False
        wrong = self._check_pvs(color, thought.infos)
        move = legal_move(self.board, thought.move)
        if move is None:
            self._forfeit(color, "illegal move", f"{thought.move} in {self.board.fen()}")
            return False
        self._charge(color, thought.elapsed)
        self.record.comments.append(self._comment(thought) + (f", {wrong}" if wrong else ""))
        self.board.push(move)
        self.moves.append(thought.move)
        self.seen[repetition_key(self.board)] += 1
        return True

    def _limits(self, color: chess.Color) -> tuple[Go, float | None]:
        """The `go` for the side to move and the milliseconds it may use."""
        terms = self.terms
        go = Go(movetime=terms.movetime, nodes=terms.nodes, depth=terms.depth)
        control = terms.control
        if control is None:
            return go, None if terms.movetime is None else terms.movetime + terms.margin
        go.clocks = (self.clocks[chess.WHITE], self.clocks[chess.BLACK])
        go.incs = (control.increment, control.increment)
        if control.moves:
            go.movestogo = control.moves - len(self.moves) // 2 % control.moves
        return go, self.clocks[color] + terms.margin

    def _charge(self, color: chess.Color, elapsed: float) -> None:
        """Take the time of a move off the clock, then credit the increment."""
        control = self.terms.control
        if control is None:
            return
        self.clocks[color] += control.increment - elapsed
        if control.moves and (len(self.moves) // 2 + 1) % control.moves == 0:
            self.clocks[color] += control.base

    def _check_pvs(self, color: chess.Color, infos: Sequence[str]) -> str:
        """Report each different pv that is wrong; returns the last complaint."""
        wrong = ""
        for pv in dict.fromkeys(tuple(words_after(info, "pv")) for info in infos):
            complaint = pv_fault(self.board, self.seen, pv)
            if complaint:
                wrong = f"{complaint} in {self.board.fen()}"
                self._fault(color, "illegal pv", f"{wrong}: {' '.join(pv)}")
        return wrong

    def _comment(self, thought: Thought) -> str:
        """`+0.31/12 0.051s`: score and depth of the last full line, and the time; keeps the score
        for adjudication."""
        score, depth = 0, "0"
        text = ""
        for info in reversed(thought.infos):
            words = words_after(info, "score")
            if len(words) < 2 or set(words[2:3]) & {"lowerbound", "upperbound"}:
                continue
            depth = next(iter(words_after(info, "depth")), "0")
            try:
                value = int(words[1])
            except ValueError:
                continue
            mate = words[0] == "mate"
            score = (30_000 if value > 0 else -30_000) if mate else value
            text = f"{'+' if value > 0 else '-'}M{abs(value)}" if mate else f"{value / 100:+.2f}"
            break
        self.scores.append(score if self.board.turn else -score)
        return (f"{text}/{depth} " if text else "") + f"{thought.elapsed / 1000:.3f}s"

    def _adjudicate(self) -> tuple[str, str] | None:
        """Result and reason if the terms end the game here."""
        terms = self.terms
        number = len(self.scores) // 2
        if terms.max_moves and number >= terms.max_moves:
            return "1/2-1/2", f"draw after {terms.max_moves} moves"
        if terms.draw:
            first, plies, limit = terms.draw
            last = self.scores[-plies:]
            late = self.board.fullmove_number >= first and len(last) == plies
            if late and all(abs(score) <= limit for score in last):
                return "1/2-1/2", "draw by adjudication"
        if terms.resign:
            moves, limit = terms.resign
            last = self.scores[-2 * moves :]
            if len(last) == 2 * moves and all(score <= -limit for score in last):
                return "0-1", "white resigns by adjudication"
            if len(last) == 2 * moves and all(score >= limit for score in last):
                return "1-0", "black resigns by adjudication"
        return None

    def _fault(self, color: chess.Color, kind: str, detail: str) -> None:
        self.record.faults.append(Fault(color, kind, detail, len(self.moves)))

    def _forfeit(self, color: chess.Color, kind: str, detail: str) -> Record:
        """End the game as a loss for a player that did wrong."""
        self._fault(color, kind, detail)
        result = "0-1" if color else "1-0"
        who = "white" if color else "black"
        return self._end(result, f"{kind} by {who}: {detail}", TERMINATIONS[kind])

    def _end(self, result: str, reason: str, termination: str = "normal") -> Record:
        self.record.result = result
        self.record.reason = reason
        self.record.termination = termination
        return self.record
