"""What pieces can do and what comes of it: air defence, the ray scan, safety of the commander,
effects of an action (5 to 8, 11, 12).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from oracles.cotulenh.board import (
    BLUE,
    DIAGONAL,
    FILES,
    HEAVY,
    ORTHOGONAL,
    RED,
    SHOOTS_OVER,
    Board,
    Move,
    Piece,
    Position,
    Square,
    Stack,
    capture_range,
    combined,
    enemy_of,
    has_commander,
    is_sea,
    may_stand,
    name,
    on_board,
    range_of,
    without,
)

# Air defence (8)


def defenders_over(board: Board, side: str, square: Square) -> set[Square]:
    """The squares of that side's air defence whose zone covers the square."""
    found = set()
    for place, stack in board.items():
        carrier = stack[0]
        if carrier.side != side or carrier.kind not in "SGN":
            continue
        level = (2 if carrier.kind == "S" else 1) + carrier.heroic
        if (place[0] - square[0]) ** 2 + (place[1] - square[1]) ** 2 <= level * level:
            found.add(place)
    return found


@dataclass
class Tracker:
    """What the air defence of `side` does to a plane on its way."""

    board: Board
    side: str
    seen: set[Square] = field(default_factory=set)
    left: bool = False

    def fly_to(self, square: Square) -> None:
        zones = defenders_over(self.board, self.side, square)
        if zones:
            self.seen |= zones
        elif self.seen:
            self.left = True

    def clear(self) -> bool:
        return not self.seen

    def suicide(self) -> bool:
        return len(self.seen) == 1 and not self.left

    def shot(self) -> bool:
        return not self.clear() and not self.suicide()


def feels_air_defence(piece: Piece) -> bool:
    return piece.kind == "F" and not piece.heroic


# The ray scan (5, 6, 7)


def scan(board: Board, origin: Square, mover: Stack, step: bool) -> Iterator[Move]:
    """All that this stack or single piece can do from its square, legal or not."""
    for direction in ORTHOGONAL + DIAGONAL:
        yield from scan_ray(board, origin, mover, step, direction)


def scan_ray(
    board: Board, origin: Square, mover: Stack, step: bool, direction: Square
) -> Iterator[Move]:
    carrier = mover[0]
    kind = carrier.kind
    tracker = Tracker(board, enemy_of(carrier.side)) if feels_air_defence(carrier) else None
    blocked = terrain = False
    before, square = origin, origin
    for distance in range(1, 12):
        before, square = square, (square[0] + direction[0], square[1] + direction[1])
        if not on_board(square):
            return
        if kind == "C" and is_exposed(board, square, origin, carrier.side):
            return
        if tracker:
            tracker.fly_to(square)
            if tracker.shot():
                return
        if distance > range_of(carrier, direction):
            return
        terrain = terrain or terrain_forbids(kind, origin, before, square, direction)
        may_land = not terrain and not blocked and (tracker is None or tracker.clear())
        there = board.get(square)
        if there is None:
            if may_land and may_stand(kind, square):
                yield Move(mover, origin, "", square)
            continue
        if there[0].side != carrier.side:
            if distance <= capture_range(carrier, direction, there):
                for capture in captures(mover, square, there, step, direction, tracker):
                    yield Move(mover, origin, capture, square)
        elif may_land:
            both = combined(there, mover)
            if both and may_stand(both[0].kind, square):
                yield Move(mover, origin, "&", square)
        if kind == "C":
            return
        if kind == "N":
            blocked = blocked or there[0].kind == "N"
        elif kind != "F":
            blocked = True
        if blocked and kind not in SHOOTS_OVER:
            return


def captures(
    mover: Stack,
    square: Square,
    target: Stack,
    step: bool,
    direction: Square,
    tracker: Tracker | None,
) -> list[str]:
    """The kinds of capture that are open to a mover in range."""
    kind = mover[0].kind
    if kind == "C" and direction in DIAGONAL and has_commander(target):
        return []
    if tracker and tracker.suicide():
        return ["@"]
    if not may_stand(kind, square):
        return ["_"]
    if kind == "F" and not step:
        return ["x", "_"]
    return ["x"]


def terrain_forbids(
    kind: str, origin: Square, before: Square, square: Square, direction: Square
) -> bool:
    if kind != "F" and not may_stand(kind, square):
        return True
    if kind in HEAVY and not is_sea(origin) and not is_sea(square):
        crossing = (origin[1] >= 7) != (square[1] >= 7)
        over_bridge = direction[0] == 0 and FILES[origin[0]] in "fh"
        if crossing and not over_bridge:
            return True
    corners = ({"c5", "d6"}, {"c8", "d7"})
    return kind == "N" and {name(before), name(square)} in corners


# Commander safety (11)


def commander_square(board: Board, side: str) -> Square | None:
    for square, stack in board.items():
        for piece in stack:
            if piece.kind == "C" and piece.side == side:
                return square
    return None


def open_between(board: Board, one: Square, other: Square, ignored: Square | None = None) -> bool:
    """On one file or rank with every square strictly between empty."""
    if one == other or (one[0] != other[0] and one[1] != other[1]):
        return False
    step = (sign(other[0] - one[0]), sign(other[1] - one[1]))
    square = (one[0] + step[0], one[1] + step[1])
    while square != other:
        if square in board and square != ignored:
            return False
        square = (square[0] + step[0], square[1] + step[1])
    return True


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def is_exposed(board: Board, square: Square, origin: Square, side: str) -> bool:
    enemy = commander_square(board, enemy_of(side))
    return (
        enemy is not None
        and square not in board
        and open_between(board, square, enemy, ignored=origin)
    )


def attackers(board: Board, target: Square, side: str) -> list[tuple[Square, Piece]]:
    """The pieces of that side, members of stacks one by one, that attack the square. None attacks
    from farther away than 5."""
    found = []
    for direction in ORTHOGONAL + DIAGONAL:
        free = True
        for distance in range(1, 6):
            square = (target[0] + distance * direction[0], target[1] + distance * direction[1])
            stack = board.get(square)
            if stack is None:
                continue
            for piece in stack:
                if (
                    piece.side == side
                    and distance <= capture_range(piece, direction, board.get(target))
                    and (free or piece.kind in SHOOTS_OVER)
                    and (not feels_air_defence(piece) or arrives(board, square, target, side))
                ):
                    found.append((square, piece))
            free = False
    return found


def arrives(board: Board, square: Square, target: Square, side: str) -> bool:
    """A plane is not shot on a straight flight to the target, the target included."""
    tracker = Tracker(board, enemy_of(side))
    step = (sign(target[0] - square[0]), sign(target[1] - square[1]))
    while square != target:
        square = (square[0] + step[0], square[1] + step[1])
        tracker.fly_to(square)
    return not tracker.shot()


def in_danger(board: Board, side: str) -> bool:
    own, enemy = commander_square(board, side), commander_square(board, enemy_of(side))
    if own is None or attackers(board, own, enemy_of(side)):
        return True
    return enemy is not None and open_between(board, own, enemy)


def in_check(position: Position) -> bool:
    """Attacked at the commander, or without one."""
    own = commander_square(position.board, position.turn)
    return own is None or bool(attackers(position.board, own, enemy_of(position.turn)))


# What an action does (7, 12)


def after(board: Board, move: Move) -> Board:
    """The board with the move made and its promotions done."""
    board = dict(board)
    group, side = move.group, move.group[0].side
    target = board.pop(move.target, ())
    if move.kind != "_":
        stay = without(board.pop(move.origin), group)
        if stay:
            board[move.origin] = stay
    if move.kind in ("", "x"):
        board[move.target] = group
    elif move.kind == "&":
        both = combined(target, group)
        assert both
        board[move.target] = both
    promote_attackers(board, side)
    promote_last_guard(board, RED)
    promote_last_guard(board, BLUE)
    return board


def promote_attackers(board: Board, side: str) -> None:
    target = commander_square(board, enemy_of(side))
    if target is None:
        return
    for square, hero in attackers(board, target, side):
        board[square] = tuple(
            replace(piece, heroic=piece.heroic or piece.kind == hero.kind)
            for piece in board[square]
        )


def promote_last_guard(board: Board, side: str) -> None:
    guards = [
        square for square, stack in board.items() if stack[0].side == side and stack[0].kind != "C"
    ]
    if len(guards) == 1 and len(board[guards[0]]) == 1:
        board[guards[0]] = (replace(board[guards[0]][0], heroic=True),)
