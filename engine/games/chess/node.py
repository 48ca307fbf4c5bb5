"""What every node of the search does, above and below the horizon."""

from engine.bits import prefetch, u
from engine.games.chess.attacks import Tables
from engine.games.chess.make import load_boards, play
from engine.games.chess.movegen import attackers
from engine.games.chess.numba_types import State
from engine.games.chess.ordering import Work, is_quiet, piece_to
from engine.games.chess.rules import is_dead
from engine.games.chess.work import BEFORE
from engine.jit import inline
from engine.table import bucket_of

LAZY = 350
"""The terms of a position hardly ever make up for so much material; near the leaves the search then
does without them."""


@inline
def in_check(t: Tables, pos: State) -> bool:
    return attackers(pos.turn, t, load_boards(pos)) != 0


@inline
def is_draw(w: Work, pos: State, ply: int) -> bool:
    """Fifty moves, repetition or dead position. One repetition inside the search is enough: what
    was good enough once will be again. Of positions of the game it takes two, as the rule says.
    Nothing is repeated across a null move: in a game nobody may pass."""
    if pos.halfmove >= 100:
        return True
    i = w.root_key + ply
    seen = 0
    back = 4
    reach = min(pos.halfmove, w.since[u(ply)], i)
    while back <= reach:
        if w.keys[u(i - back)] == pos.key:
            if back < ply:
                return True
            seen += 1
            if seen == 2:
                return True
        back += 2
    return is_dead(pos)


@inline
def fetch_ahead(w: Work, t: Tables, pos: State, move: int) -> None:
    """Ask for the table entry of the position after a move, well before it is read. The key is not
    exact for castling, promotion and en passant; those wait."""
    at = (int(pos.board[u(move & 63)])) << 6
    to = (move >> 6) & 63
    key = pos.key ^ t.zobrist_black ^ t.zobrist[u(at + (move & 63))] ^ t.zobrist[u(at + to)]
    key ^= t.zobrist[u((int(pos.board[u(to)]) << 6) + to)]
    prefetch(bucket_of(w.table, w.buckets, key))


@inline
def descend(w: Work, t: Tables, pos: State, move: int, ply: int) -> None:
    """Play a move of ply `ply`; `path` and `keys` follow."""
    w.path[u(ply + BEFORE)] = piece_to(pos, move)
    w.moved[u(ply)] = move
    w.quiet[u(ply)] = int(is_quiet(pos, move))
    play(pos, t, move, w.undo[u(ply)])
    w.keys[u(w.root_key + ply + 1)] = pos.key
    w.since[u(ply + 1)] = w.since[u(ply)] + 1
