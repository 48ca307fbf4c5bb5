"""Attack sets. `t` is the TABLES record, squares and sets of squares are int64.

A graphics card has no PEXT: there `t` is `tables.build(pext=False)`.
"""

from typing import Any

from engine.bits import on_device, pext, shr, u
from engine.games.chess.tables import USE_PEXT
from engine.jit import inline

Tables = Any

NOT_A_FILE = ~0x0101010101010101
NOT_H_FILE = 0x7F7F7F7F7F7F7F7F


@inline
def bishop_attacks(t: Tables, sq: int, occupied: int) -> int:
    if USE_PEXT and not on_device():
        index = pext(occupied, t.bishop_mask[u(sq)])
    else:
        hashed = (occupied & t.bishop_mask[u(sq)]) * t.bishop_magic[u(sq)]
        index = shr(hashed, t.bishop_shift[u(sq)])
    return t.slides[u(t.bishop_base[u(sq)] + index)]


@inline
def rook_attacks(t: Tables, sq: int, occupied: int) -> int:
    if USE_PEXT and not on_device():
        index = pext(occupied, t.rook_mask[u(sq)])
    else:
        hashed = (occupied & t.rook_mask[u(sq)]) * t.rook_magic[u(sq)]
        index = shr(hashed, t.rook_shift[u(sq)])
    return t.slides[u(t.rook_base[u(sq)] + index)]


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
