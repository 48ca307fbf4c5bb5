"""Parameters of Blokus: how they are read, where they start, what the debugging ones find."""

import logging
from pathlib import Path
from typing import Any

import pytest

from engine.errors import EngineError, OptionError
from engine.games.blokus import generator
from engine.games.blokus.rules import generate
from engine.games.blokus.session import BlokusEngine
from engine.games.blokus.verify import verify


def test_parameters_are_read_strictly(blokus_engine: BlokusEngine) -> None:
    for word, value in (("TRUE", "true"), ("0", "false"), ("1", "true"), ("off", "false")):
        blokus_engine.set_param("use_heuristic_anchors", word)
        assert blokus_engine.params()["use_heuristic_anchors"] == value
    assert [*blokus_engine.params()] == sorted(blokus_engine.params())
    for key, value, message in (
        ("use_heuristic_anchors", "maybe", "use_heuristic_anchors 'maybe': expected true or false"),
        ("use_heuristic_anchors", "", "expected true or false, 1 or 0, on or off"),
        ("no_such", "1", "unknown parameter 'no_such'"),
        ("level", "0", "level"),
        ("level", "x", "level"),
    ):
        before = blokus_engine.params()
        with pytest.raises(OptionError, match=message):
            blokus_engine.set_param(key, value)
        assert blokus_engine.params() == before


def test_environment_variables_are_start_values(caplog: pytest.LogCaptureFixture) -> None:
    environment = {
        "BLOKUS_USE_FRONTIER_MOVEGEN": "0",
        "BLOKUS_DEBUG_BITBOARD": "on",
        "BLOKUS_USE_HEURISTIC_ANCHORS": "perhaps",
        "BLOKUS_OTHER": "1",
    }
    with caplog.at_level(logging.WARNING):
        switches = generator.switches_of(environment)
    assert switches == {
        **generator.SWITCHES, "use_frontier_movegen": False, "debug_bitboard": True,
    }  # fmt: skip
    assert caplog.messages == [
        "BLOKUS_USE_HEURISTIC_ANCHORS 'perhaps': expected true or false, 1 or 0, on or off; "
        "using false"
    ]


def test_movegen_debug_logs_counts(
    blokus_engine: BlokusEngine, caplog: pytest.LogCaptureFixture
) -> None:
    blokus_engine.set_param("movegen_debug", "true")
    with caplog.at_level(logging.WARNING):
        blokus_engine.moves_of(2)
    assert caplog.messages == ["movegen: colour 2, ply 0, 58 moves"]


@pytest.mark.parametrize("frontier", ["true", "false"])
def test_a_generator_that_errs_is_found(
    blokus_engine: BlokusEngine, monkeypatch: pytest.MonkeyPatch, frontier: str
) -> None:

    def forgetful(*arguments: Any) -> int:
        return int(generate(*arguments)) - 1

    monkeypatch.setattr(generator, "generate", forgetful)
    blokus_engine.set_param("movegen_debug_equivalence", "true")
    blokus_engine.set_param("use_frontier_movegen", frontier)
    expected = "is missing" if frontier == "true" else "is not legal"
    with pytest.raises(EngineError, match=f"^movegen_debug_equivalence: .* {expected}$"):
        blokus_engine.moves_of(0)


def test_equal_lists_have_no_difference() -> None:
    assert generator.difference([3, 1], [1, 3]) is None
    assert generator.difference([137, 137], [137]) is not None


def test_masks_that_err_are_found(
    blokus_engine: BlokusEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    blokus_engine.set_param("debug_bitboard", "true")
    blokus_engine.play(0, "a20")

    def spoilt(pos: Any, tables: Any) -> str | None:
        copy = pos.copy()
        copy["occupied"][10] ^= 1 << 9
        return verify(copy, tables)

    monkeypatch.setattr(generator, "verify", spoilt)
    with pytest.raises(EngineError, match=r"^debug_bitboard: occupied\[10\]: 0x200, expected 0x0"):
        blokus_engine.play(1, "t20")
    assert blokus_engine.history() == ("1 a20",)


def test_the_protocol_page_tells_the_switches() -> None:
    page = (Path(__file__).parent.parent / "protocol" / "GTP.md").read_text()
    for name, on in generator.SWITCHES.items():
        (row,) = [row for row in page.splitlines() if row.startswith(f"| `{name}` |")]
        assert f"(default `{str(on).lower()}`)" in row
