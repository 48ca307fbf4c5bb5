"""The search from outside: limits, threads, and the tree that is kept from move to move.

All threads search one tree, see `tree`.
"""

import threading
import time
from collections.abc import Callable

import numpy as np

from engine.control import Control
from engine.errors import OptionError
from engine.games.blokus import levels
from engine.games.blokus.memory import Memory, Tree
from engine.games.blokus.notation import format_move, piece_of
from engine.games.blokus.pieces import NAMES, PIECES
from engine.games.blokus.position import Position
from engine.games.blokus.tree import WHOLE
from engine.timeman import budget
from engine.types import Info, Limits, Score

CHUNK = 2048
"""Simulations between two looks at what they brought."""


class Thinker:
    """The search of one engine. Threads and level may be changed between searches."""

    def __init__(self) -> None:
        self.threads = 1
        self._level = levels.DEFAULT
        self._seed = 0
        self._tree = Tree()
        self._memories: list[Memory] = []
        self._line: tuple[object, ...] | None = None
        """The game up to the root of the tree, beginning with its start."""
        self._root: np.ndarray = np.zeros(0)
        """The moves at the root of the last search, best first."""

    def new_game(self) -> None:
        """Forget the last search."""
        self._line = None
        self._root = self._root[:0]

    def set_seed(self, seed: int) -> None:
        self._seed = seed
        self._line = None
        for memory in self._memories:
            memory.seed(seed)

    def params(self) -> dict[str, str]:
        return {"level": str(self._level)}

    def set_param(self, key: str, value: str) -> bool:
        """False if there is no such parameter. Raises OptionError."""
        if key != "level":
            return False
        if value not in tuple("123456789"):
            raise OptionError(f"level '{value}': expected a whole number from 1 to 9")
        self._level = int(value)
        return True

    def best(
        self,
        position: Position,
        colour: int,
        limits: Limits,
        control: Control,
        on_info: Callable[[Info], None],
    ) -> int | None:
        """A move of a colour, which need not be the one to move; None if it has none. Blocks until
        a limit is reached or `control` stops it."""
        if not position.legal(colour):
            self.new_game()
            return None
        started = time.perf_counter()
        job = control.child()
        self._prepare(position, colour, job)
        most = self._most(limits, PIECES - int(position.state["hand"][colour]).bit_count())
        timed = limits.movetime is not None or limits.time != (None, None)
        until = budget(limits, colour & 1, 0).hard if timed else None
        timer = None
        if until is not None:
            timer = threading.Timer(until / 1000, job.stop)
            timer.daemon = True
            timer.start()
        self._memories[0].run(0)
        helpers = [
            threading.Thread(target=_simulate, args=(memory, job, most), daemon=True)
            for memory in self._memories[1 : self.threads]
        ]
        for helper in helpers:
            helper.start()
        try:
            self._lead(job, most, started, on_info)
        finally:
            if most is None:
                job.stop()
            for helper in helpers:
                helper.join()
            job.stop()
            if timer is not None:
                timer.cancel()
        self._collect()
        self._report(started, on_info)
        return int(self._root["move"][0])

    def value(self) -> float:
        """Of the last search, for the colour it searched for: 1 is a win, 0 a loss."""
        if not len(self._root) or not self._root["visits"][0]:
            return 0.5
        return float(self._root["value"][0]) / (float(self._root["visits"][0]) * WHOLE)

    def expect(self, position: Position) -> tuple[list[float], list[float]]:
        """What the network says of a position, see `Memory.assess`."""
        if not self._memories:
            self._memories.append(Memory(self._tree))
            self._memories[0].seed(self._seed)
        return self._memories[0].assess(position.state, position.variant.players)

    def move_values(self) -> list[str]:
        """The moves at the root of the last search, best first: visits, values seen, value, and
        the move with its piece."""
        lines = []
        for child in self._root:
            visits, move = int(child["visits"]), int(child["move"])
            value = float(child["value"]) / (max(visits, 1) * WHOLE)
            lines.append(
                f"{visits} {visits} {value:.4f} [{NAMES[piece_of(move)]}]{format_move(move)}"
            )
        return lines

    def _prepare(self, position: Position, colour: int, job: Control) -> None:
        """Get the tree to the position that is to be searched."""
        for number in range(len(self._memories), self.threads):
            memory = Memory(self._tree, number)
            memory.seed(self._seed)
            self._memories.append(memory)
        played = [(move.colour, move.move) for move in position.history]
        line = (position.variant.id, position.base, *played)
        known = () if self._line is None else self._line
        if known and line[: len(known)] == known:
            for mover, move in played[len(known) - 2 :]:
                self._tree.advance(mover, move)
        else:
            self._tree.clear()
        root = self._tree.nodes[0]
        if root["visits"] and root["turn"] != colour:
            self._tree.clear()
        state = position.record_for(colour)
        for memory in self._memories[: self.threads]:
            memory.begin(state, position.variant.players, job, self.threads)
        self._line = line

    def _most(self, limits: Limits, placed: int) -> int | None:
        """Simulations for each thread, None if only the clock or a stop ends the search. What the
        tree has seen already counts as made."""
        if limits.nodes is not None:
            total = limits.nodes
        elif limits.infinite or limits.movetime is not None or limits.time != (None, None):
            return None
        else:
            total = levels.simulations(self._level, placed)
        left = total - int(self._tree.nodes[0]["visits"])
        return max(-(-left // self.threads), 0)

    def _lead(
        self, job: Control, most: int | None, started: float, on_info: Callable[[Info], None]
    ) -> None:
        """The simulations of the first thread, with a report now and then."""
        reported = started
        memory = self._memories[0]
        while _chunk(memory, job, most):
            if time.perf_counter() - reported > 1:
                reported = time.perf_counter()
                self._collect()
                self._report(started, on_info)

    def _collect(self) -> None:
        """Note how the moves at the root stand."""
        root: np.ndarray = self._tree.children().copy()
        order = np.lexsort((-root["prior"], -root["value"], -root["visits"]))
        self._root = root[order]

    def _report(self, started: float, on_info: Callable[[Info], None]) -> None:
        memories = self._memories[: self.threads]
        games = sum(int(memory.work["simulations"]) for memory in memories)
        elapsed = (time.perf_counter() - started) * 1000
        on_info(
            Info(
                depth=int(memories[0].work["length"]),
                score=Score(cp=round(200 * self.value() - 100)),
                nodes=games,
                nps=int(games * 1000 / max(elapsed, 0.1)),
                time=int(elapsed),
                pv=(format_move(int(self._root["move"][0])),),
            )
        )


def _chunk(memory: Memory, job: Control, most: int | None) -> bool:
    """Simulate a little. False when there is nothing left to do."""
    left = CHUNK if most is None else most - int(memory.work["simulations"])
    if left <= 0 or job.stopped:
        return False
    memory.run(min(left, CHUNK))
    return True


def _simulate(memory: Memory, job: Control, most: int | None) -> None:
    """The simulations of a helper thread."""
    while _chunk(memory, job, most):
        pass
