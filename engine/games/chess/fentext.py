"""Lines of FEN and EPD to records, compiled: many positions a second for batch analysis.

`read_positions` reads whole lines out of a buffer of bytes and makes a STATE record of each. It
takes a part of what `notation.parse_fen` takes, with the same record as `verify.build` to the last
byte, and leaves every other line alone: what is unusual or wrong is decided, and told to the
user, by `notation`. So this file matters for speed only, and wherever it is in doubt it leaves
the line.

A line is a run of bytes without \\n. Blanks are \\t \\v \\f \\r and space, as in `notation`. Bytes
above 127 are part of no field; in EPD operations and after the sixth field, where they change
nothing, they may be any encoding in which they never stand for ASCII, such as UTF-8.

One function reads each field: `read_x(data, at, end, ...) -> (next, value ...)`. `data[at:end]` is
the rest of the line, `next` the index after the field, REFUSED if the line is not taken; the byte
at `next` is then a blank, or `next == end`. The bytes may be anything at all. No function reads at
`end` or beyond: each access to `data` stands behind a comparison of its index with `end`.
"""

from typing import Any

import numpy as np
from numba import types

from engine.bits import popcount, select, u
from engine.games.chess.assemble import (
    ANY_EAST,
    ANY_WEST,
    MAX_PIECES,
    clear,
    fill_pieces,
    fill_sides,
)
from engine.games.chess.attacks import Tables
from engine.games.chess.notation import MAX_FULLMOVE, MAX_HALFMOVE
from engine.games.chess.numba_types import STATES_T, TABLES_T, State
from engine.games.chess.state import BLACK, LETTERS, WHITE
from engine.jit import inline, kernel

I64 = types.int64
BYTES_T = types.Array(types.uint8, 1, "C", readonly=True)
NUMBERS_T = types.Array(types.int64, 1, "C")

Bytes = Any
Numbers = Any

RECORDS, LINES, NEXT, WHY = range(4)
"""Places in the report of `read_positions`."""
REPORT = 4
"""Length of that report."""
END, FULL, LEFT = range(3)
"""Why it stopped: no lines left, no room for one more, a line that it does not take."""

REFUSED = -1

SLASH, DIGIT = 16, 32
MARKS = np.zeros(256, np.int64)
"""What a byte is in the placement field: a piece code, SLASH, DIGIT plus its value, or 0."""
MARKS[ord("/")] = SLASH
for _digit in range(1, 9):
    MARKS[ord("0") + _digit] = DIGIT + _digit
for _code, _letter in enumerate(LETTERS):
    MARKS[ord(_letter)] = _code if _letter != "." else 0

HMVC, FMVN = (int.from_bytes(word, "big") for word in (b"hmvc", b"fmvn"))


@inline
def byte(data: Bytes, at: int) -> int:
    return int(data[u(at)])


@inline
def blank(letter: int) -> bool:
    return letter == 32 or (9 <= letter <= 13)


@inline
def alphabetic(letter: int) -> bool:
    return ord("a") <= letter | 32 <= ord("z")


@inline
def skip_blanks(data: Bytes, at: int, end: int) -> int:
    while at < end and blank(byte(data, at)):
        at += 1
    return at


@inline
def field_end(data: Bytes, at: int, end: int) -> int:
    """`at` if a field may end there, else REFUSED."""
    if at < end and not blank(byte(data, at)):
        return REFUSED
    return at


@inline
def line_end(data: Bytes, at: int, stop: int) -> int:
    """Index of the next line feed, or `stop`."""
    while at < stop and data[u(at)] != 10:
        at += 1
    return at


# The fields


@inline
def read_board(data: Bytes, at: int, end: int, pos: State) -> tuple[int, int, int]:
    """Piece placement into the mailbox, which must be empty: (next, pieces, black pieces).

    A square is written only while `file` is below 8, and `rank`, the square of its a-file, starts
    at 56 and goes down by 8 no further than to 0: all of them are squares of the board.
    """
    rank, file, digit = 56, 0, 0
    occupied, black = 0, 0
    while at < end:
        mark = MARKS[data[u(at)]]
        if mark > DIGIT:
            if digit:
                return REFUSED, 0, 0
            digit = 1
            file += mark - DIGIT
        elif mark == SLASH:
            if file != 8 or rank == 0:
                return REFUSED, 0, 0
            digit = 0
            file = 0
            rank -= 8
        elif mark:
            if file >= 8:
                return REFUSED, 0, 0
            digit = 0
            sq = rank + file
            pos.board[u(sq)] = mark
            occupied |= 1 << sq
            black |= (mark >> 3) << sq
            file += 1
        else:
            break
        at += 1
    if rank != 0 or file != 8:
        return REFUSED, 0, 0
    return field_end(data, at, end), occupied, black


@inline
def read_turn(data: Bytes, at: int, end: int) -> tuple[int, int]:
    at = skip_blanks(data, at, end)
    if at == end:
        return REFUSED, 0
    letter = byte(data, at)
    if letter != ord("w") and letter != ord("b"):
        return REFUSED, 0
    return field_end(data, at + 1, end), select(letter == ord("w"), WHITE, BLACK)


@inline
def read_castling(data: Bytes, at: int, end: int) -> tuple[int, int, int]:
    """(next, white's rooks, black's rooks), each a set of files, ANY_WEST and ANY_EAST.

    At most two letters for a side, as a side has two wings.
    """
    at = skip_blanks(data, at, end)
    if at == end:
        return REFUSED, 0, 0
    if data[u(at)] == ord("-"):
        return field_end(data, at + 1, end), 0, 0
    white, black, whites, blacks = 0, 0, 0, 0
    while at < end:
        letter = byte(data, at)
        if blank(letter):
            break
        small = letter | 32
        if ord("a") <= small <= ord("h"):
            rook = 1 << (small - ord("a"))
        elif small == ord("k"):
            rook = ANY_EAST
        elif small == ord("q"):
            rook = ANY_WEST
        else:
            return REFUSED, 0, 0
        # Letters that differ by the bit 32 only; a byte above 127 was refused above.
        if letter & 32:
            black |= rook
            blacks += 1
        else:
            white |= rook
            whites += 1
        at += 1
    if whites > 2 or blacks > 2:
        return REFUSED, 0, 0
    return at, white, black


@inline
def read_ep(data: Bytes, at: int, end: int, turn: int) -> tuple[int, int]:
    """(next, the square as a bit or 0)."""
    at = skip_blanks(data, at, end)
    if at == end:
        return REFUSED, 0
    if data[u(at)] == ord("-"):
        return field_end(data, at + 1, end), 0
    file = byte(data, at) - ord("a")
    rank = select(turn == WHITE, 5, 2)
    if file < 0 or file > 7 or at + 1 == end or byte(data, at + 1) != ord("1") + rank:
        return REFUSED, 0
    return field_end(data, at + 2, end), 1 << ((rank << 3) + file)


@inline
def read_number(data: Bytes, at: int, end: int, most: int) -> tuple[int, int]:
    """A whole number from 0 to `most`: (index after its digits, number)."""
    first = at
    number = 0
    while at < end:
        digit = byte(data, at) - ord("0")
        if digit < 0 or digit > 9:
            break
        number = 10 * number + digit
        if number > most:
            return REFUSED, 0
        at += 1
    if at == first:
        return REFUSED, 0
    return at, number


@inline
def read_counters(data: Bytes, at: int, end: int) -> tuple[int, int, int]:
    """(next, half-move clock, move number), from what follows the fourth field."""
    at = skip_blanks(data, at, end)
    if at == end:
        return at, 0, 1
    if alphabetic(byte(data, at)):
        return read_operations(data, at, end)
    at, halfmove = read_number(data, at, end, MAX_HALFMOVE)
    if at < 0 or field_end(data, at, end) < 0:
        return REFUSED, 0, 0
    at = skip_blanks(data, at, end)
    if at == end:
        return at, halfmove, 1
    at, fullmove = read_number(data, at, end, MAX_FULLMOVE)
    if at < 0:
        return REFUSED, 0, 0
    return field_end(data, at, end), halfmove, max(fullmove, 1)


@inline
def read_operations(data: Bytes, at: int, end: int) -> tuple[int, int, int]:
    """EPD operations, the first of them at `at`: values as those of `read_counters`.

    Where an opcode comes twice the last one counts; a bad first one is refused all the same.
    """
    halfmove, fullmove = 0, 1
    while at < end:
        at, opcode = read_opcode(data, at, end)
        if at < 0:
            return REFUSED, 0, 0
        if opcode == HMVC or opcode == FMVN:
            at, number = read_number(
                data,
                skip_blanks(data, at, end),
                end,
                select(opcode == HMVC, MAX_HALFMOVE, MAX_FULLMOVE),
            )
            if at < 0:
                return REFUSED, 0, 0
            halfmove = select(opcode == HMVC, number, halfmove)
            fullmove = select(opcode == FMVN, number, fullmove)
            at = skip_blanks(data, at, end)
        else:
            at = skip_operands(data, at, end)
        if at == end or data[u(at)] != ord(";"):
            return REFUSED, 0, 0
        at = skip_blanks(data, at + 1, end)
    return at, halfmove, max(fullmove, 1)


@inline
def read_opcode(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """A letter and one or more letters, digits and underscores: (next, opcode). The opcode is its
    first eight bytes as one number, which is HMVC or FMVN for these words only."""
    first = at
    opcode = 0
    while at < end:
        letter = byte(data, at)
        digit = ord("0") <= letter <= ord("9")
        if not alphabetic(letter) and (at == first or not (digit or letter == ord("_"))):
            break
        if at - first < 8:
            opcode = (opcode << 8) | letter
        at += 1
    if at - first < 2 or at == end or not (blank(byte(data, at)) or data[u(at)] == ord(";")):
        return REFUSED, 0
    return at, opcode


@inline
def skip_operands(data: Bytes, at: int, end: int) -> int:
    """Index of the next semicolon outside double quotes, or `end`."""
    quoted = False
    while at < end:
        letter = byte(data, at)
        if letter == ord('"'):
            quoted = not quoted
        elif letter == ord(";") and not quoted:
            break
        at += 1
    return at


# Lines


@inline
def read_position(data: Bytes, at: int, end: int, chess960: bool, t: Tables, pos: State) -> bool:
    """The line `data[at:end]` into a record: whether it was taken. Else `pos` holds anything."""
    clear(pos)
    at, occupied, black = read_board(data, at, end, pos)
    if at < 0 or popcount(occupied ^ black) > MAX_PIECES or popcount(black) > MAX_PIECES:
        return False
    at, turn = read_turn(data, at, end)
    if at < 0:
        return False
    at, whites, blacks = read_castling(data, at, end)
    if at < 0:
        return False
    at, ep = read_ep(data, at, end, turn)
    if at < 0:
        return False
    at, halfmove, fullmove = read_counters(data, at, end)
    if at < 0:
        return False
    pos.turn = turn
    pos.halfmove = halfmove
    pos.fullmove = fullmove
    fill_pieces(pos, t, occupied)
    return fill_sides(pos, t, (occupied ^ black, black), (whites, blacks), ep, chess960)


@kernel(I64(BYTES_T, I64, I64, types.boolean, TABLES_T, STATES_T, NUMBERS_T, NUMBERS_T))
def read_positions(
    data: Bytes,
    start: int,
    stop: int,
    chess960: bool,
    t: Tables,
    states: Any,
    lines: Numbers,
    report: Numbers,
) -> int:
    """Records of the lines in `data[start:stop]`, from the first one on.

    `data` holds bytes, writeable or not; its first line begins at `start`, and its last one ends
    at `stop`, with or without a line feed. Record i goes to `states[i]` and the number of its
    line to `lines[i]`, where the first line of this call is 0. Blank lines are counted and have
    no record. It goes on until one of these, told in `report[WHY]`:

        END   no line is left: the result is `stop`
        FULL  the next line that is not blank has no room in `states` or `lines`
        LEFT  the next line is not taken

    The result is the index where that next line begins. `report`, of length REPORT, also tells:

        report[RECORDS]  records written; from there on `states` and `lines` hold anything
        report[LINES]    lines read, blank ones included: the number of the next line
        report[NEXT]     index of the line after the next one, or `stop`; the text of a line
                         not taken is `data[result : report[NEXT]]`

    The caller hands a line not taken to `notation.parse_fen`, which takes it or says what is
    wrong with it, and goes on at `report[NEXT]`.
    """
    at = max(start, 0)
    stop = min(stop, len(data))
    room = min(len(states), len(lines))
    n = 0
    passed = 0
    why = END
    end = at
    while at < stop:
        end = line_end(data, at, stop)
        if skip_blanks(data, at, end) < end:
            if n == room:
                why = FULL
                break
            if not read_position(data, at, end, chess960, t, states[u(n)]):
                why = LEFT
                break
            lines[u(n)] = passed
            n += 1
        passed += 1
        at = min(end + 1, stop)
    report[RECORDS] = n
    report[LINES] = passed
    report[NEXT] = min(end + 1, stop)
    report[WHY] = why
    return at
