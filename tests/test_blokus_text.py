"""Blokus as text: moves, position texts good and bad, records, boards."""

import itertools
from pathlib import Path

import pytest
from blokus_games import new_position, random_game

from engine.errors import EngineError, MoveError, PositionError
from engine.games.blokus import fen
from engine.games.blokus.generator import Generator
from engine.games.blokus.notation import format_move, parse_colour, parse_move, placement
from engine.games.blokus.position import Position
from engine.games.blokus.sgf import parse_record
from engine.games.blokus.tables import T
from engine.games.blokus.variants import CLASSIC, DUO, THREE_PLAYER, TWO_PLAYER, Variant
from engine.games.blokus.verify import verify

X = "f9,e10,f10,g10,f11"
DUO_ROWS = "14/14/14/14/4b9/3bbb8/4b9/14/9w4/8www3/9w4/14/14/14"
EMPTY = "/".join(["20"] * 20)


def restored(position: Position) -> Position:
    variant, setup = fen.parse_fen(position.fen())
    return Position(variant, Generator(), setup)


# Moves


@pytest.mark.parametrize(
    "text", [X, "G10,F9,e10,F11,f10", " f9 , e10,f10 ,\tg10,f11 ", ",".join(reversed(X.split(",")))]
)
def test_moves_are_read_in_any_order_and_case(text: str) -> None:
    assert format_move(parse_move(text, 14)) == X


@pytest.mark.parametrize(
    "text",
    ["", "pass", "a", "a0", "a01", "o1", "a15", "a1,a1", "a1,a3", "a1,b2", "a1,,a2", "a1,", ",a1",
     "a1 a2", "a1;a2", "a1,a2,a3,a4,a5,a6", "a²", "a١", "ａ1", "a1,a2\x00", "a-1", "a1a2", "1a"],
)  # fmt: skip
def test_what_is_no_placement_is_an_invalid_move(text: str) -> None:
    with pytest.raises(MoveError, match=r"^invalid move$"):
        parse_move(text, 14)


def test_the_edges_of_both_boards() -> None:
    assert format_move(parse_move("T20,s20", 20)) == "s20,t20"
    assert format_move(parse_move("n14", 14)) == "n14"


def test_colours() -> None:
    four = {"1": 0, "2": 1, "3": 2, "4": 3, "blue": 0, "Yellow": 1, "RED": 2, "green": 3}
    two = {"b": 0, "W": 1, "black": 0, "White": 1, "blue": 0, "green": 1}
    for words, variant in ((four, CLASSIC), (four, TWO_PLAYER), (two, DUO)):
        for word, colour in words.items():
            assert parse_colour(word, variant) == colour
    for word, variant in (("5", CLASSIC), ("b", CLASSIC), ("1", DUO), ("purple", DUO), ("", DUO)):
        with pytest.raises(MoveError, match=f"^invalid color argument '{word}'$"):
            parse_colour(word, variant)


# Positions


@pytest.mark.parametrize("variant", [CLASSIC, TWO_PLAYER, THREE_PLAYER, DUO], ids=lambda v: v.id)
def test_positions_come_back_exactly(variant: Variant) -> None:
    for position in itertools.islice(random_game(variant, 5, free=True), 0, None, 6):
        back = restored(position)
        assert back.fen() == position.fen()
        assert back.variant is variant
        assert verify(back.state, T) is None
        for name in ("key", "turn", "over", "ply", "hand", "last", "cells", "forbidden", "attach"):
            assert (back.state[name] == position.state[name]).all(), name


def test_position_text_of_a_known_position() -> None:
    position = new_position(DUO)
    position.play_text(["e8,d9,e9,f9,e10", "j4,i5,j5,k5,j6"])
    assert position.fen() == f"duo {DUO_ROWS} b X,X"
    assert new_position(CLASSIC).fen() == f"classic {EMPTY} 1 -,-,-,-"


def test_moves_may_name_their_colour() -> None:
    position = new_position(CLASSIC)
    position.play_text(["3", "t1", "a1", "blue", "A20,b20"])
    assert position.texts() == ["3 t1", "4 a1", "1 a20,b20"]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["e10", "j6"], "move 2 'j6': illegal move"),
        (["e10", "b", "d9,d8", "zz"], "move 3 'zz': invalid move"),
        (["b", "e10", "b", "f11", "w"], "move 2 'f11': piece already played"),
        (["e10", "w"], "move 2: expected one behind the colour"),
        (["5", "e10"], "move 1 '5': invalid move"),
    ],
)
def test_bad_moves_are_named(moves: list[str], message: str) -> None:
    with pytest.raises(MoveError) as caught:
        new_position(DUO).play_text(moves)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position '': expected 4 fields (variant, rows, colour to move, last pi"),
        (f"duo {DUO_ROWS} b", "found 3"),
        (f"duo {DUO_ROWS} b X,X extra", "found 5"),
        (f"trigon {DUO_ROWS} b X,X", "variant 'trigon': expected one of classic, classic_2"),
        (f"classic {DUO_ROWS} 1 -,-,-,-", "expected 20 rows, found 14"),
        (f"duo {DUO_ROWS}/14 b X,X", "expected 14 rows, found 15"),
        (f"duo 13{DUO_ROWS[2:]} b X,X", "row 14 '13': expected 14 squares, found 13"),
        (f"duo 15{DUO_ROWS[2:]} b X,X", "row 14 '15': expected 14 squares, found more"),
        (f"duo 140{DUO_ROWS[2:]} b X,X", "row 14 '140': expected letters of bw and numbers of"),
        (f"duo r13{DUO_ROWS[2:]} b X,X", "row 14 'r13': expected letters of bw and numbers of"),
        (f"duo {'99' * 9999}{DUO_ROWS[2:]} b X,X", "expected 14 squares, found more"),
        (f"duo x{'9' * 99}{DUO_ROWS[2:]} b X,X", "found 'x'"),
        (f"duo {DUO_ROWS} r X,X", "colour to move 'r': expected one of b, w"),
        (f"duo {DUO_ROWS} b X", "last pieces 'X': expected 2, found 1"),
        (f"duo {DUO_ROWS} b X,Q", "last piece 'Q': expected - or a name of a piece"),
        (f"duo {DUO_ROWS} b X,x", "last piece 'x': expected - or a name of a piece"),
        (f"duo {DUO_ROWS} b X,-", "colour w: last piece -: expected one that is on the board"),
        (f"duo {DUO_ROWS} b X,F", "colour w: last piece F: expected one that is on the board"),
        # six squares; one group that is no piece
        (f"duo {DUO_ROWS.replace('4b9/3bbb8', '4b9/3bbbb7')} b X,X",
         "colour b: 6 squares at e8: expected one of the 21 pieces"),
        # a second piece at an edge of the first
        (f"duo {DUO_ROWS.replace('/14/9w4', '/4b9/9w4')} b X,X",
         "colour b: 6 squares at e7: expected one of the 21 pieces"),
        # the same piece twice
        (f"duo {'14/' * 4}4b9/3b10/{'14/' * 7}14 w 1,-",
         "colour b: piece 1 at e10: expected each piece once"),
        # nothing on the start square
        (f"duo {'14/' * 13}b13 w 1,-", "colour b: no piece on e10: expected the first one there"),
        # a piece that touches nothing
        (f"duo {'14/' * 4}4b9/{'14/' * 8}bb12 w 2,-",
         "colour b: piece 2 at a1: expected a corner of the others beside it"),
        # the first piece given as the last; a last piece that an other one hangs on
        (f"duo {'14/' * 4}4b9/5bb7/{'14/' * 7}14 w 1,-",
         "colour b: last piece 1: it covers the start square and came first"),
        (f"duo {'14/' * 4}4b9/5bb7/7bbb4/{'14/' * 6}14 w 2,-",
         "colour b: last piece 2: piece I3 could only come later"),
        (f"duo {'14/' * 13}14 w 1,-", "colour b: last piece 1: expected -, there is none"),
    ],
)  # fmt: skip
def test_bad_positions_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        fen.parse_fen(text)
    assert message in str(caught.value)
    assert str(caught.value).isascii()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_colour_that_cannot_move_is_not_to_move() -> None:
    """Red covers the start square of blue, which then has no move."""
    position = new_position(DUO)
    for position in random_game(DUO, 9, free=False):
        stuck = int(position.state["stuck"])
        if stuck and not position.over:
            break
    text = position.fen().split()
    text[2] = {"b": "w", "w": "b"}[text[2]]
    variant, setup = fen.parse_fen(" ".join(text))
    with pytest.raises(
        PositionError, match=r"colour to move .: expected a colour that has a legal"
    ):
        Position(variant, Generator(), setup)


def test_verify_names_what_is_wrong() -> None:
    position = next(itertools.islice(random_game(CLASSIC, 1, free=False), 20, None))
    for name, change in {
        "occupied": 4, "own": 30, "forbidden": 33, "attach": 60, "hand": 2, "squares": 1,
    }.items():  # fmt: skip
        state = position.copy()
        state[name][change] ^= 1 << 6
        fault = verify(state, T)
        assert fault is not None
        assert fault.startswith(f"{name}[{change}]: ")
    for name in ("key", "ply", "over"):
        state = position.copy()
        state[name] ^= 1
        assert (verify(state, T) or "").startswith(f"{name}: ")
    state = position.copy()
    state["frontier"][0] = 0
    assert (verify(state, T) or "").startswith("frontier[0]: ")
    state = position.copy()
    state["slot"][state["frontier"][0]] += 1
    assert (verify(state, T) or "").startswith("slot[0, ")
    state = position.copy()
    state["stuck"] = 15
    assert (verify(state, T) or "").startswith("stuck: ")


# Records


def test_a_record_is_read() -> None:
    record = parse_record(
        "(;GM[blokus duo] PW[a \\] b]C[]\n;B[e10]C[note (;]\n(;W[ J5 ];b[d9,c9](;W[a1])(;W[a2]))"
        "(;W[j5,j6]))"
    )
    assert record.variant is DUO
    assert record.setup is None
    assert record.moves == [(0, "e10"), (1, " J5 "), (0, "d9,c9"), (1, "a1")]


def test_a_record_with_a_position() -> None:
    record = parse_record("(;GM[Blokus]A1[a20][b19,c19]A3[t1]PL[4];4[a1])")
    assert record.setup is not None
    assert record.setup.last == (1, -1, 0, -1)
    assert record.setup.turn == 3
    assert Position(record.variant, Generator(), record.setup).ply == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no game in parentheses"),
        ("hello", "'hello' is no game in parentheses"),
        ("(;GM[Blokus]", "is no game in parentheses"),
        ("(;GM[Blokus];1[a20", "is no game in parentheses"),
        ("(GM[Blokus])", "is no game in parentheses"),
        ("()", "is no game in parentheses"),
        ("(;GM)", "GM is 'none', expected one of Blokus, Blokus Two-Player"),
        ("(;FF[4])", "GM is 'none', expected one of Blokus, Blokus Two-Player"),
        ("(;GM[Go])", "GM is 'Go', expected one of Blokus, Blokus Two-Player"),
        ("(;GM[Blokus]A1[zz])", "'zz' is no piece"),
        ("(;GM[Blokus]A1[a1])", "colour 1: no piece on a20"),
        ("(;GM[Blokus]A1[a20]A2[a20])", "the piece at a20 lies on another"),
        ("(;GM[Blokus]PL[x])", "expected a colour"),
        ("(;GM[Blokus]" + "(" * 5000, "is no game in parentheses"),
    ],
)
def test_bad_records(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_record(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_that_name_no_placement() -> None:
    assert placement(13728, 14) is not None
    assert placement(13729, 14) is None


def test_no_message_is_a_traceback(tmp_path: Path) -> None:
    """Text of all kinds raises nothing but the errors of the engine."""
    words = ["", "0", "b", "\x00", "ﬀ", "duo", "/", "140", "w" * 300, "[", "(;", "1[", "\\", "-1"]
    for pair in itertools.product(words, repeat=2):
        text = "".join(pair)
        for read in (fen.parse_fen, parse_record, lambda t: parse_move(t, 20)):
            with pytest.raises(EngineError):
                read(text)
