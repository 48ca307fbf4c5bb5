"""Chess positions as NumPy or CuPy arrays: attack maps, offence and defence, pseudo-legal moves.

A position is two arrays of int8, 64 squares each, a1 = 0, b1 = 1 ... h8 = 63:

    piece_arr    0 empty, 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
    color_arr    -1 empty, 0 white, 1 black

Each function takes one position, two arrays of shape (64,), or a batch of N, two of shape (N, 64).
A batch is done in one call of compiled code that does not hold the GIL, so threads can share the
work. Arrays may be slices, transposed or read-only, and are never changed.

Arrays that lie on a CUDA card, of CuPy or of whatever else has `__cuda_array_interface__`, are
worked on there, and what is returned are CuPy arrays: nothing but single numbers comes to the CPU.
The first call opens the card, which takes seconds, and raises BackendError if it cannot be used.

Any arrangement of pieces is a position: no king or many, pawns on any rank. A pawn on its last
rank attacks nothing and has no moves, and two steps are for pawns on their second rank alone.

Whatever is wrong with an argument is a ValueError that names the argument, the place and what was
expected. Nothing is converted in silence: int64 boards are refused.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.games.chess import rows
from engine.games.chess.pseudo import MAX_PSEUDO
from engine.games.chess.state import WHITE
from engine.games.chess.tables import T

if TYPE_CHECKING:
    from engine.games.chess.rows_on_card import CardRows

Board: TypeAlias = NDArray[np.int8]
Squares: TypeAlias = NDArray[np.bool_]
Integers: TypeAlias = NDArray[np.integer[Any]]

SIDES = ("white", "black")
ROOK, KING = 4, 6
MOVES_PER_POSITION = 48
"""Room that is asked for at first; it doubles when it does not suffice."""


def compute_attack_maps(piece_arr: Board, color_arr: Board) -> tuple[Squares, Squares]:
    """The squares that white attacks and those that black attacks.

    Returns (white_att, black_att), arrays of bool of the shape of `piece_arr`. Squares of own
    pieces count, for what is defended; pins, whose turn it is and en passant do not. They are bool
    and not counts because sets of squares is what attack maps are used for: they index a board
    as they are, `piece_arr[white_att]`, and combine with `&`, `|` and `~`.

    Raises ValueError for anything but two such arrays.
    """
    boards = _boards(piece_arr, color_arr)
    white, black = boards.rows.map_attacks(boards.pieces, boards.colours, boards.refuse)
    return white.reshape(piece_arr.shape), black.reshape(piece_arr.shape)


def evaluate(piece_arr: Board, color_arr: Board) -> tuple[Any, Any, Any, Any]:
    """Offence and defence of both sides, in hundredths of a pawn.

    Returns (white_off, white_def, black_off, black_def): whole numbers for one position, arrays of
    int64 of shape (N,) for a batch.

    Offence is material (pawn 100, knight 320, bishop 330, rook 500, queen 900) plus the number of
    pseudo-legal moves, each promotion four; castling and en passant are left out, for a board
    does not tell them.

    Defence counts for each own pawn: +10 in front of the king, on the next rank towards the enemy,
    on the king's file or beside it; -10 with another own pawn on the file; -15 with no own pawn on
    a file beside; +20 with no enemy pawn ahead on its file or beside it. And -20 for the king's
    file and each beside it that holds no pawn of either side. A side with no king or with many
    has no terms of the king.

    Raises ValueError for anything but two such arrays.
    """
    boards = _boards(piece_arr, color_arr)
    terms = boards.rows.rate(boards.pieces, boards.colours, boards.refuse)
    if boards.single:
        return int(terms[0, 0]), int(terms[1, 0]), int(terms[2, 0]), int(terms[3, 0])
    return terms[0], terms[1], terms[2], terms[3]


def generate_pseudo_legal_moves(
    piece_arr: Board,
    color_arr: Board,
    stm: ArrayLike,
    castling: ArrayLike = 0,
    ep: ArrayLike = -1,
) -> NDArray[np.int16] | Any:
    """The moves of the side to move, whether or not they leave its king in check.

    stm         0 white, 1 black
    castling    bitboard, bit `sq` for square `sq`, of the rooks of both sides that still have the
                right to castle; for the usual four, 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63
    ep          square behind the pawn that just made two steps, or -1

    Each is one integer, for a batch also an array of N integers of any type.

    Returns an array of int16 of shape (M, 4), a move in each row:

    from, to    squares
    promotion   0 none, 2 knight, 3 bishop, 4 rook, 5 queen
    flags       sum of 1 capture, 2 en passant (so 3), 4 castling, 8 two steps of a pawn

    in ascending order of from, to and promotion, castling last. A batch returns (moves, offsets),
    offsets of int64 and shape (N + 1,): those of position i are moves[offsets[i] : offsets[i + 1]].

    Castling has the squares of the king, in Chess960 too, where flag 4 tells it from a step of the
    king: to is on the c-file or the g-file. It is there if the way is free and neither the
    king's square nor one on its way is attacked. En passant is there if a pawn attacks the
    empty square `ep` and an enemy pawn stands behind it. A king can be taken like any piece.

    Raises ValueError for wrong arrays, for a side to move, en passant square or right to castle
    that cannot be: a right needs a rook on the first rank of its side, the only king of the
    side there as well, and no other such rook on the same side of the king.
    """
    boards = _boards(piece_arr, color_arr)
    xp, single = boards.rows.xp, boards.single
    turns = _integers("stm", stm, boards)
    rights = _integers("castling", castling, boards)
    targets = _integers("ep", ep, boards)
    _check_turns(xp, turns, single)
    _check_targets(xp, turns, targets, single)
    turns, rights, targets = (
        xp.ascontiguousarray(a.astype(np.int64)) for a in (turns, rights, targets)
    )

    def refuse(i: int) -> None:
        boards.refuse(i)
        _refuse_rights(*boards.row(i), int(rights[i]), i, single)

    packed, offsets = boards.rows.write_moves(
        boards.pieces, boards.colours, turns, rights, targets, refuse
    )
    moves = packed.view(np.int16).reshape(-1, 4)
    return moves if single else (moves, offsets)


class HostRows:
    """Batches on the CPU. `refuse(i)` raises ValueError for row i if that is no position."""

    xp: Any = np

    def fetch(self, array: Any) -> Any:
        return array

    def map_attacks(
        self, pieces: Board, colours: Board, refuse: Callable[[int], None]
    ) -> tuple[Squares, Squares]:
        """See `rows.map_attacks`."""
        white, black = (np.empty(pieces.shape, np.bool_) for _ in range(2))
        done = rows.map_attacks(pieces, colours, T, white, black)
        if done < len(pieces):
            refuse(done)
        return white, black

    def rate(
        self, pieces: Board, colours: Board, refuse: Callable[[int], None]
    ) -> NDArray[np.int64]:
        """See `rows.rate`."""
        terms = np.empty((4, len(pieces)), np.int64)
        done = rows.rate(pieces, colours, T, terms)
        if done < len(pieces):
            refuse(done)
        return terms

    def write_moves(
        self, pieces: Board, colours: Board, turns: Integers, rights: Integers, targets: Integers,
        refuse: Callable[[int], None],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
        """(moves, offsets), see `rows.write_moves`."""
        n = len(pieces)
        offsets = np.zeros(n + 1, np.int64)
        moves = np.empty(MOVES_PER_POSITION * n + MAX_PSEUDO, np.int64)
        done = 0
        while True:
            done = rows.write_moves(
                pieces, colours, turns, rights, targets, T, done, moves, offsets
            )
            if done == n:
                break
            refuse(done)
            moves.resize(2 * len(moves), refcheck=False)
        moves.resize(int(offsets[n]), refcheck=False)
        return moves, offsets


HOST = HostRows()


@cache
def card_rows() -> "CardRows":
    """Batches on the card. Raises BackendError."""
    from engine.games.chess.rows_on_card import ROWS, CardRows

    # By its name, as backends stand above the games.
    return CardRows(import_module("engine.backends.cuda").Card(ROWS))


class Boards(NamedTuple):
    """A batch in rows of 64, one after the other in memory."""

    rows: "HostRows | CardRows"
    """What works on it."""
    pieces: Any
    colours: Any
    single: bool
    """Whether one position was given, and no batch."""

    def row(self, i: int) -> tuple[Board, Board]:
        """A position as arrays of NumPy."""
        return self.rows.fetch(self.pieces[i]), self.rows.fetch(self.colours[i])

    def refuse(self, i: int) -> None:
        """Raise ValueError for the first wrong square of position `i`, if there is one."""
        _refuse_board(*self.row(i), i, self.single)


def _on_card(array: Any) -> bool:
    return hasattr(array, "__cuda_array_interface__")


def _boards(piece_arr: Board, color_arr: Board) -> Boards:
    """What was given, checked but for the numbers in it."""
    there = _on_card(piece_arr)
    for name, array in (("piece_arr", piece_arr), ("color_arr", color_arr)):
        if _on_card(array) != there:
            where = "on the card" if there else "in the memory of the CPU"
            raise ValueError(f"{name} is a {type(array).__name__}: expected one {where} too")
        if not there and not isinstance(array, np.ndarray):
            raise ValueError(f"{name} is a {type(array).__name__}: expected a NumPy array of int8")
    found = card_rows() if there else HOST
    xp = found.xp
    pieces, colours = (xp.asarray(array) for array in (piece_arr, color_arr))
    for name, array in (("piece_arr", pieces), ("color_arr", colours)):
        if array.dtype != np.int8:
            raise ValueError(f"{name} has dtype {array.dtype}: expected int8")
    if pieces.ndim not in (1, 2) or pieces.shape[-1] != 64:
        raise ValueError(f"piece_arr has shape {pieces.shape}: expected (64,) or (N, 64)")
    if colours.shape != pieces.shape:
        raise ValueError(
            f"color_arr has shape {colours.shape}: expected {pieces.shape}, as piece_arr has"
        )
    single = pieces.ndim == 1
    pieces, colours = (xp.ascontiguousarray(a).reshape(-1, 64) for a in (pieces, colours))
    return Boards(found, pieces, colours, single)


def _integers(name: str, given: ArrayLike, boards: Boards) -> Integers:
    """One integer for each position. Shape (n,)."""
    n, xp = len(boards.pieces), boards.rows.xp
    if boards.rows is HOST and _on_card(given):
        raise ValueError(f"{name} is on the card: expected it where piece_arr is")
    values = xp.asarray(given)
    if values.dtype.kind not in "iu":
        raise ValueError(f"{name} has dtype {values.dtype}: expected integers of up to 64 bits")
    if values.shape != () and (boards.single or values.shape != (n,)):
        shapes = "one integer" if boards.single else f"one integer or shape ({n},)"
        raise ValueError(f"{name} has shape {values.shape}: expected {shapes}")
    found: Integers = xp.broadcast_to(values, (n,))
    return found


def _at(*place: int, single: bool) -> str:
    """An index as text; the number of the position comes first and is left out if it is alone."""
    numbers = place[1:] if single else place
    return f"[{', '.join(map(str, numbers))}]" if numbers else ""


def _check_turns(xp: Any, turns: Integers, single: bool) -> None:
    wrong = xp.flatnonzero((turns != 0) & (turns != 1))
    if len(wrong):
        i = int(wrong[0])
        raise ValueError(f"stm{_at(i, single=single)} is {turns[i]}: expected 0 white or 1 black")


def _check_targets(xp: Any, turns: Integers, targets: Integers, single: bool) -> None:
    rank_6_or_3 = xp.where(turns == WHITE, 5, 2)
    wrong = xp.flatnonzero((targets != -1) & (targets >> 3 != rank_6_or_3))
    if len(wrong):
        i = int(wrong[0])
        side, rank, low = ("white", 6, 40) if turns[i] == WHITE else ("black", 3, 16)
        raise ValueError(
            f"ep{_at(i, single=single)} is {targets[i]}: expected -1 or, with {side} to move, "
            f"a square of rank {rank}, {low} to {low + 7}"
        )


def _refuse_board(pieces: Board, colours: Board, i: int, single: bool) -> None:
    """Raise for the first wrong square of position `i`, whose rows are given, if there is one."""
    for sq in range(64):
        piece, colour = int(pieces[sq]), int(colours[sq])
        at = _at(i, sq, single=single)
        if not 0 <= piece <= KING:
            raise ValueError(f"piece_arr{at} is {piece}: expected 0 empty, or 1 pawn to 6 king")
        if not -1 <= colour <= 1:
            raise ValueError(f"color_arr{at} is {colour}: expected -1 empty, 0 white or 1 black")
        if piece == 0 and colour != -1:
            raise ValueError(
                f"color_arr{at} is {colour}: expected -1 where piece_arr{at} is 0, empty"
            )
        if piece != 0 and colour == -1:
            raise ValueError(
                f"color_arr{at} is -1: expected 0 white or 1 black where piece_arr{at} is {piece}"
            )


def _refuse_rights(pieces: Board, colours: Board, bits: int, i: int, single: bool) -> None:
    """Raise for the first wrong right to castle in position `i`, if there is one."""
    name = f"castling{_at(i, single=single)}"
    rooks = [sq for sq in range(64) if bits >> sq & 1]

    def refuse(sq: int, expected: str) -> NoReturn:
        raise ValueError(f"{name} has square {sq}: expected {expected}")

    for sq in rooks:
        colour = int(colours[sq])
        if pieces[sq] != ROOK or sq >> 3 != 7 * colour:
            refuse(sq, "rooks of white on rank 1 and of black on rank 8")
        kings = np.flatnonzero((pieces == KING) & (colours == colour))
        if len(kings) != 1 or kings[0] >> 3 != sq >> 3:
            refuse(sq, f"it only where {SIDES[colour]} has one king, on the same rank")
        for other in rooks:
            if other < sq and other >> 3 == sq >> 3 and (other < kings[0]) == (sq < kings[0]):
                refuse(sq, f"no other rook on the side of the king where {other} stands")
