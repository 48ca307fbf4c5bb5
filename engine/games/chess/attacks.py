"""Attack sets. `t` is the TABLES record, squares and sets of squares are int64."""

from typing import Any

from engine.bits import pext, shr, u
from engine.games.chess.tables import USE_PEXT
from engine.jit import inline

Tables = Any

NOT_A_FILE = ~0x0101010101010101
NOT_H_FILE = 0x7F7F7F7F7F7F7F7F

if USE_PEXT:

    @inline
    def bishop_attacks(t: Tables, sq: int, occupied: int) -> int:
        return t.slides[u(t.bishop_base[u(sq)] + pext(occupied, t.bishop_mask[u(sq)]))]

    @inline
    def rook_attacks(t: Tables, sq: int, occupied: int) -> int:
        return t.slides[u(t.rook_base[u(sq)] + pext(occupied, t.rook_mask[u(sq)]))]

else:

    @inline
    def bishop_attacks(t: Tables, sq: int, occupied: int) -> int:
        hashed = (occupied & t.bishop_mask[u(sq)]) * t.bishop_magic[u(sq)]
        return t.slides[u(t.bishop_base[u(sq)] + shr(hashed, t.bishop_shift[u(sq)]))]

    @inline
    def rook_attacks(t: Tables, sq: int, occupied: int) -> int:
        hashed = (occupied & t.rook_mask[u(sq)]) * t.rook_magic[u(sq)]
        return t.slides[u(t.rook_base[u(sq)] + shr(hashed, t.rook_shift[u(sq)]))]


@inline
def between(t: Tables, a: int, b: int) -> int:
    """Squares strictly between two squares of one line, else none."""
    return t.between[u((a << 6) + b)]


@inline
def forward(colour: int, bits: int) -> int:
    """One rank towards the other side."""
    if colour == 0:
        return bits << 8
    return shr(bits, 8)


@inline
def west(colour: int, bits: int) -> int:
    """One rank forward and one file towards the a-file."""
    if colour == 0:
        return (bits << 7) & NOT_H_FILE
    return shr(bits, 9) & NOT_H_FILE


@inline
def east(colour: int, bits: int) -> int:
    """One rank forward and one file towards the h-file."""
    if colour == 0:
        return (bits << 9) & NOT_A_FILE
    return shr(bits, 7) & NOT_A_FILE
