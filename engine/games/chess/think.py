"""The search seen from outside: iterations, windows, lines, clock, threads.

`Thinker.run` deepens step by step on the worker thread. Helper threads search the same position
with memories of their own; what they find reaches the others through the transposition table.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.alphabeta import INFINITE, MATE, MATED_SOON, MAX_PLY, as_score
from engine.control import Control
from engine.games.chess.network import MOST
from engine.games.chess.notation import format_move
from engine.games.chess.position import Position, table_reply
from engine.games.chess.root import search_root
from engine.games.chess.strength import PLACES, Level
from engine.games.chess.tables import T
from engine.games.chess.wdl import outcomes
from engine.games.chess.work import BEFORE, GAME_KEYS, PER_PLY
from engine.table import Table
from engine.timeman import Budget, budget
from engine.types import BestMove, Info, Limits, Score

if TYPE_CHECKING:
    from engine.games.chess.tablebase import Tablebase, Verdict

DEEPEST = MAX_PLY - 8
WINDOW = 16
"""Half width of the first aspiration window."""
MATE_MARGIN = 16
"""Plies that `go mate` looks further than the mate is long, as reductions hide some of it."""
STRETCH = 1.35
"""Times the planned time. With 0.75 half of 10 s + 0.1 s was left after 40 moves."""
BOUND_INFO = 1500
"""Bounds are reported once a search is this many ms old."""

NEVER = np.zeros(1, np.int64)
"""A stop flag that is never set: the first iteration finds a move to play, whatever happens."""
FIRST_NODES = 20_000
"""Where it ends at the latest. Hardly any needs a tenth of that, but with many queens and pawns
about to promote, captures alone go on for a million."""


@dataclass(frozen=True)
class Settings:
    """What the options of the engine ask of a search."""

    multipv: int = 1
    overhead: int = 0
    """Milliseconds kept back on every clock."""
    chess960: bool = False
    wdl: bool = False
    """Whether to tell how likely win, draw and loss are."""
    tablebase: "Tablebase | None" = None
    level: Level | None = None
    """How weak to play; None for as well as possible. One thread is enough for that."""
    game: int = 0
    """Number of the game, so that a weakened search does not play all games alike."""


@dataclass
class Line:
    """The best line found for one of the MultiPV places."""

    depth: int
    score: int
    moves: list[int]


class Thinker:
    """One search. `works` has the memory of each thread, the first is the main one."""

    def __init__(
        self,
        position: Position,
        works: list[np.void],
        table: Table,
        limits: Limits,
        control: Control,
        on_info: Callable[[Info], None],
        settings: Settings,
    ) -> None:
        level = settings.level
        if level is not None:
            works = works[:1]
            nodes = level.nodes if limits.nodes is None else min(limits.nodes, level.nodes)
            limits = replace(limits, nodes=nodes)
        self.position, self.works, self.table = position, works, table
        self.limits, self.on_info = limits, on_info
        self.job, self.control = control, control.child()
        self.settings, self.chess960 = settings, settings.chess960
        self.state, self.phase = position.copy(), position.phase
        self.budget: Budget = budget(limits, position.turn, settings.overhead)
        self.pondering = limits.ponder
        self.finished = False
        self.started = self.clock = time.perf_counter()
        self.lines: list[Line] = []
        self.places = 1
        self.kept = 0
        """Lines at the front of `lines` that belong to the current iteration."""
        self.timer: threading.Timer | None = None
        self.verdict: Verdict | None = None
        """What the endgame tables say of the root."""

    def run(self) -> BestMove:
        """Blocks until a limit is reached or the search is stopped."""
        if self.limits.ponder:
            self.job.on_ponderhit(self._ponderhit)
        roots = self._roots()
        if not roots:
            mated = self.position.checkers() != 0
            self.on_info(Info(0, Score(mate=0) if mated else Score(cp=0)))
            self._hold()
            return BestMove(None)
        if not self.limits.ponder:
            self._start_clock()
        if self.settings.tablebase is not None:
            self.verdict = self.settings.tablebase.verdict(self.position, roots, self.control)
            roots = self.verdict.moves if self.verdict else roots
        self.table.age()
        for work in self.works:
            self._prepare(work, roots)
        helpers = [
            threading.Thread(target=self._help, args=(work, number), daemon=True)
            for number, work in enumerate(self.works[1:], 1)
        ]
        for helper in helpers:
            helper.start()
        try:
            self._deepen(self.works[0])
            self._weaken(self.works[0])
            self._hold()
        finally:
            self.control.stop()
            if self.timer is not None:
                self.timer.cancel()
            for helper in helpers:
                helper.join()
        return self._answer()

    def _roots(self) -> list[int]:
        legal = self.position.legal()
        wanted = {text.lower() for text in self.limits.searchmoves}
        chosen = [move for move in legal if self._texts(move) & wanted]
        return chosen or legal

    def _texts(self, move: int) -> set[str]:
        """A move in both castling notations."""
        return {format_move(move, False), format_move(move, True)}

    def _prepare(self, work: np.void, roots: list[int]) -> None:
        """Lay out the memory of a thread for this search; what it learnt of moves stays."""
        work["table"], work["buckets"] = self.table.address, self.table.buckets
        work["generation"] = self.table.generation
        for name in ("nodes", "seldepth", "stopped", "null_from"):
            work[name] = 0
        for name in (*PER_PLY, "root_nodes"):
            work[name][:] = 0
        if self.limits.mate is not None:
            work["null_from"] = MAX_PLY  # a null move does not see mates by zugzwang
        # The move before the root is not known; number 1 keeps it apart from a null move.
        work["path"][BEFORE - 1] = 1
        work["root_count"] = len(roots)
        work["root_moves"][: len(roots)] = roots
        keys = self.position.keys[-GAME_KEYS:]
        work["keys"][: len(keys)] = keys
        work["root_key"] = len(keys)
        work["control"] = self.control.address

    # The clock.

    def _start_clock(self) -> None:
        self.clock = time.perf_counter()
        if self.budget.hard is not None:
            self.timer = threading.Timer(self.budget.hard / 1000, self.control.stop)
            self.timer.daemon = True
            self.timer.start()

    def _ponderhit(self) -> None:
        self.pondering = False
        if self.finished:
            self.control.stop()
        else:
            self._start_clock()

    def _hold(self) -> None:
        """An infinite or ponder search does not answer before it is told to."""
        self.finished = True
        if self.limits.infinite or self.pondering:
            self.control.wait()

    def _milliseconds(self, since: float) -> float:
        return (time.perf_counter() - since) * 1000

    def _out_of_time(self, work: np.void, changes: float, drop: int) -> bool:
        """Whether to begin no other iteration: less patience when the best move is clear."""
        soft = self.budget.soft
        if soft is None or self.pondering:
            return False
        effort = int(work["root_nodes"][0]) / max(int(work["nodes"]), 1)
        factor = (1.45 - effort) * (0.75 + 0.35 * min(changes, 3.0)) * (1 + min(drop, 60) / 90)
        if int(work["root_count"]) == 1:
            factor = 0.05
        return self._milliseconds(self.clock) > soft * factor * STRETCH

    # Iterations.

    def _deepen(self, work: np.void) -> None:
        last = DEEPEST if self.limits.depth is None else min(max(self.limits.depth, 1), DEEPEST)
        if self.limits.mate is not None:
            # Far beyond the plies of the mate: one that has not been found by then is not there.
            last = min(last, 2 * max(self.limits.mate, 0) + MATE_MARGIN)
        wanted = max(self.settings.multipv, PLACES if self.settings.level else 1)
        places = self.places = min(wanted, int(work["root_count"]))
        changes, best, score = 0.0, 0, 0
        for depth in range(1, last + 1):
            work["control"] = self.control.address if depth > 1 else NEVER.ctypes.data
            work["node_limit"] = self._node_limit() if depth > 1 else FIRST_NODES
            work["seldepth"] = 0
            self.kept = 0
            before = list(self.lines)
            for place in range(places):
                self._search_place(work, depth, place)
                if work["stopped"] and depth > 1:
                    self._fill_up(before)
                    self._report_lines(work, places if places > 1 and self.kept else 0)
                    return
                self._sort(work, place + 1)
            self._report_lines(work, places if places > 1 else 0)
            work["stopped"] = 0
            if depth == 1 and self._used_up(work):
                return
            changes = changes / 2 + (self.lines[0].moves[0] != best)
            best = self.lines[0].moves[0]
            drop = max(score - self.lines[0].score, 0) if depth > 4 else 0
            score = self.lines[0].score
            if self._mate_found(score) or self._out_of_time(work, changes, drop):
                return

    def _used_up(self, work: np.void) -> bool:
        """Whether the first iteration was all there is time or nodes for."""
        limits = self.limits
        if limits.nodes is not None and work["nodes"] >= limits.nodes:
            return True
        if limits.mate is not None and limits.mate <= 0:
            return True
        return self.control.stopped or (self.budget.hard == 0 and not self.pondering)

    def _node_limit(self) -> int:
        if self.limits.nodes is None:
            return 0
        return max(self.limits.nodes // len(self.works), 1)

    def _mate_found(self, score: int) -> bool:
        """A `go mate` search has what it wants; a search on the clock that sees its own mate in a
        few moves need not look for a longer one."""
        if self.limits.mate is not None and score > MATED_SOON:
            return (MATE - score + 1) // 2 <= max(self.limits.mate, 1)
        return self.budget.soft is not None and not self.pondering and score > MATE - 8

    def _search_place(self, work: np.void, depth: int, place: int) -> None:
        """One iteration for one MultiPV place, with a window that widens until it holds the
        score."""
        center = self.lines[place].score if place < len(self.lines) else 0
        width = WINDOW
        alpha, beta = -INFINITE, INFINITE
        if depth >= 5 and abs(center) < MATED_SOON:
            alpha, beta = center - width, center + width
        while True:
            score = int(search_root(work, T, self.state, alpha, beta, depth, place))
            if work["stopped"]:
                if depth == 1 and not work["pv_length"][0]:
                    # Not even one move was finished.
                    work["pv_length"][0], work["pv"][0] = 1, work["root_moves"][place]
                    score = max(int(work["evals"][0]), -MOST)
                if work["pv_length"][0] and score > alpha:
                    self._keep(work, depth, place, score)
                return
            if alpha < score < beta:
                self._keep(work, depth, place, score)
                return
            self._report_bound(work, depth, place, score, score <= alpha)
            width *= 3
            if score <= alpha:
                alpha = center - width if width < 800 else -INFINITE
            else:
                beta = center + width if width < 800 else INFINITE

    def _sort(self, work: np.void, count: int) -> None:
        """Bring the lines of this iteration, and their root moves, into the order of their scores:
        a later place may turn out better than an earlier one."""
        order = sorted(range(count), key=lambda i: -self.lines[i].score)
        self.lines[:count] = [self.lines[i] for i in order]
        for name in ("root_moves", "root_nodes"):
            work[name][:count] = work[name][:count][order]

    def _fill_up(self, before: list[Line]) -> None:
        """After a stop in the middle of an iteration: behind the lines of this one come those of
        the last, each root move once."""
        new = self.lines[: self.kept]
        taken = {line.moves[0] for line in new}
        self.lines = new + [line for line in before if line.moves[0] not in taken]

    def _report_lines(self, work: np.void, count: int) -> None:
        for place, line in enumerate(self.lines[: min(count, self.settings.multipv)]):
            self._report(work, line, place)

    def _keep(self, work: np.void, depth: int, place: int, score: int) -> None:
        length = int(work["pv_length"][0])
        line = Line(depth, score, [int(move) for move in work["pv"][:length]])
        if place < len(self.lines):
            self.lines[place] = line
        else:
            self.lines.append(line)
        self.kept = place + 1
        if self.places == 1:
            self._report(work, line, place)

    def _report_bound(self, work: np.void, depth: int, place: int, score: int, low: bool) -> None:
        if self._milliseconds(self.started) < BOUND_INFO:
            return
        length = int(work["pv_length"][0])
        line = Line(depth, score, [int(move) for move in work["pv"][:length]])
        self._report(work, line, place, "upperbound" if low else "lowerbound")

    def _report(self, work: np.void, line: Line, place: int, bound: str = "") -> None:
        elapsed = self._milliseconds(self.started)
        value = self._value(line.score)
        nodes = sum(int(each["nodes"]) for each in self.works)
        self.on_info(
            Info(
                depth=line.depth,
                seldepth=max(int(work["seldepth"]), 1),
                multipv=place + 1,
                score=as_score(value, bound),
                nodes=nodes,
                nps=int(nodes * 1000 / max(elapsed, 0.1)),
                hashfull=self.table.permille(),
                time=int(elapsed),
                pv=tuple(format_move(move, self.chess960) for move in line.moves),
                wdl=self._chances(value) if self.settings.wdl else None,
                tbhits=self.verdict.hits if self.verdict else 0,
            )
        )

    def _value(self, score: int) -> int:
        """A score, corrected by what the endgame tables know; mates that agree with them stay."""
        if self.verdict is None:
            return score
        known = self.verdict.score
        return score if abs(score) > MATED_SOON and score * known > 0 else known

    def _chances(self, value: int) -> tuple[int, int, int]:
        """Win, draw and loss in thousandths; what the endgame tables know is certain."""
        if self.verdict is not None and value == 0:
            return 0, 1000, 0
        return outcomes(value, self.phase)

    def _help(self, work: np.void, number: int) -> None:
        """A helper thread: the same iterations, every second one skipped by every second thread,
        so that they do not all do the same."""
        state = self.position.copy()
        work["node_limit"] = self._node_limit()
        for depth in range(1 + number % 2, DEEPEST):
            search_root(work, T, state, -INFINITE, INFINITE, depth, 0)
            if work["stopped"]:
                return

    # The answer.

    def _weaken(self, work: np.void) -> None:
        """Perhaps prefer a move that is not the best, and say so."""
        level = self.settings.level
        if level is None:
            return
        scores = [line.score for line in self.lines[:PLACES]]
        chosen = level.choose(scores, int(self.state["key"]) ^ self.settings.game)
        if chosen:
            self.lines.insert(0, self.lines.pop(chosen))
            self._report(work, self.lines[0], 0)

    def _answer(self) -> BestMove:
        best = self.lines[0].moves
        ponder = best[1] if len(best) > 1 else table_reply(self.position, best[0], self.table)
        return BestMove(
            format_move(best[0], self.chess960),
            format_move(ponder, self.chess960) if ponder else None,
        )
