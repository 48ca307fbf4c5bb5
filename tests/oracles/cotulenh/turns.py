"""Whole turns: actions, deployments, joins, the end of the game, counting (10, 13, 15)."""

from collections.abc import Iterator
from dataclasses import replace

from oracles.cotulenh.board import (
    BLUE,
    RED,
    Board,
    Deployment,
    Move,
    Piece,
    Position,
    Square,
    Stack,
    action_text,
    combined,
    enemy_of,
    has_commander,
    may_stand,
    placement,
    stack_of,
)
from oracles.cotulenh.moves import after, commander_square, in_check, in_danger, scan

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
