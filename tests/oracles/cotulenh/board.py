"""Board, terrain, pieces, stacks and their text (1 to 4, 9, 14)."""

from collections.abc import Iterator
from dataclasses import dataclass

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
