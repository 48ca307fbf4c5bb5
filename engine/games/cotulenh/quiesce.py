"""The search below the horizon: captures are played out, an open turn is brought to its end."""

from numba import types

from engine.alphabeta import INFINITE, MATE, MAX_PLY, poll
from engine.bits import u
from engine.games.cotulenh.evaluate import evaluate, worth
from engine.games.cotulenh.make import play, take_back
from engine.games.cotulenh.movegen import write_actions, write_captures
from engine.games.cotulenh.node import is_draw
from engine.games.cotulenh.numba_types import STATE_T, TABLES_T, WORK_T, State, Tables, Work
from engine.games.cotulenh.ordering import TAKES_COMMANDER, Thread, pick, score_actions, takes
from engine.games.cotulenh.state import COMMIT, KIND, MAX_ACTIONS, NOWHERE, SUICIDE, TO
from engine.games.cotulenh.thread import THREAD_T
from engine.jit import kernel

I64 = types.int64
MARGIN = 150


@kernel(I64(THREAD_T, TABLES_T, STATE_T, WORK_T, I64, I64, I64))
def quiesce(s: Thread, t: Tables, pos: State, work: Work, alpha: int, beta: int, ply: int) -> int:
    """Value once captures have been played out; -INFINITE if the open turn cannot be finished."""
    poll(s)
    if s.stopped:
        return 0
    s.seldepth = max(s.seldepth, ply)
    s.pv_length[u(ply)] = 0
    first = (ply + 1) * MAX_ACTIONS
    side = pos.turn
    best = -INFINITE
    static = 0
    only_captures = False
    if pos.origin == NOWHERE:
        if pos.commander[u(side)] == NOWHERE:
            return -MATE + ply
        if is_draw(s, pos, ply):
            return 0
        best = static = evaluate(pos, t)
        if best >= beta or ply >= MAX_PLY - 4:
            return best
        alpha = max(alpha, best)
        end = write_captures(pos, t, work, first)
    else:
        end = write_actions(pos, t, work, first)
        for i in range(first, end):
            if work.actions[u(i)] >> KIND == COMMIT:
                only_captures = True
        if ply >= MAX_PLY - 4:
            return evaluate(pos, t)
    score_actions(s, pos, t, work, first, end, 0, ply)
    started = pos.origin != NOWHERE
    for i in range(first, end):
        action = pick(s, work, i, end)
        if only_captures and not takes(action) and action >> KIND != COMMIT:
            continue
        if not started and s.scores[u(i)] < TAKES_COMMANDER:
            victim = int(pos.board[u((action >> TO) & 255)])
            gain = worth(victim)
            if action >> KIND == SUICIDE and gain < worth(int(pos.board[u(action & 255)])):
                continue
            if static + gain + MARGIN <= alpha:
                continue
        play(pos, t, action, s.undo[u(ply)], work)
        s.keys[u(s.root_key + ply + 1)] = pos.key
        if pos.turn == side:
            score = quiesce(s, t, pos, work, alpha, beta, ply + 1)
        else:
            score = -quiesce(s, t, pos, work, -beta, -alpha, ply + 1)
        take_back(pos, t, s.undo[u(ply)])
        if s.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best
