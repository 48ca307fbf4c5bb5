"""The search seen from outside: iterations, clock, threads, and the whole turn as the answer.

`Thinker.run` deepens step by step. Helper threads search the same position with memories of their
own; what they find reaches the others through the transposition table. When the best action opens
a deployment, the search goes on from there until the turn is over.
"""

import threading
import time
from collections.abc import Callable

import numpy as np

from engine.alphabeta import INFINITE, MATE, MATED_SOON, MAX_PLY, as_score
from engine.control import Control
from engine.games.cotulenh.evaluate import evaluate
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.records import WORK
from engine.games.cotulenh.search import search
from engine.games.cotulenh.tables import T
from engine.games.cotulenh.thread import GAME_KEYS, new_thread
from engine.memory import zeros
from engine.table import Table
from engine.timeman import budget
from engine.types import Info, Limits

DEEPEST = MAX_PLY - 16
FIRST_SHARE = 0.8
"""Of the time for a turn: what its first action may use when it opens a deployment."""
NEVER = np.zeros(1, np.int64)
"""A stop flag that is never set: the first iteration finds an action, whatever happens."""
FIRST_NODES = 50_000
"""Where it ends at the latest: some positions have captures for many millions."""


class Memory:
    """What one search thread keeps between searches."""

    def __init__(self) -> None:
        self.thread = new_thread()
        self.work: np.void = zeros(1, WORK)[0]


class Thinker:
    """One search for a whole turn. The first of `memories` is the main thread's."""

    def __init__(
        self,
        position: Position,
        memories: list[Memory],
        table: Table,
        limits: Limits,
        control: Control,
        on_info: Callable[[Info], None],
        overhead: int = 0,
    ) -> None:
        self.position, self.memories, self.table = position, memories, table
        self.limits, self.on_info = limits, on_info
        self.control = control
        self.budget = budget(limits, position.turn, overhead)
        self.started = time.perf_counter()
        self.nodes = 0
        """Searched so far, by all threads."""

    def run(self) -> tuple[str, ...]:
        """The actions of the turn as text, empty if there is none. Blocks until a limit is reached
        or the search is stopped; the position is unchanged."""
        position, turn = self.position, self.position.turn
        found: list[str] = []
        if position.captured_commander() or not position.can_finish_turn():
            return ()
        hard = self.budget.hard
        share = FIRST_SHARE
        try:
            while position.turn == turn:
                action = self._best(None if hard is None else hard * share)
                found.append(position.text_of(action))
                position.play(action)
                share = 1.0
        finally:
            for _ in found:
                position.undo_step()
        return tuple(found)

    def _best(self, until: float | None) -> int:
        """The best action here. `until` is the latest end in ms from the start."""
        legal = self.position.legal()
        if len(legal) == 1:
            return legal[0]
        job = self.control.child()
        self.table.age()
        for memory in self.memories:
            self._prepare(memory, job)
        helpers = [
            threading.Thread(target=self._help, args=(memory, number), daemon=True)
            for number, memory in enumerate(self.memories[1:], 1)
        ]
        timer = None
        if until is not None:
            timer = threading.Timer(max(until - self._elapsed(), 0) / 1000, job.stop)
            timer.daemon = True
            timer.start()
        for helper in helpers:
            helper.start()
        try:
            return self._deepen(job)
        finally:
            job.stop()
            if timer is not None:
                timer.cancel()
            for helper in helpers:
                helper.join()
            self.nodes += sum(int(memory.thread["nodes"]) for memory in self.memories)

    def _prepare(self, memory: Memory, job: Control) -> None:
        thread = memory.thread
        thread["table"], thread["buckets"] = self.table.address, self.table.buckets
        thread["generation"] = self.table.generation
        for name in ("nodes", "seldepth", "stopped", "node_limit"):
            thread[name] = 0
        thread["killers"][:] = 0
        keys = self.position.keys[-GAME_KEYS:]
        if self.position.deploying:
            keys = keys[:-1]  # its last one is where this turn began
        thread["keys"][: len(keys)] = keys
        thread["root_key"] = len(keys)
        thread["keys"][len(keys)] = self.position.state["key"]
        thread["control"] = job.address

    def _deepen(self, job: Control) -> int:
        """Iterations until time, nodes or depth are used up."""
        memory = self.memories[0]
        thread = memory.thread
        state = self.position.state.copy()
        last = DEEPEST if self.limits.depth is None else min(max(self.limits.depth, 1), DEEPEST)
        best = 0
        for depth in range(1, last + 1):
            thread["control"] = job.address if depth > 1 else NEVER.ctypes.data
            thread["node_limit"] = self._node_limit() if depth > 1 else FIRST_NODES
            thread["root_depth"], thread["seldepth"] = depth, 0
            value = int(search(thread, T, state, memory.work, -INFINITE, INFINITE, depth, 0, 0))
            if thread["stopped"] and depth > 1:
                break
            if thread["stopped"]:
                value = self._cut_off(thread)
            best = int(thread["pv"][0])
            self._report(depth, value)
            if self._enough(value, depth):
                break
        return best

    def _cut_off(self, thread: np.void) -> int:
        """The first iteration has had its nodes: what it has found stays, or else the first action
        that does not lead into a dead end, worth what the position is worth as it stands."""
        if not thread["pv_length"][0]:
            action = next(filter(self._leads_on, self.position.legal()))
            thread["pv_length"][0], thread["pv"][0] = 1, action
        thread["stopped"] = 0
        return int(evaluate(self.position.state, T))

    def _leads_on(self, action: int) -> bool:
        """Whether the turn is over after an action, or can be brought to an end."""
        position = self.position
        turn = position.turn
        position.play(action)
        found = position.turn != turn or position.can_finish_turn()
        position.undo_step()
        return found

    def _enough(self, value: int, depth: int) -> bool:
        """Whether another iteration is not worth beginning."""
        thread = self.memories[0].thread
        if self.limits.nodes is not None and thread["nodes"] >= self._node_limit():
            return True
        if self.limits.infinite:
            return False
        if abs(value) > MATED_SOON and self.limits.depth is None:
            # Look on until no shorter mate can have been overlooked.
            return depth > MATE - abs(value) + 1
        soft = self.budget.soft
        return soft is not None and self._elapsed() > soft * 0.5

    def _node_limit(self) -> int:
        return 0 if self.limits.nodes is None else max(self.limits.nodes // len(self.memories), 1)

    def _help(self, memory: Memory, number: int) -> None:
        """A helper thread: the same iterations, every second thread one ahead."""
        state = self.position.state.copy()
        memory.thread["node_limit"] = self._node_limit()
        for depth in range(1 + number % 2, DEEPEST):
            memory.thread["root_depth"] = depth
            search(memory.thread, T, state, memory.work, -INFINITE, INFINITE, depth, 0, 0)
            if memory.thread["stopped"]:
                return

    def _report(self, depth: int, value: int) -> None:
        thread = self.memories[0].thread
        nodes = self.nodes + sum(int(memory.thread["nodes"]) for memory in self.memories)
        elapsed = self._elapsed()
        self.on_info(
            Info(
                depth=depth,
                seldepth=int(thread["seldepth"]),
                score=as_score(value),
                nodes=nodes,
                nps=int(nodes * 1000 / max(elapsed, 0.1)),
                hashfull=self.table.permille(),
                time=int(elapsed),
                pv=self._line(),
            )
        )

    def _line(self) -> tuple[str, ...]:
        """The main line as text."""
        thread, position = self.memories[0].thread, self.position
        texts: list[str] = []
        for action in thread["pv"][: int(thread["pv_length"][0])]:
            if int(action) not in position.legal():
                break
            texts.append(position.text_of(int(action)))
            position.play(int(action))
        for _ in texts:
            position.undo_step()
        return tuple(texts)

    def _elapsed(self) -> float:
        """Milliseconds since the search was asked for."""
        return (time.perf_counter() - self.started) * 1000
