"""How replies of the line protocol leave: framed for a controller, bare for a shell, or not at all.

A long reply may send rows ahead of its end. They are whole lines, and the reply succeeds so far.
Only one reply is under way at any moment.
"""

import os
from abc import ABC, abstractmethod

from engine.types import Data
from protocol.console import Console, say
from protocol.gtp import Request, render_end, render_reply

FAILURE = 1


class Reply(ABC):
    """Where replies go."""

    @abstractmethod
    def rows(self, request: Request, data: Data) -> None:
        """Send some lines of the text."""

    @abstractmethod
    def end(self, request: Request, ok: bool, text: str) -> None:
        """Send what is left of the text, or the message of a failure."""


class Framed(Reply):
    """As the protocol has them."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._begun = False

    def rows(self, request: Request, data: Data) -> None:
        self._console.lines(data if self._begun else f"={request.id} ".encode() + data)
        self._begun = True

    def end(self, request: Request, ok: bool, text: str) -> None:
        if self._begun:
            self._console.block(render_end(ok, text))
        else:
            self._console.block(render_reply(ok, request.id, text))
        self._begun = False


class Bare(Reply):
    """The text alone, for commands on the command line; errors go to stderr."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def rows(self, request: Request, data: Data) -> None:
        self._console.lines(data)

    def end(self, request: Request, ok: bool, text: str) -> None:
        if not ok:
            say(f"triptych: {text}")
        elif text:
            self._console.block(text.strip("\n").split("\n"))


class Silent(Reply):
    """For `--config`: a command that fails there ends the process."""

    def rows(self, request: Request, data: Data) -> None:
        """Nobody asked."""

    def end(self, request: Request, ok: bool, text: str) -> None:
        if not ok:
            say(f"triptych: --config: {request.name}: {text}")
            os._exit(FAILURE)
