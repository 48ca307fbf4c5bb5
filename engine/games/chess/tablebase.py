"""What Syzygy endgame tables say of the root moves, read by python-chess.

The tables know of each position without castling rights and with few pieces whether it is won
within the fifty-move rule (WDL), and how many plies are left to the next capture or pawn move on
the way there (DTZ, which may be one too small). The search looks only at the moves that hold the
result; which of those it plays is its own choice.

Only the root is looked up. One position takes the library about a millisecond, in which the search
sees a thousand positions, and compiled code cannot call it anyway.
"""

import ctypes
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.syzygy
import numpy as np

from engine.control import Control
from engine.errors import FileError
from engine.games.chess.library import board_of, named
from engine.games.chess.notation import format_move
from engine.games.chess.position import Position
from engine.games.chess.records import UNDO
from engine.games.chess.rules import make
from engine.games.chess.tables import T

WON = 20_000
"""Score of a position that the tables know as won, hundredths of a pawn."""
SAFE = 1_000
"""Rank of moves that win whatever comes before the next capture or pawn move."""
FIFTY = 100
"""Plies without capture or pawn move that make a draw."""

PATIENCE = 3.0
"""Seconds for one move. The slowest of 315 took 0.0024."""

MAGIC = {".rtbw": chess.Board.tbw_magic, ".rtbz": chess.Board.tbz_magic}
"""The first bytes of a table, by the end of its name."""


@dataclass(frozen=True)
class Verdict:
    """What the tables say of a position."""

    moves: list[int]
    """Those that hold the result, in the order in which they were given."""
    score: int
    """For the side to move: `WON`, 0, or -`WON`."""
    hits: int
    """Positions looked up."""


class Tablebase:
    """The tables in some folders."""

    def __init__(self, path: str) -> None:
        """`path` is one folder or more, with what separates folders in PATH between them. Raises
        FileError if a folder cannot be read or holds no table, and if a table is damaged."""
        self._tables = chess.syzygy.Tablebase()
        self.damaged = False
        """Whether a look-up ran in circles. After that nothing is looked up."""
        self.largest = 0
        """Most pieces of a position that has a table, kings included."""
        for folder in path.split(os.pathsep):
            try:
                files = [file for file in sorted(folder_of(folder).iterdir()) if is_table(file)]
                for file in files:
                    check(file)
                    self._tables.add_file(str(file))
            except OSError as error:
                where = str(error.filename or folder)
                raise FileError("cannot read", where, error.strerror or str(error)) from None
            if not files:
                raise FileError("cannot use", folder, "it holds no Syzygy tables")
            self.largest = max(self.largest, *(len(file.stem) - 1 for file in files))

    def verdict(self, position: Position, moves: Sequence[int], control: Control) -> Verdict | None:
        """Which of the legal `moves`, at least one, to look at. None if there are no tables for the
        position or for one that a move leads to, if one of them turns out to be damaged, or if
        `control` stops it."""
        if self.damaged or control.stopped:
            return None
        if int(position.state["count"].sum()) > self.largest or position.state["castling"]:
            return None
        found: list[int] = []
        worker = threading.Thread(target=self._look, args=(position, moves, found), daemon=True)
        worker.start()
        since, known = time.monotonic(), 0
        while worker.is_alive():
            worker.join(0.02)
            if len(found) > known:
                since, known = time.monotonic(), len(found)
            self.damaged = worker.is_alive() and time.monotonic() - since > PATIENCE
            if control.stopped or self.damaged:
                interrupt(worker)
                return None
        if len(found) < len(moves):
            return None
        clock = int(position.state["halfmove"])
        # After a repetition without progress, go straight for it.
        past = [*position.keys, int(position.state["key"])]
        direct = len(set(past)) < len(past)
        ranks = [rank(distance, clock, direct) for distance in found]
        best = max(ranks)
        held = [move for move, its in zip(moves, ranks, strict=True) if its == best]
        distance = found[ranks.index(best)]
        decided = distance != 0 and abs(distance) + clock <= FIFTY
        score = 0 if not decided else WON if distance > 0 else -WON
        return Verdict(held, score, len(moves))

    def _look(self, position: Position, moves: Sequence[int], found: list[int]) -> None:
        """Append what `_distance` says of each of the moves, or of some of them only."""
        board = board_of(position)
        try:
            for move in moves:
                found.append(self._distance(board, position, move))
        except Exception:  # KeyError if one is missing; a damaged one raises what it runs into
            return

    def _distance(self, board: chess.Board, position: Position, move: int) -> int:
        """Plies to the next capture or pawn move if `move` is played: positive on the way to a win,
        negative on the way to a loss, 0 for a draw; more than 100 if the fifty-move rule comes
        first."""
        state = position.copy()
        make(state, T, move, np.zeros(1, UNDO)[0])
        board.push_uci(format_move(move, True))
        try:
            if board.is_checkmate():
                return 1
            if state["halfmove"] >= FIFTY or position.keys.count(int(state["key"])) >= 2:
                return 0
            if state["halfmove"] == 0:
                wdl = -self._tables.probe_wdl(board)
                return int(np.sign(wdl)) * (1 if abs(wdl) == 2 else FIFTY + 1)
            dtz = -self._tables.probe_dtz(board)
            return dtz + int(np.sign(dtz))
        finally:
            board.pop()


def rank(distance: int, clock: int, direct: bool) -> int:
    """How good a move is: wins before draws before losses, and those wins and losses apart that
    `clock` plies without progress have put in doubt. `direct` tells all wins apart."""
    if distance > 0:
        safe = distance + clock < FIFTY and not direct
        return SAFE if safe else SAFE - distance - clock
    if distance < 0:
        lost = clock - distance < FIFTY
        return -SAFE if lost else -SAFE + clock - distance
    return 0


class InterruptedLookUp(Exception):
    """Ends a look-up from outside."""


def interrupt(worker: threading.Thread) -> None:
    """Make a thread raise InterruptedLookUp: in a damaged table the library may go in circles, and
    asks nobody whether to go on."""
    if worker.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(worker.ident), ctypes.py_object(InterruptedLookUp)
        )


def folder_of(name: str) -> Path:
    """Raises FileError if no folder can have this name."""
    if not name:
        raise FileError("cannot use", name, "a folder was expected on each side of a separator")
    return named(name)


def is_table(file: Path) -> bool:
    return file.is_file() and file.suffix in MAGIC and chess.syzygy.is_tablename(file.stem)


def check(file: Path) -> None:
    """Raises FileError if the file cannot be a table, OSError if it cannot be read."""
    with file.open("rb") as data:
        whole = data.read(4) == MAGIC[file.suffix] and file.stat().st_size % 64 == 16
    if not whole:
        raise FileError("cannot use", str(file), "it is damaged or no Syzygy table")
