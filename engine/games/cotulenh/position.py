"""A CoTuLenh position as Python sees it: the record, the game so far, text in and out."""

import functools
from collections.abc import Sequence

import numpy as np

from engine.errors import MoveError, PositionError
from engine.games.cotulenh import notation
from engine.games.cotulenh.notation import Setup, Step
from engine.games.cotulenh.records import UNDO, WORK
from engine.games.cotulenh.rules import check, generate, make, resume, set_up, unmake
from engine.games.cotulenh.state import (
    BLUE,
    BORDER,
    COLOUR,
    COMMIT_ACTION,
    MAX_ACTIONS,
    MEMBERS,
    NOWHERE,
    STATE,
)
from engine.games.cotulenh.tables import T

DRAWN_CLOCK = 100


class Position:
    """One position and the actions that led to it."""

    def __init__(self, given: Setup | str = notation.START) -> None:
        """From text, or from data that is known to be sound. Raises PositionError."""
        self._work: np.void = np.zeros(1, WORK)[0]
        setup = notation.parse_fen(given) if isinstance(given, str) else given
        self.state = build(setup, self._work)
        self.actions: list[int] = []
        self._undos: list[np.void] = []
        self.keys: list[int] = []
        """Of the positions at the beginning of each turn before this one."""
        self.had = tuple(self.kinds(side) for side in (0, 1))
        """The kinds that each side had when the position was set up, as a set."""

    @property
    def turn(self) -> int:
        return int(self.state["turn"])

    def words(self) -> tuple[int, ...]:
        """What stands on each cell of the mailbox now, 0 off the board too."""
        return tuple(word if word < BORDER else 0 for word in self.state["board"].tolist())

    def kinds(self, side: int) -> int:
        """The kinds that a side has on the board, as a set."""
        mine = (word for word in self.words() if word and word >> COLOUR == side)
        return functools.reduce(lambda kinds, word: kinds | word & MEMBERS, mine, 0)

    def for_other_side(self) -> "Position":
        """The same board without an open deployment, the other side to move. Pieces that a ship
        has just left may be afloat."""
        state = self.state
        clocks = int(state["halfmove"]), int(state["fullmove"])
        return Position(Setup(self.words(), 1 - self.turn, *clocks))

    @property
    def deploying(self) -> bool:
        return int(self.state["origin"]) != NOWHERE

    def legal(self) -> list[int]:
        """The legal actions, in the order of generation."""
        return legal_actions(self.state, self._work)

    def text_of(self, action: int) -> str:
        return text_of(self.state, action)

    def legal_texts(self) -> dict[str, int]:
        return {self.text_of(action): action for action in self.legal()}

    def play(self, action: int) -> None:
        undo: np.void = np.zeros(1, UNDO)[0]
        key = int(self.state["key"])
        starts_turn = not self.deploying
        make(self.state, T, action, undo, self._work)
        self.actions.append(action)
        self._undos.append(undo)
        if starts_turn:
            self.keys.append(key)

    def undo_step(self) -> None:
        """Take back one action. Raises MoveError at the start."""
        if not self.actions:
            raise MoveError("cannot undo")
        self.actions.pop()
        unmake(self.state, T, self._undos.pop())
        if not self.deploying:
            self.keys.pop()

    def undo_turn(self) -> None:
        """Take back what was played of the open turn, else the last whole turn."""
        self.undo_step()
        while self.deploying and self.actions:
            self.undo_step()

    def play_turn(self, text: str) -> None:
        """Play one action, or several of one turn joined by commas. Raises MoveError, naming the
        part that is wrong, and then nothing is played."""
        played = 0
        try:
            for number, part in enumerate(text.split(","), 1):
                if number > 1 and not self.deploying:
                    raise MoveError(f'action "{part.strip()}": the turn is over before it')
                self.play(notation.match_action(part.strip(), self.legal_texts()))
                played += 1
        except MoveError:
            for _ in range(played):
                self.undo_step()
            raise

    def check(self) -> bool:
        """Whether the commander of the side to move is attacked, or gone."""
        return bool(check(self.state, T))

    def captured_commander(self) -> bool:
        """Whether a commander is gone; not while a deployment is open."""
        return not self.deploying and NOWHERE in self.state["commander"].tolist()

    def repetitions(self) -> int:
        """How often this position stood before at the beginning of a turn."""
        return 0 if self.deploying else self.keys.count(int(self.state["key"]))

    def drawn(self) -> bool:
        """By fifty moves of each side without a capture, or threefold repetition."""
        return not self.deploying and (
            int(self.state["halfmove"]) >= DRAWN_CLOCK or self.repetitions() >= 2
        )

    def can_finish_turn(self) -> bool:
        """Whether any sequence of actions ends the turn."""
        turn = self.turn
        for action in self.legal():
            if action == COMMIT_ACTION:
                return True
            self.play(action)
            done = self.turn != turn or self.can_finish_turn()
            self.undo_step()
            if done:
                return True
        return False

    def distinct_turns(self) -> dict[str, str]:
        """A text for each whole turn, by the board it leads to; the first one found stands for
        all orders that end the same."""
        found: dict[str, str] = {}
        turn, parts = self.turn, []

        def walk() -> None:
            for action in sorted(self.legal()):
                parts.append(self.text_of(action))
                self.play(action)
                if self.turn == turn:
                    walk()
                else:
                    found.setdefault(self.fen().split()[0], ",".join(parts))
                self.undo_step()
                parts.pop()

        walk()
        return found

    def fen(self) -> str:
        return fen_of(self.state)


def legal_actions(state: np.void, work: np.void) -> list[int]:
    """The legal actions of a record, in the order of generation."""
    n = generate(state, T, work, MAX_ACTIONS)
    actions: list[int] = work["actions"][MAX_ACTIONS:n].tolist()
    return actions


def text_of(state: np.void, action: int) -> str:
    """An action of a record in the long form."""
    return notation.action_text(action, int(state["board"][action & 255]))


def setup_of(state: np.void) -> Setup:
    """A record as data, an open deployment included."""
    origin = int(state["origin"])
    board = state["board"] if origin == NOWHERE else state["snapshot"]
    words = tuple(int(word) if word < BORDER else 0 for word in board)
    turn, clocks = int(state["turn"]), (int(state["halfmove"]), int(state["fullmove"]))
    if origin == NOWHERE:
        return Setup(words, turn, *clocks)
    steps = tuple(
        Step(int(state["step_group"][i]), int(state["step_kind"][i]), int(state["step_to"][i]))
        for i in range(int(state["steps"]))
    )
    return Setup(words, turn, *clocks, origin, steps)


def fen_of(state: np.void) -> str:
    """The text of a record."""
    return notation.format_fen(setup_of(state))


def build(setup: Setup, work: np.void) -> np.void:
    """The record of a setup. Raises PositionError if its deployment could not have happened."""
    state: np.void = np.zeros(1, STATE)[0]
    words = np.array(setup.words, np.int32)
    set_up(state, T, words, work["spare"][0])
    state["turn"] = setup.turn
    state["halfmove"], state["fullmove"] = setup.halfmove, setup.fullmove
    if setup.turn == BLUE:
        state["key"] ^= T["zobrist_blue"]
    if setup.origin is not None:
        _resume(state, setup.origin, setup.steps, work)
    return state


def _resume(state: np.void, origin: int, steps: Sequence[Step], work: np.void) -> None:
    """Play the steps of an open deployment."""
    for i, step in enumerate(steps):
        state["step_group"][i] = step.group
        state["step_kind"][i], state["step_to"][i] = step.kind, step.to
    if not resume(state, T, origin, len(steps), work, work["spare"][0]):
        raise PositionError("deployment: these steps are not possible from here")
