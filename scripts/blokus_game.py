"""One game of Blokus between engines that speak GTP; the rules and the record are ours.

As match controllers of GTP engines do, an engine is asked `genmove` when a colour of its player is
to move, and told `play` for every move of the others. There are no clocks: each brings its own
limits.
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

PLAYERS = {"Blokus": 4, "Blokus Two-Player": 2, "Blokus Three-Player": 3, "Blokus Duo": 2}
"""Name of the game -> number of players."""

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
    sgf: str
    fault: str = ""
    detail: str = ""
    offender: int = -1
    """The player that did wrong; all others have won."""
    seconds: list[float] = field(default_factory=list)
    """Spent on genmove, by player."""
    asked: list[int] = field(default_factory=list)
    """Times that each player was asked for a move."""


class _Offence(Exception):
    """A fault, and the player whose engine it is."""

    def __init__(self, player: int, fault: EngineFault) -> None:
        self.player = player
        self.fault = fault


class Game:
    """One game in play. `referee` is an engine of ours that only keeps the rules."""

    def __init__(self, name: str, players: Sequence[Player], referee: BoardEngine) -> None:
        """Two players may be the same engine; it hears each move once."""
        self.name = name
        self.players = players
        self.referee = referee
        self.greens = 0
        """Pieces of the fourth colour: it goes round three players."""
        self.seconds = [0.0] * len(players)
        self.asked = [0] * len(players)

    def play(self, opening: Sequence[str]) -> Result:
        """Play to the end. Never raises for what an engine does. The `opening`, moves of the
        colours to move, is given to all."""
        referee = self.referee
        referee.set_game(self.name)
        try:
            self._tell(f"set_game {self.name}")
            self._tell("clear_board")
            for move in opening:
                self._tell(f"play {referee.colour_id(referee.to_move())} {move}")
                self._play(move)
            while not referee.over():
                self._one_move()
        except _Offence as offence:
            values = [float(number != offence.player) for number in range(len(self.players))]
            return self._result(values, offence.fault, offence.player)
        return self._result(values_of(self.name, referee.final_score()))

    def _one_move(self) -> None:
        colour = self.referee.to_move()
        going_round = self.name == "Blokus Three-Player" and colour == 3
        mover = self.greens % 3 if going_round else colour % len(self.players)
        id = self.referee.colour_id(colour)
        began = time.monotonic()
        move = self._ask(mover, f"genmove {id}").strip()
        self.seconds[mover] += time.monotonic() - began
        self.asked[mover] += 1
        fen = self.referee.fen()
        try:
            self._play(move)
        except MoveError as error:
            raise _Offence(mover, EngineFault("illegal move", f"{move}: {error}, {fen}")) from None
        self._tell(f"play {id} {move}", but=self.players[mover])

    def _play(self, move: str) -> None:
        colour = self.referee.to_move()
        self.referee.play(colour, move)
        self.greens += colour == 3

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

    def _result(
        self, values: list[float], fault: EngineFault | None = None, offender: int = -1
    ) -> Result:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.blksgf"
            self.referee.save_record(str(path))
            sgf = path.read_text().strip()
        moves = len(self.referee.history())
        kind, detail = (fault.kind, fault.detail) if fault else ("", "")
        return Result(values, moves, sgf, kind, detail, offender, self.seconds, self.asked)


def values_of(name: str, score: str) -> list[float]:
    """What each player has won, from the reply to `final_score`."""
    if PLAYERS[name] == 2:
        first = 0.5 if score.strip() == "0" else float(score.startswith("B"))
        return [first, 1 - first]
    points = [int(word) for word in score.split()][: PLAYERS[name]]
    ranks = sorted(points)
    values = []
    for own in points:
        shared = [rank for rank, other in enumerate(ranks) if other == own]
        values.append(sum(shared) / len(shared) / (len(points) - 1))
    return values
