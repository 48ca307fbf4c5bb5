"""The board as text, readable at a glance.

Two characters of ground, then what stands on it: `~~` sea, `c` coast, `r` river, `=` bridge. A
stack is written carrier first; `+` stands before a heroic piece. Red in upper case.
"""

from engine.games.cotulenh.notation import NAME, stack_text
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.state import FILES, NOWHERE, RANKS
from engine.games.cotulenh.tables import LAND, WATER, T

WIDTH = 8


def ground(sq: int) -> str:
    """One character for the terrain of a square."""
    terrain, file, row = int(T["terrain"][sq]), sq & 15, sq >> 4
    if terrain == WATER:
        return "~"
    if terrain == LAND:
        return "=" if row in (5, 6) and file in (5, 7) else "."
    return "c" if file == 2 else "r"


def drawing(position: Position) -> str:
    """The board, blue above, with files and ranks."""
    files = "    " + "".join(f"{file:<{WIDTH}}" for file in "abcdefghijk")
    lines = [files.rstrip()]
    for row in range(RANKS):
        cells = []
        for file in range(FILES):
            sq = 16 * row + file
            word = int(position.state["board"][sq])
            text = stack_text(word).strip("()") if word else ""
            cells.append(f"{ground(sq)} {text}".ljust(WIDTH))
        lines.append(f"{RANKS - row:>2}  {''.join(cells)}".rstrip())
        if row == 5:
            lines.append("    " + "-" * (WIDTH * FILES - 6))
    return "\n".join([*lines, files.rstrip()])


def facts(position: Position) -> list[str]:
    """What the drawing does not show, one fact a line."""
    state = position.state
    lines = [
        f"Fen: {position.fen()}",
        f"Key: {int(state['key']) & (1 << 64) - 1:016X}",
        f"To move: {'blue' if position.turn else 'red'}{', in check' if position.check() else ''}",
    ]
    origin = int(state["origin"])
    if origin != NOWHERE:
        lines.append(f"Deploying from {NAME[origin]}")
    return lines
