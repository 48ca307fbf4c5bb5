"""Batches of boards: attack maps, evaluation and pseudo-legal moves of many positions in one call.

A batch is two C-contiguous arrays of int8, one row of 64 squares for each position: pieces (0
empty, 1 pawn ... 6 king) and colours (-1 empty, 0 white, 1 black). Each kernel returns the number
of rows it did. Where that is less than all, the next row is not a position, or `write_moves` has
no room left. Nothing else is checked: outputs must be as long as the batch.
"""

from typing import Any

from numba import types

from engine.bits import find_bytes, popcount, select, spread_bits, u
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
def read(pieces: Rows, colours: Rows, i: int) -> tuple[bool, Pieces]:
    """(whether row `i` is a position, its bitboards with white as the side `us`)."""
    row = pieces.ctypes.data + 64 * i
    pawns = find_bytes(row, PAWN)
    knights = find_bytes(row, KNIGHT)
    bishops = find_bytes(row, BISHOP)
    rooks = find_bytes(row, ROOK)
    queens = find_bytes(row, QUEEN)
    kings = find_bytes(row, KING)
    empty = find_bytes(row, 0)
    row = colours.ctypes.data + 64 * i
    white = find_bytes(row, 0)
    black = find_bytes(row, 1)
    occupied = pawns | knights | bishops | rooks | queens | kings
    sound = occupied == white | black and occupied | (empty & find_bytes(row, -1)) == -1
    return sound, (pawns, knights, bishops | queens, rooks | queens, kings, white, black)


@inline
def turned(pieces: Pieces) -> Pieces:
    """The same with the other side as `us`."""
    pawns, knights, diagonals, lines, kings, us, them = pieces
    return pawns, knights, diagonals, lines, kings, them, us


@kernel(I64(ROWS_T, ROWS_T, TABLES_T, FLAGS_T, FLAGS_T))
def map_attacks(pieces: Rows, colours: Rows, t: Tables, white: Any, black: Any) -> int:
    """Fill `white` and `black`, shape (n, 64), with the squares that each side attacks."""
    for i in range(len(pieces)):
        sound, boards = read(pieces, colours, i)
        if not sound:
            return i
        spread_bits(white.ctypes.data + 64 * i, survey(0, t, boards)[0])
        spread_bits(black.ctypes.data + 64 * i, survey(1, t, turned(boards))[0])
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


@kernel(I64(ROWS_T, ROWS_T, TABLES_T, TERMS_T))
def rate(pieces: Rows, colours: Rows, t: Tables, terms: Numbers) -> int:
    """Fill `terms`, shape (4, n): offence and defence of white, offence and defence of black."""
    for i in range(len(pieces)):
        sound, boards = read(pieces, colours, i)
        if not sound:
            return i
        terms[0, u(i)] = offense(0, t, boards)
        terms[1, u(i)] = defense(0, boards)
        terms[2, u(i)] = offense(1, t, turned(boards))
        terms[3, u(i)] = defense(1, turned(boards))
    return len(pieces)


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
        sound, boards = read(pieces, colours, i)
        pawns, knights, diagonals, lines, kings, white, black = boards
        rights = castling[u(i)]
        sound &= rights & ~(white | black) == 0
        sound &= may_hold_rights(0, boards, rights) & may_hold_rights(1, turned(boards), rights)
        if not sound or n + MAX_PSEUDO > len(moves):
            return i
        us = select(stm[u(i)] == 0, white, black)
        boards = pawns, knights, diagonals, lines, kings, us, (white | black) ^ us
        target = select(ep[u(i)] >= 0, 1 << (ep[u(i)] & 63), 0)
        n = write_pseudo(stm[u(i)], t, boards, rights, target, moves, n)
        offsets[u(i + 1)] = n
    return len(pieces)
