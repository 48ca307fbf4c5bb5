"""Batches of boards: attack maps, evaluation and pseudo-legal moves of many positions in one call.

A batch is two C-contiguous arrays of int8, one row of 64 squares for each position: pieces (0
empty, 1 pawn ... 6 king) and colours (-1 empty, 0 white, 1 black). Each kernel returns the number
of rows it did. Where that is less than all, the next row is not a position, or `write_moves` has
no room left. Nothing else is checked: outputs must be as long as the batch.
"""

from typing import Any

from numba import types

from engine.bits import popcount, select, u
from engine.games.chess.attacks import Tables
from engine.games.chess.numba_types import TABLES_T
from engine.games.chess.pseudo import (
    MAX_PSEUDO,
    Moves,
    Pieces,
    may_hold_rights,
    survey,
    write_pseudo,
)
from engine.games.chess.squares import squares_with, write_squares
from engine.games.chess.structure import king_defense, pawn_defense
from engine.games.chess.values import WORTH
from engine.jit import inline, kernel

Rows = Any
"""An array of int8, shape (n, 64)."""
Numbers = Any
"""An array of int64."""

I64 = types.int64
ROWS_T = types.Array(types.int8, 2, "C", readonly=True)
FLAGS_T = types.Array(types.boolean, 2, "C")
GIVEN_T = types.Array(I64, 1, "C", readonly=True)
NUMBERS_T = types.Array(I64, 1, "C")
TERMS_T = types.Array(I64, 2, "C")

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)


@inline
def read(pieces: int, colours: int) -> tuple[bool, Pieces]:
    """(whether two rows, given by their addresses, are a position, its bitboards with white as the
    side `us`)."""
    pawns = squares_with(pieces, PAWN)
    knights = squares_with(pieces, KNIGHT)
    bishops = squares_with(pieces, BISHOP)
    rooks = squares_with(pieces, ROOK)
    queens = squares_with(pieces, QUEEN)
    kings = squares_with(pieces, KING)
    empty = squares_with(pieces, 0)
    white = squares_with(colours, 0)
    black = squares_with(colours, 1)
    occupied = pawns | knights | bishops | rooks | queens | kings
    sound = occupied == white | black and occupied | (empty & squares_with(colours, -1)) == -1
    return sound, (pawns, knights, bishops | queens, rooks | queens, kings, white, black)


@inline
def turned(pieces: Pieces) -> Pieces:
    """The same with the other side as `us`."""
    pawns, knights, diagonals, lines, kings, us, them = pieces
    return pawns, knights, diagonals, lines, kings, them, us


@inline
def map_row(t: Tables, pieces: int, colours: int, white: int, black: int) -> bool:
    """Fill two rows, all given by their addresses. False if there is no position."""
    sound, boards = read(pieces, colours)
    if sound:
        write_squares(white, survey(0, t, boards)[0])
        write_squares(black, survey(1, t, turned(boards))[0])
    return sound


@kernel(I64(ROWS_T, ROWS_T, TABLES_T, FLAGS_T, FLAGS_T))
def map_attacks(pieces: Rows, colours: Rows, t: Tables, white: Any, black: Any) -> int:
    """Fill `white` and `black`, shape (n, 64), with the squares that each side attacks."""
    for i in range(len(pieces)):
        given, own = pieces.ctypes.data + 64 * i, colours.ctypes.data + 64 * i
        if not map_row(t, given, own, white.ctypes.data + 64 * i, black.ctypes.data + 64 * i):
            return i
    return len(pieces)


@inline
def offense(colour: int, t: Tables, pieces: Pieces) -> int:
    """Material and number of pseudo-legal moves, in hundredths of a pawn."""
    pawns, knights, diagonals, lines, _, us, _ = pieces
    return (
        survey(colour, t, pieces)[1]
        + WORTH[0] * popcount(pawns & us)
        + WORTH[1] * popcount(knights & us)
        + WORTH[2] * popcount(diagonals & ~lines & us)
        + WORTH[3] * popcount(lines & ~diagonals & us)
        + WORTH[4] * popcount(diagonals & lines & us)
    )


@inline
def defense(colour: int, pieces: Pieces) -> int:
    """Pawns and the surroundings of the king; of the pawns alone where there is not one king."""
    pawns, _, _, _, kings, us, them = pieces
    own, enemy, king = pawns & us, pawns & them, kings & us
    worth = pawn_defense(colour, own, enemy)
    if popcount(king) == 1:
        worth += king_defense(colour, own, enemy, king)
    return worth


@inline
def rate_row(t: Tables, pieces: int, colours: int) -> tuple[bool, int, int, int, int]:
    """(whether there is a position, offence and defence of white, offence and defence of black)."""
    sound, boards = read(pieces, colours)
    other = turned(boards)
    return (
        sound,
        offense(0, t, boards),
        defense(0, boards),
        offense(1, t, other),
        defense(1, other),
    )


@kernel(I64(ROWS_T, ROWS_T, TABLES_T, TERMS_T))
def rate(pieces: Rows, colours: Rows, t: Tables, terms: Numbers) -> int:
    """Fill `terms`, shape (4, n): offence and defence of white, offence and defence of black."""
    for i in range(len(pieces)):
        found = rate_row(t, pieces.ctypes.data + 64 * i, colours.ctypes.data + 64 * i)
        if not found[0]:
            return i
        terms[0, u(i)] = found[1]
        terms[1, u(i)] = found[2]
        terms[2, u(i)] = found[3]
        terms[3, u(i)] = found[4]
    return len(pieces)


@inline
def set_up(pieces: int, colours: int, stm: int, castling: int, ep: int) -> tuple[bool, Pieces, int]:
    """(whether two rows are a position that may have these rights to castle, its bitboards with the
    side to move as `us`, the square `ep` as a bit or 0)."""
    sound, boards = read(pieces, colours)
    pawns, knights, diagonals, lines, kings, white, black = boards
    sound &= castling & ~(white | black) == 0
    sound &= may_hold_rights(0, boards, castling) & may_hold_rights(1, turned(boards), castling)
    us = select(stm == 0, white, black)
    boards = pawns, knights, diagonals, lines, kings, us, (white | black) ^ us
    return sound, boards, select(ep >= 0, 1 << (ep & 63), 0)


@kernel(
    I64(ROWS_T, ROWS_T, GIVEN_T, GIVEN_T, GIVEN_T, TABLES_T, I64, NUMBERS_T, NUMBERS_T)
)  # fmt: skip
def write_moves(
    pieces: Rows,
    colours: Rows,
    stm: Numbers,
    castling: Numbers,
    ep: Numbers,
    t: Tables,
    start: int,
    moves: Moves,
    offsets: Numbers,
) -> int:
    """Write the pseudo-legal moves of the rows from `start` on.

    Those of row `i` are moves[offsets[i] : offsets[i + 1]]; offsets[start] must be there. `stm`,
    `castling` and `ep` have one number for each row; `ep` is a square, or -1.
    """
    n = offsets[u(start)]
    for i in range(start, len(pieces)):
        sound, boards, target = set_up(
            pieces.ctypes.data + 64 * i, colours.ctypes.data + 64 * i,
            stm[u(i)], castling[u(i)], ep[u(i)],
        )  # fmt: skip
        if not sound or n + MAX_PSEUDO > len(moves):
            return i
        n = write_pseudo(stm[u(i)], t, boards, castling[u(i)], target, moves, n)
        offsets[u(i + 1)] = n
    return len(pieces)
