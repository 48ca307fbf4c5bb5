"""Which moves of a node are left out, or looked at less deeply."""

from engine.bits import u
from engine.games.chess.attacks import Tables, bishop_attacks, rook_attacks
from engine.games.chess.numba_types import State
from engine.games.chess.ordering import GOOD_CAPTURE, KILLER, Work
from engine.games.chess.see import see_at_least
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
