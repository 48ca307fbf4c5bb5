"""Speak GTP to an engine process over pipes. Every wait has an end."""

import time

from engine_process import EngineFault, EngineProcess

PATIENCE = 120.0
"""Seconds for a reply; an engine may have to compile before its first one."""


class GtpClient(EngineProcess):
    """One engine process. EngineFault says what went wrong: crash, stall or error."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        super().__init__(command)
        self.patience = patience
        self._buffer = b""

    def reply(self) -> str:
        """The next reply, without the empty line that ends it."""
        deadline = time.perf_counter() + self.patience
        while b"\n\n" not in self._buffer:
            self._buffer += self.read_bytes(deadline).replace(b"\r", b"")
        text, _, self._buffer = self._buffer.partition(b"\n\n")
        return text.decode(errors="replace")

    def ask(self, command: str) -> str:
        """The text of the reply; a command that failed is an error of the engine."""
        self.send_bytes(f"{command}\n".encode())
        reply = self.reply()
        if not reply.startswith("= "):
            raise EngineFault("error", f"{command}: {reply}")
        return reply[2:]

    def _say_quit(self) -> None:
        self.ask("quit")
