"""A record held against one worked out from scratch.

Everything that `board.put` and `make` keep up to date step by step is worked out here in the
plainest way, from the mailbox and what it cannot tell: whose turn it is, the counters, and the
steps of an open deployment. Plain Python and slow: for checks.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.games.cotulenh.pieces import AIR_DEFENCE, COMMANDER, STACKS
from engine.games.cotulenh.state import (
    BLUE,
    BORDER,
    CAPTURE,
    COLOUR,
    FILES,
    HEROIC,
    MARGIN,
    MAX_STEPS,
    MEMBERS,
    NOWHERE,
    RANKS,
    STAY,
    SUICIDE,
    ZONE,
)

BITS = (1 << 64) - 1
DEPLOYMENT = ("start", "used", "captured", "steps", "step_kind", "step_to", "step_group")


def content(pos: np.void) -> dict[str, Any]:
    """What a record says, without the parts that mean nothing: two records are the same position,
    list order included, when these are equal."""
    count = pos["count"].tolist()
    lists = [pos["squares"][32 * side :][: count[side]].tolist() for side in (0, 1)]
    names = ["turn", "halfmove", "fullmove", "origin"]
    if pos["origin"] != NOWHERE:
        names += [*DEPLOYMENT[:4], "start_key"]
    steps = int(pos["steps"]) if pos["origin"] != NOWHERE else 0
    return {
        "board": pos["board"].tolist(),
        "squares": lists,
        "slot": [pos["slot"][sq] for squares in lists for sq in squares],
        **{name: pos[name].tolist() for name in ("commander", "guards", "cover", "coverer")},
        **{name: int(pos[name]) for name in names},
        **{name: pos[name][:steps].tolist() for name in DEPLOYMENT[4:]},
        "snapshot": pos["snapshot"].tolist() if pos["origin"] != NOWHERE else [],
        "key": int(pos["key"]),
    }


def verify(pos: np.void, tables: np.void) -> str | None:
    """None if the record is sound, else its first fault: the field, what it is and what it ought
    to be."""
    return next(_faults(pos, tables), None)


def _faults(pos: np.void, tables: np.void) -> Iterator[str]:
    words = pos["board"].tolist()
    yield from _board_faults("board", words)
    yield from _list_faults(pos, words)
    for side in (0, 1):
        commanders = [sq for sq, word in _pieces(words, side) if word >> COMMANDER & 1]
        yield from _differs("commander", side, pos, [*commanders, NOWHERE][0])
        guards = sum(_carrier(word) != COMMANDER for _, word in _pieces(words, side))
        yield from _differs("guards", side, pos, guards)
    yield from _air_defence_faults(pos, words)
    key = _board_key(words, int(pos["turn"]), tables)
    if pos["origin"] != NOWHERE:
        yield from _deployment_faults(pos, tables)
        key ^= _deployment_key(pos)
    if int(pos["key"]) & BITS != key:
        yield f"key: {int(pos['key']) & BITS:016x}, expected {key:016x}"


def _differs(name: str, at: int, pos: np.void, expected: int) -> Iterator[str]:
    if int(pos[name][at]) != expected:
        yield f"{name}: {pos[name][at]} at index {at}, expected {expected}"


def _board_faults(name: str, words: Sequence[int]) -> Iterator[str]:
    for sq, word in enumerate(words):
        inside = sq >> 4 < RANKS and sq & 15 < FILES
        if not inside:
            if word != BORDER:
                yield f"{name}: {word} on cell {sq} of the border"
        elif word:
            members = word & MEMBERS
            heroes = word >> HEROIC & MEMBERS
            if members not in STACKS or heroes & ~members or word >> COLOUR not in (0, 1):
                yield f"{name}: {word:#x} on cell {sq} is no stack"


def _pieces(words: Sequence[int], side: int) -> Iterator[tuple[int, int]]:
    for sq, word in enumerate(words):
        if word and word != BORDER and word >> COLOUR == side:
            yield sq, word


def _carrier(word: int) -> int:
    return STACKS[word & MEMBERS][0]


def _list_faults(pos: np.void, words: Sequence[int]) -> Iterator[str]:
    for side in (0, 1):
        expected = [sq for sq, _ in _pieces(words, side)]
        yield from _differs("count", side, pos, len(expected))
        found = pos["squares"][32 * side :][: len(expected)].tolist()
        if sorted(found) != expected:
            yield f"squares: {sorted(found)} of side {side}, expected {expected}"
        for slot, sq in enumerate(found):
            yield from _differs("slot", sq, pos, slot)


def _air_defence_faults(pos: np.void, words: Sequence[int]) -> Iterator[str]:
    cover, coverer = [0] * (2 * ZONE), [0] * (2 * ZONE)
    for side in (0, 1):
        for sq, word in _pieces(words, side):
            kind = _carrier(word)
            if kind not in AIR_DEFENCE:
                continue
            radius = AIR_DEFENCE[kind] + (word >> (HEROIC + kind) & 1)
            for y in range(-radius, radius + 1):
                for x in range(-radius, radius + 1):
                    if x * x + y * y <= radius * radius:
                        at = side * ZONE + MARGIN + sq + 16 * y + x
                        cover[at] += 1
                        coverer[at] ^= sq
    for at in range(2 * ZONE):
        yield from _differs("cover", at, pos, cover[at])
        yield from _differs("coverer", at, pos, coverer[at])


def _deployment_faults(pos: np.void, tables: np.void) -> Iterator[str]:
    origin, steps = int(pos["origin"]), int(pos["steps"])
    words = pos["snapshot"].tolist()
    yield from _board_faults("snapshot", words)
    if int(pos["start"]) != words[origin] or words[origin] >> COLOUR != pos["turn"]:
        yield f"start: {pos['start']}, expected {words[origin]}, of the side to move"
    if not 0 < steps <= MAX_STEPS:
        yield f"steps: {steps}, expected 1 to {MAX_STEPS}"
    used = 0
    for i, group in enumerate(pos["step_group"][:steps].tolist()):
        if not group or group & used or group & ~words[origin] & MEMBERS:
            yield f"step_group: {group:#x} at index {i}, expected members that had not acted"
        used |= group
    if pos["used"] != used:
        yield f"used: {pos['used']:#x}, expected {used:#x}"
    captured = any(kind in (CAPTURE, STAY, SUICIDE) for kind in pos["step_kind"][:steps].tolist())
    if bool(pos["captured"]) != captured:
        yield f"captured: {pos['captured']}, expected {int(captured)}"
    yield from _origin_faults(pos, words)
    start_key = _board_key(words, int(pos["turn"]), tables)
    if int(pos["start_key"]) & BITS != start_key:
        yield f"start_key: {int(pos['start_key']) & BITS:016x}, expected {start_key:016x}"


def _origin_faults(pos: np.void, snapshot: Sequence[int]) -> Iterator[str]:
    """Who has not acted stands where the turn began, and beside them only who shot from there."""
    steps = range(int(pos["steps"]))
    left = snapshot[int(pos["origin"])] & MEMBERS
    for i in steps:
        if pos["step_kind"][i] != STAY:
            left &= ~int(pos["step_group"][i])
    found = int(pos["board"][int(pos["origin"])]) & MEMBERS
    if found != left:
        yield f"board: {found:#x} left on cell {pos['origin']}, expected {left:#x}"


# Keys


def _mix(sq: int, word: int) -> int:
    """The scrambling of `board.mix`."""
    x = (word << 8 | sq) & BITS
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & BITS
    x = (x ^ x >> 27) * 0x94D049BB133111EB & BITS
    return x ^ x >> 31


def _board_key(words: Sequence[int], turn: int, tables: np.void) -> int:
    key = int(tables["zobrist_blue"]) & BITS if turn == BLUE else 0
    for sq, word in enumerate(words):
        if word and word != BORDER:
            key ^= _mix(sq, word)
    return key


def _deployment_key(pos: np.void) -> int:
    key = _mix(int(pos["origin"]), int(pos["used"])) ^ int(pos["start_key"]) & BITS
    for i in range(int(pos["steps"])):
        step = int(pos["step_group"][i]) << 16 | int(pos["step_to"][i]) << 8
        key ^= _mix(256 + i, step | int(pos["step_kind"][i]))
    return _mix(int(pos["start"]) & MEMBERS, key)
