"""Games of the chess search against itself, compiled: how a move is found, when a game is over."""

from typing import Any

from numba import types

from engine.alphabeta import INFINITE, MATED_SOON, MAX_PLY
from engine.bits import u
from engine.games.chess.attacks import Tables
from engine.games.chess.generation import generate_at
from engine.games.chess.numba_types import State
from engine.games.chess.ordering import Work
from engine.games.chess.root import search_root
from engine.games.chess.rules import is_dead
from engine.games.chess.work import BEFORE
from engine.jit import helper, inline
from engine.table import GENERATIONS

LONGEST = 400
"""Plies of a game."""
WINDOW = 20

KEYS_T = types.Array(types.int64, 1, "C")
"""The keys of a game, by ply."""


@helper
def think(w: Work, t: Tables, pos: State, nodes: int, most: int) -> int:
    """The score of a search that begins no iteration after `nodes` nodes, and is cut off after
    `most`, 0 for never; its move is `root_moves[0]`. There must be one."""
    w.generation = (w.generation + 1) & (GENERATIONS - 1)
    w.nodes, w.stopped, w.null_from, w.node_limit = 0, 0, 0, most
    for i in range(MAX_PLY):
        w.killers[u(2 * i)] = 0
        w.killers[u(2 * i + 1)] = 0
    w.path[BEFORE - 1] = 1
    end = generate_at(w, t, pos, 0, -1)
    for i in range(end):
        w.root_moves[u(i)] = w.moves[u(i)]
    w.root_count = end
    score = 0
    for depth in range(1, MAX_PLY // 2):
        alpha, beta = -INFINITE, INFINITE
        if depth >= 5 and abs(score) < MATED_SOON:
            alpha, beta = score - WINDOW, score + WINDOW
        found = search_root(w, t, pos, alpha, beta, depth, 0)
        if not alpha < found < beta:
            found = search_root(w, t, pos, -INFINITE, INFINITE, depth, 0)
        if w.stopped:
            break
        score = found
        if w.nodes >= nodes:
            break
    return score


@inline
def is_drawn(pos: State, keys: Any, ply: int) -> bool:
    """By repetition, fifty moves or too few pieces."""
    if pos.halfmove >= 100 or is_dead(pos):
        return True
    seen = 0
    for i in range(ply):
        seen += keys[i] == pos.key
    return seen >= 2
