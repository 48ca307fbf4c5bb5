"""Give positions that `chess_selfplay.py` wrote down scores of longer searches.

    python scripts/chess_label.py labels/ games/*.npy --nodes 1500

A score of few nodes says hardly more than the evaluation that it is to teach. Of the quiet
positions `--positions` are drawn at random; those whose best move turns out to take, to promote or
to mate are left out. A search begins no iteration after `--nodes` nodes, on average it ends at
2,400. One file is written for 50,000 positions.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from chess_game import think
from chess_rows import LOUD, SEEN_T, file_names, read_rows, set_up
from match_frame import positive
from numba import types
from tqdm import tqdm

from engine.alphabeta import MATED_SOON
from engine.control import Control
from engine.games.chess.attacks import Tables
from engine.games.chess.generation import generate_at
from engine.games.chess.node import in_check
from engine.games.chess.numba_types import STATES_T, TABLES_T
from engine.games.chess.ordering import Work, is_quiet
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.work import WORK_T, new_work
from engine.jit import kernel
from engine.table import Table

PER_FILE = 50_000
I64 = types.int64


@kernel(I64(WORK_T, TABLES_T, STATES_T, SEEN_T, I64))
def label(w: Work, t: Tables, room: Any, rows: Any, nodes: int) -> int:
    """Give rows the scores of searches of `nodes` nodes; LOUD as result where they do not count.
    `room` is one record. Returns how many count."""
    pos = room[0]
    kept = 0
    w.root_key = 0
    for i in range(len(rows)):
        result = int(rows[i].result)
        rows[i].result = LOUD
        if not set_up(pos, t, rows[i]) or in_check(t, pos) or generate_at(w, t, pos, 0, -1) == 0:
            continue
        score = think(w, t, pos, nodes, 0)
        if abs(score) < MATED_SOON and is_quiet(pos, int(w.root_moves[0])):
            rows[i].score = score
            rows[i].result = result
            kept += 1
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--nodes", type=positive, default=1500)
    parser.add_argument("--positions", type=positive, default=1_000_000)
    parser.add_argument("--seed", type=positive, default=1, help="of the order they are drawn in")
    options = parser.parse_args()
    try:
        rows = np.concatenate(read_rows(options.games))
        files = file_names(options.folder, options.seed)
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    order = np.random.default_rng(options.seed).permutation(len(rows))[: options.positions]
    work, table, control = new_work(), Table(1), Control()
    work["table"], work["buckets"] = table.address, table.buckets
    work["control"] = control.address
    room = np.zeros(1, STATE)
    for first in tqdm(range(0, len(order), PER_FILE), unit="file"):
        some = rows[order[first : first + PER_FILE]]
        label(work, T, room, some, options.nodes)
        np.save(next(files), some[some["result"] != LOUD])


if __name__ == "__main__":
    main()
