"""The rules of CoTuLenh once more, from the rules text alone: slow, plain, and nothing shared with
the engine.

A board is a dict from squares to stacks, a stack a tuple of pieces with its carrier first. Nothing
is changed in place: every action gives a new position. `actions` is the entry point: the text of
each legal action and the position that it leads to.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

FILES = "abcdefghijk"
RED, BLUE = "r", "b"

Square = tuple[int, int]
"""File 0-10 for a-k, rank 1-12."""


@dataclass(frozen=True)
class Piece:
    kind: str
    """A capital letter, for both sides."""
    side: str
    heroic: bool = False


Stack = tuple[Piece, ...]
"""Carrier first, then the passengers in the order of their slots."""
Board = dict[Square, Stack]


@dataclass(frozen=True)
class Move:
    """What the ray scan finds, or what has been done: `group` goes from `origin` to `target`, or
    acts on it, in the way that `kind` says."""

    group: Stack
    origin: Square
    kind: str
    """Empty for quiet, x capture, _ stay capture, @ suicide capture, & combination."""
    target: Square


@dataclass(frozen=True)
class Deployment:
    """A turn that has begun and not ended."""

    origin: Square
    start: Stack
    snapshot: Board
    steps: tuple[Move, ...]


@dataclass(frozen=True)
class Position:
    board: Board
    turn: str
    halfmove: int = 0
    number: int = 1
    deployment: Deployment | None = None


# Board and terrain (1)


def name(square: Square) -> str:
    return f"{FILES[square[0]]}{square[1]}"


def on_board(square: Square) -> bool:
    return 0 <= square[0] <= 10 and 1 <= square[1] <= 12


def is_sea(square: Square) -> bool:
    return square[0] <= 1


def is_mixed(square: Square) -> bool:
    """Coast or river: everything may stand there."""
    return square[0] == 2 or (square[0] in (3, 4) and square[1] in (6, 7))


def may_stand(kind: str, square: Square) -> bool:
    if is_mixed(square):
        return True
    return is_sea(square) == (kind == "N")


def enemy_of(side: str) -> str:
    return BLUE if side == RED else RED


# Pieces and ranges (2, 4)

RANGES = {"I": 1, "T": 2, "M": 1, "E": 1, "A": 3, "G": 1, "S": 2, "F": 4, "N": 4, "H": 0}
HEAVY = "AGS"
SHOOTS_OVER = "ASNF"
ORTHOGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]


def range_of(piece: Piece, direction: Square) -> int:
    """How far the piece acts in this direction; 0 is not at all."""
    diagonal = direction in DIAGONAL
    if diagonal and not (piece.heroic or piece.kind in "MASFN"):
        return 0
    if piece.kind == "C":
        return 12
    reach = RANGES[piece.kind] + piece.heroic
    return reach - 1 if diagonal and piece.kind == "S" else reach


def capture_range(piece: Piece, direction: Square, target: Stack | None) -> int:
    reach = range_of(piece, direction)
    if piece.kind == "C":
        return min(reach, 1)
    if piece.kind == "N" and not (target and target[0].kind == "N"):
        return reach - 1
    return reach


# Stacks (9)

STACKS = [
    *"CITMEAGSFNH",
    *("TC", "TI", "TM", "FT", "FC", "FI", "FM", "FTC", "FTI", "FTM", "EA", "EG", "ES"),
    *("NF", "NC", "NI", "NM", "NT", "NFC", "NFI", "NFM", "NFT", "HC"),
]
ORDER = {frozenset(text): text for text in STACKS}


def stack_of(pieces: list[Piece]) -> Stack | None:
    """The pieces in the order of the table, None if they may not stand together."""
    kinds = [piece.kind for piece in pieces]
    text = ORDER.get(frozenset(kinds))
    if text is None or len(set(kinds)) < len(kinds) or len({piece.side for piece in pieces}) > 1:
        return None
    return tuple(sorted(pieces, key=lambda piece: text.index(piece.kind)))


def combined(one: Stack, other: Stack) -> Stack | None:
    return stack_of([*one, *other])


def without(stack: Stack, group: Stack) -> Stack:
    """What stays. Of each kind there is only one."""
    gone = {piece.kind for piece in group}
    return stack_of([piece for piece in stack if piece.kind not in gone]) or ()


def has_commander(stack: Stack) -> bool:
    return any(piece.kind == "C" for piece in stack)


# Text (3, 14)


def piece_text(piece: Piece) -> str:
    return "+" * piece.heroic + piece.kind


def stack_text(stack: Stack) -> str:
    text = "".join(piece_text(piece) for piece in stack)
    return f"({text})" if len(stack) > 1 else text


def placement(board: Board) -> str:
    ranks = []
    for rank in range(12, 0, -1):
        text, empty = "", 0
        for file in range(11):
            stack = board.get((file, rank))
            if stack is None:
                empty += 1
                continue
            letters = stack_text(stack)
            text += str(empty or "") + (letters.lower() if stack[0].side == BLUE else letters)
            empty = 0
        ranks.append(text + str(empty or ""))
    return "/".join(ranks)


def result_text(position: Position) -> str:
    """As the oracle writes results: placement, side to move, a star while a deployment is open."""
    star = " *" if position.deployment else ""
    return f"{placement(position.board)} {position.turn}{star}"


def fen(position: Position) -> str:
    """Of a position between turns."""
    return f"{placement(position.board)} {position.turn} - - {position.halfmove} {position.number}"


def parse_fen(text: str) -> Position:
    """Reads sound text without an open deployment; it is no judge of any other."""
    ranks, turn, _, _, halfmove, number = [*text.split(), "-", "-", "0", "1"][:6]
    board: Board = {}
    for rank, row in zip(range(12, 0, -1), ranks.split("/"), strict=True):
        file, at = 0, 0
        while at < len(row):
            if row[at].isdigit():
                digits = 2 if row[at : at + 2] in ("10", "11") else 1
                file += int(row[at : at + digits])
                at += digits
                continue
            end = row.index(")", at) if row[at] == "(" else at + (row[at] == "+")
            stack = stack_of(list(read_pieces(row[at : end + 1].strip("()"))))
            if stack is None:
                raise ValueError(f"{row[at : end + 1]!r} is no stack")
            board[file, rank] = stack
            file, at = file + 1, end + 1
        if file != 11:
            raise ValueError(f"rank {rank} has {file} files")
    return Position(board, turn, int(halfmove), int(number))


def read_pieces(text: str) -> Iterator[Piece]:
    heroic = False
    for letter in text:
        if letter == "+":
            heroic = True
        else:
            yield Piece(letter.upper(), RED if letter.isupper() else BLUE, heroic)
            heroic = False


def action_text(move: Move, step: bool) -> str:
    arrow = ">" if step else ""
    return f"{stack_text(move.group)}{name(move.origin)}{arrow}{move.kind}{name(move.target)}"


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


# Turns and deployments (10)


def actions(position: Position) -> dict[str, Position]:
    """Every legal action and the position that it leads to."""
    if position.deployment:
        return later_actions(position, position.deployment)
    found: dict[str, Position] = {}
    for origin, stack in position.board.items():
        if stack[0].side == position.turn:
            found |= whole_unit_moves(position, origin, stack)
            if len(stack) > 1:
                found |= first_steps(position, origin, stack)
    return found


def whole_unit_moves(position: Position, origin: Square, stack: Stack) -> dict[str, Position]:
    found = {}
    for move in scan(position.board, origin, stack, step=False):
        board = after(position.board, move)
        if not in_danger(board, position.turn):
            found[action_text(move, step=False)] = end_turn(position, board, (move,))
    return found


def first_steps(position: Position, origin: Square, stack: Stack) -> dict[str, Position]:
    found = {}
    for move in legal_first_steps(position.board, origin):
        deployment = Deployment(origin, stack, position.board, (move,))
        found[action_text(move, step=True)] = settle(
            replace(position, board=after(position.board, move), deployment=deployment)
        )
    return found


def legal_first_steps(board: Board, origin: Square) -> Iterator[Move]:
    """10.5: only a stack without the commander must leave him out of danger at once."""
    stack = board[origin]
    for piece in stack:
        for move in scan(board, origin, (piece,), step=True):
            if has_commander(stack) or not in_danger(after(board, move), piece.side):
                yield move


def remaining(deployment: Deployment, board: Board) -> Stack:
    """The pieces that may still act, as they now are."""
    used = {piece.kind for step in deployment.steps for piece in step.group}
    kinds = {piece.kind for piece in deployment.start} - used
    return tuple(piece for piece in board.get(deployment.origin, ()) if piece.kind in kinds)


def later_moves(position: Position, deployment: Deployment) -> dict[str, Position]:
    """Steps and joins, with the position after each before any automatic commit."""
    found: dict[str, Position] = {}
    board, origin = position.board, deployment.origin
    for piece in remaining(deployment, board):
        for move in scan(board, origin, (piece,), step=True):
            steps = (*deployment.steps, move)
            found[action_text(move, step=True)] = replace(
                position, board=after(board, move), deployment=replace(deployment, steps=steps)
            )
        for target in {step.target for step in deployment.steps}:
            joined = join(board, deployment, piece, target)
            if joined:
                text = action_text(Move((piece,), origin, "&", target), step=True)
                found[text] = replace(position, board=joined[0], deployment=joined[1])
    return found


def later_actions(position: Position, deployment: Deployment) -> dict[str, Position]:
    found = {text: settle(then) for text, then in later_moves(position, deployment).items()}
    if may_commit(position, deployment):
        found["COMMIT"] = end_turn(position, position.board, deployment.steps)
    return found


def settle(position: Position) -> Position:
    """10.4: a turn in which nothing is left to do ends by itself, if it may."""
    deployment = position.deployment
    assert deployment
    if later_moves(position, deployment) or not may_commit(position, deployment):
        return position
    return end_turn(position, position.board, deployment.steps)


def may_commit(position: Position, deployment: Deployment) -> bool:
    stay = position.board.get(deployment.origin)
    if stay and not may_stand(stay[0].kind, deployment.origin):
        return False
    if commander_square(position.board, position.turn) is None:
        return True
    return not in_danger(position.board, position.turn)


def end_turn(position: Position, board: Board, moves: tuple[Move, ...]) -> Position:
    captured = any(move.kind in ("x", "_", "@") for move in moves)
    return Position(
        board,
        enemy_of(position.turn),
        0 if captured else position.halfmove + 1,
        position.number + (position.turn == BLUE),
    )


# Joins (10.3)


def join(
    board: Board, deployment: Deployment, piece: Piece, target: Square
) -> tuple[Board, Deployment] | None:
    """The board and the deployment after the piece joins the step that went to the square."""
    steps = list(deployment.steps)
    reached = [
        index
        for index, step in enumerate(steps)
        if step.target == target and step.kind not in ("_", "@")
    ]
    if not reached:
        return None
    at = reached[0]
    at_start = next(p for p in deployment.start if p.kind == piece.kind)
    group = combined(steps[at].group, (at_start,))
    if group is None or not may_stand(group[0].kind, target):
        return None
    steps[at] = replace(steps[at], group=group)
    replayed = replay(deployment, steps, at, at_start)
    if replayed is None:
        return None
    if piece.kind == deployment.start[0].kind:
        step = Move((piece,), deployment.origin, "&", target)
        return after(board, step), replace(deployment, steps=(*deployment.steps, step))
    return replayed[0], replace(deployment, steps=tuple(replayed[1]))


def replay(
    deployment: Deployment, steps: list[Move], joined: int, piece: Piece
) -> tuple[Board, list[Move]] | None:
    """The turn from its beginning with these steps, None if one of them is not available. At step
    `joined`, `piece` comes along as it was at the start of the turn. A combination is available
    as a join too: both are of the same kind (14)."""
    board, origin = deployment.snapshot, deployment.origin
    done: list[Move] = []
    for index, step in enumerate(steps):
        kinds = {member.kind for member in step.group}
        members = [member for member in board[origin] if member.kind in kinds]
        if index == joined:
            members = [piece if member.kind == piece.kind else member for member in members]
        group = stack_of(members)
        assert group
        single = Move(group[:1], origin, step.kind, step.target)
        if index == 0:
            available = single in legal_first_steps(board, origin)
        else:
            available = single in scan(board, origin, group[:1], step=True) or (
                step.kind == "&"
                and join(board, replace(deployment, steps=tuple(done)), group[0], step.target)
                is not None
            )
        if not available:
            return None
        if step.kind == "&" and not combined(board[step.target], group):
            return None
        done.append(replace(step, group=group))
        board = after(board, done[-1])
    return board, done


# The end of the game, counting (13, 15)


def status(position: Position) -> str:
    """Ongoing, deploying, checkmate, stalemate or commander-captured."""
    if position.deployment:
        return "deploying"
    if None in (commander_square(position.board, side) for side in (RED, BLUE)):
        return "commander-captured"
    if has_complete_turn(position):
        return "ongoing"
    return "checkmate" if in_check(position) else "stalemate"


def has_complete_turn(position: Position) -> bool:
    return any(
        then.deployment is None or has_complete_turn(then) for then in actions(position).values()
    )


def perft(position: Position, depth: int) -> int:
    """The number of sequences of actions of that length."""
    if depth == 0:
        return 1
    found = actions(position)
    if depth == 1:
        return len(found)
    return sum(perft(then, depth - 1) for then in found.values())


def turns(position: Position) -> set[str]:
    """The placements that one complete turn can lead to."""
    found: set[str] = set()
    for then in actions(position).values():
        found |= turns(then) if then.deployment else {placement(then.board)}
    return found


def play(position: Position, *texts: str) -> Position:
    for text in texts:
        position = actions(position)[text]
    return position
