"""Two ways to talk to the protocol in tests: inside this process, and to a real one over pipes.

Both collect the output in a `Transcript`, whose `expect` reads on to a line that matches.
"""

import importlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.engine import Engine
from engine.games.base import Game
from engine.types import Data
from protocol.console import Console
from protocol.loop import Worker, read_lines, serve
from protocol.uci_service import UciService

ROOT = Path(__file__).resolve().parent.parent
REAL = ("-m", "protocol")
FAKE_PROGRAM = (str(ROOT / "tests" / "fake_program.py"),)
PATIENCE = 60.0
"""Seconds until an answer counts as missing; a cold cache on a busy machine fits in."""


class Transcript:
    """Lines that came out, and how far they were read."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._change = threading.Condition()
        self._at = 0
        self._ended = False

    def add(self, line: str) -> None:
        with self._change:
            self.lines.append(line)
            self._change.notify_all()

    def end(self) -> None:
        with self._change:
            self._ended = True
            self._change.notify_all()

    def expect(self, pattern: str, patience: float = PATIENCE) -> list[str]:
        """The unread lines up to one that matches the whole pattern, that one included."""
        deadline = time.monotonic() + patience
        with self._change:
            start = self._at
            while True:
                while self._at < len(self.lines):
                    self._at += 1
                    if re.fullmatch(pattern, self.lines[self._at - 1]):
                        return self.lines[start : self._at]
                left = deadline - time.monotonic()
                if self._ended or left <= 0:
                    why = "the output ended" if self._ended else "nothing came"
                    raise AssertionError(f"{pattern!r}: {why} after {self.lines[start:][-20:]}")
                self._change.wait(left)


class Host(Transcript):
    """Serves a game inside this process: streams in, streams out."""

    def __init__(self, game: Game, quiet: bool = False) -> None:
        super().__init__()
        self._input: queue.Queue[bytes] = queue.Queue()
        self.failed: list[Exception] = []
        self.worker = Worker(lambda: _load(game), self.failed.append)
        console = Console(self._take)
        self.service = UciService(game, console, self.worker, quiet)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.left = False
        """True when the worker's thread ended by itself."""

    def send(self, *lines: str) -> None:
        for line in lines:
            self._input.put(f"{line}\n".encode())

    def send_bytes(self, data: bytes) -> None:
        self._input.put(data)

    def ask(self, *lines: str) -> list[str]:
        """Send lines and `isready`; what came before its answer, that not included."""
        self.send(*lines, "isready")
        return self.expect("readyok")[:-1]

    def finish(self) -> list[str]:
        """End of input; the unread lines."""
        self._input.put(b"")
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        rest, self._at = self.lines[self._at :], len(self.lines)
        return rest

    def _serve(self) -> None:
        serve(read_lines(lambda size: self._input.get()), self.service.handle, self.worker)
        self.left = self.worker.close()
        self.end()

    def _take(self, data: Data) -> None:
        assert data.endswith(b"\n")
        for line in data.decode("ascii").split("\n")[:-1]:
            self.add(line)


def _load(game: Game) -> Engine:
    """Like `open_engine`, but without looking after the cache of compiled code."""
    engine: Engine = importlib.import_module(game.module).load(None)
    return engine


class Process(Transcript):
    """A real process over pipes. Use with `with`: it never outlives the block."""

    def __init__(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        program: Sequence[str] = REAL,
    ) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            [sys.executable, *program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            bufsize=0,
        )
        self.errors: list[str] = []
        self._threads = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *problem: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        rest = memoryview(data)
        while rest:
            rest = rest[self.process.stdin.write(rest) or 0 :]

    def ask(self, *lines: str) -> list[str]:
        """Send lines and `isready`; what came before its answer, that not included."""
        self.send(*lines, "isready")
        return self.expect("readyok")[:-1]

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self, patience: float = PATIENCE) -> int:
        """The exit status, once the process and its output have ended."""
        status = self.process.wait(patience)
        for thread in self._threads:
            thread.join(patience)
        return status

    def cpu_seconds(self) -> float:
        """CPU time used so far, by all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        pending = b""
        while data := self.process.stdout.read(1 << 16):
            *whole, pending = (pending + data).split(b"\n")
            for line in whole:
                self.add(line.decode("ascii"))
        if pending:
            self.add(pending.decode("ascii") + "<no end of line>")
        self.end()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.read(1 << 16):
            self.errors.append(data.decode())


def run(
    *arguments: str,
    env: Mapping[str, str] | None = None,
    text: str = "",
    program: Sequence[str] = REAL,
) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, with `text` as its input."""
    return subprocess.run(
        [sys.executable, *program, *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        timeout=PATIENCE,
        check=False,
    )
