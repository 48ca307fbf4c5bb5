"""The facade of a game of several colours that is played move by move: `BoardEngine`.

What `Engine` promises holds here too: one thread at a time, and a method that raises has changed
nothing. Colours are numbers from 0 above this line and text on the wire; moves are text.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.control import Control
from engine.engine import Engine
from engine.types import BatchReport, Data, Info, Limits

if TYPE_CHECKING:
    from engine.batch import Analyst

Command = Callable[[Sequence[str]], str]
"""Takes the words behind a command's name, returns the text of the reply. Raises EngineError."""


class BoardEngine(Engine):
    """One game, loaded, with a current position and the moves that led to it.

    From `Engine`: `new_game` clears the board and keeps the game and the parameters;
    `legal_moves` are those of the colour to move; `search` looks for a move of that colour and
    does not play it.
    """

    names: tuple[str, ...] = ()
    """The names that `set_game` takes, in the spelling of the wire."""
    threads = 1
    """Threads that count, search and analyse files."""

    @abstractmethod
    def analyst(self) -> "Analyst":
        """Makes what says of positions in one line of text what `analyze` would say, for one
        thread."""

    def analyze_file(
        self,
        source: str,
        target: str | Callable[[Data], None],
        control: Control,
        on_progress: Callable[[int, int], None],
    ) -> BatchReport:
        from engine.batch import analyze_texts  # the first answer to a host does not wait for it

        return analyze_texts(source, target, self.analyst, self.desks, control, on_progress)

    @property
    def desks(self) -> int:
        """Threads for a file."""
        return self.threads

    @abstractmethod
    def set_game(self, name: str) -> None:
        """Switch to one of `names`, in any case and with single blanks, and clear the board.

        Raises OptionError.
        """

    @abstractmethod
    def colour(self, text: str) -> int:
        """The colour that an argument names. Raises MoveError("invalid color argument 'x'")."""

    @abstractmethod
    def colour_id(self, colour: int) -> str:
        """A colour on the wire: "1" to "4", or "b" and "w"."""

    @abstractmethod
    def to_move(self) -> int:
        """The colour to move; when the game is over, the successor of the last mover."""

    @abstractmethod
    def over(self) -> bool:
        """Whether no colour has a legal move."""

    @abstractmethod
    def play(self, colour: int, text: str) -> None:
        """Play a move of any colour, whoever is to move. Raises MoveError with the protocol's
        message."""

    @abstractmethod
    def undo(self) -> None:
        """Take back the last move, whatever its colour. Raises MoveError("cannot undo")."""

    @abstractmethod
    def redo(self) -> None:
        """Play again what `undo` took back last. Raises MoveError("cannot redo")."""

    @abstractmethod
    def moves_of(self, colour: int) -> tuple[str, ...]:
        """The legal moves of any colour, whoever is to move, sorted as text."""

    @abstractmethod
    def think(
        self,
        colour: int,
        limits: Limits,
        control: Control,
        on_info: Callable[[Info], None],
    ) -> str | None:
        """The best move found for a colour, which need not be the one to move; None if it has
        none. It is not played. Blocks until a limit is reached or `control` stops it."""

    @abstractmethod
    def history(self) -> tuple[str, ...]:
        """The moves that led here, first one first, each as "colour move"."""

    @abstractmethod
    def fen(self) -> str:
        """The position in one line, which `set_position` takes back."""

    @abstractmethod
    def final_score(self) -> str:
        """The result by the squares and points so far."""

    @abstractmethod
    def set_seed(self, seed: int) -> None:
        """Start the random numbers of the search anew."""

    @abstractmethod
    def forget(self) -> None:
        """Search from now on as if nothing had been searched since the seed was set."""

    @abstractmethod
    def params(self) -> dict[str, str]:
        """The parameters and their values, sorted by name."""

    @abstractmethod
    def set_param(self, key: str, value: str) -> None:
        """Set a parameter. Raises OptionError for an unknown one and for a value out of range."""

    @abstractmethod
    def load_record(self, path: str, before: int | None) -> None:
        """Load the main line of a game record; with `before`, stop before that move, counted
        from 1. Blocks for the reading of a file. Raises PositionError or MoveError."""

    @abstractmethod
    def save_record(self, path: str) -> None:
        """Write the game so far to a file. Blocks for the writing. Raises PositionError."""

    @abstractmethod
    def more(self) -> dict[str, Command]:
        """The commands that this game alone has, by name. A name of two words is a form of a common
        command, such as "undo step"."""
