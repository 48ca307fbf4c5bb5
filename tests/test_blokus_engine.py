"""Blokus behind the facade: the problem cases, games, positions, undo, searches."""

from typing import Any

import pytest
from blokus_games import rows

from engine.control import Control
from engine.errors import EngineError, MoveError, OptionError
from engine.games import GAMES
from engine.games.blokus.session import BlokusEngine, load
from engine.types import Limits

QUICK = Limits(movetime=10)
ROWS = {row["id"]: row for row in rows("moves")}


def set_up(engine: BlokusEngine, row: str) -> None:
    engine.set_game("Blokus" if ROWS[row]["variant"] == "classic" else "Blokus Duo")
    engine.set_position(None, ROWS[row]["moves"])


def think(engine: BlokusEngine, colour: int) -> str | None:
    return engine.think(colour, QUICK, Control(), lambda info: None)


# The problem cases


def test_case_1_the_last_small_piece_is_found(blokus_engine: BlokusEngine) -> None:
    set_up(blokus_engine, "m203")
    assert not blokus_engine.over()
    assert blokus_engine.moves_of(0) == ()
    assert blokus_engine.legal_moves() == ("d9,e9,d10",)
    for row in ("m015", "m017"):
        set_up(blokus_engine, row)
        assert [len(blokus_engine.moves_of(colour)) for colour in range(4)] == [0, 0, 1, 0]
        assert blokus_engine.to_move() == 2
        assert not blokus_engine.over()


def test_case_2_opposite_colours_belong_together(blokus_engine: BlokusEngine) -> None:
    row = next(row for row in rows("scores") if [*row["points"].values()] == [109, 49, 49, 49])
    for game, score in (
        ("Blokus Two-Player", "B+60"), ("Blokus", "109 49 49 49 "),
        ("Blokus Three-Player", "109 49 49 49 "),
    ):  # fmt: skip
        blokus_engine.set_game(game)
        blokus_engine.set_position(None, row["moves"])
        assert blokus_engine.final_score() == score


def test_case_3_skips_are_nothing(blokus_engine: BlokusEngine) -> None:
    set_up(blokus_engine, "m018")
    history = blokus_engine.history()
    assert len(history) == 50
    assert blokus_engine.to_move() == 2
    move = think(blokus_engine, blokus_engine.to_move())
    assert move is not None
    blokus_engine.play(2, move)
    blokus_engine.undo()
    assert blokus_engine.history() == history
    assert blokus_engine.to_move() == 2
    assert think(blokus_engine, 0) is None
    assert blokus_engine.history() == history


def test_case_4_three_players_go_on(blokus_engine: BlokusEngine) -> None:
    blokus_engine.set_game("Blokus Three-Player")
    for colour, corner in enumerate(("a20", "t20", "t1", "a1")):
        blokus_engine.play(colour, corner)
    moves = blokus_engine.moves_of(0)
    assert blokus_engine.legal_moves() == moves
    squares = [set(move.split(",")) for move in moves]
    assert squares
    assert all("b19" in move and not move & {"a19", "b20"} for move in squares)
    assert think(blokus_engine, blokus_engine.to_move()) in moves


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "invalid move"),
        ("pass", "invalid move"),
        ("null", "play pass not supported (anymore)"),
        ("a20,b20,a20", "invalid move"),
        ("a20", "piece already played"),
        ("c18,d18", "illegal move"),
    ],
)
def test_case_5_messages_of_play(blokus_engine: BlokusEngine, text: str, message: str) -> None:
    blokus_engine.play(0, "a20")
    before = blokus_engine.fen(), blokus_engine.history()
    with pytest.raises(MoveError) as caught:
        blokus_engine.play(0, text)
    assert str(caught.value) == message
    assert (blokus_engine.fen(), blokus_engine.history()) == before
    blokus_engine.undo()
    blokus_engine.redo()
    assert (blokus_engine.fen(), blokus_engine.history()) == before


def test_a_covered_start_square_ends_a_colour(blokus_engine: BlokusEngine) -> None:
    """Blue goes from corner to corner out of turn, until it covers that of yellow."""
    for row in ROWS.values():
        if row["tag"] == "start-square-taken":
            set_up(blokus_engine, row["id"])
            started = {move.split()[0] for move in row["moves"]}
            for colour in range(4 if row["variant"] == "classic" else 2):
                if blokus_engine.colour_id(colour) not in started:
                    counts = row["colors"][blokus_engine.colour_id(colour)]
                    assert len(blokus_engine.moves_of(colour)) == counts["n"]


# The facade


def test_games_and_their_names(blokus_engine: BlokusEngine) -> None:
    assert blokus_engine.names == (
        "Blokus", "Blokus Two-Player", "Blokus Three-Player", "Blokus Duo",
    )  # fmt: skip
    blokus_engine.play(0, "a20")
    for bad in ("duo", "Blokus  Duo", " Blokus", "Blokus Trigon", ""):
        with pytest.raises(OptionError, match=r"^invalid argument$"):
            blokus_engine.set_game(bad)
    assert blokus_engine.history() == ("1 a20",)
    blokus_engine.set_game("bLOKUS dUO")
    assert blokus_engine.colour_id(1) == "w"
    assert blokus_engine.history() == ()
    for name, id in (
        ("blokus", "classic"), ("blokus-two-player", "classic_2"),
        ("blokus-three-player", "classic_3"), ("blokus-duo", "duo"),
    ):  # fmt: skip
        assert GAMES[name].protocol == "gtp"
        assert load(GAMES[name].variant).fen().split()[0] == id


def test_a_new_game_keeps_game_and_parameters(blokus_engine: BlokusEngine) -> None:
    blokus_engine.set_game("Blokus Duo")
    blokus_engine.set_param("use_frontier_movegen", "off")
    blokus_engine.play(0, "e10")
    blokus_engine.new_game()
    assert blokus_engine.fen().startswith("duo 14/")
    assert blokus_engine.params()["use_frontier_movegen"] == "false"
    with pytest.raises(MoveError, match="cannot undo"):
        blokus_engine.undo()


def test_positions_and_undo(blokus_engine: BlokusEngine) -> None:
    blokus_engine.set_position(None, ["a20", "t20"])
    text = blokus_engine.fen()
    blokus_engine.set_position(text, ["t1"])
    assert blokus_engine.history() == ("3 t1",)
    blokus_engine.undo()
    assert blokus_engine.fen() == text
    with pytest.raises(MoveError, match="cannot undo"):
        blokus_engine.undo()
    for bad, moves in (("nothing", []), (text, ["a1"]), (None, ["a20", "x"])):
        with pytest.raises(EngineError):
            blokus_engine.set_position(bad, moves)
        assert blokus_engine.fen() == text
    blokus_engine.redo()
    assert blokus_engine.history() == ("3 t1",)
    blokus_engine.set_position("duo " + "/".join(["14"] * 14) + " b -,-", ["e10"])
    assert blokus_engine.history() == ("b e10",)


def test_perft_and_search(blokus_engine: BlokusEngine) -> None:
    counts: dict[str, int] = {}
    report = blokus_engine.perft(3, Control(), counts.__setitem__)
    assert report.nodes == 195112
    assert dict(report.counts) == counts
    assert set(counts.values()) == {58 * 58}
    assert blokus_engine.perft(0, Control(), counts.__setitem__).nodes == 1
    infos: list[Any] = []
    assert blokus_engine.search(QUICK, Control(), infos.append).move in blokus_engine.legal_moves()
    assert infos
    with pytest.raises(EngineError, match="expected a depth of at most"):
        blokus_engine.perft(1000, Control(), counts.__setitem__)
    set_up(blokus_engine, next(row["id"] for row in ROWS.values() if row["game_over"]))
    assert blokus_engine.over()
    assert blokus_engine.legal_moves() == ()
    assert blokus_engine.perft(0, Control(), counts.__setitem__).nodes == 1
    assert blokus_engine.perft(2, Control(), counts.__setitem__).nodes == 0
    assert blokus_engine.search(QUICK, Control(), infos.append).move is None
