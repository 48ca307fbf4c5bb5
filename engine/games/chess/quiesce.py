"""The search below the horizon: captures and promotions are played out, checks answered."""

from numba import types

from engine.alphabeta import (
    INFINITE,
    MATE,
    MATED_SOON,
    MAX_PLY,
    NO_EVAL,
    from_table,
    keep_line,
    poll,
    to_table,
)
from engine.bits import u
from engine.games.chess.attacks import Tables
from engine.games.chess.evaluation import rough
from engine.games.chess.generation import generate_at
from engine.games.chess.make import take_back
from engine.games.chess.network import judge
from engine.games.chess.node import LAZY, descend, fetch_ahead, in_check, is_draw
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.ordering import (
    FIRST,
    Work,
    is_quiet,
    pick,
    score_moves,
    score_quiets,
)
from engine.games.chess.see import see_at_least, value
from engine.games.chess.state import EN_PASSANT, PROMOTE_KNIGHT, PROMOTE_QUEEN
from engine.games.chess.work import WORK_T
from engine.jit import kernel
from engine.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    eval_of,
    move_of,
    on_line,
    probe,
    record,
    score_of,
)

I64 = types.int64


@kernel(I64(WORK_T, TABLES_T, STATE_T, I64, I64, I64))
def quiesce(w: Work, t: Tables, pos: State, alpha: int, beta: int, ply: int) -> int:
    """Value once captures and promotions have been played out; in check every move counts."""
    poll(w)
    if w.stopped:
        return 0
    w.seldepth = max(w.seldepth, ply)
    w.pv_length[u(ply)] = 0
    exact_wanted = beta - alpha > 1
    checked = in_check(t, pos)
    base = ply << 8
    if pos.halfmove >= 100 and checked and generate_at(w, t, pos, ply, -1) == base:
        return -MATE + ply
    if is_draw(w, pos, ply):
        return 0
    data = probe(w.table, w.buckets, pos.key)
    if data and not exact_wanted:
        score = from_table(score_of(data), ply)
        bound = bound_of(data)
        if bound == EXACT or bound == (LOWER if score >= beta else UPPER):
            return score
    best = -INFINITE
    static = NO_EVAL
    wanted = -1
    if not checked:
        static = eval_of(data) if data else NO_EVAL
        if static == NO_EVAL:
            if not exact_wanted and rough(pos) - LAZY >= beta:
                return beta
            static = judge(w.sight, t, pos)
        best = static
        if data and abs(score_of(data)) < MATED_SOON:
            bound = bound_of(data)
            if bound == EXACT or bound == (LOWER if score_of(data) > static else UPPER):
                best = score_of(data)
        if best >= beta or ply >= MAX_PLY - 2:
            return best
        alpha = max(alpha, best)
        wanted = pos.them
    elif ply >= MAX_PLY - 2:
        return 0
    end = generate_at(w, t, pos, ply, wanted)
    if checked and end == base:
        return -MATE + ply
    score_moves(w, pos, base, end, move_of(data))
    if checked:
        score_quiets(w, pos, base, end, ply)
    hope = static + w.margins.quiesce
    best_move = 0
    old_alpha = alpha
    number = 0
    evasions = 0
    for i in range(base, end):
        move = pick(w, i, end)
        if not checked:
            kind = move >> 12
            if kind < PROMOTE_KNIGHT:
                victim = int(pos.board[u((move >> 6) & 63)])
                gain = value(victim) if kind != EN_PASSANT else 100
                if number > 2:
                    break
                if hope + gain <= alpha:
                    best = max(best, hope + gain)
                    continue
                if hope <= alpha and see_at_least(t, pos, move, 1) == 0:
                    best = max(best, hope)
                    continue
            elif kind < PROMOTE_QUEEN and w.scores[u(i)] < FIRST:
                break
            if see_at_least(t, pos, move, 0) == 0:
                continue
        elif best > -MATED_SOON:
            if is_quiet(pos, move):
                evasions += 1
                if evasions > 2:
                    break
            elif see_at_least(t, pos, move, 0) == 0:
                continue
        number += 1
        fetch_ahead(w, t, pos, move)
        descend(w, t, pos, move, ply)
        score = -quiesce(w, t, pos, -beta, -alpha, ply + 1)
        take_back(pos, w.undo[u(ply)])
        if w.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if exact_wanted:
                    keep_line(w, ply, move)
                if score >= beta:
                    break
    bound = LOWER if best >= beta else EXACT if exact_wanted and best > old_alpha else UPPER
    record(
        w.table,
        w.buckets,
        pos.key,
        w.generation,
        best_move,
        to_table(best, ply),
        static,
        0,
        bound,
        int(exact_wanted or (data != 0 and on_line(data))),
    )
    return best
