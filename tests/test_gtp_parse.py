"""The text of the line protocol: requests, replies, arguments, clocks."""

import pytest

from engine.types import Limits, PerftReport
from protocol.clocks import Clocks
from protocol.gtp import (
    Request,
    at_least,
    at_most,
    exactly,
    file_arguments,
    integer,
    one_line,
    parse_limits,
    parse_perft,
    parse_request,
    render_perft,
    render_reply,
)
from protocol.uci import UsageError


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("name", Request("", "name", "")),
        ("1 name", Request("1", "name", "")),
        ("007 name", Request("007", "name", "")),
        ("-3 name", Request("-3", "name", "")),
        ("3name", Request("", "3name", "")),
        ("1", Request("", "1", "")),
        ("12 foo bar", Request("12", "foo", "bar")),
        ("1 2 3", Request("1", "2", "3")),
        ("NAME", Request("", "NAME", "")),
        ("  \t name \t", Request("", "name", "")),
        ("name\r", Request("", "name", "")),
        ("\rname\r1", Request("", "name", "1")),
        ("play\tb\te10", Request("", "play", "b\te10")),
        ("play b e10 # first", Request("", "play", "b e10")),
        ("name#", Request("", "name", "")),
        ("1 name # 2", Request("1", "name", "")),
        ("1 # name", Request("", "1", "")),
        ("set_game   blokus   duo", Request("", "set_game", "blokus   duo")),
        ("na\x00me\x7f\x1b", Request("", "name", "")),
        ("nam\xe9 \xa0", Request("", "nam\xe9", "\xa0")),
        ("٣ name", Request("", "٣", "name")),
        ("9" * 5000 + " name", Request("9" * 5000, "name", "")),
        ("", None),
        (" \t\r ", None),
        ('loadsgf "a # b" 3 # "c"', Request("", "loadsgf", '"a # b" 3')),
        ('foo "a # b', Request("", "foo", '"a')),
        ("# note", None),
        ('# "note"', None),
        ("  # 1 name", None),
        ("\x00", None),
    ],
)
def test_parse_request(line: str, request_: Request | None) -> None:
    assert parse_request(line) == request_


def test_words_are_split_at_blanks_and_tabs_alone() -> None:
    request = parse_request("play  b\t e8 ,D9\x0b,e9\xa0")
    assert request is not None
    assert request.words == ["b", "e8", ",D9,e9\xa0"]
    assert request.after("b") == "e8 ,D9,e9\xa0"


@pytest.mark.parametrize(
    ("ok", "id", "text", "lines"),
    [
        (True, "", "", ["= ", ""]),
        (True, "2", "", ["=2 ", ""]),
        (True, "", "b18", ["= b18", ""]),
        (True, "-3", "10 5 ", ["=-3 10 5 ", ""]),
        (False, "12", "unknown command (foo)", ["?12 unknown command (foo)", ""]),
        (True, "", "a\nb", ["= a", "b", ""]),
        (True, "", "\n14 .\n\n13 .\n", ["= ", "14 .", " ", "13 .", ""]),
    ],
)
def test_render_reply(ok: bool, id: str, text: str, lines: list[str]) -> None:
    assert render_reply(ok, id, text) == lines


def test_messages_are_one_short_line() -> None:
    assert one_line("a\nb\t c") == "a b c"
    assert len(one_line("x" * 1000)) == 400


def message(call: object, *arguments: object) -> str:
    assert callable(call)
    with pytest.raises(UsageError) as caught:
        call(*arguments)
    return str(caught.value)


def test_numbers_of_arguments() -> None:
    assert exactly([], 0) == []
    assert at_least(["a"], 1) == at_most(["a"], 2) == ["a"]
    assert message(exactly, ["1"], 0) == "no arguments allowed"
    assert (
        message(exactly, [], 1) == message(exactly, ["a", "b"], 1) == "command needs one argument"
    )
    assert message(exactly, ["a"], 2) == "command needs 2 arguments"
    assert message(at_least, [], 1) == "missing argument 1"
    assert message(at_least, ["b"], 2) == "missing argument 2"
    assert message(at_most, ["a", "b"], 1) == "too many arguments"


def test_integer_arguments() -> None:
    assert integer(["x", "-12"], 1) == -12
    assert integer(["9" * 9999], 0) == (1 << 63) - 1
    assert message(integer, ["x"], 0) == "argument 1 ('x') has invalid type"
    assert message(integer, ["b", "1.5"], 1) == "argument 2 ('1.5') has invalid type"
    assert message(integer, ["-1"], 0, 0) == "argument 1 ('-1') has invalid type"


def test_file_arguments() -> None:
    assert file_arguments("a.blksgf 3") == ["a.blksgf", "3"]
    assert file_arguments('"my game.blksgf" 3') == ["my game.blksgf", "3"]
    assert 'expected a "' in message(file_arguments, '"a b')


def test_go() -> None:
    assert parse_limits([]) is None
    assert parse_limits(["nodes", "7", "movetime", "100"]) == Limits(nodes=7, movetime=100)
    assert parse_limits(["depth", "9" * 30]) == Limits(depth=10**6)
    for words in (["fast"], ["nodes"], ["nodes", "x"], ["nodes", "0"], ["nodes", "1", "x"]):
        assert message(parse_limits, words).startswith("go: expected ")
    assert parse_perft(["perft", "0"]) == 0
    for words in (["perft"], ["perft", "-1"], ["perft", "x"], ["perft", "1", "2"]):
        assert message(parse_perft, words).startswith("go: expected ")


def test_render_perft() -> None:
    report = PerftReport(1, (("a1", 2), ("b1", 3)), 5, 2)
    assert render_perft(report) == "a1: 2\nb1: 3\ntotal 5\ntime 2\nnps 2500"
    stopped = PerftReport(1, (("a1", 2),), 0, 2, stopped=True)
    assert render_perft(stopped) == "a1: 2\nperft stopped"
    assert render_perft(PerftReport(0, (), 1, 0)) == "total 1\ntime 0\nnps 1000"


def test_no_clock_is_no_limit() -> None:
    clocks = Clocks()
    assert clocks.limits(0) == Limits()
    clocks.spend(0, 1000)
    for settings in ((0, 0, 0), (0, 0, 5), (60_000, 10_000, 0)):
        clocks.set_up(*settings)
        assert clocks.limits(0) == Limits()


def test_main_time_is_spent_by_colour() -> None:
    clocks = Clocks()
    clocks.set_up(60_000, 0, 0)
    clocks.spend(1, 1500.5)
    assert clocks.limits(0) == Limits(time=(60_000, 60_000))
    assert clocks.limits(1) == Limits(time=(58_499, 58_499))
    clocks.spend(1, 70_000)
    assert clocks.limits(1).time[0] == -11_500
    clocks.restart()
    assert clocks.limits(1) == Limits(time=(60_000, 60_000))


def test_periods() -> None:
    clocks = Clocks()
    clocks.set_up(1000, 30_000, 3)
    clocks.spend(0, 2000)
    assert clocks.limits(0) == Limits(time=(30_000, 30_000), movestogo=3)
    clocks.spend(0, 5000)
    assert clocks.limits(0) == Limits(time=(25_000, 25_000), movestogo=2)
    clocks.spend(0, 5000)
    clocks.spend(0, 5000)
    assert clocks.limits(0) == Limits(time=(30_000, 30_000), movestogo=3)
    clocks.set_up(0, 30_000, 3)
    assert clocks.limits(2) == Limits(time=(30_000, 30_000), movestogo=3)


def test_time_left() -> None:
    clocks = Clocks()
    clocks.set_left(0, 5000, 0)
    clocks.set_left(1, 9000, 4)
    assert clocks.limits(0) == Limits(time=(5000, 5000))
    assert clocks.limits(1) == Limits(time=(9000, 9000), movestogo=4)
    clocks.spend(0, 100)
    assert clocks.limits(0) == Limits(time=(4900, 4900))
    assert clocks.limits(2) == Limits()
