"""Blokus behind the facade: `BlokusEngine`, and `load`, which makes one."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from engine.batch import Analyst
from engine.board_engine import BoardEngine, Command
from engine.control import Control
from engine.divide import Counts
from engine.errors import EngineError, MoveError, OptionError, PositionError
from engine.games.blokus import sgf
from engine.games.blokus.analysis import examine, write
from engine.games.blokus.bench import COUNT, THOUSANDS, bench_position
from engine.games.blokus.display import board, expectations, score_table
from engine.games.blokus.divide import divide
from engine.games.blokus.fen import parse_fen
from engine.games.blokus.generator import SWITCHES, Generator, parse_switch
from engine.games.blokus.notation import (
    coordinates,
    format_move,
    move_of,
    parse_colour,
    parse_move,
    piece_of,
    placement,
    placement_id,
    quote,
    squares_of,
)
from engine.games.blokus.pieces import NAMES
from engine.games.blokus.position import Position, fen_of
from engine.games.blokus.records import FACTS
from engine.games.blokus.scores import final_score
from engine.games.blokus.state import square
from engine.games.blokus.think import Thinker
from engine.games.blokus.variants import CLASSIC, VARIANTS, Variant
from engine.tasks import Tasks, Words, facts_of
from engine.types import BenchReport, BestMove, Info, Limits, PerftReport


class BlokusEngine(BoardEngine):
    """One game of Blokus. See `engine.board_engine.BoardEngine` for what each method promises."""

    names = tuple(variant.game for variant in VARIANTS)

    def __init__(self, variant: Variant = CLASSIC) -> None:
        super().__init__()
        self._generator = Generator()
        self._thinker = Thinker()
        self._seed = 0
        self._position = Position(variant, self._generator)
        self._analysis: str | None = None
        self._on_cpu = Tasks(self._divide_on_cpu, self._list_on_cpu, lambda: examine)
        self._backend = self._on_cpu

    # Setting up

    def use_backend(self, name: str, merge: bool = False) -> None:
        from engine.backends.choice import choose
        from engine.games.blokus.device import FACTS as DEVICE_FACTS
        from engine.games.blokus.device import RULES

        words = Words(
            lambda state, move: format_move(move),
            lambda state: f'--game blokus --backend check "position fen {fen_of(state)}',
        )
        say = lambda text: self.notice(text)  # noqa: E731
        self._backend = choose(name, RULES, DEVICE_FACTS, self._on_cpu, say, words, merge)

    @property
    def _tasks(self) -> Tasks:
        """What counts, lists and examines. Only the CPU lists moves in the other ways."""
        if self._generator.plain or self._backend is self._on_cpu:
            return self._backend
        self.notice("the parameters ask for moves as only the CPU lists them: it does the work")
        return self._on_cpu

    def new_game(self) -> None:
        self._set(Position(self._position.variant, self._generator))
        self._thinker.new_game()

    def set_game(self, name: str) -> None:
        variant = next((v for v in VARIANTS if v.game.lower() == name.lower()), None)
        if variant is None:
            raise OptionError("invalid argument")
        self._set(Position(variant, self._generator))
        self._thinker.new_game()

    def set_position(self, text: str | None, moves: Sequence[str]) -> None:
        variant, setup = (self._position.variant, None) if text is None else parse_fen(text)
        position = Position(variant, self._generator, setup)
        position.play_text(moves)
        self._set(position)

    def set_option(self, name: str, value: str) -> None:
        if name == "Threads":
            self.threads = self._thinker.threads = int(value)

    def set_seed(self, seed: int) -> None:
        self._seed = seed
        self.forget()

    def forget(self) -> None:
        self._thinker.set_seed(self._seed)

    def params(self) -> dict[str, str]:
        switches = {name: str(on).lower() for name, on in self._generator.switches.items()}
        return dict(sorted((switches | self._thinker.params()).items()))

    def set_param(self, key: str, value: str) -> None:
        if key in SWITCHES:
            self._generator.switches[key] = parse_switch(key, value)
        elif not self._thinker.set_param(key, value):
            raise OptionError(f"unknown parameter {quote(key)}")

    def _set(self, position: Position) -> None:
        self._position = position
        self._analysis = None

    # The game

    def colour(self, text: str) -> int:
        return parse_colour(text, self._position.variant)

    def colour_id(self, colour: int) -> str:
        return self._position.variant.ids[colour]

    def to_move(self) -> int:
        return self._position.turn

    def over(self) -> bool:
        return self._position.over

    def play(self, colour: int, text: str) -> None:
        self._position.play(colour, self._position.match(colour, text))
        self._analysis = None

    def undo(self) -> None:
        self._position.undo()
        self._analysis = None

    def redo(self) -> None:
        self._position.redo()
        self._analysis = None

    def moves_of(self, colour: int) -> tuple[str, ...]:
        return tuple(sorted(map(format_move, self._tasks.legal(self._position.record_for(colour)))))

    def _list_on_cpu(self, state: np.void) -> list[int]:
        return self._generator.legal(state, int(state["turn"]))

    def legal_moves(self) -> tuple[str, ...]:
        return () if self.over() else self.moves_of(self.to_move())

    def history(self) -> tuple[str, ...]:
        return tuple(self._position.texts())

    def fen(self) -> str:
        return self._position.fen()

    def final_score(self) -> str:
        return final_score(self._position.state, self._position.variant)

    def load_record(self, path: str, before: int | None) -> None:
        try:
            text = Path(path).read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            raise PositionError(f"Could not open {quote(path)}") from None
        record = sgf.parse_record(text)
        position = Position(record.variant, self._generator, record.setup)
        last = len(record.moves) if before is None else before - 1
        for number, (colour, move) in enumerate(record.moves[:last], 1):
            try:
                position.play(colour, position.match(colour, move))
            except MoveError as error:
                raise MoveError(f"game record: move {number} {quote(move)}: {error}") from None
        self._set(position)
        self._thinker.new_game()

    def save_record(self, path: str) -> None:
        position = self._position
        text = sgf.format_record(position.variant, position.base, position.texts())
        try:
            Path(path).write_text(text, encoding="utf-8")
        except (OSError, ValueError):
            raise PositionError(f"Could not write {quote(path)}") from None

    # Thinking and counting

    def think(
        self,
        colour: int,
        limits: Limits,
        control: Control,
        on_info: Callable[[Info], None],
    ) -> str | None:
        move = self._thinker.best(self._position, colour, limits, control, on_info)
        return None if move is None else format_move(move)

    def search(self, limits: Limits, control: Control, on_info: Callable[[Info], None]) -> BestMove:
        return BestMove(self.think(self.to_move(), limits, control, on_info))

    def perft(
        self, depth: int, control: Control, on_count: Callable[[str, int], None]
    ) -> PerftReport:
        start = time.perf_counter()
        counts, nodes, stopped = self._tasks.divide(
            self._position, depth, control, lambda move, leaves: on_count(format_move(move), leaves)
        )
        named = tuple((format_move(move), leaves) for move, leaves in counts)
        return PerftReport(depth, named, nodes, _milliseconds(start), stopped)

    def _divide_on_cpu(
        self, position: Position, depth: int, control: Control, on_count: Callable[[int, int], None]
    ) -> Counts:
        return divide(position, depth, self._thinker.threads, control, on_count)

    def bench(
        self, depth: int | None, control: Control, on_line: Callable[[str], None]
    ) -> BenchReport:
        start, total = time.perf_counter(), 0
        thousands = THOUSANDS if depth is None else max(depth, 1)
        for number in range(COUNT):
            name, nodes, games = bench_position(number, thousands, control)
            on_line(f"Position: {number + 1}/{COUNT} {name} {games} simulations, {nodes} nodes")
            total += nodes
        self.new_game()
        return BenchReport(total, _milliseconds(start), control.stopped)

    # Telling

    def analyze(self) -> str:
        if self._analysis is None:
            (facts,) = facts_of([self._position], self._backend.examiner(), FACTS)
            self._analysis = write(self._position, facts)
        return self._analysis

    def analyst(self) -> Analyst:
        def read(text: str) -> Position:
            variant, setup = parse_fen(text)
            return Position(variant, self._generator, setup)

        find = self._backend.examiner()
        return Analyst(read, lambda positions: facts_of(positions, find, FACTS), write)

    @property
    def desks(self) -> int:
        return self.threads + self._backend.waits

    def display(self) -> str:
        return board(self._position)

    def evaluate(self) -> str:
        table = score_table(self._position)
        if self._position.over:
            return table
        return f"{table}\n{expectations(self._position, *self._thinker.expect(self._position))}"

    def more(self) -> dict[str, Command]:
        return {
            "get_value": self._get_value,
            "move_info": self._move_info,
            "move_values": self._move_values,
        }

    def _get_value(self, words: Sequence[str]) -> str:
        _expect(words, 0)
        return f"{self._thinker.value():.4f}"

    def _move_values(self, words: Sequence[str]) -> str:
        _expect(words, 0)
        return "\n".join(self._thinker.move_values())

    def _move_info(self, words: Sequence[str]) -> str:
        """A move by its squares or its number: number, piece, squares, and the move opposite."""
        _expect(words, 1)
        size = self._position.variant.size
        move = (
            placement(int(words[0]), size) if _is_number(words[0]) else parse_move(words[0], size)
        )
        if move is None:
            raise MoveError(f"invalid move id {quote(words[0])}")
        squares = squares_of(move)
        turned = [square(size - 1 - x, size - 1 - y) for x, y in map(coordinates, squares)]
        opposite = move_of(turned)
        assert opposite is not None  # a piece turned by 180 degrees is a piece
        piece = piece_of(move)
        return "\n".join(
            [
                "",
                f"ID:     {placement_id(move, size)}",
                f"Piece:  {piece} ({NAMES[piece]})",
                f"Points: {format_move(move).replace(',', ' ')}",
                f"BrkSym: {int(not set(turned).isdisjoint(squares))}",
                f"SymMv:  {format_move(opposite)}",
            ]
        )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _expect(words: Sequence[str], number: int) -> None:
    """Raises EngineError unless there are so many arguments."""
    if len(words) != number:
        missing = "command needs one argument" if not words else "too many arguments"
        raise EngineError(missing if number else "no arguments allowed")


def _milliseconds(start: float) -> int:
    return int((time.perf_counter() - start) * 1000)


def load(name: str = CLASSIC.game) -> BlokusEngine:
    """An engine for one of the games, ready to use: importing this module compiled all that it
    runs. Blocks. `name` is one that `set_game` takes."""
    engine = BlokusEngine()
    engine.set_game(name)
    return engine
