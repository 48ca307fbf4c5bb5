"""Blokus behind the facade: the problem cases, undo, switches, analysis, records, boards."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from blokus_games import BY_GAME, random_game, rows, slow
from slow_blokus import DRAWINGS, SlowBlokus, placements

from engine.control import Control
from engine.errors import EngineError, MoveError, OptionError, PositionError
from engine.games import GAMES
from engine.games.blokus import generator, scores
from engine.games.blokus.display import MARKS
from engine.games.blokus.rules import generate
from engine.games.blokus.session import BlokusEngine, load
from engine.games.blokus.variants import CLASSIC, DUO, THREE_PLAYER, TWO_PLAYER
from engine.games.blokus.verify import verify
from engine.types import Limits

QUICK = Limits(movetime=10)
ROWS = {row["id"]: row for row in rows("moves")}


@pytest.fixture(scope="module")
def only_engine() -> BlokusEngine:
    return load()


@pytest.fixture
def engine(only_engine: BlokusEngine) -> BlokusEngine:
    """One engine, on the empty classic board, with default parameters."""
    for name, on in generator.SWITCHES.items():
        only_engine.set_param(name, str(on))
    only_engine.set_game("Blokus")
    return only_engine


def set_up(engine: BlokusEngine, row: str) -> None:
    engine.set_game("Blokus" if ROWS[row]["variant"] == "classic" else "Blokus Duo")
    engine.set_position(None, ROWS[row]["moves"])


def think(engine: BlokusEngine, colour: int) -> str | None:
    return engine.think(colour, QUICK, Control(), lambda info: None)


# The problem cases


def test_case_1_the_last_small_piece_is_found(engine: BlokusEngine) -> None:
    set_up(engine, "m203")
    assert not engine.over()
    assert engine.moves_of(0) == ()
    assert engine.legal_moves() == ("d9,e9,d10",)
    for row in ("m015", "m017"):
        set_up(engine, row)
        assert [len(engine.moves_of(colour)) for colour in range(4)] == [0, 0, 1, 0]
        assert engine.to_move() == 2
        assert not engine.over()


def test_case_2_opposite_colours_belong_together(engine: BlokusEngine) -> None:
    row = next(row for row in rows("scores") if [*row["points"].values()] == [109, 49, 49, 49])
    for game, score in (
        ("Blokus Two-Player", "B+60"), ("Blokus", "109 49 49 49 "),
        ("Blokus Three-Player", "109 49 49 49 "),
    ):  # fmt: skip
        engine.set_game(game)
        engine.set_position(None, row["moves"])
        assert engine.final_score() == score


def test_case_3_skips_are_nothing(engine: BlokusEngine) -> None:
    set_up(engine, "m018")
    history = engine.history()
    assert len(history) == 50
    assert engine.to_move() == 2
    move = think(engine, engine.to_move())
    assert move is not None
    engine.play(2, move)
    engine.undo()
    assert engine.history() == history
    assert engine.to_move() == 2
    assert think(engine, 0) is None
    assert engine.history() == history


def test_case_4_three_players_go_on(engine: BlokusEngine) -> None:
    engine.set_game("Blokus Three-Player")
    for colour, corner in enumerate(("a20", "t20", "t1", "a1")):
        engine.play(colour, corner)
    moves = engine.moves_of(0)
    assert engine.legal_moves() == moves
    squares = [set(move.split(",")) for move in moves]
    assert squares
    assert all("b19" in move and not move & {"a19", "b20"} for move in squares)
    assert think(engine, engine.to_move()) in moves


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
def test_case_5_messages_of_play(engine: BlokusEngine, text: str, message: str) -> None:
    engine.play(0, "a20")
    before = engine.fen(), engine.history()
    with pytest.raises(MoveError) as caught:
        engine.play(0, text)
    assert str(caught.value) == message
    assert (engine.fen(), engine.history()) == before
    engine.undo()
    engine.redo()
    assert (engine.fen(), engine.history()) == before


def test_a_covered_start_square_ends_a_colour(engine: BlokusEngine) -> None:
    """Blue goes from corner to corner out of turn, until it covers that of yellow."""
    for row in ROWS.values():
        if row["tag"] == "start-square-taken":
            set_up(engine, row["id"])
            started = {move.split()[0] for move in row["moves"]}
            for colour in range(4 if row["variant"] == "classic" else 2):
                if engine.colour_id(colour) not in started:
                    counts = row["colors"][engine.colour_id(colour)]
                    assert len(engine.moves_of(colour)) == counts["n"]


# The facade


def test_games_and_their_names(engine: BlokusEngine) -> None:
    assert engine.names == (
        "Blokus", "Blokus Two-Player", "Blokus Three-Player", "Blokus Duo",
    )  # fmt: skip
    engine.play(0, "a20")
    for bad in ("duo", "Blokus  Duo", " Blokus", "Blokus Trigon", ""):
        with pytest.raises(OptionError, match=r"^invalid argument$"):
            engine.set_game(bad)
    assert engine.history() == ("1 a20",)
    engine.set_game("bLOKUS dUO")
    assert engine.colour_id(1) == "w"
    assert engine.history() == ()
    for name, id in (
        ("blokus", "classic"), ("blokus-two-player", "classic_2"),
        ("blokus-three-player", "classic_3"), ("blokus-duo", "duo"),
    ):  # fmt: skip
        assert GAMES[name].protocol == "gtp"
        assert load(GAMES[name].variant).fen().split()[0] == id


def test_a_new_game_keeps_game_and_parameters(engine: BlokusEngine) -> None:
    engine.set_game("Blokus Duo")
    engine.set_param("use_frontier_movegen", "off")
    engine.play(0, "e10")
    engine.new_game()
    assert engine.fen().startswith("duo 14/")
    assert engine.params()["use_frontier_movegen"] == "false"
    with pytest.raises(MoveError, match="cannot undo"):
        engine.undo()


def test_positions_and_undo(engine: BlokusEngine) -> None:
    engine.set_position(None, ["a20", "t20"])
    text = engine.fen()
    engine.set_position(text, ["t1"])
    assert engine.history() == ("3 t1",)
    engine.undo()
    assert engine.fen() == text
    with pytest.raises(MoveError, match="cannot undo"):
        engine.undo()
    for bad, moves in (("nothing", []), (text, ["a1"]), (None, ["a20", "x"])):
        with pytest.raises(EngineError):
            engine.set_position(bad, moves)
        assert engine.fen() == text
    engine.redo()
    assert engine.history() == ("3 t1",)
    engine.set_position("duo " + "/".join(["14"] * 14) + " b -,-", ["e10"])
    assert engine.history() == ("b e10",)


def test_perft_and_search(engine: BlokusEngine) -> None:
    counts: dict[str, int] = {}
    report = engine.perft(3, Control(), counts.__setitem__)
    assert report.nodes == 195112
    assert dict(report.counts) == counts
    assert set(counts.values()) == {58 * 58}
    assert engine.perft(0, Control(), counts.__setitem__).nodes == 1
    infos: list[Any] = []
    assert engine.search(QUICK, Control(), infos.append).move in engine.legal_moves()
    assert infos
    with pytest.raises(EngineError, match="expected a depth of at most"):
        engine.perft(1000, Control(), counts.__setitem__)
    set_up(engine, next(row["id"] for row in ROWS.values() if row["game_over"]))
    assert engine.over()
    assert engine.legal_moves() == ()
    assert engine.perft(0, Control(), counts.__setitem__).nodes == 1
    assert engine.perft(2, Control(), counts.__setitem__).nodes == 0
    assert engine.search(QUICK, Control(), infos.append).move is None


# Parameters


def test_parameters_are_read_strictly(engine: BlokusEngine) -> None:
    for word, value in (("TRUE", "true"), ("0", "false"), ("1", "true"), ("off", "false")):
        engine.set_param("use_heuristic_anchors", word)
        assert engine.params()["use_heuristic_anchors"] == value
    assert [*engine.params()] == sorted(engine.params())
    for key, value, message in (
        ("use_heuristic_anchors", "maybe", "use_heuristic_anchors 'maybe': expected true or false"),
        ("use_heuristic_anchors", "", "expected true or false, 1 or 0, on or off"),
        ("no_such", "1", "unknown parameter 'no_such'"),
        ("level", "0", "level"),
        ("level", "x", "level"),
    ):
        before = engine.params()
        with pytest.raises(OptionError, match=message):
            engine.set_param(key, value)
        assert engine.params() == before


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


def test_movegen_debug_logs_counts(engine: BlokusEngine, caplog: pytest.LogCaptureFixture) -> None:
    engine.set_param("movegen_debug", "true")
    with caplog.at_level(logging.WARNING):
        engine.moves_of(2)
    assert caplog.messages == ["movegen: colour 2, ply 0, 58 moves"]


@pytest.mark.parametrize("frontier", ["true", "false"])
def test_a_generator_that_errs_is_found(
    engine: BlokusEngine, monkeypatch: pytest.MonkeyPatch, frontier: str
) -> None:

    def forgetful(*arguments: Any) -> int:
        return int(generate(*arguments)) - 1

    monkeypatch.setattr(generator, "generate", forgetful)
    engine.set_param("movegen_debug_equivalence", "true")
    engine.set_param("use_frontier_movegen", frontier)
    expected = "is missing" if frontier == "true" else "is not legal"
    with pytest.raises(EngineError, match=f"^movegen_debug_equivalence: .* {expected}$"):
        engine.moves_of(0)


def test_equal_lists_have_no_difference() -> None:
    assert generator.difference([3, 1], [1, 3]) is None
    assert generator.difference([137, 137], [137]) is not None


def test_masks_that_err_are_found(engine: BlokusEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.set_param("debug_bitboard", "true")
    engine.play(0, "a20")

    def spoilt(pos: Any, tables: Any) -> str | None:
        copy = pos.copy()
        copy["occupied"][10] ^= 1 << 9
        return verify(copy, tables)

    monkeypatch.setattr(generator, "verify", spoilt)
    with pytest.raises(EngineError, match=r"^debug_bitboard: occupied\[10\]: 0x200, expected 0x0"):
        engine.play(1, "t20")
    assert engine.history() == ("1 a20",)


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
def test_analysis_equals_a_slow_one(engine: BlokusEngine, variant: Any, free: bool) -> None:
    step = 19 if variant is not DUO else 8
    for position in random_game(variant, 21, free):
        if position.ply % step == 0 or position.over:
            engine.set_game(variant.game)
            engine.set_position(None, position.texts())
            line = engine.analyze()
            assert "\n" not in line
            facts = slow_facts(slow(position))
            assert json.loads(line) == facts
            assert [*json.loads(line)] == [*facts]


def test_analysis_follows_the_game(engine: BlokusEngine) -> None:
    seen = [engine.analyze()]
    engine.play(0, "a20")
    seen.append(engine.analyze())
    engine.undo()
    assert engine.analyze() == seen[0]
    engine.redo()
    assert engine.analyze() == seen[1]
    assert json.loads(seen[1])["1"]["points"] == 1
    assert len(placements(20)) == 30433
    assert scores.ALL_SQUARES == 89


# Records and boards


def test_records_are_written_and_read(engine: BlokusEngine, tmp_path: Path) -> None:
    file = str(tmp_path / "game.blksgf")
    engine.set_game("Blokus Duo")
    engine.set_position(None, ["e10,d11,e11,f11,e12", "i4,h5,i5,j5,i6", "w", "k6,l6"])
    engine.save_record(file)
    said = Path(file).read_text().replace("\n", "")
    assert said == (
        "(;GM[Blokus Duo];B[e10,d11,e11,f11,e12];W[i4,h5,i5,j5,i6];W[k6,l6])"
    )  # fmt: skip
    history, text = engine.history(), engine.fen()
    engine.set_game("Blokus")
    engine.load_record(file, None)
    assert (engine.history(), engine.fen()) == (history, text)
    engine.load_record(file, 2)
    assert engine.history() == history[:1]
    engine.load_record(file, 99)
    assert engine.history() == history


def test_a_record_of_a_set_up_position(engine: BlokusEngine, tmp_path: Path) -> None:
    file = str(tmp_path / "game.blksgf")
    engine.set_position(None, ["a20", "t20", "t1", "a1", "b19,c19", "s19,r19"])
    engine.set_position(engine.fen(), ["s2,r2"])
    text = engine.fen()
    engine.save_record(file)
    engine.set_game("Blokus Duo")
    engine.load_record(file, None)
    assert engine.fen() == text
    assert engine.history() == ("3 r2,s2",)


def test_records_that_cannot_be_read(engine: BlokusEngine, tmp_path: Path) -> None:
    engine.play(0, "a20")
    file = tmp_path / "bad.blksgf"
    for content, message in (
        (b"\xff\xfe(;GM[Blokus])", "is no game in parentheses"),
        (b"(;GM[Blokus];1[a20];2[a1])", "game record: move 2 'a1': illegal move"),
        (b"(;GM[Blokus];1[a20];2)", "game record: move 2 '': invalid move"),
    ):
        file.write_bytes(content)
        with pytest.raises(EngineError) as caught:
            engine.load_record(str(file), None)
        assert message in str(caught.value)
        assert engine.history() == ("1 a20",)
    for path in (str(tmp_path / "none"), str(tmp_path), "a\x00b"):
        with pytest.raises(PositionError, match=r"^Could not open '"):
            engine.load_record(path, None)
    for path in (str(tmp_path), str(tmp_path / "none" / "x"), "a\x00b"):
        with pytest.raises(PositionError, match=r"^Could not write '"):
            engine.save_record(path)


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


def test_the_board_is_drawn_as_pentobi_does(engine: BlokusEngine) -> None:
    engine.set_game("Blokus Duo")
    engine.set_position(None, ["e8,d9,e9,f9,e10", "j4,i5,j5,k5,j6"])
    assert engine.display() == BOARD


def test_the_board_marks_starts_and_stuck_colours(engine: BlokusEngine) -> None:
    lines = engine.display().splitlines()
    assert lines[1].startswith("20 + . .")
    assert lines[1].endswith(". +  (1) Blue(X): 0")
    assert lines[20] == " 1 +" + " ." * 18 + " +"
    set_up(engine, "m015")
    shown = engine.display()
    for colour, title in enumerate(("Blue", "Yellow", "Red", "Green")):
        line = next(line for line in shown.splitlines() if f"{title}({MARKS[colour]})" in line)
        assert line.endswith("!") == (title != "Red")
        assert ("(" + str(ROWS["m015"]["ply"] + 1) + ")" in line) == (title == "Red")


def test_the_score_table(engine: BlokusEngine) -> None:
    engine.set_game("Blokus Two-Player")
    engine.set_position(None, ["a20", "t20,s20"])
    lines = engine.evaluate().splitlines()
    assert lines[0].split() == ["Colour", "Squares", "Left", "Bonus", "Points", "Moves", "Pieces"]
    assert lines[1].split()[:6] == ["Blue", "(1)", "1", "88", "0", "1"]
    assert lines[-1] == "Result so far: W+1"


def test_move_info(engine: BlokusEngine) -> None:
    engine.set_game("Blokus Duo")
    info = engine.more()["move_info"]
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


def test_values_of_the_last_search(engine: BlokusEngine) -> None:
    think(engine, 0)
    assert 0 <= float(engine.more()["get_value"]([])) <= 1
    for line in engine.more()["move_values"]([]).splitlines():
        assert line.rpartition("]")[2] in engine.legal_moves()
    with pytest.raises(EngineError, match="no arguments allowed"):
        engine.more()["get_value"](["x"])


def test_the_protocol_page_tells_the_switches() -> None:
    page = (Path(__file__).parent.parent / "protocol" / "GTP.md").read_text()
    for name, on in generator.SWITCHES.items():
        (row,) = [row for row in page.splitlines() if row.startswith(f"| `{name}` |")]
        assert f"(default `{str(on).lower()}`)" in row
