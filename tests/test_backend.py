"""`--backend`: what is said without a card, and what the engines do with one that is the CPU."""

import re
import shlex
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
from device_runners import Host
from protocol_host import run

from engine.backends import choice
from engine.control import Control
from engine.device import DeviceRules
from engine.engine import Engine
from engine.errors import BackendError, CheckError
from engine.games.blokus.session import BlokusEngine
from engine.games.chess.session import ChessEngine
from engine.games.chess.tables import T
from engine.games.cotulenh.session import CotulenhEngine

needs_no_card = pytest.mark.skipif(
    find_spec("cupy") is not None, reason="CuPy is here, so there may be a card"
)


@needs_no_card
@pytest.mark.parametrize("name", ["gpu", "check"])
@pytest.mark.parametrize("game", ["chess", "blokus", "cotulenh"])
def test_without_a_card_the_process_ends_at_once(name: str, game: str) -> None:
    for words in (("go", "perft", "1"), ()):
        done = run("--game", game, "--backend", name, *words, text="uci\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"triptych: backend {name}: no CuPy here: pip install ")
        assert done.stderr.count("\n") == 1


@needs_no_card
def test_auto_takes_the_cpu_and_says_why() -> None:
    done = run("--backend", "auto", "go", "perft", "2")
    assert done.returncode == 0
    assert "Nodes searched: 400" in done.stdout
    assert done.stderr.startswith("backend cpu: no CuPy here: pip install ")
    done = run("--backend", "auto", "-q", "go", "perft", "2")
    assert done.stderr == ""
    done = run("--backend", "auto", text="isready\n")
    assert done.stdout.startswith("info string backend cpu: no CuPy here: ")


def test_the_cpu_backend_loads_nothing_of_the_others() -> None:
    code = (
        "import sys; from protocol.cli import main; main(['go', 'perft', '1']);"
        "print([m for m in sys.modules if m.startswith(('cupy', 'numba_cuda', 'engine.backends'))])"
    )
    done = run(program=("-c", code))
    assert done.stdout.splitlines()[-1] == "[]", done.stdout


def host(rules: DeviceRules) -> Any:
    """In the place of `cuda.Card`."""
    return Host(rules, T if rules.name == "chess" else None)


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "Card", host)


def perft(engine: Engine, depth: int) -> tuple[object, int, list[str]]:
    """(leaves by root move, leaves, what was said)."""
    said: list[str] = []
    engine.notice = said.append
    report = engine.perft(depth, Control(), lambda move, n: None)
    return report.counts, report.nodes, said


ENGINES = [
    (ChessEngine, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "e2e4"),
    (BlokusEngine, None, "a20"),
    (CotulenhEngine, None, ""),
]


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize(("kind", "text", "move"), ENGINES)
@pytest.mark.parametrize("name", ["gpu", "check"])
def test_every_backend_counts_the_same(
    name: str, kind: Callable[[], Engine], text: str | None, move: str
) -> None:
    engine, other = kind(), kind()
    other.use_backend(name)
    for one in (engine, other):
        one.set_position(text, [move] if move else [])
    for depth in (0, 1, 2, 3):
        assert perft(engine, depth)[:2] == perft(other, depth)[:2]
    assert perft(other, 1)[2] == ["depth 1 is counted on the CPU, a card pays off beyond"]


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize(("kind", "text", "move"), ENGINES)
def test_a_difference_is_told_with_the_command_that_shows_it(
    kind: Callable[[], Engine], text: str | None, move: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = kind()
    engine.use_backend("check")
    engine.set_position(text, [move] if move else [])
    right = Host.run

    def wrong(self: Host, body: str, colour: int, n: int, *arguments: Any) -> None:
        right(self, body, colour, n, *arguments)
        arguments[-1][n - 1] += 1

    monkeypatch.setattr(Host, "run", wrong)
    with pytest.raises(CheckError) as caught:
        perft(engine, 2)
    answers, _, command = str(caught.value).partition("; to see it again: ")
    assert re.fullmatch(r"the CPU has \S+: \d+, the card has \S+: \d+", answers)
    # Without a card the same command counts on the CPU.
    words = shlex.split(command.replace("--backend check", "--backend cpu"))
    done = run(*words[1:])
    assert done.returncode == 0
    found = re.search(r"CPU has (\S+: \d+)", answers)
    assert found is not None
    assert found[1] in done.stdout.splitlines()


def test_a_game_without_code_for_cards_says_so() -> None:
    class Plain(ChessEngine):
        use_backend = Engine.use_backend

    with pytest.raises(BackendError, match="backend gpu: there is none for this game"):
        Plain().use_backend("gpu")
