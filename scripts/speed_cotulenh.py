"""How fast are CoTuLenh actions listed and counted? CPU time, on one core, inside compiled code.

    python scripts/speed_cotulenh.py

Each list is timed in a compiled loop, the best of some turns; perft counts leaves in bulk. The
numbers of actions and leaves must be right, else there is no speed.
"""

import sys
import time

import numpy as np
from numba import types

from engine.games.cotulenh.movegen import write_actions
from engine.games.cotulenh.notation import START
from engine.games.cotulenh.numba_types import (
    STATE_T,
    TABLES_T,
    WORK_T,
    State,
    Tables,
    Work,
)
from engine.games.cotulenh.perft import perft
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.records import UNDO, WORK
from engine.games.cotulenh.tables import T
from engine.jit import kernel

POSITIONS = {
    "start": (START, 116),
    "middle game": (
        "10c/n2a1h1hf2/6s2a1/4g(tm)1tg2/2i1e5i/9e1/3E3F3/5T3EI/2I1G1FTG2/2f3S1A2/n2M1H1H3/6C4"
        " r - - 10 14",
        110,
    ),
    "middle game, many stacks": (
        "6c1a2/4ah1h3/2n1tms3(fi)/4(eg)2tge1/N1i8/11/2+n1A3E1f/1(NF)2M6/3EG1TTG2/6C1S2/2F2H1H3/11"
        " r - - 24 25",
        101,
    ),
}
PERFT = 4, 183_650_112
ROUNDS, TURNS = 2000, 7


@kernel(types.int64(STATE_T, TABLES_T, WORK_T, types.int64))
def list_often(pos: State, t: Tables, work: Work, rounds: int) -> int:
    """List the actions so many times; returns the sum of their numbers."""
    total = 0
    for _ in range(rounds):
        total += write_actions(pos, t, work, 0)
    return total


def main() -> int:
    work: np.void = np.zeros(1, WORK)[0]
    for name, (fen, actions) in POSITIONS.items():
        pos, best = Position(fen).state, float("inf")
        for _ in range(TURNS):
            start = time.process_time()
            total = list_often(pos, T, work, ROUNDS)
            best = min(best, (time.process_time() - start) / ROUNDS)
            if total != actions * ROUNDS:
                print(f"{name}: expected {actions} actions, found {total / ROUNDS}")
                return 1
        print(f"{name}: {actions} actions in {1e6 * best:.2f} us")
    depth, leaves = PERFT
    undos, stop = np.zeros(depth + 1, UNDO), np.zeros(1, np.int64)
    start = time.process_time()
    found = perft(Position(START).state, T, depth, undos, work, stop.ctypes.data)
    seconds = time.process_time() - start
    print(f"perft {depth}: {found:,} leaves, {found / seconds / 1e6:.1f} million/s")
    return int(found != leaves)


if __name__ == "__main__":
    sys.exit(main())
