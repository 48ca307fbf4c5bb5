"""What Blokus tells of a position: analysis, records, boards, values of moves."""

import json
from pathlib import Path
from typing import Any

import pytest
from blokus_games import BY_GAME, random_game, rows, slow
from slow_blokus import DRAWINGS, SlowBlokus, placements

from engine.control import Control
from engine.errors import EngineError, PositionError
from engine.games.blokus import scores
from engine.games.blokus.display import MARKS
from engine.games.blokus.session import BlokusEngine
from engine.games.blokus.variants import CLASSIC, DUO, THREE_PLAYER, TWO_PLAYER
from engine.types import Limits

# Analysis


def slow_facts(game: SlowBlokus) -> dict[str, Any]:
    """The analysis in the plainest way, from the moves of a game."""
    size = game.size
    names = [f"{chr(97 + x)}{y + 1}" for y in range(size) for x in range(size)]
    lists = [[*game.legal(colour)] for colour in game.colours]
    reach = []
    for moves in lists:
        squares = 0
        for move in moves:
            squares |= move.squares
        reach.append(squares)
    covered = 0
    for _, move in game.moves:
        covered |= move.squares
    turn = game.turn()
    facts: dict[str, Any] = {
        "variant": BY_GAME[game.name].id,
        "ply": len(game.moves),
        "to_move": None if turn is None else game.ids[turn],
        "game_over": turn is None,
        "legal_moves": 0 if turn is None else len(lists[turn]),
        "result": game.final_score().rstrip(),
    }
    for colour in game.colours:
        own = [move for other, move in game.moves if other == colour]
        squares = sum(move.squares.bit_count() for move in own)
        forbidden, corners = covered, 0
        for move in own:
            forbidden |= move.edges
            corners |= move.corners
        if not own:
            start = {20: ("a20", "t20", "t1", "a1"), 14: ("e10", "j5")}[size][colour]
            corners = 1 << names.index(start)
        attach = corners & ~forbidden
        others = 0
        for other in game.colours:
            others |= reach[other] if other != colour else 0
        facts[game.ids[colour]] = {
            "squares": squares,
            "left": 89 - squares,
            "points": game.points(colour),
            "pieces_left": [name for name in DRAWINGS if name in game.hand(colour)],
            "can_move": bool(lists[colour]),
            "mobility": len(lists[colour]),
            "frontier": [name for i, name in enumerate(names) if attach >> i & 1],
            "forbidden": forbidden.bit_count(),
            "reach": reach[colour].bit_count(),
            "contested": (reach[colour] & others).bit_count(),
        }
    return facts


@pytest.mark.parametrize(
    ("variant", "free"),
    [(CLASSIC, True), (TWO_PLAYER, False), (THREE_PLAYER, False), (DUO, True), (DUO, False)],
    ids=lambda value: value if isinstance(value, bool) else value.id,
)
def test_analysis_equals_a_slow_one(blokus_engine: BlokusEngine, variant: Any, free: bool) -> None:
    step = 19 if variant is not DUO else 8
    for position in random_game(variant, 21, free):
        if position.ply % step == 0 or position.over:
            blokus_engine.set_game(variant.game)
            blokus_engine.set_position(None, position.texts())
            line = blokus_engine.analyze()
            assert "\n" not in line
            facts = slow_facts(slow(position))
            assert json.loads(line) == facts
            assert [*json.loads(line)] == [*facts]


def test_analysis_follows_the_game(blokus_engine: BlokusEngine) -> None:
    seen = [blokus_engine.analyze()]
    blokus_engine.play(0, "a20")
    seen.append(blokus_engine.analyze())
    blokus_engine.undo()
    assert blokus_engine.analyze() == seen[0]
    blokus_engine.redo()
    assert blokus_engine.analyze() == seen[1]
    assert json.loads(seen[1])["1"]["points"] == 1
    assert len(placements(20)) == 30433
    assert scores.ALL_SQUARES == 89


# Records and boards


def test_records_are_written_and_read(blokus_engine: BlokusEngine, tmp_path: Path) -> None:
    file = str(tmp_path / "game.blksgf")
    blokus_engine.set_game("Blokus Duo")
    blokus_engine.set_position(None, ["e10,d11,e11,f11,e12", "i4,h5,i5,j5,i6", "w", "k6,l6"])
    blokus_engine.save_record(file)
    said = Path(file).read_text().replace("\n", "")
    assert said == (
        "(;GM[Blokus Duo];B[e10,d11,e11,f11,e12];W[i4,h5,i5,j5,i6];W[k6,l6])"
    )  # fmt: skip
    history, text = blokus_engine.history(), blokus_engine.fen()
    blokus_engine.set_game("Blokus")
    blokus_engine.load_record(file, None)
    assert (blokus_engine.history(), blokus_engine.fen()) == (history, text)
    blokus_engine.load_record(file, 2)
    assert blokus_engine.history() == history[:1]
    blokus_engine.load_record(file, 99)
    assert blokus_engine.history() == history


def test_a_record_of_a_set_up_position(blokus_engine: BlokusEngine, tmp_path: Path) -> None:
    file = str(tmp_path / "game.blksgf")
    blokus_engine.set_position(None, ["a20", "t20", "t1", "a1", "b19,c19", "s19,r19"])
    blokus_engine.set_position(blokus_engine.fen(), ["s2,r2"])
    text = blokus_engine.fen()
    blokus_engine.save_record(file)
    blokus_engine.set_game("Blokus Duo")
    blokus_engine.load_record(file, None)
    assert blokus_engine.fen() == text
    assert blokus_engine.history() == ("3 r2,s2",)


def test_records_that_cannot_be_read(blokus_engine: BlokusEngine, tmp_path: Path) -> None:
    blokus_engine.play(0, "a20")
    file = tmp_path / "bad.blksgf"
    for content, message in (
        (b"\xff\xfe(;GM[Blokus])", "is no game in parentheses"),
        (b"(;GM[Blokus];1[a20];2[a1])", "game record: move 2 'a1': illegal move"),
        (b"(;GM[Blokus];1[a20];2)", "game record: move 2 '': invalid move"),
    ):
        file.write_bytes(content)
        with pytest.raises(EngineError) as caught:
            blokus_engine.load_record(str(file), None)
        assert message in str(caught.value)
        assert blokus_engine.history() == ("1 a20",)
    for path in (str(tmp_path / "none"), str(tmp_path), "a\x00b"):
        with pytest.raises(PositionError, match=r"^Could not open '"):
            blokus_engine.load_record(path, None)
    for path in (str(tmp_path), str(tmp_path / "none" / "x"), "a\x00b"):
        with pytest.raises(PositionError, match=r"^Could not write '"):
            blokus_engine.save_record(path)


BOARD = """
14 . . . . . . . . . . . . . .  (3) Purple(X): 5
13 . . . . . . . . . . . . . .  1 2 F I3 I4 I5 L4 L5 N O
12 . . . . . . . . . . . . . .  P T4 T5 U V3 V5 W Y Z4 Z5
11 . . . . . . . . . . . . . .
10 . . . . X . . . . . . . . .  Orange(O): 5
 9 . . . X X X . . . . . . . .  1 2 F I3 I4 I5 L4 L5 N O
 8 . . . . X . . . . . . . . .  P T4 T5 U V3 V5 W Y Z4 Z5
 7 . . . . . . . . . . . . . .
 6 . . . . . . . . .>O . . . .
 5 . . . . . . . . O O O . . .
 4 . . . . . . . . . O . . . .
 3 . . . . . . . . . . . . . .
 2 . . . . . . . . . . . . . .
 1 . . . . . . . . . . . . . .
   A B C D E F G H I J K L M N"""


def test_the_board_is_drawn_as_pentobi_does(blokus_engine: BlokusEngine) -> None:
    blokus_engine.set_game("Blokus Duo")
    blokus_engine.set_position(None, ["e8,d9,e9,f9,e10", "j4,i5,j5,k5,j6"])
    assert blokus_engine.display() == BOARD


def test_the_board_marks_starts_and_stuck_colours(blokus_engine: BlokusEngine) -> None:
    lines = blokus_engine.display().splitlines()
    assert lines[1].startswith("20 + . .")
    assert lines[1].endswith(". +  (1) Blue(X): 0")
    assert lines[20] == " 1 +" + " ." * 18 + " +"
    row = next(row for row in rows("moves") if row["id"] == "m015")
    blokus_engine.set_position(None, row["moves"])
    shown = blokus_engine.display()
    for colour, title in enumerate(("Blue", "Yellow", "Red", "Green")):
        line = next(line for line in shown.splitlines() if f"{title}({MARKS[colour]})" in line)
        assert line.endswith("!") == (title != "Red")
        assert ("(" + str(row["ply"] + 1) + ")" in line) == (title == "Red")


def test_the_score_table(blokus_engine: BlokusEngine) -> None:
    blokus_engine.set_game("Blokus Two-Player")
    blokus_engine.set_position(None, ["a20", "t20,s20"])
    lines = blokus_engine.evaluate().splitlines()
    assert lines[0].split() == ["Colour", "Squares", "Left", "Bonus", "Points", "Moves", "Pieces"]
    assert lines[1].split()[:6] == ["Blue", "(1)", "1", "88", "0", "1"]
    assert lines[5] == "Result so far: W+1"
    assert lines[6].startswith("Squares expected: Blue ")
    assert lines[7].startswith("Chances: Blue and Red ")


def test_move_info(blokus_engine: BlokusEngine) -> None:
    blokus_engine.set_game("Blokus Duo")
    info = blokus_engine.more()["move_info"]
    text = info(["F9,e10,f10,g10,f11"])
    head, number, piece, points, breaks, opposite = text.splitlines()
    assert head == ""
    assert points == "Points: f9 e10 f10 g10 f11"
    assert piece.endswith("(X)")
    assert breaks == "BrkSym: 0"
    assert opposite == "SymMv:  i4,h5,i5,j5,i6"
    assert info([number.removeprefix("ID:").strip()]) == text
    assert "BrkSym: 1" in info(["g7,h7,g8,h8"])
    for words in ([], ["a1", "b1"], ["99999"], ["-1"], ["zz"], ["9" * 5000], ["²"]):
        with pytest.raises(EngineError):
            info(words)


def test_values_of_the_last_search(blokus_engine: BlokusEngine) -> None:
    blokus_engine.think(0, Limits(movetime=10), Control(), lambda info: None)
    assert 0 <= float(blokus_engine.more()["get_value"]([])) <= 1
    for line in blokus_engine.more()["move_values"]([]).splitlines():
        assert line.rpartition("]")[2] in blokus_engine.legal_moves()
    with pytest.raises(EngineError, match="no arguments allowed"):
        blokus_engine.more()["get_value"](["x"])
