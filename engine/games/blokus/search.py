"""Monte Carlo tree search, as one thread does it."""

from typing import Any

from numba import types

from engine.bits import atomic_load, u
from engine.games.blokus.net import NET_T, VIEW_T, Net, View, set_root
from engine.games.blokus.numba_types import TABLES_T
from engine.games.blokus.prior import PRIOR_T, Prior
from engine.games.blokus.reward import guess, judge
from engine.games.blokus.sketch import SKETCH_T, WORDS, WORDS_T, Sketch, lay
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
def descend(nodes: Nodes, board: Sketch, t: Any, prior: Prior, view: View, w: Work) -> int:
    """Play from the root to a leaf, which gets children if it was visited before. Returns the
    leaf."""
    node = chooser = 0
    w.path[0] = 0
    w.length = 1
    nodes[0].visits += 1
    while True:
        at = nodes[node]
        if at.count == LEAF and at.visits > w.ripe:
            expand(nodes, node, chooser, board, t, prior, view, w, w.wide)
        if at.count <= 0:
            return node
        take_turn(board, int(at.turn))
        chooser = int(at.owner)
        node = select(nodes, node, w)
        nodes[node].visits += 1
        lay(board, t, board.turn, int(nodes[node].move))
        board.turn = (board.turn + 1) % board.colours
        w.path[u(w.length)] = node
        w.length += 1


BOARDS_T = types.Array(SKETCH_T, 1, "C")


@kernel(types.void(BOARDS_T, NET_T, VIEW_T, WORK_T))
def assess(boards: Any, net: Net, view: View, w: Work) -> None:
    """Write what boards[1] is worth without a search into `w.reward` and `view.out`. It is reached
    from boards[0], which makes a difference to the work and none to the result."""
    set_root(boards[0], net, view, w.players)
    guess(boards[1], net, view, w)


@kernel(types.void(NODES_T, BOARDS_T, WORDS_T, TABLES_T, PRIOR_T, NET_T, VIEW_T, WORK_T, I64))
def search(
    nodes: Nodes, boards: Any, words: Any, t: Any, prior: Prior, net: Net, view: View, w: Work,
    simulations: int,
) -> None:  # fmt: skip
    """Make `simulations` simulations from the root, fewer if the stop flag is set. boards[0] is the
    position of nodes[0], boards[1] is where moves are played, `words` the memory of both. The root
    has its children afterwards, whatever the flag says."""
    board = boards[1]
    if w.simulations == 0:
        set_root(boards[0], net, view, w.players)
    if nodes[0].count == LEAF:
        for i in range(WORDS):
            words[u(WORDS + i)] = words[u(i)]
        expand(nodes, 0, 0, board, t, prior, view, w, MAX_MOVES)
    for _ in range(simulations):
        if atomic_load(w.control):
            return
        for i in range(WORDS):
            words[u(WORDS + i)] = words[u(i)]
        leaf = descend(nodes, board, t, prior, view, w)
        if nodes[leaf].count == 0:
            judge(board, w)
        else:
            guess(board, net, view, w)
        back_up(nodes, w)
        w.simulations += 1
