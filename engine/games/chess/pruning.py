"""Which moves of a node are left out, or looked at less deeply."""

from engine.alphabeta import MATED_SOON
from engine.bits import u
from engine.games.chess.attacks import Tables, bishop_attacks, rook_attacks
from engine.games.chess.numba_types import State
from engine.games.chess.ordering import GOOD_CAPTURE, Work, follow_score
from engine.games.chess.see import see_at_least, value
from engine.games.chess.state import PROMOTE_KNIGHT
from engine.games.chess.work import BEFORE
from engine.jit import inline


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
def enough(w: Work, depth: int, improving: int) -> int:
    """How many moves of a node are looked at before its quiet moves are left out."""
    m = w.margins
    return (m.enough + m.enough_depth * depth * depth) // (200 - 100 * improving)


@inline
def base_reduction(w: Work, depth: int, number: int, window: int, improving: int) -> int:
    """By how much a late move is looked at less deeply, in 1/1024 plies, if nothing else is known
    of it."""
    m = w.margins
    plies = m.late + (m.late_slope * w.logs[u((min(depth, 63) << 6) + min(number, 63))] >> 10)
    if not improving and plies > 2300:
        plies += m.late_worse
    return plies - window * m.late_window // w.window


@inline
def adjusted(
    w: Work, depth: int, ply: int, pv_node: bool, cut: int, line: bool, table_takes: bool,
    singular: bool,
) -> int:  # fmt: skip
    """What is known of the node and of the move that is made at `ply`, in 1/1024 plies to be added
    to its reduction. `line`: the position is, or was, on the main line; `table_takes`: the table's
    move is a capture, so quiet moves are less likely to be good; `singular`: the table's move is
    quiet, and the others have been found to be worse."""
    m = w.margins
    plies = m.late_cut * cut - m.late_line * int(line)
    plies += m.late_takes * int(table_takes) - m.late_singular * int(singular)
    if pv_node:
        plies -= m.late_pv + 11_264 // (3 + depth)
    elif w.cutoffs[u(ply + 1)] > 3:
        plies += m.late_cutoffs
    plies -= m.late_number * int(w.number[u(ply - 1)] > 7)
    return plies - worth_plies(w, depth, ply)


@inline
def worth_plies(w: Work, depth: int, ply: int) -> int:
    """How much less the move made at `ply` is reduced for what history says of it."""
    return 1024 * w.worth[u(ply)] // (w.margins.late_worth + 4000 * int(7 < depth < 19))


@inline
def root_reduction(w: Work, depth: int, before: int, window: int, hunt: bool) -> int:
    """By how many plies less a quiet move of the root is looked at, with so many before it: as on
    any main line, where nothing is known of what led there. To hunt a king that is alone takes a
    plan, of which history knows nothing."""
    m = w.margins
    if hunt:
        if depth < 3 or before < 4:
            return 0
        return w.logs[u((min(depth, 63) << 6) + min(before, 63))] >> 11
    plies = base_reduction(w, depth, before + 1, window, 1) - worth_plies(w, depth, 0)
    plies -= m.late_line + m.late_pv + 11_264 // (3 + depth)
    return min(max(plies >> 10, 0), depth - 2)


@inline
def may_pass(w: Work, pos: State, ply: int) -> bool:
    """Whether a null move is allowed: not two in a row, not after a move that history thinks well
    of, not without pieces."""
    if ply < w.null_from or w.path[u(ply + BEFORE - 1)] == 0:
        return False
    if w.worth[u(ply - 1)] >= w.margins.pass_worth:
        return False
    return pos.us & ~pos.pawns & (pos.knights | pos.diagonals | pos.lines) != 0


@inline
def hopeless(
    w: Work, t: Tables, pos: State, move: int, ply: int, static: int, alpha: int,
    late: int, depth: int, order: int, quiet: bool, check: bool, checked: bool,
) -> bool:  # fmt: skip
    """Whether a move of a node need not be looked at; `late` is the depth it would get."""
    m = w.margins
    if quiet and not check:
        told = follow_score(w, pos, move, ply)
        if late < 6 and told < -m.history_depth * (depth - 1):
            return True
        told += int(w.history[u((pos.turn << 12) + (move & 4095))])
        hope = static + m.futile + m.futile_depth * late + told // m.futile_history
        if not checked and late < 12 and hope <= alpha < MATED_SOON:
            return True
        loss = (m.loss_square * late * late + m.loss_depth * late) // 10
        return see_at_least(t, pos, move, -loss) == 0
    if not check and not checked and late < 7:
        victim = int(pos.board[u((move >> 6) & 63)])
        if move >> 12 < PROMOTE_KNIGHT:
            gain = value(victim) if victim else 100
            if static + m.capture + m.capture_depth * late + gain < alpha < MATED_SOON:
                return True
    return order < GOOD_CAPTURE >> 1 and see_at_least(t, pos, move, -m.capture_loss * depth) == 0
