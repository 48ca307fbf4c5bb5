"""Chess positions as NumPy arrays: attack maps, offence and defence, pseudo-legal moves.

A position is two arrays of int8, 64 squares each, a1 = 0, b1 = 1 ... h8 = 63:

    piece_arr    0 empty, 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
    color_arr    -1 empty, 0 white, 1 black

Each function takes one position, two arrays of shape (64,), or a batch of N, two of shape (N, 64).
A batch is done in one call of compiled code that does not hold the GIL, so threads can share the
work. Arrays may be slices, transposed or read-only, and are never changed.

Any arrangement of pieces is a position: no king or many, pawns on any rank. A pawn on its last
rank attacks nothing and has no moves, and two steps are for pawns on their second rank alone.

Whatever is wrong with an argument is a ValueError that names the argument, the place and what was
expected. Nothing is converted in silence: int64 boards are refused.
"""

from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.games.chess import rows
from engine.games.chess.pseudo import MAX_PSEUDO
from engine.games.chess.state import WHITE
from engine.games.chess.tables import T

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
    pieces, colours = _boards(piece_arr, color_arr)
    white = np.empty(pieces.shape, np.bool_)
    black = np.empty(pieces.shape, np.bool_)
    done = rows.map_attacks(pieces, colours, T, white, black)
    if done < len(pieces):
        _refuse_board(pieces, colours, done, piece_arr.ndim == 1)
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
    pieces, colours = _boards(piece_arr, color_arr)
    terms = np.empty((4, len(pieces)), np.int64)
    done = rows.rate(pieces, colours, T, terms)
    if done < len(pieces):
        _refuse_board(pieces, colours, done, piece_arr.ndim == 1)
    if piece_arr.ndim == 1:
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
    pieces, colours = _boards(piece_arr, color_arr)
    n, single = len(pieces), piece_arr.ndim == 1
    turns = _integers("stm", stm, n, single)
    rights = _integers("castling", castling, n, single)
    targets = _integers("ep", ep, n, single)
    _check_turns(turns, single)
    _check_targets(turns, targets, single)
    turns, rights, targets = (np.array(a, np.int64) for a in (turns, rights, targets))
    offsets = np.zeros(n + 1, np.int64)
    packed = np.empty(MOVES_PER_POSITION * n + MAX_PSEUDO, np.int64)
    done = 0
    while True:
        done = rows.write_moves(pieces, colours, turns, rights, targets, T, done, packed, offsets)
        if done == n:
            break
        _refuse_board(pieces, colours, done, single)
        _refuse_rights(pieces, colours, rights, done, single)
        packed.resize(2 * len(packed), refcheck=False)
    packed.resize(int(offsets[n]), refcheck=False)
    moves = packed.view(np.int16).reshape(-1, 4)
    return moves if single else (moves, offsets)


def _boards(piece_arr: Board, color_arr: Board) -> tuple[Board, Board]:
    """Both arrays in rows of 64, one after the other in memory."""
    for name, array in (("piece_arr", piece_arr), ("color_arr", color_arr)):
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{name} is a {type(array).__name__}: expected a NumPy array of int8")
        if array.dtype != np.int8:
            raise ValueError(f"{name} has dtype {array.dtype}: expected int8")
    if piece_arr.ndim not in (1, 2) or piece_arr.shape[-1] != 64:
        raise ValueError(f"piece_arr has shape {piece_arr.shape}: expected (64,) or (N, 64)")
    if color_arr.shape != piece_arr.shape:
        raise ValueError(
            f"color_arr has shape {color_arr.shape}: expected {piece_arr.shape}, as piece_arr has"
        )
    return (
        np.ascontiguousarray(piece_arr).reshape(-1, 64),
        np.ascontiguousarray(color_arr).reshape(-1, 64),
    )


def _integers(name: str, given: ArrayLike, n: int, single: bool) -> Integers:
    """One integer for each position. Shape (n,)."""
    values = np.asarray(given)
    if values.dtype.kind not in "iu":
        raise ValueError(f"{name} has dtype {values.dtype}: expected integers of up to 64 bits")
    if values.shape != () and (single or values.shape != (n,)):
        shapes = "one integer" if single else f"one integer or shape ({n},)"
        raise ValueError(f"{name} has shape {values.shape}: expected {shapes}")
    return np.broadcast_to(values, (n,))


def _at(*place: int, single: bool) -> str:
    """An index as text; the number of the position comes first and is left out if it is alone."""
    numbers = place[1:] if single else place
    return f"[{', '.join(map(str, numbers))}]" if numbers else ""


def _check_turns(turns: Integers, single: bool) -> None:
    wrong = np.flatnonzero((turns != 0) & (turns != 1))
    if len(wrong):
        i = wrong[0]
        raise ValueError(f"stm{_at(i, single=single)} is {turns[i]}: expected 0 white or 1 black")


def _check_targets(turns: Integers, targets: Integers, single: bool) -> None:
    rank_6_or_3 = np.where(turns == WHITE, 5, 2)
    wrong = np.flatnonzero((targets != -1) & (targets >> 3 != rank_6_or_3))
    if len(wrong):
        i = wrong[0]
        side, rank, low = ("white", 6, 40) if turns[i] == WHITE else ("black", 3, 16)
        raise ValueError(
            f"ep{_at(i, single=single)} is {targets[i]}: expected -1 or, with {side} to move, "
            f"a square of rank {rank}, {low} to {low + 7}"
        )


def _refuse_board(pieces: Board, colours: Board, i: int, single: bool) -> None:
    """Raise for the first wrong square of position `i`, if there is one."""
    for sq in range(64):
        piece, colour = int(pieces[i, sq]), int(colours[i, sq])
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


def _refuse_rights(pieces: Board, colours: Board, rights: Integers, i: int, single: bool) -> None:
    """Raise for the first wrong right to castle in position `i`, if there is one."""
    name = f"castling{_at(i, single=single)}"
    bits = int(rights[i])
    rooks = [sq for sq in range(64) if bits >> sq & 1]

    def refuse(sq: int, expected: str) -> NoReturn:
        raise ValueError(f"{name} has square {sq}: expected {expected}")

    for sq in rooks:
        colour = int(colours[i, sq])
        if pieces[i, sq] != ROOK or sq >> 3 != 7 * colour:
            refuse(sq, "rooks of white on rank 1 and of black on rank 8")
        kings = np.flatnonzero((pieces[i] == KING) & (colours[i] == colour))
        if len(kings) != 1 or kings[0] >> 3 != sq >> 3:
            refuse(sq, f"it only where {SIDES[colour]} has one king, on the same rank")
        for other in rooks:
            if other < sq and other >> 3 == sq >> 3 and (other < kings[0]) == (sq < kings[0]):
                refuse(sq, f"no other rook on the side of the king where {other} stands")
