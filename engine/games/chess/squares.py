"""Sets of squares from rows of 64 bytes and back, on a CPU and on a graphics card.

A CPU looks at all 64 bytes at a time, a card at eight, in one word: the row must begin at one.
"""

from engine.bits import find_bytes, load, on_device, shr, spread_bits, store
from engine.jit import inline

LOW = 0x0101010101010101
"""The lowest bit of each byte."""
PAIRS, NIBBLES = 0x03 * LOW, 0x0F * LOW
SEVENS = 0x7F * LOW
DIAGONAL = 0x8040201008040201 - (1 << 64)
"""Bit k of byte k."""


@inline
def repeated(byte: int) -> int:
    """A word of eight equal bytes. Not by a product: the compiler takes it that signed numbers do
    not overflow, here and below."""
    byte |= byte << 8
    byte |= byte << 16
    return byte | (byte << 32)


@inline
def find_in_words(row: int, value: int) -> int:
    """`bits.find_bytes`, word by word."""
    pattern = repeated(value & 0xFF)
    squares = 0
    for k in range(8):
        x = load(row + 8 * k) ^ pattern
        # The lowest bit of each byte is set if any of it is.
        x |= shr(x, 4) & NIBBLES
        x |= shr(x, 2) & PAIRS
        x |= shr(x, 1) & LOW
        x = ~x & LOW
        # Bits 0, 8, 16 ... become bits 0, 1, 2 ...
        x |= shr(x, 7)
        x |= shr(x, 14)
        x |= shr(x, 28)
        squares |= (x & 0xFF) << (8 * k)
    return squares


@inline
def spread_in_words(row: int, squares: int) -> None:
    """`bits.spread_bits`, word by word."""
    for k in range(8):
        x = repeated(shr(squares, 8 * k) & 0xFF) & DIAGONAL
        # A byte that is not 0 has one bit, and with 127 added its highest.
        store(row + 8 * k, shr(x + SEVENS, 7) & LOW)


@inline
def squares_with(row: int, value: int) -> int:
    """The squares whose byte is equal to a value of -128 to 127."""
    if on_device():
        return find_in_words(row, value)
    return find_bytes(row, value)


@inline
def write_squares(row: int, squares: int) -> None:
    """A byte for each square: 1 if it is in the set, else 0."""
    if on_device():
        spread_in_words(row, squares)
    else:
        spread_bits(row, squares)
