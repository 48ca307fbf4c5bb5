"""Terrain, ranges and geometry, as one read-only record, `T`."""

import numpy as np

from engine.games.cotulenh.pieces import (
    AIR_DEFENCE,
    COMMANDER,
    DIAGONAL,
    HEAVY,
    KINDS,
    MISSILE,
    NAVY,
    REACH,
    SHOOTS_OVER,
    STACKS,
)
from engine.games.cotulenh.state import BORDER, CELLS, FILES, RANKS, square
from engine.memory import zeros

DIRECTIONS = (-16, 1, 16, -1, -17, -15, 17, 15)
"""North, east, south, west; then the diagonals."""

LAND, WATER = 1, 2
LONGEST = 5
"""No attack reaches further."""
LARGEST_ZONE = 29

TABLES = np.dtype(
    [
        ("empty", np.int32, (CELLS,)),  # an empty board with its border
        # By set of members: the carrier, or -1 if these form no stack.
        ("carrier", np.int64, (2048,)),
        ("terrain", np.int64, (CELLS,)),  # LAND | WATER
        ("stands", np.int64, (KINDS,)),  # the terrain that a kind can stand on
        ("half", np.int64, (CELLS,)),  # 1 north, 2 south of the river, 0 on files a and b
        ("bridge_file", np.int64, (CELLS,)),  # files f and h
        ("corner", np.int64, (CELLS,)),  # number of a shore corner, see `closed_corner`
        ("direction", np.int64, (8,)),
        # By 2 * kind + heroic.
        ("reach", np.int64, (2 * KINDS,)),
        ("directions", np.int64, (2 * KINDS,)),  # how many: 0, 4 or 8
        # Reach of an attack on a line and on a diagonal: 4 * kind + 2 * heroic + diagonal. That of
        # a navy is against a navy.
        ("attack", np.int64, (4 * KINDS,)),
        ("shoots_over", np.int64),  # set of kinds
        ("heavy", np.int64),  # set of kinds
        ("defence", np.int64, (2 * KINDS,)),  # radius of the zone, 0 for none
        # Zones: offsets of radius r are zone[32 * r :][: zone_size[r]].
        ("zone", np.int64, (4 * 32,)),
        ("zone_size", np.int64, (4,)),
        # By difference of two squares + 256: distance * 8 + direction if the second lies on a line
        # with the first at LONGEST or less, else 0.
        ("aim", np.int64, (2 * CELLS,)),
        ("zobrist_blue", np.int64),
    ],
    align=True,
)


def _fill_board(t: np.void) -> None:
    t["empty"] = BORDER
    for file in range(FILES):
        for rank in range(1, RANKS + 1):
            sq = square(file, rank)
            t["empty"][sq] = 0
            river = file in (3, 4) and rank in (6, 7)
            t["terrain"][sq] = WATER if file < 2 else LAND | WATER if file == 2 or river else LAND
            t["half"][sq] = 0 if file < 2 else 1 if rank > 6 else 2
            t["bridge_file"][sq] = file in (5, 7)
    for number, corner in enumerate(((2, 5, 3, 6), (2, 8, 3, 7)), 1):
        t["corner"][square(*corner[:2])] = t["corner"][square(*corner[2:])] = number


def _fill_pieces(t: np.void) -> None:
    t["carrier"] = -1
    for members, order in STACKS.items():
        t["carrier"][members] = order[0]
    for kind in range(KINDS):
        t["stands"][kind] = WATER if kind == NAVY else LAND
        for heroic in (0, 1):
            reach = REACH[kind][heroic]
            diagonal = heroic or kind in DIAGONAL
            t["reach"][2 * kind + heroic] = reach
            t["directions"][2 * kind + heroic] = 0 if reach == 0 else 8 if diagonal else 4
            attack = 1 if kind == COMMANDER else reach
            t["attack"][4 * kind + 2 * heroic] = attack
            if diagonal:
                t["attack"][4 * kind + 2 * heroic + 1] = attack - (kind == MISSILE)
            if kind in AIR_DEFENCE:
                t["defence"][2 * kind + heroic] = AIR_DEFENCE[kind] + heroic
    t["shoots_over"] = sum(1 << kind for kind in SHOOTS_OVER)
    t["heavy"] = sum(1 << kind for kind in HEAVY)


def _fill_geometry(t: np.void) -> None:
    t["direction"] = DIRECTIONS
    for radius in (1, 2, 3):
        span = range(-radius, radius + 1)
        offsets = [16 * y + x for y in span for x in span if x * x + y * y <= radius * radius]
        t["zone"][32 * radius :][: len(offsets)] = offsets
        t["zone_size"][radius] = len(offsets)
    for number, step in enumerate(DIRECTIONS):
        for distance in range(1, LONGEST + 1):
            t["aim"][256 + step * distance] = distance * 8 + number


def build() -> np.void:
    """All tables, as one record of type TABLES."""
    t: np.void = zeros(1, TABLES)[0]
    _fill_board(t)
    _fill_pieces(t)
    _fill_geometry(t)
    t["zobrist_blue"] = np.random.Generator(np.random.PCG64(20260103)).integers(1 << 62)
    return t


T = build()
