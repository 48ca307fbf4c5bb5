"""The tree of the search: nodes in one array, the children of a node side by side, the likeliest
first.

Threads share the tree without locks. Each writes new nodes into a part of the array of its own, and
links them in when they are complete; when two give the same node children, one set is lost. Visits
count on the way down and rewards on the way back, so a move that a thread is looking at seems worse
to the others. Now and then an addition is lost, which matters little among thousands.
"""

from typing import Any

import numpy as np
from numba import from_dtype, types

from engine.bits import popcount, publish, shr, u
from engine.games.blokus.movegen import write_moves
from engine.games.blokus.net import View
from engine.games.blokus.prior import UNIT, Prior, classify, logit, weigh
from engine.games.blokus.sketch import Sketch, sweep
from engine.games.blokus.state import COLOURS, MAX_MOVES
from engine.jit import helper, inline, kernel

WHOLE = 1 << 16
"""A won game, in rewards."""
LEAF = -1
DEEPEST = 96
"""Room for the way from the root to a leaf; a game has at most 84 moves."""
GRADES = 256
STEP = 6
"""Moves are sorted by how far their logits are below the highest, in steps of 2**STEP / UNIT."""
LIKELY = np.exp(-np.arange(GRADES) * 2.0**STEP / UNIT)
JITTER = STEP
"""Bits of luck in a logit: enough to put equals in another order for another seed."""

NODE = np.dtype(
    [
        ("value", np.int64),  # sum of rewards of the player who chose the move
        ("gain", np.int64),  # sum of rewards of the player to choose here
        ("move", np.int32),
        ("visits", np.int32),
        ("prior", np.float32),  # share of the move among its siblings
        ("first", np.int32),  # index of the first child
        ("count", np.int32),  # of children; LEAF before they were made, 0 at the end of a game
        ("turn", np.int16),  # colour to move here, and the player who chooses for it
        ("owner", np.int16),
    ],
    align=True,
)

WORK = np.dtype(
    [
        ("random", np.int64),  # state of the generator, never 0
        ("control", np.int64),  # address of the stop flag
        ("players", np.int64),  # 2, 3 or 4
        ("nodes", np.int64),  # where the next new node goes, and where the room for them ends
        ("room", np.int64),
        ("simulations", np.int64),  # made in this search
        ("length", np.int64),  # of `path`
        # What the search is tuned by.
        ("share", np.int64),  # sixteenths of a reward that the points decide
        ("span", np.int64),  # a margin as good as any
        ("ripe", np.int64),  # visits after which a node gets children
        ("wide", np.int64),  # most children below the root
        ("explore", np.float64),
        ("reward", np.int64, (COLOURS,)),
        ("path", np.int32, (DEEPEST,)),
        ("moves", np.int32, (MAX_MOVES,)),
        ("grades", np.int32, (MAX_MOVES,)),
        ("sorted", np.int32, (MAX_MOVES,)),
        ("tally", np.int32, (GRADES + 1,)),
        ("likely", np.float64, (GRADES,)),  # LIKELY
    ],
    align=True,
)

NODE_T = from_dtype(NODE)
NODES_T = types.Array(NODE_T, 1, "C")
WORK_T = from_dtype(WORK)
I64 = types.int64
Work = Any
Nodes = Any


@inline
def owner_of(board: Sketch, w: Work, colour: int) -> int:
    """The player who chooses the next move of a colour."""
    if w.players == 2:
        return colour & 1
    if w.players == 3 and colour == 3:
        return (21 - popcount(board.hand[u(3)])) % 3
    return colour


@inline
def luck(w: Work) -> int:
    """The next random number of 32 bits (xorshift)."""
    x = w.random
    x ^= x << 13
    x ^= shr(x, 7)
    x ^= x << 17
    w.random = x
    return shr(x, 32)


@inline
def list_moves(board: Sketch, t: Any, w: Work) -> int:
    """Go on to the next colour that has a move and write its moves into `w.moves`. Returns their
    number, 0 at the end of the game."""
    everybody = (1 << board.colours) - 1
    while board.stuck != everybody:
        if (board.stuck >> board.turn) & 1 == 0:
            sweep(board, board.turn)
            n = write_moves(board, t, board.turn, w.moves)
            if n:
                return n
            board.stuck |= 1 << board.turn
        board.turn = (board.turn + 1) % board.colours
    return 0


@inline
def sort_moves(board: Sketch, t: Any, prior: Prior, view: View, w: Work, n: int) -> None:
    """Write `w.moves[:n]` into `w.sorted`, the likeliest first; those of grade g end at
    `w.tally[g]`."""
    classify(board, w.players, board.turn, view.rows, view.maps)
    weigh(board, prior, board.turn, view.maps)
    top = -(1 << 40)
    for k in range(n):
        value = logit(board, t, prior, board.turn, int(w.moves[u(k)]), view.maps)
        value += shr(luck(w), 32 - JITTER)
        w.grades[u(k)] = value
        top = max(top, value)
    for g in range(GRADES + 1):
        w.tally[u(g)] = 0
    for k in range(n):
        g = min(GRADES - 1, (top - int(w.grades[u(k)])) >> STEP)
        w.grades[u(k)] = g
        w.tally[u(g + 1)] += 1
    for g in range(GRADES):
        w.tally[u(g + 1)] += w.tally[u(g)]
    for k in range(n):
        g = int(w.grades[u(k)])
        w.sorted[u(w.tally[u(g)])] = w.moves[u(k)]
        w.tally[u(g)] += 1


@helper
def expand(
    nodes: Nodes, node: int, chooser: int, board: Sketch, t: Any, prior: Prior, view: View, w: Work,
    most: int,
) -> None:  # fmt: skip
    """Give a node its children: the legal moves of the next colour that has any, the likeliest
    first. At most `most` of them are kept. Does nothing when there is no room."""
    if w.nodes + most > w.room:
        return
    n = list_moves(board, t, w)
    at = nodes[node]
    at.turn = board.turn
    at.owner = owner_of(board, w, board.turn)
    at.gain = at.value
    if at.owner != chooser:
        before = max(at.visits - 1, 0)
        at.gain = (before * w.players * (WHOLE // 2) - at.value) // (w.players - 1)
    count = min(n, most)
    if n == 0:
        at.count = 0
        return
    sort_moves(board, t, prior, view, w, n)
    total = 0.0
    g = 0
    for k in range(count):
        while k >= w.tally[u(g)]:
            g += 1
        child = nodes[w.nodes + k]
        child.value = 0
        child.gain = 0
        child.move = w.sorted[u(k)]
        child.visits = 0
        child.count = LEAF
        child.prior = w.likely[u(g)]
        total += w.likely[u(g)]
    for k in range(count):
        nodes[w.nodes + k].prior /= total
    publish()
    at.first = w.nodes
    publish()
    at.count = count
    w.nodes += count


@inline
def select(nodes: Nodes, node: int, w: Work) -> int:
    """The child to look at next: high value, high prior, few visits."""
    at = nodes[node]
    visits = max(at.visits - 1, 1)  # without this one
    unknown = 0.5 if at.visits == 1 else at.gain / (visits * WHOLE)
    factor = w.explore * np.sqrt(float(visits))
    best, most = int(at.first), -1e9
    for child in range(at.first, at.first + at.count):
        tried = nodes[child].visits
        if tried == 0:
            # Those behind it have smaller priors and were not tried either.
            value = unknown + factor * nodes[child].prior
            if value > most:
                best = child
            break
        value = nodes[child].value / (tried * WHOLE) + factor * nodes[child].prior / (1 + tried)
        if value > most:
            best, most = child, value
    return best


@inline
def back_up(nodes: Nodes, w: Work) -> None:
    """Give the rewards of one game to the nodes on its path."""
    chooser = 0
    for i in range(w.length):
        at = nodes[int(w.path[u(i)])]
        if i:
            at.value += w.reward[u(chooser)]
        if at.count != LEAF:
            chooser = int(at.owner)
            at.gain += w.reward[u(chooser)]


@kernel(I64(NODES_T, I64, NODES_T, I64))
def transplant(source: Nodes, root: int, target: Nodes, room: int) -> int:
    """Copy the subtree below `root` to the front of another array. Returns its number of nodes."""
    target[0] = source[root]
    used = 1
    done = 0
    while done < used:
        at = target[done]
        if at.count > 0:
            if used + at.count > room:
                at.count = LEAF
            else:
                first = int(at.first)
                at.first = used
                for k in range(at.count):
                    target[used + k] = source[first + k]
                used += at.count
        done += 1
    return used
