"""Random games of CoTuLenh to the end: at every action the record is what one worked out from
scratch would be, taking back restores it, and its text leads to an equal one."""

import os
import random
from typing import Any

import numpy as np
import pytest
from cotulenh_positions import random_cases

from engine.games.cotulenh.notation import parse_fen
from engine.games.cotulenh.position import Position, build
from engine.games.cotulenh.records import WORK
from engine.games.cotulenh.state import STATE, WHO, WHOLE
from engine.games.cotulenh.tables import T
from engine.games.cotulenh.verify import content, verify

GAMES = int(os.environ.get("COTULENH_GAMES", "2"))
CHECKED = 1
"""Games in which every record is checked from scratch; the others check only their texts."""

OPEN = (
    "3c7/10i/10e/11/11/11/11/11/(NFT)10/11/10E/6C4 r - - 3 9",
    ["Na4>a6", "Fa4>d4"],
)


def unordered(pos: np.void) -> dict[str, Any]:
    """The content of a record with its lists as sets."""
    found = content(pos)
    return {**found, "squares": [sorted(part) for part in found["squares"]], "slot": None}


def assert_round_trip(position: Position) -> None:
    text = position.fen()
    work: np.void = np.zeros(1, WORK)[0]
    again = build(parse_fen(text), work)
    assert unordered(again) == unordered(position.state), text


def assert_taken_back(position: Position, action: int) -> None:
    """After the action and its take-back nothing has changed, list order included."""
    before = content(position.state)
    position.play(action)
    position.undo_step()
    assert content(position.state) == before


def play_game(rng: random.Random, checked: bool) -> tuple[int, int]:
    """How many actions a random game lasted, and how often a deployment came to a dead end; its
    turn is then played anew, as a whole unit. In the end all is taken back."""
    position = Position()
    records = [content(position.state)] if checked else []
    dead_ends = 0
    while not (position.captured_commander() or position.drawn()):
        legal = position.legal()
        if not legal and position.deploying:
            dead_ends += 1
            position.undo_turn()
            legal = [action for action in position.legal() if action >> WHO & 15 == WHOLE]
            del records[len(position.actions) + 1 :]
        if not legal:
            break
        if checked:
            assert_taken_back(position, rng.choice(legal))
        position.play(rng.choice(legal))
        assert_round_trip(position)
        if checked:
            assert verify(position.state, T) is None
            records.append(content(position.state))
    played = len(position.actions)
    while position.actions:
        if checked:
            assert content(position.state) == records.pop()
            assert verify(position.state, T) is None
        position.undo_step()
    assert content(position.state) == content(Position().state)
    return played, dead_ends


def test_random_games() -> None:
    """`COTULENH_GAMES=1000` plays more of them."""
    rng = random.Random(20260107)
    lengths = [play_game(rng, number < CHECKED)[0] for number in range(GAMES)]
    assert sum(lengths) > 100 * GAMES


def test_scattered_positions_and_open_deployments() -> None:
    for fen, steps in random_cases(20260108, 30):
        position = Position(fen)
        for step in steps:
            position.play_turn(step)
        assert verify(position.state, T) is None
        assert_round_trip(position)
        for action in position.legal()[::5]:
            assert_taken_back(position, action)


def sound(deploying: bool) -> Position:
    position = Position(OPEN[0])
    for step in OPEN[1] if deploying else []:
        position.play_turn(step)
    assert verify(position.state, T) is None
    return position


SINGLE = ["turn", "key", "origin"]
OF_DEPLOYMENT = ["start", "used", "captured", "steps", "start_key"]
PER_SIDE = ["count", "commander", "guards"]


@pytest.mark.parametrize("deploying", [False, True])
@pytest.mark.parametrize("name", SINGLE + PER_SIDE)
def test_a_wrong_number_is_found(name: str, deploying: bool) -> None:
    position = sound(deploying)
    fields = position.state[name].reshape(-1)
    for i in range(fields.size):
        pos = position.state.copy()
        pos[name] = (fields ^ (np.arange(fields.size) == i)).reshape(pos[name].shape)
        assert verify(pos, T) is not None


@pytest.mark.parametrize("name", OF_DEPLOYMENT)
def test_a_wrong_number_of_a_deployment_is_found(name: str) -> None:
    pos = sound(True).state
    pos[name] ^= 1
    fault = verify(pos, T)
    assert fault is not None and "\n" not in fault


@pytest.mark.parametrize("name", ["board", "cover", "coverer", "snapshot"])
def test_a_wrong_cell_is_found(name: str) -> None:
    position = sound(True)
    for i in range(0, position.state[name].size, 5):
        pos = position.state.copy()
        pos[name][i] ^= 1
        fault = verify(pos, T)
        assert fault is not None
        if name in ("cover", "coverer"):
            assert fault.startswith(f"{name}: ") and f"index {i}," in fault


@pytest.mark.parametrize("name", ["squares", "slot"])
def test_a_wrong_list_is_found(name: str) -> None:
    position = sound(False)
    occupied = [sq for side in content(position.state)["squares"] for sq in side]
    for i in [0, 32] if name == "squares" else occupied:
        pos = position.state.copy()
        pos[name][i] ^= 1
        fault = verify(pos, T)
        assert fault is not None and fault.startswith(f"{name}: ")


def test_every_field_is_checked_or_free() -> None:
    """A new field of the record must be given its place here and in `verify`."""
    steps = ["step_kind", "step_to", "step_group"]
    cells = ["board", "cover", "coverer", "snapshot", "squares", "slot"]
    free = ["halfmove", "fullmove"]
    known = SINGLE + OF_DEPLOYMENT + PER_SIDE + steps + cells + free
    assert sorted(known) == sorted(STATE.names or ())
