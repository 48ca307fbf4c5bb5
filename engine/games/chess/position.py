"""A chess position as Python sees it: the record, the game so far, text in and out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.errors import MoveError
from engine.games.chess import notation
from engine.games.chess.records import ANALYSIS, UNDO
from engine.games.chess.rules import checkers, generate, insufficient, make
from engine.games.chess.state import BISHOP, KNIGHT, LETTERS, MAX_MOVES, QUEEN, ROOK
from engine.games.chess.tables import T
from engine.games.chess.verify import build, setup_of
from engine.table import Table, find
from engine.tasks import Examine


class Position:
    """One position and the keys of those before it, back to the last capture or pawn move."""

    def __init__(self, text: str = notation.START, chess960: bool = False) -> None:
        """Raises PositionError."""
        self.state: np.void = build(notation.parse_fen(text, chess960), T)[0]
        self.keys: list[int] = []
        self._undo: np.void = np.zeros(1, UNDO)[0]
        self._analysis: np.void | None = None

    @property
    def turn(self) -> int:
        return int(self.state["turn"])

    @property
    def phase(self) -> int:
        """24 with all pieces on the board, 0 with none."""
        count = [int(number) for number in self.state["count"]]
        weights = {KNIGHT: 1, BISHOP: 1, ROOK: 2, QUEEN: 4}
        of = (weight * (count[1 + kind] + count[9 + kind]) for kind, weight in weights.items())
        return min(sum(of), 24)

    def legal(self) -> list[int]:
        """The legal moves, in the order of generation."""
        return legal_moves(self.state)

    def play(self, move: int) -> None:
        self.keys.append(int(self.state["key"]))
        make(self.state, T, move, self._undo)
        self._analysis = None
        if self.state["halfmove"] == 0:
            self.keys.clear()

    def play_text(self, moves: Sequence[str]) -> None:
        """Play moves given as text. Raises MoveError with the number of the bad one."""
        for number, text in enumerate(moves, 1):
            try:
                move = notation.match_move(text, self.legal())
            except MoveError as error:
                raise MoveError(f"move {number}: {error}") from None
            self.play(move)

    def copy(self) -> np.void:
        """The record alone, to be changed by someone else."""
        state: np.void = self.state.copy()
        return state

    def analysis(self, examine: Examine) -> np.void:
        """The facts of the position, a record of type ANALYSIS. Worked out when first asked for
        and kept until the position changes. Raises EngineError."""
        if self._analysis is None:
            facts: NDArray[np.void] = np.zeros(1, ANALYSIS)
            examine(self.state.reshape(1), facts)
            self._analysis = facts[0]
        return self._analysis

    def checkers(self) -> int:
        return int(checkers(self.state, T)) & ((1 << 64) - 1)

    def fen(self, chess960: bool) -> str:
        return fen_of(self.state, chess960)

    def drawing(self) -> str:
        """The board as text, white below."""
        rule = " +---+---+---+---+---+---+---+---+"
        rows = [rule]
        for rank in range(7, -1, -1):
            pieces = (LETTERS[code] for code in self.state["board"][rank * 8 : rank * 8 + 8])
            cells = " | ".join(letter.replace(".", " ") for letter in pieces)
            rows += [f" | {cells} | {rank + 1}", rule]
        return "\n".join([*rows, "   a   b   c   d   e   f   g   h"])


def legal_moves(state: np.void) -> list[int]:
    """The legal moves of a record, in the order of generation."""
    moves = np.zeros(MAX_MOVES, np.uint16)
    found: list[int] = moves[: generate(state, T, moves)].tolist()
    return found


def fen_of(state: np.void, chess960: bool) -> str:
    """The text of a record."""
    return notation.format_fen(setup_of(state), chess960)


def table_reply(position: Position, move: int, table: Table) -> int:
    """What the table thinks of the position after a move: a legal reply, or 0."""
    state = position.copy()
    undo: np.void = np.zeros(1, UNDO)[0]
    make(state, T, move, undo)
    key = int(state["key"])
    before = [*position.keys, int(position.state["key"])]
    if state["halfmove"] >= 100 or before.count(key) > 1 or insufficient(state):
        return 0  # the game is over
    reply = find(table, key) & 0xFFFF
    return reply if reply in legal_moves(state) else 0
