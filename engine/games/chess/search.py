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
    adjust_history,
    adjust_previous,
    bonus_of,
    bring_first,
    drop_quiets,
    is_quiet,
    learn_from_table,
    next_move,
    pick,
    reward,
    score_moves,
    score_quiets,
    worth_of,
)
from engine.games.chess.pruning import (
    adjusted,
    base_reduction,
    check_squares,
    checks_directly,
    enough,
    hopeless,
    may_pass,
)
from engine.games.chess.quiesce import quiesce
from engine.games.chess.see import see_at_least
from engine.games.chess.work import BEFORE, WORK_T
from engine.jit import kernel
from engine.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    eval_of,
    move_of,
    on_line,
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
    if depth <= 0:
        return quiesce(w, t, pos, alpha, beta, ply)
    poll(w)
    if w.stopped:
        return 0
    w.seldepth = max(w.seldepth, ply)
    w.pv_length[u(ply)] = 0
    checked = in_check(t, pos)
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

    m = w.margins
    excluded = w.excluded[u(ply)]
    w.cutoffs[u(ply + 2)] = 0
    w.worth[u(ply)] = 0
    w.number[u(ply)] = 0
    data = 0 if excluded else probe(w.table, w.buckets, pos.key)
    table_move = move_of(data)
    table_score = from_table(score_of(data), ply)
    bound = bound_of(data)
    if not excluded:
        w.line[u(ply)] = int(pv_node or (data != 0 and on_line(data)))
    line = w.line[u(ply)] != 0
    before_quiet = w.quiet[u(ply - 1)] != 0
    if data and not pv_node and depth_of(data) > depth - int(bound == EXACT):
        if bound == EXACT or bound == (LOWER if table_score >= beta else UPPER):
            learn_from_table(w, pos, table_move, int(table_score >= beta), depth, ply)
            if pos.halfmove < 90:
                return table_score

    if depth <= 3 and not pv_node and not checked and not excluded and data == 0:
        # So much ahead that the full evaluation could not change what follows from it.
        if rough(pos) - LAZY - 75 * depth >= beta and abs(beta) < MATED_SOON:
            return beta

    static = NO_EVAL
    improving = 0
    gain = 0
    if not checked:
        if excluded:
            static = w.evals[u(ply)]
        elif data and eval_of(data) != NO_EVAL:
            static = eval_of(data)
        else:
            static = judge(w.sight, t, pos)
        gain = 50
        if ply >= 2 and w.evals[u(ply - 2)] != NO_EVAL:
            gain = static - w.evals[u(ply - 2)]
        elif ply >= 4 and w.evals[u(ply - 4)] != NO_EVAL:
            gain = static - w.evals[u(ply - 4)]
        improving = int(gain > 0)
        if before_quiet and not excluded and w.evals[u(ply - 1)] != NO_EVAL:
            # A move after which the judgement has changed for the better is a good one elsewhere.
            change = min(max(-m.change * (static + w.evals[u(ply - 1)]), -3200), 3200)
            adjust_history(w, 1 - pos.turn, int(w.moved[u(ply - 1)]), change)
    w.evals[u(ply)] = static
    w.killers[u(2 * ply + 4)] = 0
    w.killers[u(2 * ply + 5)] = 0
    estimate = static
    if data and not checked:
        if bound == EXACT or bound == (LOWER if table_score > static else UPPER):
            estimate = table_score

    if not pv_node and not checked and not excluded:
        # Far below alpha: only captures can help, unless a mate is wanted.
        if estimate < alpha - m.razor - m.razor_depth * depth * depth and alpha < MATED_SOON:
            score = quiesce(w, t, pos, alpha - 1, alpha, ply)
            if score < alpha:
                return score
        # Far above beta with little depth left: the opponent will not get there.
        if not line and depth <= 8 and abs(beta) < MATED_SOON:
            margin = m.ahead * (depth - improving) + w.worth[u(ply - 1)] // m.ahead_worth
            if estimate - max(margin, 0) >= beta:
                return estimate
        # Null move: if passing is good enough, so is some move; zugzwang needs pieces gone.
        if (
            depth >= 2
            and estimate >= beta
            and estimate >= static
            and static >= beta - m.pass_depth * depth - gain // 13 + m.pass_base
            and may_pass(w, pos, ply)
        ):
            reduced = depth - (m.pass_plies + m.pass_slope * depth >> 10)
            reduced -= min((estimate - beta) // m.pass_excess, 6)
            w.path[u(ply + BEFORE)] = 0
            w.quiet[u(ply)] = 0
            w.since[u(ply + 1)] = 0
            pass_turn(pos, t, w.undo[u(ply)])
            w.keys[u(w.root_key + ply + 1)] = pos.key
            score = -search(w, t, pos, -beta, -beta + 1, reduced, ply + 1, 1 - cut)
            unpass_turn(pos, w.undo[u(ply)])
            if w.stopped:
                return 0
            if score >= beta:
                if score > MATED_SOON:
                    score = beta
                if depth < 14:
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
        # A capture that wins so much that a shallow search says enough.
        goal = beta + m.probcut - 20 * improving
        if (
            depth >= 5
            and abs(beta) < MATED_SOON
            and not (data and depth_of(data) >= depth - 3 and table_score < goal)
        ):
            end = generate_at(w, t, pos, ply, pos.them)
            score_moves(w, pos, base, end, table_move)
            for i in range(base, end):
                move = pick(w, i, end)
                if see_at_least(t, pos, move, goal - static) == 0:
                    continue
                fetch_ahead(w, t, pos, move)
                w.number[u(ply)] = 1 + i - base
                w.worth[u(ply)] = 0
                descend(w, t, pos, move, ply)
                score = -quiesce(w, t, pos, -goal, -goal + 1, ply + 1)
                if score >= goal:
                    score = -search(w, t, pos, -goal, -goal + 1, depth - 4, ply + 1, 1 - cut)
                take_back(pos, w.undo[u(ply)])
                if w.stopped:
                    return 0
                if score >= goal:
                    record(
                        w.table, w.buckets, pos.key, w.generation, move,
                        to_table(score, ply), static, depth - 3, LOWER, int(line),
                    )  # fmt: skip
                    return score
    # Without a move of the table to begin with, a shallower search finds one for the next time.
    if table_move == 0 and not checked and not excluded and depth >= (3 if pv_node else 8):
        depth -= 2 * int(pv_node or cut)

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
        score_moves(w, pos, base, end, 0)
    table_takes = table_first and not is_quiet(pos, table_move)
    low = pv_node and table_move != 0 and bound == UPPER and depth_of(data) >= depth
    squares = check_squares(t, pos)
    best = limit if futile else -INFINITE
    best_move = 0
    old_alpha = alpha
    number = 0
    singular = False
    quiets_scored = False
    i = base - 1
    while i + 1 < end:
        i += 1
        if table_first and i == base:
            move = table_move
            order = FIRST
        else:
            if table_first and i == base + 1:
                score_moves(w, pos, i, end, 0)
            move = next_move(w, t, pos, i, end)
            order = int(w.scores[u(i)])
            if order == 0 and not quiets_scored:
                quiets_scored = True
                score_quiets(w, pos, i, end, ply)
                move = next_move(w, t, pos, i, end)
                order = int(w.scores[u(i)])
        if move == excluded:
            continue
        number += 1
        quiet = is_quiet(pos, move)
        check = checks_directly(squares, move)
        plies = base_reduction(w, depth, number, beta - alpha, improving)
        if number > 1 and best > -MATED_SOON:
            if quiet and number >= enough(w, depth, improving):
                end = drop_quiets(w, i + 1, end)
                w.moves[u(i)] = 0
                continue
            late = max(depth - 1 - (plies >> 10), 0)
            if hopeless(
                w, t, pos, move, ply, static, alpha, late, depth, order, quiet, check, checked
            ):
                w.moves[u(i)] = 0
                continue
        fetch_ahead(w, t, pos, move)
        extension = 0
        if ply < 2 * w.root_depth:
            if (
                order == FIRST
                and depth >= 5 + 2 * int(pv_node)
                and not excluded
                and bound != UPPER
                and depth_of(data) >= depth - 3
                and abs(table_score) < MATED_SOON
            ):
                # Is the table's move the only good one? Then look deeper after it.
                edge = m.singular + m.singular_line * int(line and not pv_node)
                edge = table_score - (edge * depth >> 4)
                w.excluded[u(ply)] = move
                score = search(w, t, pos, edge - 1, edge, (depth - 1) // 2, ply, cut)
                w.excluded[u(ply)] = 0
                if w.stopped:
                    return 0
                if score < edge:
                    extension = 1
                    singular = not table_takes
                    if not pv_node and score < edge - m.double and w.doubles[u(ply)] <= 8:
                        extension = 2
                        depth += int(depth < 12)
                elif edge >= beta:
                    return edge
                elif table_score >= beta:
                    extension = -2
                elif table_score <= alpha and table_score <= score:
                    extension = -1
                # The search at this ply has used the ply's moves; lay them out again.
                end = generate_at(w, t, pos, ply, -1)
                bring_first(w, base, end, table_move)
            elif check and depth >= 10 and abs(static) > 25:
                extension = 1
        w.worth[u(ply)] = worth_of(w, pos, move, ply) if quiet else 0
        w.number[u(ply)] = number
        w.doubles[u(ply + 1)] = w.doubles[u(ply)] + int(extension == 2)
        descend(w, t, pos, move, ply)
        new_depth = depth - 1 + extension
        score = 0
        if (
            depth >= 2
            and number > 1 + int(pv_node and ply <= 1)
            and (not line or quiet or (cut and w.number[u(ply - 1)] > 1))
        ):
            plies += adjusted(w, depth, ply, pv_node, cut, line and not low, table_takes, singular)
            less = min(max(new_depth - (plies >> 10), 1), new_depth + 1)
            score = -search(w, t, pos, -alpha - 1, -alpha, less, ply + 1, 1)
            if score > alpha and less < new_depth:
                new_depth += int(score > alpha + m.deeper + 3 * (new_depth - less))
                new_depth -= int(score < best + new_depth // 3)
                if new_depth > less:
                    score = -search(w, t, pos, -alpha - 1, -alpha, new_depth, ply + 1, 1 - cut)
                if quiet and (score <= alpha or score >= beta):
                    bonus = bonus_of(w, new_depth)
                    adjust_previous(w, ply + 1, bonus if score >= beta else -bonus)
        elif not pv_node or number > 1:
            score = -search(w, t, pos, -alpha - 1, -alpha, new_depth, ply + 1, 1 - cut)
        if pv_node and (number == 1 or alpha < score < beta):
            score = -search(w, t, pos, -beta, -alpha, new_depth, ply + 1, 0)
        take_back(pos, w.undo[u(ply)])
        if w.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if pv_node:
                    keep_line(w, ply, move)
                if score >= beta:
                    w.cutoffs[u(ply)] += 1
                    break
                alpha = score
                if 1 < depth < 6:
                    depth -= 1
    if number == 0:
        return alpha if excluded else best
    if best_move:
        reward(w, pos, best_move, base, min(i + 1, end), depth, ply)
    elif before_quiet and (depth >= 5 or pv_node):
        adjust_previous(w, ply, bonus_of(w, depth))
    if best <= old_alpha and depth > 3 and w.line[u(ply - 1)]:
        line = True
    if not excluded:
        bound = LOWER if best >= beta else EXACT if pv_node and best_move else UPPER
        record(
            w.table, w.buckets, pos.key, w.generation, best_move,
            to_table(best, ply), static, depth, bound, int(line),
        )  # fmt: skip
    return best
