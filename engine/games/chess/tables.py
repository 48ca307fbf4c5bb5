"""Attack tables, Zobrist keys and piece-square values, as one read-only record.

Slider attacks of a square stand in one run of `slides`, one entry for each arrangement of
pieces on the squares that matter (`mask`: the lines of the square without their last squares).
The index into the run is the arrangement itself, packed by PEXT, or, on CPUs without a fast
PEXT, hashed by a multiplication ("fancy magic bitboards"; the factors were found by trial, see
`find_magic`).
"""

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.bits import has_pext
from engine.games.chess.magics import BISHOP_MAGICS, ROOK_MAGICS
from engine.games.chess.state import CASTLE, DOUBLE_PUSH, KING, PAWN, QUEEN
from engine.games.chess.values import (
    COUNT,
    DANGERS,
    all_values,
    mobility_values,
    piece_square_values,
)
from engine.memory import zeros

USE_PEXT = {"0": False, "1": True}.get(os.environ.get("TRIPTYCH_PEXT", ""), has_pext())

SLIDES = 107_648
"""Sum over squares of 2**bits of the bishop and the rook mask."""

TABLES = np.dtype(
    [
        ("bishop_mask", np.int64, (64,)),
        ("bishop_base", np.int64, (64,)),
        ("bishop_magic", np.int64, (64,)),
        ("bishop_shift", np.int64, (64,)),
        ("rook_mask", np.int64, (64,)),
        ("rook_base", np.int64, (64,)),
        ("rook_magic", np.int64, (64,)),
        ("rook_shift", np.int64, (64,)),
        ("knight", np.int64, (64,)),
        ("king", np.int64, (64,)),
        ("pawn", np.int64, (128,)),  # colour * 64 + square: squares a pawn there attacks
        ("between", np.int64, (4096,)),  # a * 64 + b: squares strictly between, 0 off lines
        ("line", np.int64, (4096,)),  # a * 64 + b: the whole line through both, 0 off lines
        ("slides", np.int64, (SLIDES,)),
        # By kind of move, all ones or zero: which boards the piece arrives on.
        ("to_pawns", np.int64, (16,)),
        ("to_knights", np.int64, (16,)),
        ("to_diagonals", np.int64, (16,)),
        ("to_lines", np.int64, (16,)),
        ("two_steps", np.int64, (16,)),
        ("keeps_castling", np.int64, (32,)),  # colour * 16 + kind: rights that survive
        # By king file * 8 + rook file, on the first rank: squares that must be empty besides
        # king and rook, and squares that must not be attacked.
        ("castle_empty", np.int64, (64,)),
        ("castle_safe", np.int64, (64,)),
        ("zobrist", np.int64, (1024,)),  # code * 64 + square
        ("zobrist_castle", np.int64, (64,)),  # square of a rook that may castle
        ("zobrist_ep", np.int64, (8,)),  # file
        ("zobrist_black", np.int64),
        ("psq", np.int64, (1024,)),  # code * 64 + square: middlegame << 32 plus endgame
        ("mobility", np.int64, (128,)),  # (piece - 1) * 32 + number of squares, packed likewise
        ("worth", np.int64, (COUNT,)),  # what counts in the evaluation, see `values.PAIRS`
        ("danger", np.int64, (12,)),  # see `values.DANGERS`
    ],
    align=True,
)

DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))
JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
EVERYTHING = (1 << 64) - 1

Directions = tuple[tuple[int, int], ...]


def ray(sq: int, step: tuple[int, int]) -> list[int]:
    """Squares from `sq` (excluded) to the edge."""
    file, rank = sq % 8 + step[0], sq // 8 + step[1]
    squares = []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + step[0], rank + step[1]
    return squares


def bitboard(squares: list[int]) -> int:
    return sum(1 << sq for sq in squares)


def steps(sq: int, directions: Directions) -> int:
    """Squares one step away."""
    return bitboard([squares[0] for d in directions if (squares := ray(sq, d))])


def signed(bits: int) -> int:
    """The same 64 bits as an int64."""
    bits &= EVERYTHING
    return bits - (1 << 64) if bits >> 63 else bits


def slider_mask(sq: int, directions: Directions) -> int:
    return bitboard([s for d in directions for s in ray(sq, d)[:-1]])


def arrangements(mask: int) -> NDArray[np.uint64]:
    """Every subset of the mask, in the order of its packed bits. Shape (2**bits,)."""
    bits = [i for i in range(64) if mask >> i & 1]
    packed = np.arange(1 << len(bits), dtype=np.uint64)
    subsets = np.zeros_like(packed)
    for i, bit in enumerate(bits):
        subsets |= ((packed >> np.uint64(i)) & np.uint64(1)) << np.uint64(bit)
    return subsets


def slider_attacks(sq: int, directions: Directions, occupied: NDArray[np.uint64]) -> NDArray[
    np.uint64
]:  # fmt: skip
    """Attacked squares for each arrangement of `occupied`; a line ends at its first piece."""
    attacks = np.zeros_like(occupied)
    for direction in directions:
        open_ = np.full_like(occupied, EVERYTHING)
        for s in ray(sq, direction):
            bit = np.uint64(1 << s)
            attacks |= open_ & bit
            open_[(occupied & bit) != 0] = 0
    return attacks


def magic_index(
    occupied: NDArray[np.uint64], mask: int, magic: int, shift: int
) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return ((occupied & np.uint64(mask)) * np.uint64(magic)) >> np.uint64(shift)


def find_magic(sq: int, directions: Directions, rng: np.random.Generator) -> int:
    """A factor that sends arrangements with different attacks to different places."""
    mask = slider_mask(sq, directions)
    occupied = arrangements(mask)
    attacks = slider_attacks(sq, directions, occupied)
    shift = 64 - mask.bit_count()
    while True:
        a, b, c = (int(x) for x in rng.integers(0, EVERYTHING, 3, np.uint64, endpoint=True))
        magic = a & b & c
        if (mask * magic >> 56 & 0xFF).bit_count() < 6:
            continue
        index = magic_index(occupied, mask, magic, shift)
        table = np.zeros(len(occupied), np.uint64)
        table[index] = attacks
        if (table[index] == attacks).all():
            return magic


def _fill_sliders(t: np.void, pext: bool) -> None:
    slides = t["slides"].view(np.uint64)
    base = 0
    for name, directions, magics in (
        ("bishop", DIAGONALS, BISHOP_MAGICS),
        ("rook", LINES, ROOK_MAGICS),
    ):
        for sq in range(64):
            mask = slider_mask(sq, directions)
            occupied = arrangements(mask)
            attacks = slider_attacks(sq, directions, occupied)
            shift = 64 - mask.bit_count()
            t[f"{name}_mask"][sq] = signed(mask)
            t[f"{name}_base"][sq] = base
            t[f"{name}_magic"][sq] = signed(magics[sq])
            t[f"{name}_shift"][sq] = shift
            run = slides[base : base + len(occupied)]
            if pext:
                run[:] = attacks
            else:
                run[magic_index(occupied, mask, magics[sq], shift)] = attacks
            base += len(occupied)


def _fill_geometry(t: np.void) -> None:
    for sq in range(64):
        t["knight"][sq] = signed(steps(sq, JUMPS))
        t["king"][sq] = signed(steps(sq, DIAGONALS + LINES))
        t["pawn"][sq] = signed(steps(sq, ((1, 1), (-1, 1))))
        t["pawn"][64 + sq] = signed(steps(sq, ((1, -1), (-1, -1))))
        for dx, dy in DIAGONALS + LINES:
            squares = ray(sq, (dx, dy))
            line = bitboard([*squares, sq, *ray(sq, (-dx, -dy))])
            for i, other in enumerate(squares):
                t["between"][sq * 64 + other] = signed(bitboard(squares[:i]))
                t["line"][sq * 64 + other] = signed(line)


def _fill_moves(t: np.void) -> None:
    for kind in range(13):
        piece = kind - 8 if kind > DOUBLE_PUSH else kind if kind <= KING else PAWN
        if kind == CASTLE:
            continue
        t["to_pawns"][kind] = -(piece == PAWN)
        t["to_knights"][kind] = -(piece == 1)
        t["to_diagonals"][kind] = -(piece in (2, QUEEN))
        t["to_lines"][kind] = -(piece in (3, QUEEN))
    t["two_steps"][DOUBLE_PUSH] = -1
    t["keeps_castling"][:] = -1
    for kind in (KING, CASTLE):
        t["keeps_castling"][kind] = signed(~0xFF)
        t["keeps_castling"][16 + kind] = signed(~(0xFF << 56))
    for king in range(8):
        for rook in range(8):
            if king == rook:
                continue
            king_to, rook_to = (6, 5) if rook > king else (2, 3)
            king_path = set(range(min(king, king_to), max(king, king_to) + 1))
            rook_path = set(range(min(rook, rook_to), max(rook, rook_to) + 1))
            t["castle_empty"][king * 8 + rook] = bitboard(
                sorted((king_path | rook_path) - {king, rook})
            )
            t["castle_safe"][king * 8 + rook] = bitboard(sorted(king_path))


def _fill_keys(t: np.void) -> None:
    rng = np.random.Generator(np.random.PCG64(20260101))
    low, high = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    for name in ("zobrist", "zobrist_castle", "zobrist_ep", "zobrist_black"):
        t[name] = rng.integers(low, high, t[name].shape, np.int64, endpoint=True)
    t["zobrist"].reshape(16, 64)[[0, 7, 8, 15]] = 0


def build(pext: bool) -> np.void:
    """All tables, as one record of type TABLES, with sliders indexed by PEXT or by magics."""
    t: np.void = zeros(1, TABLES)[0]
    _fill_sliders(t, pext)
    _fill_geometry(t)
    _fill_moves(t)
    _fill_keys(t)
    fill_values(t, all_values(), DANGERS)
    return t


def fill_values(t: np.void, worth: NDArray[np.int64], danger: Sequence[int]) -> None:
    """What the evaluation goes by, from the values that `values.all_values` gives."""
    t["worth"] = worth
    t["danger"] = danger
    t["psq"] = piece_square_values(worth)
    t["mobility"] = mobility_values(worth)


T = build(USE_PEXT)
