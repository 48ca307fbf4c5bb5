"""Alpha-beta search of one thread: principal variation search with a transposition table.

`search` looks at a position to a depth, `quiesce` settles captures below it, `search_root` does
one iteration over the root moves. Scores are hundredths of a pawn for the side to move. Once
`work.stopped` is set everything unwinds and the scores mean nothing; what the root had finished
by then stays valid.
"""

from numba import types

from engine.bits import atomic_load, popcount, prefetch, u
from engine.games.chess.attacks import Tables, bishop_attacks, rook_attacks
from engine.games.chess.evaluate import evaluate, rough
from engine.games.chess.make import (
    load_boards,
    pass_turn,
    play,
    take_back,
    unpass_turn,
)
from engine.games.chess.movegen import attackers
from engine.games.chess.numba_types import STATE_T, TABLES_T, State
from engine.games.chess.ordering import (
    FIRST,
    GOOD_CAPTURE,
    KILLER,
    Work,
    bring_first,
    drop_quiets,
    generate_at,
    is_quiet,
    pick,
    piece_to,
    reward,
    score_moves,
    score_quiets,
)
from engine.games.chess.see import see_at_least, value
from engine.games.chess.state import EN_PASSANT, PROMOTE_KNIGHT
from engine.games.chess.work import (
    INFINITE,
    MATE,
    MATED_SOON,
    MAX_PLY,
    NO_EVAL,
    WORK_T,
)
from engine.jit import inline, kernel
from engine.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    bucket_of,
    depth_of,
    eval_of,
    move_of,
    probe,
    record,
    score_of,
)

I64 = types.int64

LAZY = 350
"""The terms of a position hardly ever make up for so much material; near the leaves the search then
does without them."""


@inline
def in_check(t: Tables, pos: State) -> bool:
    return attackers(pos.turn, t, load_boards(pos)) != 0


@inline
def poll(w: Work) -> None:
    """Count a node; every 1024 of them look whether the search must end."""
    w.nodes += 1
    if w.node_limit and w.nodes >= w.node_limit:
        w.stopped = 1
    if w.nodes & 1023 == 0 and atomic_load(w.control):
        w.stopped = 1


@inline
def is_draw(w: Work, pos: State, ply: int) -> bool:
    """Fifty moves, repetition or dead position. One repetition inside the search is enough: what
    was good enough once will be again. Of positions of the game it takes two, as the rule says."""
    if pos.halfmove >= 100:
        return True
    i = w.root_key + ply
    seen = 0
    back = 4
    while back <= pos.halfmove and back <= i:
        if w.keys[u(i - back)] == pos.key:
            if back < ply:
                return True
            seen += 1
            if seen == 2:
                return True
        back += 2
    if pos.pawns | pos.lines:
        return False
    return popcount(pos.us | pos.them) <= 3


@inline
def to_table(score: int, ply: int) -> int:
    """Mates are stored as seen from the position, not from the root."""
    if score > MATED_SOON:
        return score + ply
    if score < -MATED_SOON:
        return score - ply
    return score


@inline
def from_table(score: int, ply: int) -> int:
    if score > MATED_SOON:
        return score - ply
    if score < -MATED_SOON:
        return score + ply
    return score


@inline
def keep_line(w: Work, ply: int, move: int) -> None:
    """The line of this ply is the move and the line of the next ply."""
    at = ply * MAX_PLY
    w.pv[u(at)] = move
    length = w.pv_length[u(ply + 1)]
    for i in range(length):
        w.pv[u(at + 1 + i)] = w.pv[u(at + MAX_PLY + i)]
    w.pv_length[u(ply)] = length + 1


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
    w.path[u(ply + 2)] = piece_to(pos, move)
    play(pos, t, move, w.undo[u(ply)])
    w.keys[u(w.root_key + ply + 1)] = pos.key


@kernel(I64(WORK_T, TABLES_T, STATE_T, I64, I64, I64))
def quiesce(w: Work, t: Tables, pos: State, alpha: int, beta: int, ply: int) -> int:
    """Value once captures and promotions have been played out; in check every move counts."""
    poll(w)
    if w.stopped:
        return 0
    w.seldepth = max(w.seldepth, ply)
    w.pv_length[u(ply)] = 0
    if is_draw(w, pos, ply):
        return 0
    exact_wanted = beta - alpha > 1
    data = probe(w.table, w.buckets, pos.key)
    if data and not exact_wanted:
        score = from_table(score_of(data), ply)
        bound = bound_of(data)
        if bound == EXACT or bound == (LOWER if score >= beta else UPPER):
            return score
    checked = in_check(t, pos)
    best = -INFINITE
    static = NO_EVAL
    wanted = -1
    if not checked:
        static = eval_of(data) if data else NO_EVAL
        if static == NO_EVAL:
            if not exact_wanted and rough(pos) - LAZY >= beta:
                return beta
            static = evaluate(pos, t, w.cache)
        best = static
        if best >= beta or ply >= MAX_PLY - 2:
            return best
        alpha = max(alpha, best)
        wanted = pos.them
    elif ply >= MAX_PLY - 2:
        return 0
    base = ply << 8
    end = generate_at(w, t, pos, ply, wanted)
    if checked and end == base:
        return -MATE + ply
    score_moves(w, t, pos, base, end, move_of(data))
    if checked:
        score_quiets(w, pos, base, end, ply)
    best_move = 0
    old_alpha = alpha
    for i in range(base, end):
        move = pick(w, i, end)
        fetch_ahead(w, t, pos, move)
        if not checked:
            if w.scores[u(i)] < GOOD_CAPTURE >> 1:
                break
            kind = move >> 12
            if kind < PROMOTE_KNIGHT:
                victim = int(pos.board[u((move >> 6) & 63)])
                gain = value(victim) if kind != EN_PASSANT else 100
                if static + gain + 180 <= alpha:
                    best = max(best, static + gain + 180)
                    continue
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
        w.table, w.buckets, pos.key, w.generation, best_move, to_table(best, ply), static, 0, bound
    )
    return best


@inline
def check_squares(t: Tables, pos: State) -> tuple[int, int, int, int]:
    """Where our pawns, knights, diagonal and line sliders would give check."""
    occupied = pos.us | pos.them
    king = pos.enemy_king
    return (
        t.pawn[u(((1 - pos.turn) << 6) + king)],
        t.knight[u(king)],
        bishop_attacks(t, king, occupied),
        rook_attacks(t, king, occupied),
    )


@inline
def checks_directly(squares: tuple[int, int, int, int], move: int) -> bool:
    kind = move >> 12
    to = (move >> 6) & 63
    if kind == 0 or kind == 8:
        target = squares[0]
    elif kind == 1:
        target = squares[1]
    elif kind == 2:
        target = squares[2]
    elif kind == 3:
        target = squares[3]
    elif kind == 4:
        target = squares[2] | squares[3]
    else:
        target = 0
    return (target >> to) & 1 != 0


@inline
def too_late(order: int, depth: int, number: int, futile: bool, improving: int) -> bool:
    """Whether a quiet move of a shallow node, and all quiet moves after it, may be left out."""
    if number >= (4 + depth * depth) >> (1 - improving):
        return True
    return order < KILLER and (futile or order < -4000 * depth)


@inline
def loses_material(t: Tables, pos: State, move: int, order: int, quiet: bool, depth: int) -> bool:
    """Whether a move of a shallow node gives up more than its depth can win back."""
    if quiet:
        return see_at_least(t, pos, move, -25 * depth * depth) == 0
    return order < GOOD_CAPTURE >> 1 and see_at_least(t, pos, move, -90 * depth) == 0


@inline
def reduction_of(
    w: Work, order: int, quiet: bool, check: bool, depth: int, number: int,
    pv_node: bool, cut: int, improving: int,
) -> int:  # fmt: skip
    """By how many plies a late move is looked at less deeply at first."""
    if depth < 3 or number <= 1 + 2 * int(pv_node) or (order >= 0 and not quiet):
        return 0
    plies = w.reduction[u((min(depth, 63) << 6) + min(number, 63))] + cut
    plies -= int(pv_node) + int(check) + int(order >= KILLER)
    if quiet:
        plies += 1 - improving
        if order < KILLER:
            plies -= order // 9000
    return max(plies, 0)


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
        return 0 if checked else evaluate(pos, t, w.cache)
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
            static = evaluate(pos, t, w.cache)
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
    futile = not checked and not pv_node and not excluded and depth <= 6 and limit <= alpha
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
                hopeless = not checked and static + 90 + 80 * depth <= alpha
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


@kernel(I64(WORK_T, TABLES_T, STATE_T, I64, I64, I64, I64))
def search_root(
    w: Work, t: Tables, pos: State, alpha: int, beta: int, depth: int, first: int
) -> int:
    """One iteration over the root moves from index `first` on; the best comes to `first` and the
    line to `pv`. If the search is stopped, the best of the moves that were finished does."""
    w.root_depth = depth
    w.pv_length[0] = 0
    w.evals[0] = NO_EVAL
    if not in_check(t, pos):
        w.evals[0] = evaluate(pos, t, w.cache)
    w.keys[u(w.root_key)] = pos.key
    old_alpha = alpha
    best = -INFINITE
    for i in range(first, w.root_count):
        move = int(w.root_moves[u(i)])
        before = w.nodes
        quiet = is_quiet(pos, move)
        descend(w, t, pos, move, 0)
        score = 0
        full = i == first
        if not full:
            reduction = 0
            if depth >= 3 and quiet and i > first + 3:
                reduction = w.reduction[u((min(depth, 63) << 6) + min(i - first, 63))] // 2
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
            best, w.evals[0], depth, bound,
        )  # fmt: skip
    return best
