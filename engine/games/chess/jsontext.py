"""The facts of a position as JSON, written by compiled code.

    STATE and ANALYSIS --write_all--> one object a line, bytes

Everything is written eight bytes at a time: a word holds a piece of the object, or a square such
as `"e4",`, and what it holds too much is overwritten by the next. `at` is always the address
where the next byte goes, and each function returns the new one.
"""

from typing import Any

import numpy as np
from numba import from_dtype, types

from engine.bits import lsb, put_word, shr, u
from engine.games.chess.analysis import ANALYSES_T, Facts
from engine.games.chess.movegen import castled
from engine.games.chess.notation import SQUARES
from engine.games.chess.numba_types import STATES_T, State
from engine.games.chess.records import MAX_XRAYS, SKEWER
from engine.games.chess.state import CASTLE, LETTERS, PROMOTE_KNIGHT
from engine.jit import helper, inline, kernel

Text = Any
"""A TEXT record."""

MAX_JSON = 48 << 10
"""More bytes than any object takes. Of one side, 16 pieces: a list of squares is at most 64 * 5,
there are 14; three objects with 16 keys and 16 squares each, at most 16 * (8 + 16 * 5); 120 x-rays
of 17 bytes, and as many skewers; 16 forks with 16 targets each, 16 * (25 + 16 * 5). That is 15 KB,
twice; 218 moves of 8 bytes, the names and the numbers are less than 4 KB."""

MAX_FEN = 112
"""More bytes than any FEN takes: placement 71, side to move 2, castling 5, en passant 3, counters
of up to six digits 14, and the rest of the last word."""

PIECES = (
    '{"fen":"', '","turn":"', 'white', 'black', '","check":', 'true', 'false', ',"checkers":',
    ',"legal_moves":', ',"phase":', ',"key":"', '","eval":', ',"fork_moves":', ',"white":',
    ',"black":', '{"pieces":', ',"attacks":', ',"attacked":', ',"hanging":', ',"attackers":',
    ',"defenders":', ',"pinned":', ',"pinned_pieces":', ',"skewered":', ',"skewers":', ',"xrays":',
    ',"xray_attackers":', ',"forks":', '{"by":', ',"targets":', ',"developed":',
    ',"pawns":{"all":', ',"doubled":', ',"isolated":', ',"backward":', ',"passed":',
    '},"material":', ',"mobility":', ',"offense":', ',"defense":', '}',
)  # fmt: skip
(
    FEN, TURN, WHITE, BLACK, CHECK, TRUE, FALSE, CHECKERS,
    LEGAL_MOVES, PHASE, KEY, EVAL, FORK_MOVES, WHITE_SIDE,
    BLACK_SIDE, SIDE, ATTACKS, ATTACKED, HANGING, ATTACKERS,
    DEFENDERS, PINNED, PINNED_PIECES, SKEWERED, SKEWERS, XRAYS,
    XRAY_ATTACKERS, FORKS, BY, TARGETS, DEVELOPED,
    PAWNS, DOUBLED, ISOLATED, BACKWARD, PASSED,
    MATERIAL, MOBILITY, OFFENSE, DEFENSE, END,
) = range(len(PIECES))  # fmt: skip

WORDS = 3
"""Words for the longest piece."""

TEXT = np.dtype(
    [
        ("words", np.int64, (WORDS * len(PIECES),)),
        ("length", np.int64, (len(PIECES),)),
        ("square", np.int64, (64,)),  # the five bytes "e4",
        ("letter", np.uint8, (16,)),  # of a piece code
    ],
    align=True,
)


def build_text() -> np.void:
    """The pieces of the object, as one record of type TEXT."""
    text: np.void = np.zeros(1, TEXT)[0]
    for number, piece in enumerate(PIECES):
        words = np.frombuffer(piece.encode().ljust(8 * WORDS), np.int64)
        text["words"][WORDS * number :][:WORDS] = words
        text["length"][number] = len(piece)
    for sq, name in enumerate(SQUARES):
        text["square"][sq] = int.from_bytes(f'"{name}",'.encode(), "little")
    text["letter"] = np.frombuffer(LETTERS.encode(), np.uint8)
    return text


TEXT_RECORD = build_text()


@inline
def put(text: Text, piece: int, at: int) -> int:
    """Write one of PIECES."""
    base = WORDS * piece
    for i in range(WORDS):
        put_word(at + 8 * i, text.words[u(base + i)])
    return at + text.length[u(piece)]


@inline
def put_byte(byte: int, at: int) -> int:
    put_word(at, byte)
    return at + 1


@inline
def put_squares(text: Text, squares: int, at: int) -> int:
    """A list of squares: `["a1","b2"]`."""
    at = put_byte(ord("["), at)
    if squares == 0:
        return put_byte(ord("]"), at)
    while squares:
        put_word(at, text.square[u(lsb(squares))])
        at += 5
        squares &= squares - 1
    return put_byte(ord("]"), at - 1)


@inline
def put_number(number: int, at: int) -> int:
    """A whole number in decimal digits."""
    if number < 0:
        at = put_byte(ord("-"), at)
        number = -number
    unit = 1
    while number // unit >= 10:
        unit *= 10
    while unit:
        at = put_byte(ord("0") + number // unit % 10, at)
        unit //= 10
    return at


@helper
def put_fen(pos: State, text: Text, chess960: int, at: int) -> int:
    """The position as FEN, spelled as `notation.format_fen` does."""
    for rank in range(7, -1, -1):
        gap = 0
        for sq in range(8 * rank, 8 * rank + 8):
            code = pos.board[u(sq)]
            if code == 0:
                gap += 1
                continue
            if gap:
                at = put_byte(ord("0") + gap, at)
                gap = 0
            at = put_byte(int(text.letter[u(int(code))]), at)
        if gap:
            at = put_byte(ord("0") + gap, at)
        at = put_byte(ord("/"), at)
    at = put_byte(ord(" "), at - 1)
    at = put_byte(ord("w") if pos.turn == 0 else ord("b"), at)
    at = put_byte(ord(" "), at)
    if pos.castling == 0:
        at = put_byte(ord("-"), at)
    for i in range(16):
        # White's rooks from the h-file to the a-file, then black's.
        sq = 7 - i if i < 8 else 71 - i
        if shr(pos.castling, sq) & 1:
            letter = ord("A") + (sq & 7)
            if chess960 == 0 and sq & 7 == 0:
                letter = ord("Q")
            elif chess960 == 0 and sq & 7 == 7:
                letter = ord("K")
            at = put_byte(letter + (sq & 32), at)
    at = put_byte(ord(" "), at)
    if pos.ep:
        put_word(at, shr(text.square[u(lsb(pos.ep))], 8))
        at = put_byte(ord(" "), at + 2)
    else:
        put_word(at, ord("-") | (ord(" ") << 8))
        at += 2
    at = put_number(pos.halfmove, at)
    return put_number(pos.fullmove, put_byte(ord(" "), at))


@inline
def put_key(key: int, at: int) -> int:
    """Sixteen hexadecimal digits, upper case."""
    for i in range(60, -4, -4):
        digit = shr(key, i) & 15
        at = put_byte(digit + (ord("0") if digit < 10 else ord("A") - 10), at)
    return at


@helper
def put_moves(pos: State, text: Text, a: Facts, chess960: int, at: int) -> int:
    """The list of moves that fork, in UCI text."""
    at = put_byte(ord("["), at)
    for i in range(a.fork_count):
        move = int(a.fork_moves[u(i)])
        start, to, kind = move & 63, (move >> 6) & 63, move >> 12
        if kind == CASTLE and chess960 == 0:
            to, _ = castled(start, to)
        put_word(at, text.square[u(start)])
        put_word(at + 3, shr(text.square[u(to)], 8))
        at += 5
        if kind >= PROMOTE_KNIGHT:
            at = put_byte(int(text.letter[u(10 + kind - PROMOTE_KNIGHT)]), at)
        put_word(at, ord('"') | (ord(",") << 8))
        at += 2
    return close_list(a.fork_count, ord("]"), at)


@inline
def close_list(count: int, bracket: int, at: int) -> int:
    """End a list or an object of which each element wrote a comma behind it."""
    if count:
        at -= 1
    return put_byte(bracket, at)


@inline
def put_by_square(text: Text, keys: int, sets: Any, at: int) -> int:
    """An object from squares to lists of squares."""
    at = put_byte(ord("{"), at)
    rest = keys
    while rest:
        sq = lsb(rest)
        put_word(at, text.square[u(sq)])
        at = put_byte(ord(":"), at + 4)
        at = put_byte(ord(","), put_squares(text, sets[u(sq)], at))
        rest &= rest - 1
    return close_list(keys, ord("}"), at)


@helper
def put_xrays(text: Text, a: Facts, colour: int, mark: int, at: int) -> int:
    """The list of the x-rays of a side that bear a mark, all of them if it is 0."""
    at = put_byte(ord("["), at)
    n = 0
    for i in range(a.xray_count[u(colour)]):
        xray = int(a.xrays[u(colour * MAX_XRAYS + i)])
        if xray & mark == mark:
            at = put_byte(ord("["), at)
            put_word(at, text.square[u((xray >> 12) & 63)])
            put_word(at + 5, text.square[u((xray >> 6) & 63)])
            put_word(at + 10, text.square[u(xray & 63)])
            put_word(at + 14, ord("]") | (ord(",") << 8))
            at += 16
            n += 1
    return close_list(n, ord("]"), at)


@helper
def put_forks(text: Text, a: Facts, colour: int, at: int) -> int:
    """The list of the forks of a side."""
    at = put_byte(ord("["), at)
    rest = a.forking[u(colour)]
    while rest:
        sq = lsb(rest)
        at = put(text, BY, at)
        put_word(at, text.square[u(sq)])
        at = put_squares(text, a.targets[u(sq)], put(text, TARGETS, at + 4))
        put_word(at, ord("}") | (ord(",") << 8))
        at += 2
        rest &= rest - 1
    return close_list(a.forking[u(colour)], ord("]"), at)


@helper
def put_side(text: Text, a: Facts, colour: int, at: int) -> int:
    """The object of one side."""
    c = u(colour)
    at = put_squares(text, a.pieces[c], put(text, SIDE, at))
    at = put_squares(text, a.attacks[c], put(text, ATTACKS, at))
    at = put_squares(text, a.attacked[c], put(text, ATTACKED, at))
    at = put_squares(text, a.hanging[c], put(text, HANGING, at))
    at = put_by_square(text, a.attacked[c], a.attackers, put(text, ATTACKERS, at))
    at = put_by_square(text, a.attacked[c], a.defenders, put(text, DEFENDERS, at))
    at = put_squares(text, a.pinned[c], put(text, PINNED, at))
    at = put_squares(text, a.pinned[c] & ~a.pawns[c], put(text, PINNED_PIECES, at))
    at = put_squares(text, a.skewered[c], put(text, SKEWERED, at))
    at = put_xrays(text, a, colour, SKEWER, put(text, SKEWERS, at))
    at = put_xrays(text, a, colour, 0, put(text, XRAYS, at))
    seen = 0
    rest = a.pieces[c]
    while rest:
        if a.xray_attackers[u(lsb(rest))]:
            seen |= rest & -rest
        rest &= rest - 1
    at = put_by_square(text, seen, a.xray_attackers, put(text, XRAY_ATTACKERS, at))
    at = put_forks(text, a, colour, put(text, FORKS, at))
    at = put_squares(text, a.developed[c], put(text, DEVELOPED, at))
    at = put_squares(text, a.pawns[c], put(text, PAWNS, at))
    at = put_squares(text, a.doubled[c], put(text, DOUBLED, at))
    at = put_squares(text, a.isolated[c], put(text, ISOLATED, at))
    at = put_squares(text, a.backward[c], put(text, BACKWARD, at))
    at = put_squares(text, a.passed[c], put(text, PASSED, at))
    at = put_number(a.material[c], put(text, MATERIAL, at))
    at = put_number(a.mobility[c], put(text, MOBILITY, at))
    at = put_number(a.offense[c], put(text, OFFENSE, at))
    at = put_number(a.defense[c], put(text, DEFENSE, at))
    return put(text, END, at)


@helper
def put_object(pos: State, text: Text, a: Facts, chess960: int, at: int) -> int:
    """The whole object."""
    at = put_fen(pos, text, chess960, put(text, FEN, at))
    at = put(text, TURN, at)
    at = put(text, WHITE if pos.turn == 0 else BLACK, at)
    at = put(text, CHECK, at)
    at = put(text, TRUE if a.checkers else FALSE, at)
    at = put_squares(text, a.checkers, put(text, CHECKERS, at))
    at = put_number(a.legal_moves, put(text, LEGAL_MOVES, at))
    at = put_number(a.phase, put(text, PHASE, at))
    at = put_key(pos.key, put(text, KEY, at))
    at = put_number(a.eval, put(text, EVAL, at))
    at = put_moves(pos, text, a, chess960, put(text, FORK_MOVES, at))
    at = put_side(text, a, 0, put(text, WHITE_SIDE, at))
    at = put_side(text, a, 1, put(text, BLACK_SIDE, at))
    return put(text, END, at)


I64 = types.int64


@kernel(I64(STATES_T, ANALYSES_T, I64, I64, from_dtype(TEXT), types.Array(types.uint8, 1, "C")))
def write_all(states: Any, analyses: Any, n: int, chess960: int, text: Text, out: Any) -> int:
    """Write the objects of `n` positions, each followed by a newline, and return the number of
    bytes. `out` is uint8 with room for n * MAX_JSON; `text` is TEXT_RECORD. Castling is written in
    Chess960's way if `chess960` is not 0."""
    start = int(out.ctypes.data)
    at = start
    for i in range(n):
        at = put_object(states[u(i)], text, analyses[u(i)], chess960, at)
        at = put_byte(ord("\n"), at)
    return at - start


@kernel(
    I64(STATES_T, I64, I64, from_dtype(TEXT), types.Array(types.int32, 1, "C"),
        types.Array(types.uint8, 1, "C"))
)  # fmt: skip
def write_fens(states: Any, n: int, chess960: int, text: Text, ends: Any, out: Any) -> int:
    """Write the FENs of `n` positions one behind the other, and return the number of bytes: number
    i is out[ends[i] : ends[i + 1]]. `out` is uint8 with room for n * MAX_FEN."""
    start = int(out.ctypes.data)
    at = start
    ends[0] = 0
    for i in range(n):
        at = put_fen(states[u(i)], text, chess960, at)
        ends[u(i + 1)] = at - start
    return at - start


def as_json(state: np.void, analysis: np.void, chess960: bool) -> str:
    """The object of one position, one line of text without its end."""
    out = np.zeros(MAX_JSON, np.uint8)
    n = write_all(np.array([state]), np.array([analysis]), 1, int(chess960), TEXT_RECORD, out)
    return out[: n - 1].tobytes().decode("ascii")
