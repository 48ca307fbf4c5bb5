"""CoTuLenh as text: what is read, what is refused and in which words, and that nothing changes."""

import re
from dataclasses import replace

import pytest
from cotulenh_positions import random_cases
from oracles import cotulenh as rules

from engine.errors import MoveError, PositionError
from engine.games.cotulenh.notation import START, format_fen, parse_fen
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.verify import content

TAIL = " r - - 0 1"
EMPTY = "11/" * 9
SHIP = "3c7/10i/10e/11/11/11/11/11/(NFT)10/11/10E/6C4 r - - 3 9"
"""A ship at sea with a plane and a tank, which cannot leave them afloat."""


def board(first: str, second: str = "11") -> str:
    """Twelve ranks with these two in the middle and a commander each at the ends."""
    return f"6c4/11/11/11/11/{first}/{second}/11/11/11/11/5C5"


def test_the_start_position_by_hand() -> None:
    slow = rules.parse_fen(START)
    assert rules.fen(slow) == START == Position().fen()
    sides = [rules.stack_text(stack) for stack in slow.board.values() if stack[0].side == "r"]
    assert "".join(sorted(sides)) == "AACEEFFGGHHIIMNNSTT"


@pytest.mark.parametrize(
    "text",
    [
        START,
        board("(nft)9(+T+I)", "2(N+FM)8") + " b - - 99 1000",
        board("2(+n)8".replace("(+n)", "+n"), "4(EA)1(FTC)4").replace("5C5", "11") + TAIL,
        SHIP + " a4:(FT):N>a6...",
        SHIP + " a4:T:N>a6,F>d4...",
        "3c7/11/11/11/4i6/11/11/11/11/2(NFT)8/11/6C4 r - - 0 1 c3:(NF):T>e3...",
        "3c7/11/11/11/4i6/11/11/11/11/2(NFT)8/11/6C4 r - - 0 1 c3:N:(FT)>e3...",
    ],
)
def test_texts_that_come_back_as_they_were(text: str) -> None:
    assert format_fen(parse_fen(text)) == text
    assert Position(text).fen() == text


def test_positions_of_all_kinds_come_back() -> None:
    for fen, _ in random_cases(20260109, 60):
        assert rules.fen(rules.parse_fen(fen)) == fen
        assert format_fen(parse_fen(fen)) == fen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 2 to 7 fields, found 0"),
        (START.replace(" r", " w"), 'side to move "w": expected r or b'),
        (START.replace("- - 0", "KQ - 0"), 'field "KQ": expected -'),
        (START.replace("0 1", "x 1"), 'half-move clock "x": expected a whole number'),
        (START.replace("0 1", "0 -1"), 'move number "-1": expected a whole number'),
        ("11/" + START, "expected 12 ranks, found 13"),
        (board("10") + TAIL, 'rank 7 "10": expected 11 squares, found 10'),
        (board("11I") + TAIL, 'rank 7 "11I": expected 11 squares, found 12'),
        (board("5X5") + TAIL, 'rank 7: expected pieces CITMEAGSFNH, found "X"'),
        (board("5?5") + TAIL, 'rank 7 "5?5": expected pieces'),
        (board("551") + TAIL, "two numbers in a row"),
        (board("12") + TAIL, 'rank 7 "12"'),
        (board("0I10") + TAIL, 'rank 7 "0I10"'),
        (board("5++I5") + TAIL, 'found "++I5"'),
        (board("10+") + TAIL, 'found "+"'),
        (board("5((TI))5") + TAIL, 'found "((TI))5"'),
        (board("5(F(TI))5") + TAIL, 'found "(F(TI))5"'),
        (board("5(TI5") + TAIL, 'found "(TI5"'),
        (board("5(T)5") + TAIL, 'found "(T)5"'),
        (board("5()5") + TAIL, 'found "()5"'),
        (board("5(NFTI)5") + TAIL, 'found "(NFTI)5"'),
        (board("5(Ti)5") + TAIL, 'stack "(Ti)": expected pieces of one colour'),
        (board("5(TT)5") + TAIL, 'stack "(TT)": expected each kind once'),
        (board("5(TA)5") + TAIL, '"(TA)" is no stack'),
        (board("5(EAG)5") + TAIL, '"(EAG)" is no stack'),
        (board("5(HI)5") + TAIL, '"(HI)" is no stack'),
        (board("5C5") + TAIL, "expected one red commander, found 2"),
        (board("5(tc)5") + TAIL, "expected one blue commander, found 2"),
        (EMPTY + "11/11/5I5" + TAIL, "expected a commander, found none"),
        (board("5N5") + TAIL, "N cannot stand on f7, land"),
        (board("I10") + TAIL, "I cannot stand on a7, the sea"),
        (board("1f9") + TAIL, "f cannot stand on b7, the sea"),
        (board("1(ft)9") + TAIL, "(ft) cannot stand on b7, the sea"),
        (board("5(NF)5") + TAIL, "(NF) cannot stand on f7, land"),
        (
            board("2TTTTTTTTT", "2TTTTTTTTT").replace("5C5", "4IC5") + TAIL,
            "expected at most 19 red pieces, found 20",
        ),
        (board("2TTTTTTTTT", "2TTTTTTTTTT") + TAIL, "expected 11 squares, found 12"),
        (START + " b2", 'deployment "b2": expected square:pieces:steps...'),
        (SHIP + " a4:(FT):N>a6", "expected square:pieces:steps..."),
        (SHIP + " z4:(FT):N>a6...", "expected square:pieces:steps..."),
        (SHIP + " c4:(FT):N>a6...", "expected a stack of the side to move on c4"),
        (SHIP + " k11:i:i>k10...", "expected a stack of the side to move on k11"),
        (SHIP + " g1::C>g2...", "expected a stack on g1"),
        (SHIP + " a4:(NFT):...", 'step "": expected one such as T>e3'),
        (SHIP + " a4:(FT):Na6...", 'step "Na6": expected one such as T>e3'),
        (SHIP + " a4:(FT):N>a13...", 'step "N>a13": expected one such as T>e3'),
        (SHIP + " a4:(FT):I>a6...", 'step "I>a6": not left on a4'),
        (SHIP + " a4:T:N>a6...", 'expected (FT) to be left on a4, found "T"'),
        (SHIP + " a4:(XY):N>a6...", 'expected pieces CITMEAGSFNH, found "X"'),
        (SHIP + " a4:(FT):N>b6...", "these steps are not possible from here"),
        (SHIP + " a4:(FT):N>xa6...", "these steps are not possible from here"),
        (SHIP + " a4:T:N>a6,F>k12...", "these steps are not possible from here"),
    ],
)
def test_bad_positions(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=re.escape(message)) as caught:
        Position(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("junk", ["\x00", "é" * 300, "(" * 500, "+" * 400, "9" * 5000, "/" * 11])
def test_junk_is_refused_in_one_short_line(junk: str) -> None:
    for text in (junk + TAIL, board(junk) + TAIL, START + " " + junk, f"{SHIP} a4:{junk}:N>a6..."):
        with pytest.raises(PositionError) as caught:
            Position(text)
        assert str(caught.value).isprintable() and len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("steps", "text", "message"),
    [
        ([], "Ic5c7", '"Ic5c7": not legal here'),
        ([], "Ic8c7", '"Ic8c7": not legal here'),
        ([], "COMMIT", '"COMMIT": a deployment cannot end here'),
        ([], "", 'action "": expected one such as'),
        ([], "c5c6", 'action "c5c6": expected one such as'),
        ([], "Ic5", 'action "Ic5": expected one such as'),
        ([], "I c5 c6", "expected one such as"),
        ([], "Ic5-c6", "expected one such as"),
        ([], "Ic5c6,Tf4f5", '"Tf4f5": the turn is over before it'),
        ([], "Ic5c6,", "the turn is over before it"),
    ],
)
def test_bad_actions_at_the_start(steps: list[str], text: str, message: str) -> None:
    refuse(Position(), text, message)


@pytest.mark.parametrize(
    ("steps", "text", "message"),
    [
        ([], "Na4>a5,COMMIT", '"COMMIT": a deployment cannot end here'),
        ([], "Na4>a5,Ta4>b5", '"Ta4>b5": not legal here'),
        (["Na4>a5"], "COMMIT", '"COMMIT": a deployment cannot end here'),
        (["Na4>a5"], "Ek2k3", '"Ek2k3": not legal here'),
        (["Na4>a5"], "Na4>a6", '"Na4>a6": not legal here'),
        (["Na4>a5"], "Fa4>&a5,Ek2k3", '"Ek2k3": not legal here'),
        (["Na4>a5"], "Fa4>a5", '"Fa4>a5": not legal here'),
    ],
)
def test_bad_actions_in_a_deployment(steps: list[str], text: str, message: str) -> None:
    position = Position(SHIP)
    for step in steps:
        position.play_turn(step)
    refuse(position, text, message)


def refuse(position: Position, text: str, message: str) -> None:
    before, fen, played = content(position.state), position.fen(), list(position.actions)
    with pytest.raises(MoveError, match=re.escape(message)) as caught:
        position.play_turn(text)
    assert "\n" not in str(caught.value)
    assert content(position.state) == before
    assert (position.fen(), position.actions) == (fen, played)


def test_the_other_side_is_seen_while_pieces_are_afloat() -> None:
    position = Position(SHIP)
    position.play_turn("Na4>a6")
    other = position.for_other_side()
    assert other.turn == 1 and not other.deploying
    assert other.words() == position.words()
    assert "Ik11k10" not in other.legal_texts() and "Ik11j11" in other.legal_texts()


def test_a_hero_may_be_meant_without_its_mark_but_not_where_two_fit() -> None:
    position = Position("3c7/11/10e/11/11/11/11/11/5+I5/11/10E/6C4 r - - 0 1")
    position.play_turn("if4g5")
    assert "6+I4" in position.fen()
    fen = "3c7/11/10e/11/11/11/11/11/5I5/11/10E/6C4 r - - 0 1"
    refuse(Position(fen), "If4g5", "not legal here")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("(FT)e5e8", "(FT)e5_e8 or (FT)e5xe8"), ("Fe5f5", None), ("ft)e5e8", None)],
)
def test_a_text_that_fits_two_actions_is_ambiguous(text: str, expected: str | None) -> None:
    position = Position("3c7/11/11/11/4i6/11/11/4(FT)6/11/10i/11/6C4 r")
    message = f'action "{text}": ambiguous, expected {expected}' if expected else f'"{text}": '
    refuse(position, text, message)
    if expected is None:
        with pytest.raises(MoveError) as caught:
            position.play_turn(text)
        assert "ambiguous" not in str(caught.value)


def test_every_action_is_known_by_its_text_alone() -> None:
    for fen, steps in random_cases(20260110, 40):
        position = Position(fen)
        for step in steps:
            position.play_turn(step)
        texts = position.legal_texts()
        assert len(texts) == len(position.legal())
        for text in texts:
            assert text == "COMMIT" or re.fullmatch(
                r"(\+?[A-Z]|\((\+?[A-Z]){2,3}\))[a-k]\d{1,2}>?[x_@&]?[a-k]\d{1,2}", text
            )


def test_setup_is_plain_data() -> None:
    setup = parse_fen(START)
    assert replace(setup, turn=1) == parse_fen(START.replace(" r ", " b "))
