"""The real engine, started once for all tests that talk to it."""

from collections.abc import Iterator

import pytest
from protocol_host import Process

from engine.games.chess import CHESS


@pytest.fixture(scope="session")
def shared() -> Iterator[Process]:
    with Process() as engine:
        engine.send("uci")
        engine.expect("uciok")
        engine.ask()
        yield engine
        engine.send("quit")
        assert engine.wait() == 0
        assert "".join(engine.errors) == ""


@pytest.fixture
def engine(shared: Process) -> Process:
    """The shared process in its first state."""
    defaults = [option for option in CHESS.options if option.kind != "button"]
    lines = [f"setoption name {option.name} value {option.default}" for option in defaults]
    assert shared.ask("stop", *lines, "ucinewgame") == []
    return shared
