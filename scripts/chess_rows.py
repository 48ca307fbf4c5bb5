"""How positions are written down for the chess network to learn from."""

import argparse
import math
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numba import from_dtype, types

from engine.games.chess.assemble import (
    ANY_EAST,
    ANY_WEST,
    MAX_PIECES,
    clear,
    fill_pieces,
    fill_sides,
)
from engine.games.chess.attacks import Tables
from engine.games.chess.numba_types import State
from engine.jit import inline

SEEN = np.dtype(
    [
        # The mailbox, two squares a byte, the lower square in the lower four bits.
        ("board", np.uint8, (32,)),
        ("turn", np.uint8),
        # 1 won, 0 drawn, -1 lost for the side to move; UNKNOWN, or LOUD where, besides, the best
        # move takes or promotes.
        ("result", np.int8),
        ("score", np.int16),  # of the search, for the side to move
    ]
)

UNKNOWN = 2
LOUD = 3

SEEN_T = types.Array(from_dtype(SEEN), 1, "C")


def read_rows(paths: Iterable[Path]) -> list[np.ndarray]:
    """The rows of each file that are not LOUD. Raises ValueError, which says what is wrong with
    which file."""
    found = []
    for path in paths:
        try:
            rows = np.load(path)
        except OSError as problem:
            raise ValueError(f"{path}: {problem.strerror or 'not a file of numpy'}") from None
        except (ValueError, EOFError, BadZipFile):
            raise ValueError(f"{path}: not a file of numpy") from None
        if not isinstance(rows, np.ndarray) or rows.dtype != SEEN or rows.ndim != 1:
            raise ValueError(f"{path}: not a file of chess_selfplay.py")
        right = are_boards(rows)
        if not right.all():
            raise ValueError(f"{path}: row {int(right.argmin())} is no position")
        found.append(rows[rows["result"] != LOUD])
    if not any(map(len, found)):
        raise ValueError("there are no quiet positions in these files")
    return found


def file_names(folder: Path, seed: int) -> Iterator[Path]:
    """Where the rows of a program go, one file after the other. Raises OSError where they cannot,
    and where there are some of this seed already."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{seed}-0000.npy").open("xb").close()
    return (folder / f"{seed}-{number:04}.npy" for number in count())


def out_file(text: str) -> Path:
    """A file of the command line that can be written, with the ending that numpy gives it: told
    before hours of work, not after."""
    path = Path(text if text.endswith(".npz") else f"{text}.npz")
    new = not path.exists()
    try:
        path.open("ab").close()
        if new:
            path.resolve().unlink()
    except OSError as problem:
        raise argparse.ArgumentTypeError(f"cannot write {path}: {problem.strerror}") from None
    return path


def weight(text: str) -> float:
    """A number of the command line that is not negative."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number from 0 on, got {text}")
    return number


def are_boards(rows: np.ndarray) -> np.ndarray:
    """Whether each row has one king and at most sixteen pieces a side: the least that the compiled
    code relies on."""
    codes = np.concatenate([rows["board"] & 15, rows["board"] >> 4], axis=1)
    right = (rows["turn"] < 2) & ~np.isin(codes, (7, 8, 15)).any(axis=1)
    for king in (6, 14):
        side = (codes > king - 6) & (codes <= king)
        right &= ((codes == king).sum(axis=1) == 1) & (side.sum(axis=1) <= MAX_PIECES)
    return right


@inline
def set_up(pos: State, t: Tables, row: Any) -> bool:
    """Make the position of a row; false if it is not legal. Kings and rooks that stand where they
    began may castle: rows do not tell, and mostly it is so."""
    clear(pos)
    occupied, white = 0, 0
    for sq in range(64):
        code = (int(row.board[sq >> 1]) >> (4 * (sq & 1))) & 15
        pos.board[sq] = code
        if code:
            occupied |= 1 << sq
            if code < 8:
                white |= 1 << sq
    pos.turn = row.turn
    fill_pieces(pos, t, occupied)
    both = ANY_WEST | ANY_EAST
    legal: bool = fill_sides(pos, t, (white, occupied ^ white), (both, both), 0, False)
    return legal
