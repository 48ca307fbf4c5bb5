"""Chess as text: FEN in and out, moves in and out. Plain Python, used at the border only.

    "4k2r/8/8/3pP3/8/8/8/4K3 w k d6 0 9"  --parse_fen-->  Setup  --format_fen-->  text
    "e5d6"  --match_move-->  a number of the legal moves  --format_move-->  text

A `Setup` is always playable: what is malformed or illegal raises `PositionError`, what is merely
impossible (a castling right without its rook, say) is left out of it. Squares, piece codes and
move numbers are those of `state`.

Castling rights are rook squares. How their letters are read:

    letter   standard chess             Chess960
    K, Q     rook h1 or a1, king e1     outermost rook on that side of the king (X-FEN)
    A to H   as K or Q when A or H,     rook of that file on the first rank (Shredder-FEN)
             without effect otherwise
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import MoveError, PositionError, quote
from engine.games.chess.state import (
    BISHOP,
    BLACK,
    CASTLE,
    KING,
    KNIGHT,
    LETTERS,
    PAWN,
    PROMOTE_KNIGHT,
    ROOK,
    WHITE,
)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

MAX_HALFMOVE = 10_000
MAX_FULLMOVE = 100_000
"""Largest counters taken; the longest possible games stay well below both."""

SQUARES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
"""SQUARES[sq] is the name of square sq: a1, b1 ... h8."""

_COLOURS = ("white", "black")
_PROMOTIONS = "nbrq"
_MOVE = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrqNBRQ]?)")
_FIELD = re.compile(r"\S+", re.ASCII)
_OPCODE = re.compile(r"[A-Za-z]\w", re.ASCII)
# One EPD operation. The possessive ++ and *+ keep the time linear whatever the text.
_OPERATION = re.compile(r'\s*([A-Za-z]\w++)(?=[\s;])((?:[^";]++|"[^"]*+")*+);', re.ASCII)


@dataclass(frozen=True)
class Setup:
    """A legal position, before it becomes a record."""

    board: tuple[int, ...]
    """Piece code of each of the 64 squares."""
    turn: int
    castling: int
    """Squares of the rooks that may still castle, bit sq for square sq, never negative."""
    ep: int | None
    """The square behind a pawn that just made two steps, if an en passant capture is legal."""
    halfmove: int
    fullmove: int


# Reading a position


def parse_fen(text: str, chess960: bool) -> Setup:
    """Reads FEN of four to six fields, or EPD. What follows a sixth field is ignored.

    Blanks between fields are those of ASCII, tabs and ends of lines among them. Missing counters
    are 0 and 1. If the fifth field begins with a word of two characters or more, the rest is EPD
    operations, each ended by a semicolon: `hmvc` and `fmvn` set the counters, others have no
    effect. Raises PositionError.
    """
    fields = _FIELD.findall(text)
    if len(fields) < 4:
        raise PositionError(f"FEN {quote(text)}: expected 4 to 6 fields, found {len(fields)}")
    board = _read_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise PositionError(f"side to move {quote(fields[1])}: expected w or b")
    turn = WHITE if fields[1] == "w" else BLACK
    _check_castling(fields[2])
    ep = _read_ep(fields[3], turn)
    halfmove, fullmove = _read_counters(fields[4:])
    _check_pieces(board)
    _check_checks(board, turn)
    castling = _rook_squares(board, fields[2], chess960)
    if ep is not None and not can_capture_ep(board, turn, ep):
        ep = None
    return Setup(board, turn, castling, ep, halfmove, fullmove)


def _read_board(text: str) -> tuple[int, ...]:
    """The piece placement field, rank 8 first in the text and last in the result."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise PositionError(f"placement {quote(text)}: expected 8 ranks, found {len(ranks)}")
    rows = [_read_rank(row, 8 - i) for i, row in enumerate(ranks)]
    return tuple(code for row in reversed(rows) for code in row)


def _read_rank(text: str, number: int) -> list[int]:
    row: list[int] = []
    for letter in text:
        if letter in "12345678":
            row += [0] * int(letter)
        elif letter in LETTERS and letter != ".":
            row.append(LETTERS.index(letter))
        else:
            raise PositionError(
                f"rank {number} {quote(text)}: expected letters of PNBRQKpnbrqk and digits 1-8, "
                f"found {quote(letter)}"
            )
    gap = re.search("[1-8]{2,}", text)
    if gap:
        raise PositionError(
            f"rank {number} {quote(text)}: expected one digit for neighbouring empty squares, "
            f"found {quote(gap[0])}"
        )
    if len(row) != 8:
        raise PositionError(f"rank {number} {quote(text)}: expected 8 squares, found {len(row)}")
    return row


def _check_castling(text: str) -> None:
    """A side has two wings, so at most two letters. One that comes twice says nothing new."""
    if not re.fullmatch("-|[A-HKQa-hkq]+", text):
        raise PositionError(f"castling {quote(text)}: expected - or letters KQkq, A-H, a-h")
    for colour, letters in zip(_COLOURS, ("[A-Z]", "[a-z]"), strict=True):
        found = len(re.findall(letters, text))
        if found > 2:
            raise PositionError(
                f"castling {quote(text)}: expected at most 2 letters for {colour}, found {found}"
            )


def _read_ep(text: str, turn: int) -> int | None:
    """The en passant field as a square; the rank is the one behind a pawn of the other side."""
    rank = "6" if turn == WHITE else "3"
    if text == "-":
        return None
    if not re.fullmatch(f"[a-h]{rank}", text):
        raise PositionError(
            f"en passant {quote(text)}: expected - or a square of rank {rank} "
            f"with {_COLOURS[turn]} to move"
        )
    return SQUARES.index(text)


def _read_counters(fields: Sequence[str]) -> tuple[int, int]:
    """Half-move clock and move number, from what follows the fourth field."""
    if fields and _OPCODE.match(fields[0]):
        found = _read_operations(" ".join(fields))
    else:
        found = dict(zip(("hmvc", "fmvn"), fields, strict=False))
    halfmove = _read_number("half-move clock", found.get("hmvc", "0"), MAX_HALFMOVE)
    fullmove = _read_number("move number", found.get("fmvn", "1"), MAX_FULLMOVE)
    return halfmove, max(fullmove, 1)


def _read_operations(text: str) -> dict[str, str]:
    """EPD operations as opcode -> operands. The only blanks of the text are spaces."""
    found: dict[str, str] = {}
    position = 0
    while position < len(text):
        operation = _OPERATION.match(text, position)
        if operation is None:
            raise PositionError(
                f"after the fourth field {quote(text[position:])}: "
                "expected counters, or EPD operations each ended by ;"
            )
        found[operation[1]] = operation[2].strip(" ")
        position = operation.end()
    return found


def _read_number(name: str, text: str, most: int) -> int:
    digits = text.lstrip("0") or "0"
    if not re.fullmatch("[0-9]+", text) or len(digits) > 9 or int(digits) > most:
        raise PositionError(f"{name} {quote(text)}: expected a whole number from 0 to {most}")
    return int(digits)


def _rook_squares(board: Sequence[int], letters: str, chess960: bool) -> int:
    """The rights that a castling field gives on this board: at most one for each wing of a side.

    A right needs its rook in place and its king on the first rank. Where letters name two rooks
    on one wing, the outer one counts.
    """
    rights = 0
    for side in (WHITE, BLACK):
        king = _king_square(board, side)
        first = king & 56
        if first != 56 * side or not (chess960 or king & 7 == 4):
            continue
        rook = 1 + ROOK + 8 * side
        rooks = [sq for sq in range(first, first + 8) if board[sq] == rook]
        if not chess960:
            rooks = [sq for sq in rooks if sq & 7 in (0, 7)]
        west = [sq for sq in rooks if sq < king]
        east = [sq for sq in reversed(rooks) if sq > king]
        mine = letters if side == WHITE else letters.swapcase()
        for name, wing in (("Q", west), ("K", east)):  # the outermost rook comes first
            named = [sq for sq in wing if name in mine or "ABCDEFGH"[sq & 7] in mine]
            rights |= 1 << named[0] if named else 0
    return rights


# What makes a position legal


def _check_pieces(board: Sequence[int]) -> None:
    for side, colour in enumerate(_COLOURS):
        kings, pawns = (board.count(1 + kind + 8 * side) for kind in (KING, PAWN))
        pieces = sum(1 for code in board if code and code >> 3 == side)
        if kings != 1:
            raise PositionError(f"placement: expected one {colour} king, found {kings}")
        if pawns > 8:
            raise PositionError(f"placement: expected at most 8 {colour} pawns, found {pawns}")
        if pieces > 16:
            raise PositionError(f"placement: expected at most 16 {colour} pieces, found {pieces}")
    for sq in (*range(8), *range(56, 64)):
        if board[sq] and (board[sq] & 7) == 1 + PAWN:
            raise PositionError(f"placement: expected no pawn on rank 1 or 8, found {SQUARES[sq]}")


def _check_checks(board: Sequence[int], turn: int) -> None:
    exposed = attackers(board, _king_square(board, 1 - turn), turn)
    if exposed:
        raise PositionError(
            f"side to move: expected no check to {_COLOURS[1 - turn]}, who has just moved, "
            f"found one from {SQUARES[exposed[0]]}"
        )
    checkers = attackers(board, _king_square(board, turn), 1 - turn)
    if len(checkers) > 2:
        names = " ".join(SQUARES[sq] for sq in checkers)
        raise PositionError(f"placement: expected at most 2 checking pieces, found {names}")


def can_capture_ep(board: Sequence[int], turn: int, ep: int) -> bool:
    """Whether the side to move has a legal en passant capture to `ep`, a square of its rank 6.

    With white to move:

        . . .   above ep the square where the pawn came from, empty
        . x .   ep, empty
        P p P   the pawn that just made two steps, and beside it one that takes it
    """
    forward = 8 if turn == WHITE else -8
    mine, victim = (1, 9) if turn == WHITE else (9, 1)
    passed = ep - forward
    if board[passed] != victim or board[ep] or board[ep + forward]:
        return False
    for origin in (passed - 1, passed + 1):
        if origin >> 3 == passed >> 3 and board[origin] == mine:
            after = list(board)
            after[ep], after[origin], after[passed] = mine, 0, 0
            if not attackers(after, _king_square(after, turn), 1 - turn):
                return True
    return False


def attackers(board: Sequence[int], square: int, side: int) -> list[int]:
    """Squares of the pieces of `side` that attack `square`, a1 first."""
    mine = (sq for sq, code in enumerate(board) if code and code >> 3 == side)
    return [sq for sq in mine if _attacks(board, sq, square)]


def _attacks(board: Sequence[int], origin: int, target: int) -> bool:
    """Whether the piece on `origin` attacks `target`."""
    files, ranks = (target & 7) - (origin & 7), (target >> 3) - (origin >> 3)
    near, far = sorted((abs(files), abs(ranks)))
    kind, side = (board[origin] & 7) - 1, board[origin] >> 3
    if kind == PAWN:
        return abs(files) == 1 and ranks == (1 if side == WHITE else -1)
    if kind == KNIGHT:
        return (near, far) == (1, 2)
    if kind == KING:
        return far == 1
    diagonal, line = near == far, near == 0
    if far == 0 or not ((diagonal and kind != ROOK) or (line and kind != BISHOP)):
        return False
    step = (target - origin) // far
    return not any(board[sq] for sq in range(origin + step, target, step))


def _king_square(board: Sequence[int], side: int) -> int:
    return board.index(1 + KING + 8 * side)


# Writing a position


def format_fen(setup: Setup, chess960: bool) -> str:
    """FEN of six fields. Castling rooks are KQkq if they stand in corners and `chess960` is off,
    and file letters otherwise, so that `parse_fen` with the same flag gives the setup back."""
    rows = []
    for first in range(56, -1, -8):
        row = "".join(LETTERS[code] for code in setup.board[first : first + 8])
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
    castling = ""
    for sq in (*range(7, -1, -1), *range(63, 55, -1)):
        if setup.castling >> sq & 1:
            letter = ("ABCDEFGH" if chess960 else "QBCDEFGK")[sq & 7]
            castling += letter if sq < 8 else letter.lower()
    ep = "-" if setup.ep is None else SQUARES[setup.ep]
    turn = "wb"[setup.turn]
    counters = f"{setup.halfmove} {setup.fullmove}"
    return f"{'/'.join(rows)} {turn} {castling or '-'} {ep} {counters}"


# Moves


def format_move(move: int, chess960: bool) -> str:
    """UCI text of a move number, lower case.

    Castling names the king's target square, or the rook's square if `chess960` is on.
    """
    path, kind = int(move) & 0xFFF, int(move) >> 12
    if kind == CASTLE and not chess960:
        path = _king_path(path)
    letter = _PROMOTIONS[kind - PROMOTE_KNIGHT] if kind >= PROMOTE_KNIGHT else ""
    return SQUARES[path & 63] + SQUARES[path >> 6] + letter


def match_move(text: str, legal: Sequence[int]) -> int:
    """The one of the `legal` moves that `text` means. Raises MoveError.

    The case of a promotion letter does not count. Castling may be written in either way, in
    standard chess and in Chess960 alike: no two castling moves of a position share a text, and an
    ordinary move written the same comes first (king f1, rook h1: f1g1 is a step).
    """
    path, kind = _read_move(text)
    same = [int(move) for move in legal if int(move) & 0xFFF == path and int(move) >> 12 != CASTLE]
    promotions = [move for move in same if move >> 12 >= PROMOTE_KNIGHT]
    for move in same:
        if kind == (move >> 12 if promotions else 0):
            return move
    for move in legal:
        by_rook = int(move) & 0xFFF
        if int(move) >> 12 == CASTLE and not kind and path in (by_rook, _king_path(by_rook)):
            return int(move)
    if promotions and not kind:
        raise MoveError(f"move {quote(text)}: promotion letter missing, expected one of n b r q")
    if same:
        raise MoveError(f"move {quote(text)}: expected no promotion letter")
    raise MoveError(f"move {quote(text)}: not legal here")


def _read_move(text: str) -> tuple[int, int]:
    """Both squares as in the low twelve bits of a move, and the kind of a promotion or 0."""
    if text == "0000":
        raise MoveError(f"move {quote(text)}: the null move is not allowed")
    parts = _MOVE.fullmatch(text)
    if parts is None:
        raise MoveError(f"move {quote(text)}: expected two squares, such as e2e4 or e7e8q")
    path = SQUARES.index(parts[1]) | SQUARES.index(parts[2]) << 6
    letter = parts[3].lower()
    return path, PROMOTE_KNIGHT + _PROMOTIONS.index(letter) if letter else 0


def _king_path(path: int) -> int:
    """Both squares of a castling move, with the king's target instead of the rook's square."""
    king, rook = path & 63, path >> 6
    return king | ((king & 56) + (6 if rook > king else 2)) << 6
