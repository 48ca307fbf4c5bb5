"""Speak UCI to an engine process over pipes, and hide nothing that it says.

A chess library's own engine client drops what it cannot parse; a match must report it. So this
one keeps the text of every line, stamps its arrival, and leaves the judging to the caller.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine_process import EngineFault, EngineProcess

START_TIMEOUT = 60.0
"""Seconds for an engine to say `uciok`, and at game start `readyok`: it may have to compile."""


@dataclass
class Go:
    """What one search may use. Milliseconds."""

    clocks: tuple[float, float] | None = None
    """Time left of white and black."""
    incs: tuple[int, int] = (0, 0)
    movestogo: int | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def line(self) -> str:
        words = ["go"]
        if self.clocks is not None:
            white, black = (max(1, int(clock)) for clock in self.clocks)
            words.append(f"wtime {white} btime {black} winc {self.incs[0]} binc {self.incs[1]}")
        for name in ("movestogo", "movetime", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None:
                words.append(f"{name} {value}")
        return " ".join(words)


@dataclass
class Thought:
    """What came back from one search. `elapsed` runs from `go` sent to `bestmove` received, ms."""

    move: str
    elapsed: float
    infos: list[str] = field(default_factory=list)


class UciClient(EngineProcess):
    """One engine process. Every wait has an end; EngineFault says how it went wrong."""

    def __init__(
        self,
        command: str,
        options: Mapping[str, str] | None = None,
        *,
        merge_stderr: bool = False,
        timeout: float = START_TIMEOUT,
    ) -> None:
        super().__init__(command, merge_stderr=merge_stderr)
        self.timeout = timeout
        self._buffer = b""
        self._lines: list[str] = []
        try:
            greeting = self.ask("uci", "uciok")
            self._learn(greeting)
            for name, value in (options or {}).items():
                self.set_option(name, value)
            self.sync()
        except EngineFault:
            self.kill()
            raise

    def _learn(self, greeting: Sequence[str]) -> None:
        """Take name and options from the reply to `uci`."""
        self.options: dict[str, str] = {}
        """Names of the engine's options, lower case -> as it spells them."""
        for line in greeting:
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            elif words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                self.options[name.lower()] = name

    def send(self, line: str) -> None:
        self.send_bytes(line.encode() + b"\n")

    def read_line(self, deadline: float) -> str:
        """The next line, without its end. `deadline` is a time of `time.perf_counter`."""
        while not self._lines:
            *lines, self._buffer = (self._buffer + self.read_bytes(deadline)).split(b"\n")
            self._lines = [line.decode(errors="replace").rstrip("\r") for line in lines]
        return self._lines.pop(0)

    def read_until(self, token: str, timeout: float | None = None) -> Iterator[str]:
        """Lines up to and including the first one that starts with `token`."""
        deadline = time.perf_counter() + (self.timeout if timeout is None else timeout)
        while True:
            line = self.read_line(deadline)
            yield line
            if line.startswith(token):
                return

    def ask(self, line: str, token: str, timeout: float | None = None) -> list[str]:
        """Send a line and collect the reply up to the line that starts with `token`."""
        self.send(line)
        try:
            return list(self.read_until(token, timeout))
        except EngineFault as fault:
            if fault.kind == "stall":
                raise EngineFault("stall", f"no {token!r} after {line[:60]!r}") from None
            raise

    def sync(self) -> None:
        """Wait until everything sent so far has been taken in."""
        self.ask("isready", "readyok")

    def set_option(self, name: str, value: str) -> bool:
        """Set an option, spelt as the engine does; False if it has none of that name."""
        known = self.options.get(name.lower())
        self.send(f"setoption name {known or name} value {value}")
        return known is not None

    def new_game(self, chess960: bool = False) -> None:
        if "uci_chess960" in self.options:
            self.set_option("UCI_Chess960", str(chess960).lower())
        self.send("ucinewgame")
        self.sync()

    def perft(self, fen: str, depth: int, timeout: float = 3600.0) -> dict[str, int]:
        """Leaves below each root move; their sum is checked against the total the engine says."""
        self.send(f"position fen {fen}")
        *lines, last = self.ask(f"go perft {depth}", "Nodes searched:", timeout)
        counts = {}
        for line in lines:
            move, colon, count = line.partition(": ")
            if colon and count.isdigit():
                counts[move] = int(count)
            elif line.startswith("info string error"):
                raise EngineFault("error", line)
        total = int(last.rpartition(":")[2])
        if depth > 0 and sum(counts.values()) != total:
            raise EngineFault("error", f"counts of root moves do not add up to {total}")
        return counts if depth > 0 else {"": total}

    def think(
        self, start: str, moves: Sequence[str], go: Go, budget: float | None, patience: float
    ) -> Thought:
        """Search the position after `moves` from the FEN `start`.

        After `budget` ms the engine is told to stop: whether the late answer counts is the
        caller's affair. With `patience` seconds more gone, or without a budget as many seconds of
        silence, it counts as hung.
        """
        self.send(f"position fen {start}" + (" moves " + " ".join(moves) if moves else ""))
        self.sync()
        infos: list[str] = []
        begin = time.perf_counter()
        self.send(go.line())
        flag = begin + (patience if budget is None else budget / 1000)
        stopped = False
        while True:
            try:
                line = self.read_line(flag)
            except EngineFault as fault:
                if fault.kind != "stall":
                    raise
                if budget is None or stopped:
                    raise EngineFault("stall", f"no bestmove after {go.line()!r}") from None
                stopped = True
                flag += patience
                self.send("stop")
                continue
            now = time.perf_counter()
            if line.startswith("bestmove"):
                move = " ".join(line.split()[1:2]) or "(nothing)"
                return Thought(move, (now - begin) * 1000, infos)
            infos.append(line)
            if budget is None:
                flag = now + patience
