"""Changing one square of the board, and everything that follows from it.

`put` is the only way in which a word comes onto the board or leaves it: piece lists, commander
squares, air defence and key follow there. It notes what it did, and `revert` undoes the notes, last
first, list order included.
"""

from numba import types

from engine.bits import shr, u
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, UNDO_T, State, Tables, Undo
from engine.games.cotulenh.pieces import COMMANDER
from engine.games.cotulenh.state import (
    CAPTURE,
    COLOUR,
    HEROIC,
    MARGIN,
    MEMBERS,
    NOWHERE,
    STAY,
    SUICIDE,
    ZONE,
)
from engine.jit import inline, kernel

I64 = types.int64


@inline
def side_of(word: int) -> int:
    return (word >> COLOUR) & 1


@inline
def members_of(word: int) -> int:
    return word & MEMBERS


@inline
def carrier_of(t: Tables, word: int) -> int:
    """Kind of the carrier of a piece or stack."""
    return t.carrier[u(word & MEMBERS)]


@inline
def heroic_in(word: int, kind: int) -> int:
    """1 if the member of a kind is heroic."""
    return (word >> (HEROIC + kind)) & 1


@inline
def single(word: int, kind: int) -> int:
    """One member of a stack as a word of its own."""
    return word & ((1 << kind) | (1 << (HEROIC + kind)) | (1 << COLOUR))


@inline
def without(word: int, group: int) -> int:
    """A stack after the members of a set have left; 0 if nobody stays."""
    rest = word & ~(group | (group << HEROIC))
    if rest & MEMBERS == 0:
        return 0
    return rest


@inline
def captures(kind: int) -> bool:
    """Whether an action of a kind captures."""
    return kind == CAPTURE or kind == STAY or kind == SUICIDE


@inline
def line_step(a: int, b: int) -> int:
    """The step from a towards b along their file or rank; 0 if they share none."""
    if a >> 4 == b >> 4:
        return 1 if a < b else -1
    if a & 15 == b & 15:
        return 16 if a < b else -16
    return 0


@inline
def mix(sq: int, word: int) -> int:
    """Key of a word on a square: a fixed scrambling of both."""
    x = (word << 8) | sq
    x = (x ^ shr(x, 30)) * -4658895280553007687
    x = (x ^ shr(x, 27)) * -7723592293110705685
    return x ^ shr(x, 31)


@inline
def defence_of(t: Tables, word: int) -> int:
    """Radius of the air defence of a word, 0 for none."""
    if word == 0:
        return 0
    kind = carrier_of(t, word)
    return t.defence[u(2 * kind + heroic_in(word, kind))]


@inline
def shade(pos: State, t: Tables, side: int, sq: int, radius: int, sign: int) -> None:
    """Add a zone of air defence, or take it away with sign -1."""
    base = side * ZONE + MARGIN + sq
    for i in range(t.zone_size[u(radius)]):
        at = u(base + t.zone[u(32 * radius + i)])
        pos.cover[at] += sign
        pos.coverer[at] ^= sq


@inline
def exchange(pos: State, t: Tables, sq: int, old: int, new: int) -> None:
    """Replace a word by another in everything but the lists."""
    before = defence_of(t, old)
    after = defence_of(t, new)
    if before != after or (old ^ new) >> COLOUR:
        if before:
            shade(pos, t, side_of(old), sq, before, -1)
        if after:
            shade(pos, t, side_of(new), sq, after, 1)
    if old:
        pos.key ^= mix(sq, old)
        side = side_of(old)
        # It may have been put on its new square before it is taken off the old one.
        if old & (1 << COMMANDER) and pos.commander[u(side)] == sq:
            pos.commander[u(side)] = NOWHERE
        if carrier_of(t, old) != COMMANDER:
            pos.guards[u(side)] -= 1
    if new:
        pos.key ^= mix(sq, new)
        side = side_of(new)
        if new & (1 << COMMANDER):
            pos.commander[u(side)] = sq
        if carrier_of(t, new) != COMMANDER:
            pos.guards[u(side)] += 1
    pos.board[u(sq)] = new


@inline
def leaves(old: int, new: int) -> bool:
    """Whether a list loses its square."""
    return old != 0 and (new == 0 or (old ^ new) >> COLOUR != 0)


@kernel(types.void(STATE_T, TABLES_T, I64, I64, UNDO_T))
def put(pos: State, t: Tables, sq: int, new: int, undo: Undo) -> None:
    """Put a word on a square, 0 to empty it."""
    old = int(pos.board[u(sq)])
    slot = int(pos.slot[u(sq)])
    n = undo.changes
    undo.square[u(n)] = sq
    undo.word[u(n)] = old
    undo.slot[u(n)] = slot
    undo.changes = n + 1
    if leaves(old, new):
        side = side_of(old)
        last = pos.count[u(side)] - 1
        pos.count[u(side)] = last
        mover = pos.squares[u(32 * side + last)]
        pos.squares[u(32 * side + slot)] = mover
        pos.slot[u(int(mover))] = slot
    if leaves(new, old):
        side = side_of(new)
        last = pos.count[u(side)]
        pos.count[u(side)] = last + 1
        pos.squares[u(32 * side + last)] = sq
        pos.slot[u(sq)] = last
    exchange(pos, t, sq, old, new)


@kernel(types.void(STATE_T, TABLES_T, UNDO_T, I64))
def revert(pos: State, t: Tables, undo: Undo, changes: int) -> None:
    """Undo all changes but the first few."""
    for i in range(undo.changes - 1, changes - 1, -1):
        sq = int(undo.square[u(i)])
        old = int(undo.word[u(i)])
        slot = int(undo.slot[u(i)])
        new = int(pos.board[u(sq)])
        if leaves(new, old):
            pos.count[u(side_of(new))] -= 1
        if leaves(old, new):
            side = side_of(old)
            last = pos.count[u(side)]
            pos.count[u(side)] = last + 1
            if slot != last:
                mover = pos.squares[u(32 * side + slot)]
                pos.squares[u(32 * side + last)] = mover
                pos.slot[u(int(mover))] = last
            pos.squares[u(32 * side + slot)] = sq
            pos.slot[u(sq)] = slot
        exchange(pos, t, sq, new, old)
    undo.changes = changes
