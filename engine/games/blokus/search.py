"""Monte Carlo tree search of one thread."""

from typing import Any

from numba import types

from engine.bits import atomic_load, u
from engine.games.blokus.numba_types import TABLES_T
from engine.games.blokus.playout import judge, playout
from engine.games.blokus.sketch import (
    FITS_T,
    SKETCH_T,
    WORDS,
    WORDS_T,
    Fits,
    Sketch,
    lay,
    settle,
)
from engine.games.blokus.state import MAX_MOVES
from engine.games.blokus.tree import (
    LEAF,
    NODES_T,
    WORK_T,
    Nodes,
    Work,
    back_up,
    expand,
    select,
)
from engine.jit import inline, kernel

I64 = types.int64


@inline
def take_turn(board: Sketch, turn: int) -> None:
    """Go on to a colour. Those between have no move."""
    while board.turn != turn:
        board.stuck |= 1 << board.turn
        board.turn = (board.turn + 1) % board.colours


@inline
def descend(nodes: Nodes, board: Sketch, t: Any, w: Work) -> None:
    """Play from the root to a leaf, which gets children if it was visited often enough."""
    node = chooser = 0
    w.path[0] = 0
    w.length = 1
    while True:
        at = nodes[node]
        if at.count == LEAF and at.visits >= w.ripe:
            expand(nodes, node, chooser, board, t, w, w.wide)
        if at.count <= 0:
            return
        take_turn(board, int(at.turn))
        chooser = int(at.owner)
        node = select(nodes, node, w)
        lay(board, t, board.turn, int(nodes[node].move))
        board.turn = (board.turn + 1) % board.colours
        w.path[u(w.length)] = node
        w.length += 1


@kernel(types.void(NODES_T, types.Array(SKETCH_T, 1, "C"), WORDS_T, TABLES_T, FITS_T, WORK_T, I64))
def search(
    nodes: Nodes, boards: Any, words: Any, t: Any, f: Fits, w: Work, simulations: int
) -> None:
    """Play `simulations` games from the root, fewer if the stop flag is set. boards[0] is the
    position of nodes[0], boards[1] is where games are played, `words` the memory of both. The root
    has its children afterwards, whatever the flag says."""
    board = boards[1]
    if w.simulations == 0:
        for c in range(boards[0].colours):
            settle(boards[0], f, c)
    if nodes[0].count == LEAF:
        for i in range(WORDS):
            words[u(WORDS + i)] = words[u(i)]
        expand(nodes, 0, 0, board, t, w, MAX_MOVES)
    for _ in range(simulations):
        if atomic_load(w.control):
            return
        for i in range(WORDS):
            words[u(WORDS + i)] = words[u(i)]
        descend(nodes, board, t, w)
        playout(board, t, f, w)
        judge(board, w)
        back_up(nodes, w)
        w.simulations += 1
