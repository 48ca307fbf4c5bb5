"""The real engines, started once for all tests that talk to them: as a process and in this one. And
hosts of a fake one, anew for each test."""

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from fake_board_engine import FAKE_BLOKUS
from fake_engine import FAKE, Hold
from gtp_host import GtpHost
from protocol_host import Host, Process
from thinking import fresh

from engine.engine import Engine
from engine.games.chess import CHESS

if TYPE_CHECKING:
    from engine.games.blokus.session import BlokusEngine

# What a script starts in the background ignores Ctrl-C, and so would every program that the tests
# start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Shared:
    """One process, started again only when a test has ended it."""

    def __init__(self) -> None:
        self.process = Process()

    def ready(self) -> Process:
        """The process in its first state, with nothing left to read."""
        if self.process.process.poll() is not None:
            self.process.__exit__(None, None, None)
            self.process = Process()
        options = [option for option in CHESS.options if option.kind != "button"]
        self.process.send("stop", "legalmoves")
        self.process.expect("legalmoves .*")
        lines = [f"setoption name {option.name} value {option.default}" for option in options]
        assert self.process.ask(*lines, "ucinewgame") == []
        return self.process


@pytest.fixture(scope="session")
def shared() -> Iterator[Shared]:
    shared = Shared()
    yield shared
    with shared.process as process:
        process.send("quit")
        assert process.wait() == 0
        assert "".join(process.errors) == ""


@pytest.fixture
def engine(shared: Shared) -> Process:
    """The shared process in its first state."""
    return shared.ready()


@pytest.fixture(scope="session")
def loaded() -> Engine:
    return fresh()


@pytest.fixture
def chess_engine(loaded: Engine) -> Engine:
    """The engine of this process in its first state."""
    for option in CHESS.options:
        if option.kind != "button":
            loaded.set_option(option.name, option.default)
    loaded.new_game()
    return loaded


@pytest.fixture(scope="session")
def loaded_blokus() -> "BlokusEngine":
    from engine.games.blokus.session import load  # compiled for tests that ask for it only

    return load()


@pytest.fixture
def blokus_engine(loaded_blokus: "BlokusEngine") -> "BlokusEngine":
    """The engine of Blokus, on the empty classic board, with default parameters."""
    from engine.games.blokus.generator import SWITCHES

    for name, on in SWITCHES.items():
        loaded_blokus.set_param(name, str(on))
    loaded_blokus.set_game("Blokus")
    return loaded_blokus


@pytest.fixture
def held() -> Iterator[None]:
    """Whatever a test holds back in the fake engine goes on after it."""
    Hold.open_all()
    yield
    Hold.open_all()


@pytest.fixture
def host(held: None) -> Iterator[Host]:
    """The fake engine, served inside this process."""
    host = Host(FAKE)
    yield host
    host.finish()
    assert host.left


@pytest.fixture
def gtp(held: None) -> Iterator[GtpHost]:
    """The fake engine of a board game, served inside this process."""
    host = GtpHost(FAKE_BLOKUS)
    yield host
    host.finish()
    assert host.left
