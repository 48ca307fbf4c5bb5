"""Two ways to talk the line protocol in tests: inside this process, and to a real one over pipes.

Both collect the bytes that came out; `reply` hands out whole replies, byte for byte.
"""

import importlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence

from protocol_host import PATIENCE, REAL, ROOT

from engine.games.base import Game
from engine.types import Data
from protocol.console import Console
from protocol.gtp_reply import Framed
from protocol.gtp_service import GtpService
from protocol.loop import Worker, read_lines, serve


class Replies:
    """The bytes that came out, and how far they were read."""

    def __init__(self) -> None:
        self.output = b""
        self._change = threading.Condition()
        self._at = 0
        self._ended = False

    def add(self, data: Data) -> None:
        with self._change:
            self.output += data
            self._change.notify_all()

    def end(self) -> None:
        with self._change:
            self._ended = True
            self._change.notify_all()

    def reply(self, patience: float = PATIENCE) -> str:
        """The next reply, without the empty line that ends it."""
        deadline = time.monotonic() + patience
        with self._change:
            while (end := self.output.find(b"\n\n", self._at)) < 0:
                left = deadline - time.monotonic()
                if self._ended or left <= 0:
                    why = "the output ended" if self._ended else "nothing came"
                    raise AssertionError(f"{why} after {self.output[-200:]!r}")
                self._change.wait(left)
            text = self.output[self._at : end].decode("ascii")
            self._at = end + 2
        return text

    def silent(self, seconds: float = 0.1) -> bool:
        """True if nothing comes for so long."""
        with self._change:
            return not self._change.wait_for(lambda: len(self.output) > self._at, seconds)

    def rest(self) -> bytes:
        """What was not read yet."""
        with self._change:
            rest, self._at = self.output[self._at :], len(self.output)
        return rest

    def send_bytes(self, data: bytes) -> None:
        raise NotImplementedError

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def ask(self, line: str) -> str:
        """The text of the reply to one command, which must succeed."""
        self.send(line)
        text = self.reply()
        assert text.startswith("= "), f"{line!r}: {text!r}"
        return text[2:]

    def fail(self, line: str) -> str:
        """The message of the reply to one command, which must fail."""
        self.send(line)
        text = self.reply()
        assert text.startswith("? "), f"{line!r}: {text!r}"
        assert "\n" not in text
        return text[2:]


class GtpHost(Replies):
    """Serves a game inside this process."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._input: queue.Queue[bytes] = queue.Queue()
        self.failed: list[Exception] = []
        self.worker = Worker(
            lambda: importlib.import_module(game.module).load(), self.failed.append
        )
        self.service = GtpService(game, self.worker, Framed(Console(self.add)))
        self.left = False
        """True when the worker's thread ended by itself."""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def send_bytes(self, data: bytes) -> None:
        self._input.put(data)

    def finish(self) -> bytes:
        """End of input; the bytes not read before."""
        self._input.put(b"")
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.rest()

    def _serve(self) -> None:
        serve(read_lines(lambda size: self._input.get()), self.service.handle, self.worker)
        self.left = self.worker.finish()
        self.end()


class GtpProcess(Replies):
    """A real process over pipes. Use with `with`: it never outlives the block."""

    def __init__(
        self,
        *arguments: str,
        program: Sequence[str] = REAL,
        env: Mapping[str, str] | None = None,
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
        self.errors = b""
        self._threads = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "GtpProcess":
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

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        rest = memoryview(data)
        while rest:
            rest = rest[self.process.stdin.write(rest) or 0 :]

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self, patience: float = PATIENCE) -> int:
        """The exit status, once the process and its output have ended."""
        status = self.process.wait(patience)
        for thread in self._threads:
            thread.join(patience)
        return status

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        while data := self.process.stdout.read(1 << 16):
            self.add(data)
        self.end()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.read(1 << 16):
            self.errors += data
