"""An engine process that is spoken to over pipes: its start, its end, and what can go wrong."""

import contextlib
import os
import select
import shlex
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO

QUIT_TIMEOUT = 5.0
"""Seconds from `quit` to the end of the process; then it is killed."""


class EngineFault(Exception):
    """An engine cannot go on. `kind` is `crash` (its output ended), `stall` (no answer) or `error`
    (a reply that makes no sense)."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class EngineProcess:
    """One engine process; what is said to it is its client's affair. Raises EngineFault."""

    def __init__(self, command: str, *, merge_stderr: bool = False) -> None:
        self.command = command
        self.name = Path(shlex.split(command)[0]).name
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            # A process group of its own: Ctrl-C at the terminal is ours to handle.
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if merge_stderr else self._errors,
                bufsize=0,
                process_group=0,
            )
        except OSError as error:
            raise EngineFault("crash", f"cannot start {command!r}: {error.strerror}") from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)

    @property
    def pid(self) -> int:
        return self._process.pid

    def cpu_seconds(self) -> float:
        """CPU time of the process so far, all threads, user and system.

        The kernel's CPU clock of another process: the same sum as `/proc/PID/stat`, but in
        nanoseconds and not in ticks of ten milliseconds.
        """
        return time.clock_gettime((~self.pid << 3) | 2)

    def send_bytes(self, data: bytes) -> None:
        try:
            while data:
                data = data[self._stdin.write(data) or 0 :]
        except OSError:
            raise self._ended() from None

    def read_bytes(self, deadline: float) -> bytes:
        """What it has written, one byte at least. `deadline` is a time of `time.perf_counter`."""
        if not self._poll.poll(max(0.0, deadline - time.perf_counter()) * 1000):
            raise EngineFault("stall", "no reply in time")
        data = os.read(self._stdout.fileno(), 1 << 16)
        if not data:
            raise self._ended()
        return data

    def _ended(self) -> EngineFault:
        """Describe a process whose pipe is closed."""
        try:
            status = self._process.wait(QUIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            return EngineFault("crash", "closed its pipes and went on running")
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        return EngineFault("crash", f"ended with status {status}" + (f": {last}" if last else ""))

    def interrupt(self) -> None:
        """End the process from another thread; whoever waits for it gets a crash."""
        self._process.kill()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._close()

    def quit(self) -> None:
        """End the process politely."""
        with contextlib.suppress(EngineFault):
            self._say_quit()
        try:
            self._process.wait(QUIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._close()

    def _say_quit(self) -> None:
        self.send_bytes(b"quit\n")

    def _close(self) -> None:
        self._process.wait()
        for stream in (self._stdin, self._stdout, self._errors):
            with contextlib.suppress(OSError):
                stream.close()
