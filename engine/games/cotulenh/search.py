"""Alpha-beta search of one thread over single actions.

A deployment is several plies of one side, so a score changes its sign only when the side to move
does. A turn that cannot be finished is worth -INFINITE to the side that is in it, which is less
than being mated, and so is never entered. Scores are hundredths of an infantry for the side to
move.
"""

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
from engine.games.cotulenh.danger import attacked
from engine.games.cotulenh.evaluate import evaluate
from engine.games.cotulenh.make import play, take_back
from engine.games.cotulenh.movegen import write_actions
from engine.games.cotulenh.node import is_draw
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, WORK_T, State, Tables, Work
from engine.games.cotulenh.ordering import KILLER, Thread, pick, reward, score_actions, tag
from engine.games.cotulenh.quiesce import quiesce
from engine.games.cotulenh.state import MAX_ACTIONS, NOWHERE
from engine.games.cotulenh.thread import THREAD_T
from engine.jit import kernel
from engine.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    eval_of,
    move_of,
    probe,
    record,
    score_of,
)

I64 = types.int64


@kernel(I64(THREAD_T, TABLES_T, STATE_T, WORK_T, I64, I64, I64, I64, I64))
def search(
    s: Thread, t: Tables, pos: State, work: Work, alpha: int, beta: int, depth: int, ply: int,
    may_pass: int,
) -> int:  # fmt: skip
    """Value of the position to `depth` actions; -INFINITE if the open turn cannot be finished."""
    side = pos.turn
    starts = pos.origin == NOWHERE
    checked = False
    if starts:
        king = pos.commander[u(side)]
        if king == NOWHERE:
            return -MATE + ply
        checked = attacked(pos, t, king, 1 - side) != 0
        if checked and ply < 2 * s.root_depth:
            depth = max(depth, 0) + 1
    if depth <= 0:
        return quiesce(s, t, pos, work, alpha, beta, ply)
    poll(s)
    if s.stopped:
        return 0
    s.seldepth = max(s.seldepth, ply)
    s.pv_length[u(ply)] = 0
    if starts and is_draw(s, pos, ply):
        return 0
    if ply >= MAX_PLY - 4:
        return evaluate(pos, t)
    pv_node = beta - alpha > 1
    data = probe(s.table, s.buckets, pos.key)
    table_score = from_table(score_of(data), ply)
    bound = bound_of(data)
    if data and not pv_node and depth_of(data) >= depth:
        if bound == EXACT or bound == (LOWER if table_score >= beta else UPPER):
            return table_score
    static = NO_EVAL
    if starts and not checked:
        static = eval_of(data) if data else NO_EVAL
        if static == NO_EVAL:
            static = evaluate(pos, t)
        if not pv_node and abs(beta) < MATED_SOON:
            if depth <= 5 and static - 110 * depth >= beta:
                return static
            if depth >= 3 and may_pass and static >= beta:
                # If even passing is good enough, some action is.
                pos.turn ^= 1
                pos.key ^= t.zobrist_blue
                pos.halfmove += 1
                s.keys[u(s.root_key + ply + 1)] = pos.key
                score = -search(
                    s, t, pos, work, -beta, -beta + 1, depth - 3 - depth // 4, ply + 1, 0
                )
                pos.turn ^= 1
                pos.key ^= t.zobrist_blue
                pos.halfmove -= 1
                if s.stopped:
                    return 0
                if score >= beta:
                    return beta if score > MATED_SOON else score
    first = (ply + 1) * MAX_ACTIONS
    end = write_actions(pos, t, work, first)
    score_actions(s, pos, t, work, first, end, move_of(data), ply)
    best = -INFINITE
    best_action = 0
    old_alpha = alpha
    number = 0
    for i in range(first, end):
        action = pick(s, work, i, end)
        order = int(s.scores[u(i)])
        quiet = order < KILLER >> 1
        if quiet and not pv_node and number > 0 and best > -MATED_SOON and starts and not checked:
            if depth <= 2 and static + 120 * depth <= alpha:
                continue
            if depth <= 3 and number > 8 + 8 * depth * depth:
                continue
        play(pos, t, action, s.undo[u(ply)], work)
        s.keys[u(s.root_key + ply + 1)] = pos.key
        number += 1
        same = pos.turn == side
        new_depth = depth - 1
        reduction = 0
        if number > 3 and depth >= 3 and quiet and not checked:
            reduction = 1 + (number > 12) + (number > 30 and depth >= 5)
            if pv_node:
                reduction -= 1
        score = 0
        full = number == 1
        if not full:
            reduced = new_depth - reduction
            if same:
                score = search(s, t, pos, work, alpha, alpha + 1, reduced, ply + 1, 1)
                if reduction and score > alpha:
                    score = search(s, t, pos, work, alpha, alpha + 1, new_depth, ply + 1, 1)
            else:
                score = -search(s, t, pos, work, -alpha - 1, -alpha, reduced, ply + 1, 1)
                if reduction and score > alpha:
                    score = -search(s, t, pos, work, -alpha - 1, -alpha, new_depth, ply + 1, 1)
            full = pv_node and score > alpha and not s.stopped
        if full:
            if same:
                score = search(s, t, pos, work, alpha, beta, new_depth, ply + 1, 1)
            else:
                score = -search(s, t, pos, work, -beta, -alpha, new_depth, ply + 1, 1)
        take_back(pos, t, s.undo[u(ply)])
        if s.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_action = action
                if pv_node:
                    keep_line(s, ply, action)
                if score >= beta:
                    reward(s, pos, t, work, first, i, depth, ply)
                    break
    if best == -INFINITE:
        if starts:
            return -MATE + ply if checked else 0
        return best
    bound = LOWER if best >= beta else EXACT if pv_node and best > old_alpha else UPPER
    record(
        s.table, s.buckets, pos.key, s.generation, tag(best_action) if best_action else 0,
        to_table(best, ply), static, depth, bound, 0,
    )  # fmt: skip
    return best
