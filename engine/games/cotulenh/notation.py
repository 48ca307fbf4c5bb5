"""CoTuLenh as text: positions and actions, in and out. Plain Python, used at the border only.

    "6c4/.../6C4 r - - 0 1"  --parse_fen-->  Setup  --format_fen-->  text

An open deployment is a seventh field, `origin:stay:steps...`: the square, the members that have not
acted, and the steps so far without their origin, joined by commas; the first six fields are the
position at the beginning of the turn.

    3c7/11/11/11/4i6/11/11/11/11/2(NFT)8/11/6C4 r - - 0 1 c3:(NF):T>e3...

An action in the long form names the piece, where it stands, what it does and where:

    Ic5c6  Fe2xb2  Nc4_f4 (stay capture)  Fe2@e6 (suicide)  (TI)e4&e6 (combine)  Te4>e6 (a step)
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import MoveError, PositionError, quote
from engine.games.cotulenh.pieces import COMMANDER, LETTERS, NAVY, STACKS
from engine.games.cotulenh.state import (
    BLUE,
    CELLS,
    COLOUR,
    COMMIT_ACTION,
    FILES,
    HEROIC,
    KIND,
    MAX_STEPS,
    MEMBERS,
    RANKS,
    RED,
    TO,
    WHO,
    WHOLE,
)

START = (
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4"
    " r - - 0 1"
)

MAX_COUNTER = 100_000
MAX_PIECES = 19
"""Of a side, as in the start position."""

_NAMES = tuple(f"{file}{12 - row}" for row in range(RANKS) for file in "abcdefghijk")
NAME = {16 * (i // FILES) + i % FILES: name for i, name in enumerate(_NAMES)}
"""NAME[sq] is the name of a square of the board."""
SQUARE = {name: sq for sq, name in NAME.items()}

_COLOURS = ("red", "blue")
_SIGNS = ("", "x", "_", "@", "&", "&")
"""By kind of action; a join looks like a combination."""
_PIECE = r"\+?[A-Za-z]|\((?:\+?[A-Za-z]){2,3}\)"
_TOKEN = re.compile(rf"({_PIECE})|(1[0-9]|[1-9])")
_STEP = re.compile(rf"({_PIECE})>([x_@&]?)([a-k](?:1[0-2]|[1-9]))")
_DEPLOYMENT = re.compile(r"([a-k](?:1[0-2]|[1-9])):([^:]*):([^:]*)\.\.\.")


@dataclass(frozen=True)
class Step:
    """One step of an open deployment."""

    group: int
    """Members that moved, as a set."""
    kind: int
    to: int


@dataclass(frozen=True)
class Setup:
    """A position before it becomes a record."""

    words: tuple[int, ...]
    """What stands on each of the 256 cells of the mailbox, at the beginning of the turn."""
    turn: int
    halfmove: int
    fullmove: int
    origin: int | None = None
    """Where the open deployment began, if there is one."""
    steps: tuple[Step, ...] = ()


# Reading


def parse_fen(text: str) -> Setup:
    """Reads two to seven fields; missing counters are 0 and 1. Raises PositionError."""
    fields = text.split()
    if not 2 <= len(fields) <= 7:
        raise PositionError(f"FEN {quote(text)}: expected 2 to 7 fields, found {len(fields)}")
    words = _read_board(fields[0])
    if fields[1] not in ("r", "b"):
        raise PositionError(f"side to move {quote(fields[1])}: expected r or b")
    for field in fields[2:4]:
        if field != "-":
            raise PositionError(f"field {quote(field)}: expected -")
    deployment = fields.pop() if len(fields) > 4 and ":" in fields[-1] else None
    if len(fields) > 6:
        raise PositionError(f"deployment {quote(fields[6])}: expected square:pieces:steps...")
    halfmove = _read_number("half-move clock", fields[4]) if len(fields) > 4 else 0
    fullmove = _read_number("move number", fields[5]) if len(fields) > 5 else 1
    turn = RED if fields[1] == "r" else BLUE
    _check_pieces(words)
    setup = Setup(tuple(words), turn, halfmove, max(fullmove, 1))
    return setup if deployment is None else _read_deployment(setup, deployment)


def _read_board(text: str) -> list[int]:
    rows = text.split("/")
    if len(rows) != RANKS:
        raise PositionError(f"placement {quote(text)}: expected 12 ranks, found {len(rows)}")
    words = [0] * CELLS
    for row, part in enumerate(rows):
        column = at = 0
        while at < len(part):
            token = _TOKEN.match(part, at)
            if token is None:
                raise PositionError(
                    f"rank {12 - row} {quote(part)}: expected pieces, stacks in brackets and "
                    f"numbers from 1 to 11, found {quote(part[at:])}"
                )
            if token[1] and column < FILES:
                words[16 * row + column] = read_stack(token[1], f"rank {12 - row}")
            column += 1 if token[1] else int(token[2])
            after_number = token[2] is not None
            at = token.end()
            if after_number and at < len(part) and part[at] in "0123456789":
                raise PositionError(f"rank {12 - row} {quote(part)}: two numbers in a row")
        if column != FILES:
            raise PositionError(
                f"rank {12 - row} {quote(part)}: expected 11 squares, found {column}"
            )
    return words


def read_stack(text: str, where: str) -> int:
    """The word of a piece or stack. Raises PositionError."""
    members = [(sign, letter) for sign, letter in re.findall(r"(\+?)([A-Za-z])", text)]
    letters = "".join(letter for _, letter in members)
    if not (letters.isupper() or letters.islower()):
        raise PositionError(f"{where}: stack {quote(text)}: expected pieces of one colour")
    word = (BLUE if letters.islower() else RED) << COLOUR
    for sign, letter in members:
        kind = LETTERS.find(letter.upper())
        if kind < 0:
            raise PositionError(f"{where}: expected pieces {LETTERS}, found {quote(letter)}")
        if word >> kind & 1:
            raise PositionError(f"{where}: stack {quote(text)}: expected each kind once")
        word |= 1 << kind | bool(sign) << (HEROIC + kind)
    if word & MEMBERS not in STACKS:
        raise PositionError(f"{where}: {quote(text)} is no stack: no piece carries the others")
    return word


def _read_number(name: str, text: str) -> int:
    digits = text.lstrip("0") or "0"
    if not re.fullmatch("[0-9]+", text) or len(digits) > 9 or int(digits) > MAX_COUNTER:
        raise PositionError(f"{name} {quote(text)}: expected a whole number up to {MAX_COUNTER}")
    return int(digits)


def _check_pieces(words: Sequence[int]) -> None:
    for side, colour in enumerate(_COLOURS):
        mine = [word for word in words if word and word >> COLOUR == side]
        pieces = sum((word & MEMBERS).bit_count() for word in mine)
        commanders = sum(word >> COMMANDER & 1 for word in mine)
        if commanders > 1:
            raise PositionError(f"placement: expected one {colour} commander, found {commanders}")
        if pieces > MAX_PIECES:
            raise PositionError(
                f"placement: expected at most {MAX_PIECES} {colour} pieces, found {pieces}"
            )
    if not any(word >> COMMANDER & 1 for word in words):
        raise PositionError("placement: expected a commander, found none")
    for sq, word in enumerate(words):
        if word:
            carrier = STACKS[word & MEMBERS][0]
            file, row = sq & 15, sq >> 4
            water = file <= 2 or (file in (3, 4) and row in (5, 6))
            if not (water if carrier == NAVY else file >= 2):
                raise PositionError(
                    f"placement: {stack_text(word)} cannot stand on {NAME[sq]}, "
                    f"{'land' if carrier == NAVY else 'the sea'}"
                )


def _read_deployment(setup: Setup, text: str) -> Setup:
    parts = _DEPLOYMENT.fullmatch(text)
    if parts is None:
        raise PositionError(f"deployment {quote(text)}: expected square:pieces:steps...")
    origin = SQUARE[parts[1]]
    word = setup.words[origin]
    if not word or word >> COLOUR != setup.turn:
        raise PositionError(f"deployment: expected a stack of the side to move on {parts[1]}")
    steps = []
    left = word & MEMBERS
    for step in parts[3].split(","):
        found = _STEP.fullmatch(step)
        if found is None:
            raise PositionError(f"deployment step {quote(step)}: expected one such as T>e3")
        group = read_stack(found[1].upper(), "deployment") & MEMBERS
        if group & ~left:
            raise PositionError(f"deployment step {quote(step)}: not left on {parts[1]}")
        left &= ~group
        steps.append(Step(group, _SIGNS.index(found[2]), SQUARE[found[3]]))
    stay = read_stack(parts[2].upper(), "deployment") & MEMBERS if parts[2] else 0
    if stay != left:
        raise PositionError(
            f"deployment: expected {members_text(left) or 'nobody'} to be left on {parts[1]}, "
            f"found {quote(parts[2])}"
        )
    if len(steps) > MAX_STEPS or word & MEMBERS & (word & MEMBERS) - 1 == 0:
        raise PositionError(f"deployment: expected a stack on {parts[1]}")
    return Setup(setup.words, setup.turn, setup.halfmove, setup.fullmove, origin, tuple(steps))


# Writing


def members_text(members: int, heroic: int = 0) -> str:
    """A set of members in upper case, in the order of their stack; empty for none."""
    if not members:
        return ""
    order = STACKS[members]
    text = "".join(("+" if heroic >> kind & 1 else "") + LETTERS[kind] for kind in order)
    return f"({text})" if len(order) > 1 else text


def stack_text(word: int) -> str:
    """A word as in a FEN, lower case for blue."""
    text = members_text(word & MEMBERS, word >> HEROIC & MEMBERS)
    return text.lower() if word >> COLOUR & 1 else text


def format_fen(setup: Setup) -> str:
    """The text that `parse_fen` reads back."""
    rows = []
    for row in range(RANKS):
        cells = (setup.words[16 * row + file] for file in range(FILES))
        texts = "".join(stack_text(word) if word else "." for word in cells)
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), texts))
    text = f"{'/'.join(rows)} {'rb'[setup.turn]} - - {setup.halfmove} {setup.fullmove}"
    if setup.origin is None:
        return text
    left = setup.words[setup.origin] & MEMBERS
    steps = []
    for step in setup.steps:
        left &= ~step.group
        steps.append(f"{members_text(step.group)}>{_SIGNS[step.kind]}{NAME[step.to]}")
    return f"{text} {NAME[setup.origin]}:{members_text(left)}:{','.join(steps)}..."


def action_text(action: int, word: int) -> str:
    """An action in the long form; `word` stands on the square it starts from."""
    if action == COMMIT_ACTION:
        return "COMMIT"
    who, kind = action >> WHO & 15, action >> KIND
    members = word & MEMBERS if who == WHOLE else 1 << who
    mover = members_text(members, word >> HEROIC)
    step = "" if who == WHOLE else ">"
    return f"{mover}{NAME[action & 255]}{step}{_SIGNS[kind]}{NAME[action >> TO & 255]}"


def match_action(text: str, legal: dict[str, int]) -> int:
    """The legal action that a text means. Raises MoveError.

    The long form is expected; the case of pieces and the marks of heroes do not matter where the
    rest says what is meant.
    """
    if text in legal:
        return legal[text]
    wanted = _plain(text)
    found = [action for name, action in legal.items() if _plain(name) == wanted]
    if len(found) == 1:
        return found[0]
    if wanted == "COMMIT":
        raise MoveError(f"action {quote(text)}: a deployment cannot end here")
    if not re.fullmatch(r"(?:[A-Z]|\([A-Z]{2,3}\))[a-k]\d+>?[x_@&]?[a-k]\d+", wanted):
        raise MoveError(
            f"action {quote(text)}: expected one such as Ic5c6, (TI)e4xe6, Te4>e6 or COMMIT"
        )
    meant = [name for name in legal if _bare(name) == _bare(wanted)]
    if len(meant) > 1:
        raise MoveError(f"action {quote(text)}: ambiguous, expected {' or '.join(sorted(meant))}")
    raise MoveError(f"action {quote(text)}: not legal here")


def _plain(text: str) -> str:
    """A text without heroic marks, piece letters in upper case."""
    text = text.strip().replace("+", "")
    if text.upper() == "COMMIT":
        return "COMMIT"
    head = re.match(r"\([A-Za-z]+\)|[A-Za-z]", text)
    return head[0].upper() + text[head.end() :].lower() if head else text


def _bare(text: str) -> str:
    """A text without what it does on the way, and without heroic marks."""
    return re.sub("[>x_@&]", "", _plain(text))
