"""One iteration of the search over the root moves."""

from numba import types

from engine.alphabeta import INFINITE, NO_EVAL, keep_line
from engine.bits import u
from engine.games.chess.attacks import Tables
from engine.games.chess.make import take_back
from engine.games.chess.network import judge
from engine.games.chess.node import descend, in_check
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.ordering import Work, is_quiet, worth_of
from engine.games.chess.pruning import root_reduction
from engine.games.chess.search import search
from engine.games.chess.work import GAME_KEYS, WORK_T
from engine.jit import kernel
from engine.table import EXACT, LOWER, UPPER, record

I64 = types.int64


@kernel(I64(WORK_T, TABLES_T, STATE_T, I64, I64, I64, I64))
def search_root(
    w: Work, t: Tables, pos: State, alpha: int, beta: int, depth: int, first: int
) -> int:
    """One iteration over the root moves from index `first` on; the best comes to `first` and the
    line to `pv`. If the search is stopped, the best of the moves that were finished does."""
    w.root_depth = depth
    w.window = max(beta - alpha, 1)
    w.line[0] = 1
    w.cutoffs[2] = 0
    w.pv_length[0] = 0
    w.evals[0] = NO_EVAL
    if not in_check(t, pos):
        w.evals[0] = judge(w.sight, t, pos)
    w.keys[u(w.root_key)] = pos.key
    w.since[0] = GAME_KEYS
    hunt = pos.them & (pos.them - 1) == 0
    old_alpha = alpha
    best = -INFINITE
    for i in range(first, w.root_count):
        move = int(w.root_moves[u(i)])
        before = w.nodes
        quiet = is_quiet(pos, move)
        w.number[0] = i - first + 1
        w.worth[0] = worth_of(w, pos, move, 0) if quiet else 0
        descend(w, t, pos, move, 0)
        score = 0
        full = i == first
        if not full:
            reduction = 0
            if depth >= 2 and quiet and i > first + 1:
                reduction = root_reduction(w, depth, i - first, beta - alpha, hunt)
            score = -search(w, t, pos, -alpha - 1, -alpha, depth - 1 - reduction, 1, 1)
            if reduction and score > alpha:
                score = -search(w, t, pos, -alpha - 1, -alpha, depth - 1, 1, 1)
            full = score > alpha
        if full and not w.stopped:
            score = -search(w, t, pos, -beta, -alpha, depth - 1, 1, 0)
        take_back(pos, w.undo[0])
        if w.stopped:
            break
        w.root_nodes[u(i)] += w.nodes - before
        if score > best:
            best = score
            if score > alpha or i == first:
                alpha = max(alpha, score)
                keep_line(w, 0, move)
                spent = w.root_nodes[u(i)]
                for j in range(i, first, -1):
                    w.root_moves[u(j)] = w.root_moves[u(j - 1)]
                    w.root_nodes[u(j)] = w.root_nodes[u(j - 1)]
                w.root_moves[u(first)] = move
                w.root_nodes[u(first)] = spent
            if score >= beta:
                break
    if not w.stopped:
        bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
        record(
            w.table, w.buckets, pos.key, w.generation, int(w.root_moves[u(first)]),
            best, w.evals[0], depth, bound, 1,
        )  # fmt: skip
    return best
