"""Which move to look at first, and what the search learns for it."""

from typing import Any

from numba import types

from engine.bits import u
from engine.games.chess.attacks import Tables
from engine.games.chess.numba_types import STATE_T, State
from engine.games.chess.see import see_at_least, value
from engine.games.chess.state import CASTLE, EN_PASSANT, PROMOTE_KNIGHT, PROMOTE_QUEEN
from engine.games.chess.work import BEFORE, FOLLOW_LIMIT, HISTORY_LIMIT, WORK_T
from engine.jit import inline, kernel
from engine.vectors import first_most

Work = Any
I64 = types.int64

FIRST = 1 << 30
GOOD_CAPTURE = 1 << 28
UNPROVEN = GOOD_CAPTURE - (1 << 24)
"""Captures score more than this until they are found to lose material."""
KILLER = 1 << 27
BAD_CAPTURE = -(1 << 28)


@inline
def is_quiet(pos: State, move: int) -> bool:
    """Neither takes nor promotes."""
    kind = move >> 12
    if kind == CASTLE:
        return True
    if kind == EN_PASSANT or kind >= PROMOTE_KNIGHT:
        return False
    return pos.board[u((move >> 6) & 63)] == 0


@inline
def piece_to(pos: State, move: int) -> int:
    """code * 64 + target square."""
    return (int(pos.board[u(move & 63)]) << 6) + ((move >> 6) & 63)


@inline
def kind_to(pos: State, move: int) -> int:
    """Piece without its colour * 64 + target square, below 512."""
    return ((int(pos.board[u(move & 63)]) & 7) << 6) + ((move >> 6) & 63)


@inline
def follow_score(w: Work, pos: State, move: int, ply: int) -> int:
    """How well a quiet move did after the moves one, two and four plies before."""
    i = kind_to(pos, move)
    score = int(w.follow[u((w.path[u(ply + BEFORE - 1)] << 9) + i)])
    score += int(w.follow[u((w.path[u(ply + BEFORE - 2)] << 9) + i)])
    return score + int(w.follow[u((w.path[u(ply + BEFORE - 4)] << 9) + i)])


@inline
def quiet_score(w: Work, pos: State, move: int, ply: int) -> int:
    """What history says of a quiet move."""
    score = int(w.history[u((pos.turn << 12) + (move & 4095))]) * w.margins.history >> 10
    score += int(w.follow[u((w.path[u(ply + BEFORE - 1)] << 9) + kind_to(pos, move))])
    return score + follow_score(w, pos, move, ply)


@inline
def worth_of(w: Work, pos: State, move: int, ply: int) -> int:
    """What history says of a quiet move that is being made, about 0 for a middling one."""
    told = int(w.history[u((pos.turn << 12) + (move & 4095))])
    return told + follow_score(w, pos, move, ply) - w.margins.middling


@inline
def take_score(w: Work, pos: State, move: int) -> int:
    """What a capture or promotion promises: what it takes, 1600 for a pawn, and its history."""
    kind = move >> 12
    victim = int(pos.board[u((move >> 6) & 63)]) & 7
    if kind == EN_PASSANT:
        victim = 1
    told = int(w.captures[u((piece_to(pos, move) << 3) + victim)])
    score = told * w.margins.capture_history >> 14
    if victim:
        score += 16 * value(victim)
    if kind >= PROMOTE_KNIGHT:
        score += 16 * 800 if kind == PROMOTE_QUEEN else -(1 << 28)
    return score


@kernel(types.void(WORK_T, STATE_T, I64, I64, I64))
def score_moves(w: Work, pos: State, base: int, end: int, table_move: int) -> None:
    """Fill `w.scores` for the moves base..end: captures and promotions get their value, as if none
    lost material, quiet moves 0 until `score_quiets` is asked for, which many nodes never do."""
    for i in range(base, end):
        move = int(w.moves[u(i)])
        score = 0
        if move == table_move:
            score = FIRST
        elif not is_quiet(pos, move):
            score = GOOD_CAPTURE + take_score(w, pos, move)
        w.scores[u(i)] = score


@kernel(types.void(WORK_T, STATE_T, I64, I64, I64))
def score_quiets(w: Work, pos: State, start: int, end: int, ply: int) -> None:
    """Fill `w.scores` for the quiet moves among start..end, which stand at 0."""
    killer = w.killers[u(2 * ply)]
    second = w.killers[u(2 * ply + 1)]
    reply = w.replies[u(w.path[u(ply + BEFORE - 1)])]
    for i in range(start, end):
        if w.scores[u(i)] == 0:
            move = int(w.moves[u(i)])
            if move == killer:
                score = KILLER + 2
            elif move == second:
                score = KILLER + 1
            elif move == reply:
                score = KILLER
            else:
                score = quiet_score(w, pos, move, ply)
            w.scores[u(i)] = score


@inline
def bring_first(w: Work, base: int, end: int, move: int) -> bool:
    """Swap a move to the front of the list; false if it is not there."""
    if move:
        for i in range(base, end):
            if w.moves[u(i)] == move:
                w.moves[u(i)] = w.moves[u(base)]
                w.moves[u(base)] = move
                return True
    return False


@inline
def drop_quiets(w: Work, start: int, end: int) -> int:
    """Keep only the bad captures of the moves start..end; returns the new end."""
    kept = start
    for i in range(start, end):
        if w.scores[u(i)] < BAD_CAPTURE >> 1:
            w.scores[u(kept)] = w.scores[u(i)]
            w.moves[u(kept)] = w.moves[u(i)]
            kept += 1
    return kept


@inline
def pick(w: Work, i: int, end: int) -> int:
    """Bring the best of the moves i..end to index i and return it."""
    best = first_most(w.scores, i, end)
    move = int(w.moves[u(best)])
    score = w.scores[u(best)]
    w.moves[u(best)] = w.moves[u(i)]
    w.scores[u(best)] = w.scores[u(i)]
    w.moves[u(i)] = move
    w.scores[u(i)] = score
    return move


@inline
def next_move(w: Work, t: Tables, pos: State, i: int, end: int) -> int:
    """Like `pick`, but captures that lose material go behind the quiet moves. Whether they do is
    only found out for those whose turn has come."""
    move = pick(w, i, end)
    score = int(w.scores[u(i)])
    while UNPROVEN < score < FIRST and see_at_least(t, pos, move, 0) == 0:
        w.scores[u(i)] = score - GOOD_CAPTURE + BAD_CAPTURE
        move = pick(w, i, end)
        score = int(w.scores[u(i)])
    return move


@inline
def bonus_of(w: Work, depth: int) -> int:
    """How much a move is rewarded for what it did at this depth."""
    return min(w.margins.bonus * depth - 250, w.margins.bonus_most)


@inline
def nudge(old: int, bonus: int, limit: int) -> int:
    """A history value moved towards +- limit, the slower the nearer it is."""
    return old + bonus - old * abs(bonus) // limit


@inline
def adjust_follow(w: Work, move: int, ply: int, bonus: int) -> None:
    """Reward a move made at `ply`, piece and target as in `path`, for what came before it."""
    for back in (1, 2, 4):
        before = w.path[u(ply + BEFORE - back)]
        if before:
            i = u((before << 9) + (move & 511))
            w.follow[i] = nudge(int(w.follow[i]), bonus, FOLLOW_LIMIT)


@inline
def adjust_previous(w: Work, ply: int, bonus: int) -> None:
    """Reward the quiet move that led to `ply`."""
    adjust_follow(w, int(w.path[u(ply + BEFORE - 1)]), ply - 1, bonus)


@inline
def blame_previous(w: Work, ply: int, depth: int) -> None:
    """The position at `ply` turned out well: a quiet move that was among the first to be tried
    should not have led there."""
    if w.quiet[u(ply - 1)] and w.number[u(ply - 1)] <= 2:
        adjust_previous(w, ply, -bonus_of(w, depth))


@inline
def adjust_history(w: Work, turn: int, move: int, bonus: int) -> None:
    i = u((turn << 12) + (move & 4095))
    w.history[i] = nudge(int(w.history[i]), bonus, HISTORY_LIMIT)


@inline
def adjust_quiet(w: Work, pos: State, move: int, ply: int, bonus: int) -> None:
    adjust_history(w, pos.turn, move, 2 * bonus)
    adjust_follow(w, piece_to(pos, move), ply, bonus)


@inline
def adjust_capture(w: Work, pos: State, move: int, bonus: int) -> None:
    victim = int(pos.board[u((move >> 6) & 63)]) & 7
    i = u((piece_to(pos, move) << 3) + victim)
    w.captures[i] = nudge(int(w.captures[i]), bonus, HISTORY_LIMIT)


@kernel(types.void(WORK_T, STATE_T, I64, I64, I64))
def reward_quiet(w: Work, pos: State, best: int, depth: int, ply: int) -> None:
    """The quiet move `best` was best: remember it."""
    if w.killers[u(2 * ply)] != best:
        w.killers[u(2 * ply + 1)] = w.killers[u(2 * ply)]
        w.killers[u(2 * ply)] = best
    before = w.path[u(ply + BEFORE - 1)]
    if before:
        w.replies[u(before)] = best
    adjust_quiet(w, pos, best, ply, bonus_of(w, depth))


@kernel(types.void(WORK_T, STATE_T, I64, I64, I64, I64))
def learn_from_table(w: Work, pos: State, move: int, good: int, depth: int, ply: int) -> None:
    """The table knows that a position is good enough, or that it is not: its move, if quiet, has
    earned as much as if it had been searched."""
    if move and is_quiet(pos, move):
        if good:
            reward_quiet(w, pos, move, depth, ply)
        else:
            adjust_quiet(w, pos, move, ply, -bonus_of(w, depth))
    if good:
        blame_previous(w, ply, depth + 1)


@kernel(types.void(WORK_T, STATE_T, I64, I64, I64, I64, I64))
def reward(w: Work, pos: State, best: int, base: int, last: int, depth: int, ply: int) -> None:
    """The move `best` was best: remember it, and blame the others that were tried, which stand
    at base..last; those left out are 0."""
    bonus = bonus_of(w, depth)
    quiet = is_quiet(pos, best)
    if quiet:
        reward_quiet(w, pos, best, depth, ply)
    else:
        adjust_capture(w, pos, best, bonus)
    for i in range(base, last):
        move = int(w.moves[u(i)])
        if move == best or move == 0:
            continue
        if not is_quiet(pos, move):
            adjust_capture(w, pos, move, -bonus)
        elif quiet:
            adjust_quiet(w, pos, move, ply, -bonus)
    blame_previous(w, ply, depth)
