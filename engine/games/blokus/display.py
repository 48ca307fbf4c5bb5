"""The board as text, and the score as a table, for people."""

from engine.games.blokus.notation import squares_of
from engine.games.blokus.pieces import NAMES, SIZES
from engine.games.blokus.position import Position
from engine.games.blokus.scores import ALL_SQUARES, bonus, final_score, points
from engine.games.blokus.state import square

MARKS = "XO#@"
"""Of the colours, on the board."""

PER_LINE = 10
"""Names of pieces."""


def board(position: Position) -> str:
    """An empty line, then the board, the top row first. `+` is a start square that nobody has
    covered, `>` stands before the last move."""
    variant, size = position.variant, position.variant.size
    starts = {square(x, y) for x, y in variant.starts}
    beside = _beside(position)
    last = max(squares_of(position.history[-1].move)) if position.history else None
    lines = [""]
    for y in range(size - 1, -1, -1):
        line = f"{y + 1:2}"
        for x in range(size):
            sq = square(x, y)
            owner = int(position.state["cells"][sq])
            mark = MARKS[owner - 1] if owner else "+" if sq in starts else "."
            line += (">" if sq == last else " ") + mark
        number = size - 1 - y
        lines.append(f"{line}  {beside[number]}" if number < len(beside) else line)
    columns = " ".join(chr(ord("A") + x) for x in range(size))
    return "\n".join([*(line.rstrip() for line in lines), f"   {columns}"])


def _beside(position: Position) -> list[str]:
    """What stands right of the board: of each colour the points and the pieces in hand."""
    lines: list[str] = []
    for colour, title in enumerate(position.variant.titles):
        number = f"({position.ply + 1}) "
        turn = number if colour == position.turn and not position.over else ""
        stuck = "" if position.legal(colour) else "!"
        score = points(position.state, colour)
        lines.append(f"{turn}{title}({MARKS[colour]}): {score}{stuck}")
        names = sorted(pieces_in_hand(position, colour))
        for i in range(0, len(names), PER_LINE):
            lines.append(" ".join(names[i : i + PER_LINE]))
        lines.append("")
    return lines


def pieces_in_hand(position: Position, colour: int) -> list[str]:
    """Their names, the smallest first."""
    hand = int(position.state["hand"][colour])
    return [name for piece, name in enumerate(NAMES) if hand >> piece & 1]


def score_table(position: Position) -> str:
    """What each colour has, and the result so far."""
    heads = ("Squares", "Left", "Bonus", "Points", "Moves", "Pieces")
    lines = [f"{'Colour':<12}" + "".join(f"{head:>9}" for head in heads)]
    for colour, title in enumerate(position.variant.titles):
        squares = int(position.state["squares"][colour])
        numbers = (
            squares,
            ALL_SQUARES - squares,
            bonus(position.state, colour),
            points(position.state, colour),
            len(position.legal(colour)),
            len(SIZES) - len(pieces_in_hand(position, colour)),
        )
        name = f"{title} ({position.variant.ids[colour]})"
        lines.append(f"{name:<12}" + "".join(f"{number:>9}" for number in numbers))
    result = final_score(position.state, position.variant).rstrip()
    return "\n".join([*lines, f"Result so far: {result}"])


def expectations(position: Position, chances: list[float], squares: list[float]) -> str:
    """What can be expected without a search: squares of each colour, and how the players share the
    win."""
    titles = position.variant.titles
    covered = ", ".join(f"{t} {n:.0f}" for t, n in zip(titles, squares, strict=True))
    players = len(chances)
    if players == 2 and len(titles) == 4:
        names = tuple(f"{titles[p]} and {titles[p + 2]}" for p in range(2))
    else:
        names = titles[:players]
    total = sum(chances)
    shares = ", ".join(f"{n} {100 * c / total:.0f} %" for n, c in zip(names, chances, strict=True))
    return f"Squares expected: {covered}\nChances: {shares}"
