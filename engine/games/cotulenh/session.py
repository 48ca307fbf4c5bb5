"""CoTuLenh behind the facade: `CotulenhEngine`, and `load`, which makes one."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from engine.batch import Analyst
from engine.board_engine import BoardEngine, Command
from engine.control import Control
from engine.divide import Counts
from engine.errors import MoveError, OptionError, PositionError
from engine.games.cotulenh import notation
from engine.games.cotulenh.analysis import write
from engine.games.cotulenh.bench import DEPTH, POSITIONS
from engine.games.cotulenh.display import drawing, facts
from engine.games.cotulenh.divide import divide
from engine.games.cotulenh.explain import explain
from engine.games.cotulenh.facts import examiner
from engine.games.cotulenh.outcome import COLOURS, outcome
from engine.games.cotulenh.position import Position, fen_of, legal_actions, text_of
from engine.games.cotulenh.records import FACTS, WORK
from engine.games.cotulenh.think import Memory, Thinker
from engine.table import Table
from engine.tasks import Tasks, Words, facts_of
from engine.types import BenchReport, BestMove, Info, Limits, PerftReport

ARGUMENTS = {"red": 0, "r": 0, "blue": 1, "b": 1}

LEVELS = (0, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
"""Nodes for a turn by level, 1 to 9."""
LEVEL = 5


class CotulenhEngine(BoardEngine):
    """One game. See `Engine` and `BoardEngine` for what each method promises."""

    names = ("CoTuLenh",)

    def __init__(self) -> None:
        super().__init__()
        self._position = Position()
        self._undone: list[tuple[str, ...]] = []
        self._table = Table(16)
        self._memories = [Memory()]
        self._level = LEVEL
        self._branches = False
        self._tasks = Tasks(self._divide_on_cpu, _list_on_cpu, examiner)

    def use_backend(self, name: str, merge: bool = False) -> None:
        from engine.backends.choice import choose
        from engine.games.cotulenh.device import FACTS as DEVICE_FACTS
        from engine.games.cotulenh.device import RULES

        words = Words(
            text_of, lambda state: f'--game cotulenh --backend check "position fen {fen_of(state)}'
        )
        say = lambda text: self.notice(text)  # noqa: E731
        self._tasks = choose(name, RULES, DEVICE_FACTS, self._tasks, say, words, merge)

    # Positions and moves.

    def set_game(self, name: str) -> None:
        if name.lower() != "cotulenh":
            raise OptionError("invalid argument")
        self.new_game()

    def new_game(self) -> None:
        self._position, self._undone = Position(), []
        self.forget()

    def forget(self) -> None:
        self._table.clear()
        self._memories = [Memory() for _ in range(self.threads)]

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        position = Position(notation.START if text is None else text)
        for number, move in enumerate(moves, 1):
            try:
                position.play_turn(move)
            except MoveError as error:
                raise MoveError(f"move {number}: {error}") from None
        self._position, self._undone = position, []

    def fen(self) -> str:
        return self._position.fen()

    def colour(self, text: str) -> int:
        try:
            return ARGUMENTS[text.lower()]
        except KeyError:
            raise MoveError(f"invalid color argument '{text}'") from None

    def colour_id(self, colour: int) -> str:
        return COLOURS[colour]

    def to_move(self) -> int:
        return self._position.turn

    def over(self) -> bool:
        return outcome(self._position, self._branches).over

    def play(self, colour: int, text: str) -> None:
        self._must_be_to_move(colour)
        if self._position.captured_commander():
            raise MoveError("the game is over: a commander is captured")
        self._position.play_turn(text)
        self._undone.clear()

    def _must_be_to_move(self, colour: int) -> None:
        if colour != self._position.turn:
            raise MoveError(f"{COLOURS[self._position.turn]} is to move")

    def undo(self) -> None:
        turns = self._turns()
        self._position.undo_turn()
        self._undone.append(turns[-1])

    def _undo_step(self, words: Sequence[str]) -> str:
        if not self._position.deploying:
            raise MoveError("cannot undo a step: no deployment is open")
        self._position.undo_step()
        self._undone.clear()
        return ""

    def redo(self) -> None:
        if not self._undone:
            raise MoveError("cannot redo")
        for text in self._undone.pop():
            self._position.play_turn(text)

    def _turns(self) -> list[tuple[str, ...]]:
        """The game as text, turn by turn; the last one may be open."""
        position = self._position
        actions = list(position.actions)
        for _ in actions:
            position.undo_step()
        turns: list[tuple[str, ...]] = []
        for action in actions:
            text, fresh = position.text_of(action), not position.deploying
            position.play(action)
            turns = [*turns, (text,)] if fresh else [*turns[:-1], (*turns[-1], text)]
        return turns

    def history(self) -> tuple[str, ...]:
        turns = self._turns()
        first = self._position.turn ^ (len(turns) - self._position.deploying) & 1
        return tuple(
            f"{COLOURS[first ^ number & 1]} {','.join(turn)}" for number, turn in enumerate(turns)
        )

    def legal_moves(self) -> tuple[str, ...]:
        return self.moves_of(self._position.turn)

    def moves_of(self, colour: int) -> tuple[str, ...]:
        position = self._position
        seen = position if colour == position.turn else position.for_other_side()
        return tuple(sorted({text_of(seen.state, a) for a in self._tasks.legal(seen.state)}))

    def _turn_list(self, words: Sequence[str]) -> str:
        if self._tasks.waits:
            self.notice("whole turns are listed on the CPU")
        turns = sorted(self._position.distinct_turns().values())
        return "\n".join([str(len(turns)), *turns])

    # Search.

    def search(self, limits: Limits, control: Control, on_info: Callable[[Info], None]) -> BestMove:
        return BestMove(self.think(self._position.turn, limits, control, on_info))

    def think(
        self,
        colour: int,
        limits: Limits,
        control: Control,
        on_info: Callable[[Info], None],
    ) -> str | None:
        self._must_be_to_move(colour)
        turn = Thinker(
            self._position, self._memories, self._table, self._effort(limits), control, on_info
        ).run()
        return ",".join(turn) or None

    def _effort(self, limits: Limits) -> Limits:
        """The limits, or those of the level if there are none."""
        return Limits(nodes=LEVELS[self._level]) if limits == Limits() else limits

    def bench(
        self, depth: int | None, control: Control, on_line: Callable[[str], None]
    ) -> BenchReport:
        limits = Limits(depth=DEPTH if depth is None else depth)
        table, memories = Table(16), [Memory()]
        total, start = 0, time.perf_counter()
        for number, fen in enumerate(POSITIONS, 1):
            if control.stopped:
                break
            thinker = Thinker(Position(fen), memories, table, limits, control, lambda info: None)
            best = ",".join(thinker.run())
            nodes = thinker.nodes
            total += nodes
            on_line(f"Position: {number}/{len(POSITIONS)} {best} {nodes} {fen}")
        self._position, self._undone = Position(), []
        return BenchReport(total, _milliseconds(start), control.stopped)

    # Everything else.

    def set_option(self, name: str, value: str) -> None:
        match name:
            case "Hash":
                self._table.resize(int(value))
            case "Threads":
                self.threads = int(value)
                fresh = [Memory() for _ in range(self.threads)]
                self._memories = (self._memories + fresh)[: self.threads]

    def params(self) -> dict[str, str]:
        return {
            "branch_victory": str(self._branches).lower(),
            "hash": str(self._table.megabytes),
            "level": str(self._level),
        }

    def set_param(self, key: str, value: str) -> None:
        match key:
            case "branch_victory":
                if value.lower() not in ("true", "false", "1", "0"):
                    raise OptionError(f"branch_victory: expected true or false, got '{value}'")
                self._branches = value.lower() in ("true", "1")
            case "hash":
                self._table.resize(_number(key, value, 1, 1 << 20))
            case "level":
                self._level = _number(key, value, 1, 9)
            case _:
                raise OptionError(f"unknown parameter '{key}'")

    def set_seed(self, seed: int) -> None:
        """The search draws no random numbers."""

    def perft(
        self, depth: int, control: Control, on_count: Callable[[str, int], None]
    ) -> PerftReport:
        start, position = time.perf_counter(), self._position
        counts, nodes, stopped = self._tasks.divide(
            position, depth, control, lambda a, n: on_count(position.text_of(a), n)
        )
        named = tuple((position.text_of(action), leaves) for action, leaves in counts)
        return PerftReport(depth, named, nodes, _milliseconds(start), stopped)

    def _divide_on_cpu(
        self, position: Position, depth: int, control: Control, on_count: Callable[[int, int], None]
    ) -> Counts:
        return divide(position, depth, self.threads, control, on_count)

    def final_score(self) -> str:
        return str(outcome(self._position, self._branches))

    def analyze(self) -> str:
        (facts,) = facts_of([self._position], self._tasks.examiner(), FACTS)
        return write(self._position, self._branches, facts)

    def analyst(self) -> Analyst:
        find, branches = self._tasks.examiner(), self._branches
        return Analyst(
            Position,
            lambda positions: facts_of(positions, find, FACTS),
            lambda position, facts: write(position, branches, facts),
        )

    @property
    def desks(self) -> int:
        return self.threads + self._tasks.waits

    def display(self) -> str:
        result = outcome(self._position, self._branches)
        lines = [drawing(self._position), *facts(self._position)]
        return "\n".join([*lines, f"Result: {result}"] if result.over else lines)

    def evaluate(self) -> str:
        return explain(self._position)

    def load_record(self, path: str, before: int | None) -> None:
        try:
            lines = Path(path).read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            raise PositionError(f"Could not open '{path}'") from None
        moves = [line.strip() for line in lines[1:] if line.strip()]
        self.set_position(lines[0].strip(), moves if before is None else moves[: before - 1])

    def save_record(self, path: str) -> None:
        position, turns = self._position, self._turns()
        played = list(position.actions)
        for _ in played:
            position.undo_step()
        start = position.fen()
        for action in played:
            position.play(action)
        text = "\n".join([start, *(",".join(turn) for turn in turns), ""])
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise PositionError(f"Could not write '{path}': {error.strerror}") from None

    def more(self) -> dict[str, Command]:
        return {"undo step": self._undo_step, "legalmoves turns": self._turn_list}


def _list_on_cpu(state: np.void) -> list[int]:
    return legal_actions(state, np.zeros(1, WORK)[0])


def _number(key: str, value: str, low: int, high: int) -> int:
    if not value.isascii() or not value.isdecimal() or not low <= int(value[:12]) <= high:
        raise OptionError(f"{key}: expected a whole number from {low} to {high}, got '{value}'")
    return int(value)


def _milliseconds(start: float) -> int:
    return int((time.perf_counter() - start) * 1000)


def load(name: str = "CoTuLenh") -> CotulenhEngine:
    """An engine ready to use: importing this module compiled all that it runs. Blocks."""
    engine = CotulenhEngine()
    engine.set_game(name)
    return engine
