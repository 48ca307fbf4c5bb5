"""One game between engines that speak GTP; the rules and the record are ours.

As match controllers of GTP engines do, an engine is asked `genmove` when a colour of its player is
to move, and told `play` for every move of the others. There are no clocks: each brings its own
limits, or is asked `go` with a limit and told its own moves too.
"""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from engine_process import EngineFault

from engine.board_engine import BoardEngine
from engine.errors import MoveError

FAULTS = ("crash", "stall", "error", "illegal move")
"""What an engine can do wrong; each ends the game."""


class Player(Protocol):
    """An engine, as a game needs it. May raise EngineFault."""

    def ask(self, command: str) -> str: ...


@dataclass
class Result:
    """A finished game."""

    values: list[float]
    """By player, from 0 to 1: the share of the ranks that hold the same points."""
    moves: int
    record: str
    ending: str = ""
    """How it ended, where a game can end in several ways."""
    fault: str = ""
    detail: str = ""
    offender: int = -1
    """The player that did wrong; all others have won."""
    seconds: list[float] = field(default_factory=list)
    """Spent on moves, by player."""
    asked: list[int] = field(default_factory=list)
    """Times that each player was asked for a move."""


class _Offence(Exception):
    """A fault, and the player whose engine it is."""

    def __init__(self, player: int, fault: EngineFault) -> None:
        self.player = player
        self.fault = fault


class Game:
    """One game in play. A subclass says whose turn it is, and what a score means."""

    def __init__(
        self, name: str, players: Sequence[Player], limits: Sequence[str], referee: BoardEngine
    ) -> None:
        """Two players may be the same engine; it hears each move once. A limit is what follows
        `go`, empty for `genmove`; `referee` is an engine of ours that only keeps the rules."""
        self.name = name
        self.players = players
        self.limits = limits
        self.referee = referee
        self.seconds = [0.0] * len(players)
        self.asked = [0] * len(players)

    def mover(self) -> int:
        """The player whose turn it is."""
        return self.referee.to_move() % len(self.players)

    def outcome(self) -> tuple[list[float], str]:
        """What each player has won once the game is over, and how it ended."""
        raise NotImplementedError

    def play(self, opening: Sequence[str]) -> Result:
        """Play to the end. Never raises for what an engine does. The `opening`, moves of the
        colours to move, is given to all."""
        self.referee.set_game(self.name)
        try:
            self._tell(f"set_game {self.name}")
            self._tell("clear_board")
            for move in opening:
                self._tell(f"play {self.referee.colour_id(self.referee.to_move())} {move}")
                self.keep(move)
            while not self.referee.over():
                self._one_move()
        except _Offence as offence:
            values = [float(number != offence.player) for number in range(len(self.players))]
            result = self._result(values)
            fault = offence.fault
            result.fault, result.detail = fault.kind, fault.detail
            result.offender = offence.player
            return result
        values, ending = self.outcome()
        return self._result(values, ending)

    def keep(self, move: str) -> None:
        """Let the referee play a move of the colour to move. Raises MoveError."""
        self.referee.play(self.referee.to_move(), move)

    def _one_move(self) -> None:
        mover, limit = self.mover(), self.limits[self.mover()]
        id, fen = self.referee.colour_id(self.referee.to_move()), self.referee.fen()
        began = time.monotonic()
        move = self._ask(mover, f"go {limit}" if limit else f"genmove {id}").strip()
        self.seconds[mover] += time.monotonic() - began
        self.asked[mover] += 1
        move = move.removeprefix("bestmove ") if limit else move
        try:
            self.keep(move)
        except MoveError as error:
            raise _Offence(mover, EngineFault("illegal move", f"{move}: {error}, {fen}")) from None
        self._tell(f"play {id} {move}", but=None if limit else self.players[mover])

    def _tell(self, command: str, but: Player | None = None) -> None:
        """Send a command to every engine, once to each."""
        for number, player in enumerate(self.players):
            if player is not but and player not in self.players[:number]:
                self._ask(number, command)

    def _ask(self, player: int, command: str) -> str:
        try:
            return self.players[player].ask(command)
        except EngineFault as fault:
            raise _Offence(player, fault) from None

    def _result(self, values: list[float], ending: str = "") -> Result:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game"
            self.referee.save_record(str(path))
            record = path.read_text().strip()
        moves = len(self.referee.history())
        return Result(values, moves, record, ending, seconds=self.seconds, asked=self.asked)
