"""Speak GTP to an engine process over pipes. Every wait has an end."""

import contextlib
import os
import select
import shlex
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO

from uci_client import EngineFault

PATIENCE = 120.0
"""Seconds for a reply; an engine may have to compile before its first one."""

QUIT_TIMEOUT = 5.0
"""Seconds from `quit` to the end of the process; then it is killed."""


class GtpClient:
    """One engine process. EngineFault says what went wrong: crash, stall or error."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.command = command
        self.patience = patience
        self.name = Path(shlex.split(command)[0]).name
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._buffer = b""
        try:
            # A process group of its own: Ctrl-C at the terminal is ours to handle.
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                process_group=0,
            )
        except OSError as error:
            raise EngineFault("crash", f"cannot start {command!r}: {error.strerror}") from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)

    def send_bytes(self, data: bytes) -> None:
        try:
            while data:
                data = data[self._stdin.write(data) or 0 :]
        except OSError:
            raise self._ended() from None

    def reply(self) -> str:
        """The next reply, without the empty line that ends it."""
        deadline = time.monotonic() + self.patience
        while b"\n\n" not in self._buffer:
            if not self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise EngineFault("stall", "no reply in time")
            data = os.read(self._stdout.fileno(), 1 << 16)
            if not data:
                raise self._ended()
            self._buffer += data.replace(b"\r", b"")
        text, _, self._buffer = self._buffer.partition(b"\n\n")
        return text.decode(errors="replace")

    def ask(self, command: str) -> str:
        """The text of the reply; a command that failed is an error of the engine."""
        self.send_bytes(f"{command}\n".encode())
        reply = self.reply()
        if not reply.startswith("= "):
            raise EngineFault("error", f"{command}: {reply}")
        return reply[2:]

    def _ended(self) -> EngineFault:
        """Describe a process whose pipe is closed."""
        try:
            status = self._process.wait(QUIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            return EngineFault("crash", "closed its pipes and went on running")
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        return EngineFault("crash", f"ended with status {status}" + (f": {last}" if last else ""))

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._close()

    def quit(self) -> None:
        """End the process politely."""
        with contextlib.suppress(EngineFault):
            self.ask("quit")
        try:
            self._process.wait(QUIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._close()

    def _close(self) -> None:
        self._process.wait()
        for stream in (self._stdin, self._stdout, self._errors):
            with contextlib.suppress(OSError):
                stream.close()
