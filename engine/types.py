"""What crosses the border between protocol and engine: frozen dataclasses, text and whole numbers.

Moves are text in the notation of the game, times are milliseconds, counts are plain integers.
Nothing here imports numba.
"""

from dataclasses import dataclass

Data = bytes | bytearray
"""Bytes that nobody will change any more."""


@dataclass(frozen=True)
class Limits:
    """When a search ends: the first limit reached counts. All absent means a fixed short search."""

    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    """Search for a mate in this many moves; a shorter one ends the search too."""
    movetime: int | None = None
    time: tuple[int | None, int | None] = (None, None)
    """Clock of the first and second side, ms; may be zero or negative."""
    inc: tuple[int, int] = (0, 0)
    movestogo: int | None = None
    infinite: bool = False
    ponder: bool = False
    """Like infinite until `Control.ponderhit`, then the other limits count from that moment."""
    searchmoves: tuple[str, ...] = ()
    """Root moves to look at; moves that are not legal here are ignored, none left means all."""


@dataclass(frozen=True)
class Score:
    """Value for the side to move. Exactly one of `cp` and `mate` is given."""

    cp: int | None = None
    """Hundredths of a pawn."""
    mate: int | None = None
    """Moves to mate: positive when giving it, negative when being mated, 0 when mated already."""
    bound: str = ""
    """`lowerbound`, `upperbound` or empty for an exact score."""


@dataclass(frozen=True)
class Info:
    """One finished step of a search."""

    depth: int
    score: Score
    seldepth: int = 0
    multipv: int = 1
    nodes: int = 0
    nps: int = 0
    hashfull: int = 0
    """Permille of the transposition table in use."""
    time: int = 0
    pv: tuple[str, ...] = ()
    wdl: tuple[int, int, int] | None = None
    """How likely a win, a draw and a loss are for the side to move, in thousandths."""
    tbhits: int = 0
    """Positions looked up in endgame tables."""


@dataclass(frozen=True)
class BestMove:
    """Result of a search. `move` is None when the side to move has no legal move."""

    move: str | None
    ponder: str | None = None


@dataclass(frozen=True)
class PerftReport:
    """Leaves below each root move. `counts` is in the order of generation."""

    depth: int
    counts: tuple[tuple[str, int], ...]
    nodes: int
    time: int
    stopped: bool = False
    """True when `Control.stop` came first: `counts` holds the finished root moves only."""


@dataclass(frozen=True)
class BenchReport:
    """Fixed positions searched to a fixed depth: `nodes` is the signature of the search."""

    nodes: int
    time: int
    stopped: bool = False


@dataclass(frozen=True)
class BatchReport:
    """A file of positions analysed."""

    lines: int
    """Lines read, blank ones included."""
    positions: int
    """Positions analysed and written."""
    bad: int
    """Lines that hold no legal position; an error was written for each."""
    time: int
    stopped: bool = False
    """True when `Control.stop` came before the end."""
    problem: str = ""
    """Why the file could not be read or written to its end, one line. What was written stays."""


@dataclass(frozen=True)
class Option:
    """One setting of the engine, as a user sees it. `kind` is spin, check, button or string."""

    name: str
    kind: str
    default: str = ""
    low: int = 0
    high: int = 0
