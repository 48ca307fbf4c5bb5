"""Alpha-beta search of one thread: principal variation search with a transposition table.

Scores are hundredths of a pawn for the side to move. Once `work.stopped` is set everything
unwinds and the scores mean nothing; what the root had finished by then stays valid.
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
from engine.games.chess.attacks import Tables
from engine.games.chess.evaluation import rough
from engine.games.chess.generation import generate_at
from engine.games.chess.make import pass_turn, take_back, unpass_turn
from engine.games.chess.network import judge
from engine.games.chess.node import LAZY, descend, fetch_ahead, in_check, is_draw
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.ordering import (
    FIRST,
    Work,
    bring_first,
    drop_quiets,
    is_quiet,
    pick,
    reward,
    score_moves,
    score_quiets,
)
from engine.games.chess.pruning import (
    check_squares,
    checks_directly,
    loses_material,
    reduction_of,
    too_late,
)
from engine.games.chess.quiesce import quiesce
from engine.games.chess.work import WORK_T
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


@kernel(I64(WORK_T, TABLES_T, STATE_T, I64, I64, I64, I64, I64))
def search(
    w: Work, t: Tables, pos: State, alpha: int, beta: int, depth: int, ply: int, cut: int
) -> int:
    """Value of the position to `depth` plies. `cut` is 1 where a fail-high is expected.

    A long function: Numba cannot cache functions that call each other in a circle, so everything
    that searches deeper stands here.
    """
    checked = in_check(t, pos)
    if checked:
        depth = max(depth, 0) + 1
    if depth <= 0:
        return quiesce(w, t, pos, alpha, beta, ply)
    poll(w)
    if w.stopped:
        return 0
    w.seldepth = max(w.seldepth, ply)
    w.pv_length[u(ply)] = 0
    pv_node = beta - alpha > 1
    base = ply << 8
    if pos.halfmove >= 100 and checked and generate_at(w, t, pos, ply, -1) == base:
        return -MATE + ply
    if is_draw(w, pos, ply):
        return 0
    if ply >= MAX_PLY - 2:
        return 0 if checked else judge(w.sight, t, pos)
    alpha = max(alpha, -MATE + ply)
    beta = min(beta, MATE - ply - 1)
    if alpha >= beta:
        return alpha

    excluded = w.excluded[u(ply)]
    data = 0 if excluded else probe(w.table, w.buckets, pos.key)
    table_move = move_of(data)
    table_score = from_table(score_of(data), ply)
    bound = bound_of(data)
    if data and not pv_node and depth_of(data) >= depth and pos.halfmove < 90:
        if bound == EXACT or bound == (LOWER if table_score >= beta else UPPER):
            return table_score

    if depth <= 3 and not pv_node and not checked and not excluded and data == 0:
        # So much ahead that the full evaluation could not change what follows from it.
        if rough(pos) - LAZY - 75 * depth >= beta and abs(beta) < MATED_SOON:
            return beta

    static = NO_EVAL
    improving = 0
    if not checked:
        if excluded:
            static = w.evals[u(ply)]
        elif data and eval_of(data) != NO_EVAL:
            static = eval_of(data)
        else:
            static = judge(w.sight, t, pos)
        if ply >= 2:
            improving = int(static > w.evals[u(ply - 2)])
    w.evals[u(ply)] = static
    w.killers[u(2 * ply + 4)] = 0
    w.killers[u(2 * ply + 5)] = 0
    estimate = static
    if data and not checked:
        if bound == EXACT or bound == (LOWER if table_score > static else UPPER):
            estimate = table_score

    if not pv_node and not checked and not excluded:
        # Far above beta with little depth left: the opponent will not get there.
        if depth <= 8 and estimate - 75 * (depth - improving) >= beta and abs(beta) < MATED_SOON:
            return estimate
        # Far below alpha: only captures can help.
        if depth <= 3 and estimate + 220 * depth < alpha:
            score = quiesce(w, t, pos, alpha, alpha + 1, ply)
            if score <= alpha:
                return score
        # Null move: if passing is good enough, so is some move; zugzwang needs pieces gone.
        if (
            depth >= 3
            and estimate >= beta
            and static >= beta - 20 * depth + 100
            and ply >= w.null_from
            and w.path[u(ply + 1)] != 0
            and pos.us & ~pos.pawns & (pos.knights | pos.diagonals | pos.lines)
        ):
            reduced = depth - 4 - depth // 4 - min((estimate - beta) // 180, 3)
            w.path[u(ply + 2)] = 0
            pass_turn(pos, t, w.undo[u(ply)])
            w.keys[u(w.root_key + ply + 1)] = pos.key
            score = -search(w, t, pos, -beta, -beta + 1, reduced, ply + 1, 1 - cut)
            unpass_turn(pos, w.undo[u(ply)])
            if w.stopped:
                return 0
            if score >= beta:
                if score > MATED_SOON:
                    score = beta
                if depth < 12:
                    return score
                # Deep down, make sure that it is no zugzwang.
                before = w.null_from
                w.null_from = ply + 3 * max(reduced, 1) // 4
                checked_score = search(w, t, pos, beta - 1, beta, reduced, ply, 0)
                w.null_from = before
                if w.stopped:
                    return 0
                if checked_score >= beta:
                    return score
    if table_move == 0 and depth >= 4 and (pv_node or cut) and not excluded:
        depth -= 1

    # Hopeless without a capture: then captures are all that is generated.
    limit = static + 90 + 80 * depth
    futile = not checked and not pv_node and not excluded and depth <= 6
    # Above the score of a mate only a shorter mate helps, and quiet moves mate as well.
    futile = futile and limit <= alpha < MATED_SOON
    if futile and table_move and is_quiet(pos, table_move):
        futile = False
    end = generate_at(w, t, pos, ply, pos.them if futile else -1)
    if end == base:
        return -MATE + ply if checked else limit if futile else 0
    # The table's move comes first and often settles the matter: the rest is put in order when it
    # is needed.
    table_first = bring_first(w, base, end, table_move)
    if not table_first:
        score_moves(w, t, pos, base, end, 0)
    squares = check_squares(t, pos)
    best = limit if futile else -INFINITE
    best_move = 0
    old_alpha = alpha
    number = 0
    quiets_scored = False
    i = base - 1
    while i + 1 < end:
        i += 1
        if table_first and i == base:
            move = table_move
            order = FIRST
        else:
            if table_first and i == base + 1:
                score_moves(w, t, pos, i, end, 0)
            move = pick(w, i, end)
            order = int(w.scores[u(i)])
            if order == 0 and not quiets_scored:
                quiets_scored = True
                score_quiets(w, pos, i, end, ply)
                move = pick(w, i, end)
                order = int(w.scores[u(i)])
        if move == excluded:
            continue
        fetch_ahead(w, t, pos, move)
        number += 1
        quiet = is_quiet(pos, move)
        direct_check = checks_directly(squares, move)
        if number > 1 and depth <= 8 and best > -MATED_SOON and not direct_check:
            if quiet:
                hopeless = not checked and static + 90 + 80 * depth <= alpha < MATED_SOON
                if too_late(order, depth, number, hopeless, improving):
                    end = drop_quiets(w, i + 1, end)
                    continue
            if loses_material(t, pos, move, order, quiet, depth):
                continue
        extension = 0
        if (
            order == FIRST
            and depth >= 8
            and ply < 2 * w.root_depth
            and not excluded
            and bound != UPPER
            and depth_of(data) >= depth - 3
            and abs(table_score) < MATED_SOON
        ):
            # Is the table's move the only good one? Then look deeper after it.
            edge = table_score - 2 * depth
            w.excluded[u(ply)] = move
            score = search(w, t, pos, edge - 1, edge, (depth - 1) // 2, ply, cut)
            w.excluded[u(ply)] = 0
            if w.stopped:
                return 0
            if score < edge:
                extension = 1
            elif edge >= beta:
                return edge
            # The search at this ply has used the ply's moves; lay them out again.
            end = generate_at(w, t, pos, ply, -1)
            bring_first(w, base, end, table_move)
        descend(w, t, pos, move, ply)
        new_depth = depth - 1 + extension
        score = 0
        full = number == 1
        if not full:
            reduction = reduction_of(
                w, order, quiet, direct_check, depth, number, pv_node, cut, improving
            )
            reduction = min(reduction, max(new_depth - 1, 0))
            score = -search(w, t, pos, -alpha - 1, -alpha, new_depth - reduction, ply + 1, 1)
            if reduction > 0 and score > alpha:
                score = -search(w, t, pos, -alpha - 1, -alpha, new_depth, ply + 1, 1 - cut)
            full = pv_node and score > alpha
        if full:
            score = -search(w, t, pos, -beta, -alpha, new_depth, ply + 1, 0 if pv_node else 1 - cut)
        take_back(pos, w.undo[u(ply)])
        if w.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if pv_node:
                    keep_line(w, ply, move)
                if score >= beta:
                    reward(w, pos, move, base, i, depth, ply)
                    break
    if number == 0:
        return alpha if excluded else best
    if not excluded:
        bound = LOWER if best >= beta else EXACT if pv_node and best > old_alpha else UPPER
        record(
            w.table, w.buckets, pos.key, w.generation, best_move,
            to_table(best, ply), static, depth, bound,
        )  # fmt: skip
    return best
