"""`--backend`: what is said without a card, and what the engines do with one that is the CPU."""

import json
import re
import shlex
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from batch_files import DATA, analyse
from device_runners import Host
from protocol_host import run

from engine import warmup
from engine.backends import choice, cuda
from engine.board_engine import BoardEngine
from engine.control import Control
from engine.device import DeviceCode
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


def host(rules: DeviceCode) -> Any:
    """In the place of `cuda.Card`."""
    return Host(rules, T if rules.name.startswith("chess") else None)


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "Card", host)


@needs_no_card
def test_without_a_card_nothing_is_warmed_up_for_one() -> None:
    done = run("--backend", "gpu", "warmup")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("triptych: backend gpu: no CuPy here: pip install ")


def test_all_code_for_cards_is_warmed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    told: list[str] = []
    monkeypatch.setattr(cuda, "Card", lambda code: made.append(code.name))
    warmup.warmup_card(lambda name, seconds: told.append(name))
    parts = [
        "chess",
        "chess-facts",
        "chess-rows",
        "blokus",
        "blokus-facts",
        "cotulenh",
        "cotulenh-facts",
    ]
    assert made == parts
    assert told == [f"{name} for the card" for name in parts]


def test_merging_is_refused_without_a_card() -> None:
    done = run("--merge", "go", "perft", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("triptych: --merge is for a graphics card: it needs --backend ")
    assert done.stderr.count("\n") == 1


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
    engine, other, merging = kind(), kind(), kind()
    other.use_backend(name)
    merging.use_backend(name, merge=True)
    for one in (engine, other, merging):
        one.set_position(text, [move] if move else [])
    for depth in (0, 1, 2, 3):
        expected = perft(engine, depth)[:2]
        assert perft(other, depth)[:2] == perft(merging, depth)[:2] == expected
    assert perft(other, 1)[2] == ["depth 1 is counted on the CPU, a card pays off beyond"]


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize(("kind", "text", "move"), ENGINES)
def test_a_difference_is_told_with_the_command_that_shows_it(
    kind: Callable[[], Engine], text: str | None, move: str, merge: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    engine = kind()
    engine.use_backend("check", merge)
    engine.set_position(text, [move] if move else [])
    right = Host.run

    def wrong(self: Host, body: str, colour: int, n: int, *arguments: Any) -> None:
        right(self, body, colour, n, *arguments)
        arguments[-1][n - 1] += 1

    monkeypatch.setattr(Host, "run", wrong)
    with pytest.raises(CheckError) as caught:
        perft(engine, 2)
    assert ("triptych --merge --" in str(caught.value)) == merge
    answers, lines = seen_again(str(caught.value).replace(" --merge", ""))
    assert re.fullmatch(r"the CPU has \S+: \d+, the card has \S+: \d+", answers)
    found = re.search(r"CPU has (\S+: \d+)", answers)
    assert found is not None
    assert found[1] in lines


def seen_again(error: str) -> tuple[str, list[str]]:
    """(both answers, what the command in the message gives). Without a card it runs on the CPU."""
    answers, _, command = error.partition("; to see it again: ")
    words = shlex.split(command.replace("--backend check", "--backend cpu"))
    done = run(*words[1:])
    assert done.returncode == 0
    return answers, done.stdout.splitlines()


def listed(engine: Engine) -> list[tuple[str, ...]]:
    """The legal moves, of every colour where a game tells them."""
    if not isinstance(engine, BoardEngine):
        return [engine.legal_moves()]
    colours = 4 if isinstance(engine, BlokusEngine) else 2
    return [engine.legal_moves(), *map(engine.moves_of, range(colours))]


def texts_of(engine: Engine, text: str | None) -> list[str]:
    """Positions in one line each."""
    if isinstance(engine, BoardEngine):
        engine.set_position(text, [])
        found = [engine.fen()]
        for _ in range(30):
            engine.play(engine.to_move(), engine.legal_moves()[-1])
            found.append(engine.fen())
        return [*found, "no position"]
    fens = [json.loads(line)["fen"] for line in (DATA / "analysis.jsonl").read_text().splitlines()]
    return [*fens[:300], "no position"]


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize(("kind", "text", "move"), ENGINES)
@pytest.mark.parametrize("name", ["gpu", "check"])
def test_every_backend_lists_and_analyses_the_same(
    name: str, kind: Callable[[], Engine], text: str | None, move: str, tmp_path: Path
) -> None:
    engine, other = kind(), kind()
    source = tmp_path / "in"
    lines = texts_of(engine, text)
    source.write_text("\n".join(lines))
    runs: list[str] = []
    other.use_backend(name)
    right = Host.run

    def noted(self: Host, body: str, *more: Any) -> None:
        runs.append(body)
        right(self, body, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "run", noted)
        for one in (engine, other):
            one.set_position(text, [move] if move else [])
        assert listed(engine) == listed(other)
        assert runs.count("write") == len(listed(engine))
        assert engine.analyze() == other.analyze()
        assert runs.count("examine") == 1
        found = analyse(other, source)
        assert runs.count("examine") > 1
    expected = analyse(engine, source)
    assert found[1] == expected[1] and len(found[1]) == len(lines)
    assert (found[0].positions, found[0].bad) == (len(lines) - 1, 1)


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize(("kind", "text", "move"), ENGINES)
def test_other_moves_and_facts_are_told(
    kind: Callable[[], Engine], text: str | None, move: str, monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    """Under `check`, each with the command that shows it; in a file it ends the run."""
    engine = kind()
    engine.use_backend("check")
    source = tmp_path / "in"
    source.write_text("\n".join(texts_of(kind(), text)))
    engine.set_position(text, [move] if move else [])
    right = Host.run

    def wrong(self: Host, body: str, colour: int, n: int, *arguments: Any) -> None:
        right(self, body, colour, n, *arguments)
        if body == "write":
            arguments[-1][0] = arguments[-1][1]
        if body == "examine":
            offset = self.rules.facts.fields["mobility"][1]
            arguments[-1][(n - 1) * self.rules.facts.itemsize + offset] ^= 1

    monkeypatch.setattr(Host, "run", wrong)
    with pytest.raises(CheckError) as caught:
        engine.legal_moves()
    answers, lines = seen_again(str(caught.value))
    found = re.fullmatch(r"the CPU has (\S+), the card has \S+", answers)
    assert found is not None
    assert found[1] in " ".join(lines).split()
    with pytest.raises(CheckError) as caught:
        engine.analyze()
    answers, lines = seen_again(str(caught.value))
    found = re.fullmatch(r"the CPU has mobility\[0\] (\d+), the card has mobility\S+ \d+", answers)
    assert found is not None
    assert any(re.search(rf"mobility {found[1]}$", line) for line in lines), lines
    report, rows = analyse(engine, source)
    assert report.problem.startswith("the CPU has mobility[0] ")
    assert rows == [] and not report.stopped


@pytest.mark.usefixtures("card")
def test_what_stays_on_the_cpu_is_said() -> None:
    said: list[str] = []
    blokus, cotulenh = BlokusEngine(), CotulenhEngine()
    for engine in (blokus, cotulenh):
        engine.use_backend("gpu")
        engine.notice = said.append
    assert len(blokus.legal_moves()) == 58
    assert said == []
    blokus.set_param("use_frontier_movegen", "false")
    assert len(blokus.legal_moves()) == 58
    assert said == ["the parameters ask for moves as only the CPU lists them: it does the work"]
    cotulenh.more()["legalmoves turns"]([])
    assert said[1:] == ["whole turns are listed on the CPU"]


def test_a_game_without_code_for_cards_says_so() -> None:
    class Plain(ChessEngine):
        use_backend = Engine.use_backend

    with pytest.raises(BackendError, match="backend gpu: there is none for this game"):
        Plain().use_backend("gpu")
