"""The search of Blokus: legal, repeatable, obedient, and right where right can be worked out."""

import threading
from pathlib import Path

import pytest

from engine.control import Control
from engine.games.blokus.scores import points
from engine.games.blokus.session import BlokusEngine, load
from engine.types import Info, Limits

GAMES = BlokusEngine.names

BENCH = Path(__file__).parent / "data" / "blokus_bench.txt"


def think(engine: BlokusEngine, colour: int, nodes: int) -> str | None:
    return engine.think(colour, Limits(nodes=nodes), Control(), lambda info: None)


def game(name: str, seed: int, nodes: int) -> tuple[str, ...]:
    engine = load(name)
    engine.set_seed(seed)
    while not engine.over():
        move = think(engine, engine.to_move(), nodes)
        assert move is not None
        engine.play(engine.to_move(), move)
    return engine.history()


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    first = game(name, 7, 60)
    assert game(name, 7, 60) == first
    assert game(name, 8, 60) != first


@pytest.mark.parametrize("name", GAMES)
def test_any_colour_gets_a_legal_move_with_undo_in_between(name: str) -> None:
    engine = load(name)
    colours = len(engine._position.variant.ids)
    for step in range(40):
        colour = (step * step) % colours
        legal = engine.moves_of(colour)
        move = think(engine, colour, 40)
        assert (move in legal) if legal else (move is None)
        if move is not None:
            engine.play(colour, move)
        if step % 5 == 4:
            engine.undo()
            engine.undo()


def test_stop_ends_an_infinite_search_which_still_answers() -> None:
    engine = load("Blokus Duo")
    control = Control()
    threading.Timer(0.05, control.stop).start()
    move = engine.think(1, Limits(infinite=True), control, lambda info: None)
    assert move in engine.moves_of(1)


def test_a_stop_that_came_first_gets_an_answer() -> None:
    engine = load("Blokus")
    control = Control()
    control.stop()
    assert engine.think(2, Limits(nodes=10**6), control, lambda info: None) in engine.moves_of(2)


def test_the_tree_is_kept_after_both_moves() -> None:
    engine = load("Blokus Duo")
    infos: list[Info] = []
    for colour in (0, 1):
        move = engine.think(colour, Limits(nodes=4000), Control(), infos.append)
        assert move is not None
        engine.play(colour, move)
    assert infos[-1].nodes < 4000
    engine.undo()
    engine.think(1, Limits(nodes=4000), Control(), infos.append)
    assert infos[-1].nodes == 0  # the very search that was made before
    engine.undo()
    engine.think(0, Limits(nodes=4000), Control(), infos.append)
    assert infos[-1].nodes == 4000


def best_margin(engine: BlokusEngine, colour: int) -> int:
    """Points of purple over orange at the end, when both play their best from here."""
    if engine.over():
        state = engine._position.state
        return points(state, 0) - points(state, 1)
    values = []
    for move in engine.legal_moves():
        engine.play(colour, move)
        values.append(best_margin(engine, engine.to_move()))
        engine.undo()
    return (max if colour == 0 else min)(values)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_endings_are_played_to_the_best_result(seed: int) -> None:
    engine = load("Blokus Duo")
    moves = [text.split() for text in game("Blokus Duo", seed, 60)]
    for name, move in moves[:-5]:
        engine.play(engine.colour(name), move)
    mover = engine.to_move()
    exact = best_margin(engine, mover)
    answer = think(engine, mover, 3000)
    assert answer is not None
    engine.play(mover, answer)
    found = best_margin(engine, engine.to_move())
    assert (found > 0) - (found < 0) == (exact > 0) - (exact < 0)


def test_bench_is_that_of_the_last_change_of_the_search() -> None:
    nodes = load().bench(None, Control(), lambda line: None).nodes
    assert nodes == int(BENCH.read_text()), (
        f"bench is {nodes}. If the search was meant to change, put that number into "
        f"tests/data/{BENCH.name}; if not, something changed that should not have."
    )


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_share_one_tree(threads: int) -> None:
    engine = load("Blokus Duo")
    engine.set_option("Threads", str(threads))
    for colour in (0, 1, 0):
        move = think(engine, colour, 6000)
        assert move in engine.moves_of(colour)
        nodes = engine._thinker._tree.nodes
        below = nodes[nodes[0]["first"] :][: nodes[0]["count"]]
        assert len(set(below["move"].tolist())) == len(below)
        # All but what got lost: simultaneous additions, and children given twice.
        assert 0.8 * nodes[0]["visits"] < below["visits"].sum() < 1.05 * nodes[0]["visits"]
        assert 5700 < nodes[0]["visits"] < 6300
        assert move is not None
        engine.play(colour, move)


def test_the_first_limit_reached_ends_the_search() -> None:
    engine = load("Blokus Duo")
    infos: list[Info] = []
    move = engine.think(0, Limits(nodes=10**9, movetime=50), Control(), infos.append)
    assert move in engine.moves_of(0)
    assert infos[-1].nodes < 10**8
    engine.new_game()
    engine.think(0, Limits(nodes=500, movetime=10**7), Control(), infos.append)
    assert infos[-1].nodes == 500
