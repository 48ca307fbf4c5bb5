"""The eleven kinds of piece, what each can do, and which stacks they form.

A stack is a set of kinds, bit k for kind k: no kind stands in a stack twice. Its carrier follows
from the set (`CARRIER`), and so does the order in which its members are written.
"""

from itertools import product

LETTERS = "CITMEAGSFNH"
KINDS = len(LETTERS)
COMMANDER, INFANTRY, TANK, MILITIA, ENGINEER, ARTILLERY, ANTI_AIR, MISSILE, AIR_FORCE, NAVY, HQ = (
    range(KINDS)
)

UNLIMITED = 12

REACH = (  # plain, heroic: squares along a line
    (UNLIMITED, UNLIMITED), (1, 2), (2, 3), (1, 2), (1, 2),
    (3, 4), (1, 2), (2, 3), (4, 5), (4, 5), (0, 1),
)  # fmt: skip
"""Range of movement. A commander captures at 1; a missile has one square less on diagonals; a navy
captures one square less far what is not topped by a navy."""

DIAGONAL = frozenset({MILITIA, ARTILLERY, MISSILE, AIR_FORCE, NAVY})
"""Kinds that use the diagonals. A heroic piece of any kind does."""

SHOOTS_OVER = frozenset({ARTILLERY, MISSILE, AIR_FORCE, NAVY})
"""Kinds that capture beyond other pieces."""

HEAVY = frozenset({ARTILLERY, ANTI_AIR, MISSILE})
"""Kinds that cross the river on bridges only, unless carried."""

AIR_DEFENCE = {ANTI_AIR: 1, MISSILE: 2, NAVY: 1}
"""Radius of the zone around a carrier of this kind; one more when it is heroic."""

_LIGHT = (COMMANDER, INFANTRY, MILITIA)
SLOTS: dict[int, tuple[tuple[int, ...], ...]] = {
    NAVY: ((AIR_FORCE,), (*_LIGHT, TANK)),
    AIR_FORCE: ((TANK,), _LIGHT),
    TANK: (_LIGHT,),
    ENGINEER: ((ARTILLERY, ANTI_AIR, MISSILE),),
    HQ: ((COMMANDER,),),
}
"""Who rides on whom: each slot of a carrier takes one of these, or nobody."""


def _stacks() -> dict[int, tuple[int, ...]]:
    """Members in written order, carrier first, by set."""
    found: dict[int, tuple[int, ...]] = {}
    for carrier in range(KINDS):
        choices = [(None, *slot) for slot in SLOTS.get(carrier, ())]
        for riders in product(*choices):
            members = (carrier, *(kind for kind in riders if kind is not None))
            found[sum(1 << kind for kind in members)] = members
    return found


STACKS = _stacks()
"""The 34 possible sets of one to three members, and the order of their members."""
