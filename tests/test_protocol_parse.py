"""The text of UCI: parsing and rendering, without engine or threads."""

import codecs
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import OptionError
from engine.games.chess import CHESS
from engine.types import BenchReport, BestMove, Info, Limits, Option, PerftReport, Score
from protocol.commands import UCI_COMMANDS, help_lines
from protocol.loop import read_lines
from protocol.options import check_value, find_option, render_option
from protocol.uci import (
    Go,
    GoPerft,
    SetPosition,
    UsageError,
    parse_bench,
    parse_go,
    parse_number,
    parse_position,
    parse_setoption,
    quote,
    render_bench,
    render_bestmove,
    render_error,
    render_info,
    render_legal_moves,
    render_perft,
    words_of,
)

UNICODE_BLANKS = [c for c in map(chr, range(0x3001)) if c.isspace() and c not in string.whitespace]


def go(text: str) -> Go:
    order = parse_go(text.split())
    assert isinstance(order, Go)
    return order


def test_go_takes_every_limit_in_any_order() -> None:
    order = go(
        "binc 4 infinite movestogo 5 wtime 1 ponder depth 6 btime 2 searchmoves e2e4 d2d4 "
        "nodes 7 mate 8 movetime 9 winc 3"
    )
    assert order == Go(
        Limits(6, 7, 8, 9, (1, 2), (3, 4), 5, infinite=True, ponder=True,
               searchmoves=("e2e4", "d2d4"))
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("", Limits()),
        ("depth 0", Limits(depth=0)),
        ("nodes 0", Limits(nodes=0)),
        ("movetime -1", Limits(movetime=-1)),
        ("wtime -20 btime 1000", Limits(time=(-20, 1000))),
        ("btime 5", Limits(time=(None, 5))),
        ("depth +3", Limits(depth=3)),
        ("depth 007", Limits(depth=7)),
        ("depth 2 depth 3", Limits(depth=3)),
        ("movetime 99999999999999999999999", Limits(movetime=10**12)),
        ("wtime -99999999999999999999999", Limits(time=(-(10**12), None))),
        ("nodes " + "9" * 5000, Limits(nodes=1 << 62)),
        ("searchmoves", Limits()),
        ("searchmoves e2e4 zzzz depth 2", Limits(depth=2, searchmoves=("e2e4", "zzzz"))),
        ("searchmoves a2a3 infinite", Limits(infinite=True, searchmoves=("a2a3",))),
    ],
)
def test_go_limits(text: str, limits: Limits) -> None:
    assert go(text) == Go(limits)


@pytest.mark.parametrize(
    ("text", "limits", "problem"),
    [
        ("depth abc", Limits(), 'go: expected a whole number after "depth", got "abc"'),
        ("depth", Limits(), 'go: expected a whole number after "depth", got nothing'),
        ("wtime 1.5", Limits(), 'go: expected a whole number after "wtime", got "1.5"'),
        ("nodes 1_000", Limits(), 'go: expected a whole number after "nodes", got "1_000"'),
        ("depth nodes 5", Limits(nodes=5), 'go: expected a whole number after "depth", got '
         "nothing"),
        ("movetime ٣", Limits(), 'go: expected a whole number after "movetime", got "?"'),
        ("mate x depth 4", Limits(depth=4), 'go: expected a whole number after "mate", got "x"'),
    ],
)  # fmt: skip
def test_go_leaves_out_a_broken_value_and_says_so(text: str, limits: Limits, problem: str) -> None:
    assert go(text) == Go(limits, (problem,))


def test_go_skips_unknown_words() -> None:
    assert go("fast depth 3 please") == Go(Limits(depth=3), (), ("fast", "please"))


@pytest.mark.parametrize(("text", "depth"), [("perft 0", 0), ("perft 5", 5), ("x perft 3", 3)])
def test_go_perft(text: str, depth: int) -> None:
    assert parse_go(text.split()) == GoPerft(depth)


@pytest.mark.parametrize("text", ["perft", "perft -1", "perft x", "perft 2.0", "perft depth 3"])
def test_go_perft_wants_a_depth(text: str) -> None:
    with pytest.raises(UsageError, match='0 or more after "perft"'):
        parse_go(text.split())


WORDS = st.lists(
    st.sampled_from(
        ["depth", "nodes", "wtime", "binc", "searchmoves", "infinite", "ponder", "mate", "e2e4"]
    )
    | st.integers().map(str)
    | st.text(string.printable, max_size=5)
)


@given(WORDS)
def test_go_never_fails_for_other_reasons_than_perft(words: list[str]) -> None:
    assert isinstance(parse_go([word for word in words if word != "perft"]), Go)


@given(st.text(st.sampled_from("+-0123456789"), max_size=60))
def test_numbers_are_read_as_python_reads_them(text: str) -> None:
    number = parse_number(text, 10**9)
    try:
        truth = int(text)
    except ValueError:
        assert number is None
    else:
        assert number == max(-(10**9), min(10**9, truth))


def test_only_blanks_of_ascii_separate_words() -> None:
    assert words_of(" \tgo \v\f\r  depth 3 ") == ["go", "depth", "3"]
    for blank in UNICODE_BLANKS:
        assert words_of(f"go{blank}depth 3") == [f"go{blank}depth", "3"]
        assert parse_setoption(f"setoption name A{blank}B value C{blank}") == (
            f"A{blank}B",
            f"C{blank}",
        )


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("startpos", SetPosition(None, ())),
        ("startpos moves", SetPosition(None, ())),
        ("startpos moves e2e4 e7e5", SetPosition(None, ("e2e4", "e7e5"))),
        ("fen 8/8 w - - 0 1", SetPosition("8/8 w - - 0 1", ())),
        ("fen 8/8 w - - moves a1a2", SetPosition("8/8 w - -", ("a1a2",))),
        ("startpos moves e2e4 moves", SetPosition(None, ("e2e4", "moves"))),
    ],
)
def test_position(text: str, position: SetPosition) -> None:
    assert parse_position(text.split()) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'position: expected "startpos" or "fen", got nothing'),
        ("here", 'position: expected "startpos" or "fen", got "here"'),
        ("fen", 'position: expected a FEN after "fen", got nothing'),
        ("fen moves e2e4", 'position: expected a FEN after "fen", got nothing'),
        ("startpos e2e4", 'position: expected "moves" after "startpos", got "e2e4"'),
    ],
)
def test_position_names_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_position(text.split())
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("setoption name Hash value 16", "Hash", "16"),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption name  Clear\tHash ", "Clear Hash", None),
        ("setoption name Book value C:\\a  b\\value x", "Book", "C:\\a  b\\value x"),
        ("setoption name Book value", "Book", ""),
        ("setoption name No Such value 1 value 2", "No Such", "1 value 2"),
        ("setoption name Valued value 1", "Valued", "1"),
    ],
)
def test_setoption(line: str, name: str, value: str | None) -> None:
    assert parse_setoption(line) == (name, value)


@pytest.mark.parametrize(
    "line", ["setoption", "setoption Hash value 16", "setoption name", "setoption name value 3"]
)
def test_setoption_without_a_name(line: str) -> None:
    with pytest.raises(UsageError, match="setoption: expected"):
        parse_setoption(line)


def test_options_are_found_without_regard_to_case_and_blanks() -> None:
    assert find_option(CHESS.options, "hASH").name == "Hash"
    assert find_option(CHESS.options, "  move   OVERHEAD ").name == "Move Overhead"
    with pytest.raises(OptionError, match='no option is named "Nash"; there are: Hash, '):
        find_option(CHESS.options, "Nash")


SPIN = Option("Depth", "spin", "2", 1, 5)
CHECK = Option("Own", "check", "true")
BUTTON = Option("Clear", "button")
TEXT = Option("File", "string")


@pytest.mark.parametrize(
    ("option", "value", "result"),
    [
        (SPIN, "1", "1"),
        (SPIN, "+05", "5"),
        (CHECK, "TRUE", "true"),
        (CHECK, "false", "false"),
        (BUTTON, None, ""),
        (BUTTON, "now", ""),
        (TEXT, "a b", "a b"),
        (TEXT, "<empty>", ""),
        (TEXT, "", ""),
    ],
)
def test_option_values(option: Option, value: str | None, result: str) -> None:
    assert check_value(option, value) == result


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (SPIN, "0", 'option Depth takes a whole number from 1 to 5, not "0"'),
        (SPIN, "6", 'option Depth takes a whole number from 1 to 5, not "6"'),
        (SPIN, "abc", 'option Depth takes a whole number from 1 to 5, not "abc"'),
        (SPIN, "9" * 9999, "option Depth takes a whole number from 1 to 5, not " + '"9'),
        (SPIN, None, "option Depth takes a whole number from 1 to 5, no value was given"),
        (CHECK, "1", 'option Own takes "true" or "false", not "1"'),
        (CHECK, None, 'option Own takes "true" or "false", no value was given'),
        (TEXT, None, "option File takes a text or <empty>, no value was given"),
    ],
)
def test_option_values_refused(option: Option, value: str | None, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        check_value(option, value)
    assert str(caught.value).startswith(message)


def test_options_are_announced() -> None:
    assert render_option(SPIN) == "option name Depth type spin default 2 min 1 max 5"
    assert render_option(CHECK) == "option name Own type check default true"
    assert render_option(BUTTON) == "option name Clear type button"
    assert render_option(TEXT) == "option name File type string default <empty>"
    assert render_option(replace(TEXT, default="x")) == "option name File type string default x"


def test_info_lines() -> None:
    info = Info(5, Score(cp=-13), 9, 2, 1234, 5678, 12, 34, ("e2e4", "e7e5"))
    assert render_info(info) == (
        "info depth 5 seldepth 9 multipv 2 score cp -13 nodes 1234 nps 5678 hashfull 12 time 34"
        " pv e2e4 e7e5"
    )
    mate = replace(info, score=Score(mate=-2, bound="upperbound"), pv=())
    assert " score mate -2 upperbound nodes " in render_info(mate)
    assert " pv" not in render_info(mate).removeprefix("info depth 5 seldepth 9 multipv 2")
    assert render_info(Info(0, Score(mate=0))) == "info depth 0 score mate 0"
    assert render_info(Info(0, Score(cp=0))) == "info depth 0 score cp 0"


def test_bestmove_lines() -> None:
    assert render_bestmove(BestMove("e2e4", "e7e5")) == "bestmove e2e4 ponder e7e5"
    assert render_bestmove(BestMove("e2e4")) == "bestmove e2e4"
    assert render_bestmove(BestMove(None)) == "bestmove (none)"


def test_reports() -> None:
    counts = (("a2a3", 1), ("a2a4", 1))
    summary = "info string perft depth 1 nodes 2 time 4 nps 500"
    assert render_perft(PerftReport(1, counts, 2, 4)) == ["", "Nodes searched: 2", summary]
    assert render_perft(PerftReport(3, (), 0, 0))[0] == "Nodes searched: 0"
    assert render_perft(PerftReport(9, counts, 2, 4, True)) == ["info string perft stopped"]
    assert render_legal_moves(("a2a3", "b2b3")) == "legalmoves 2 a2a3 b2b3"
    assert render_legal_moves(()) == "legalmoves 0"
    assert render_bench(BenchReport(1000, 500)) == [
        "Total time (ms): 500", "Nodes searched: 1000", "Nodes/second: 2000",
    ]  # fmt: skip
    assert render_bench(BenchReport(1, 0)) [2] == "Nodes/second: 1000"  # fmt: skip


def test_bench_depth() -> None:
    assert parse_bench([]) is None
    assert parse_bench(["5"]) == 5
    for bad in ("0", "-3", "x"):
        with pytest.raises(UsageError, match="bench: expected a depth of 1 or more"):
            parse_bench([bad])


def test_errors_are_one_short_line() -> None:
    assert render_error("two\nlines  of\ttext") == "info string error: two lines of text"
    assert len(render_error("x" * 10**6)) < 500
    assert render_error("caf\u00e9 \x1b[2J") == "info string error: caf? ?[2J"
    assert len(quote("x" * 10**6)) == 82
    assert quote("a\x00\ud83d\u00e9b") == '"a???b"'


def test_help_lists_every_command_and_explains_each() -> None:
    overview = help_lines(UCI_COMMANDS, "")
    assert len(overview) == len(UCI_COMMANDS) + 1
    for command in UCI_COMMANDS:
        lines = help_lines(UCI_COMMANDS, command.name)
        assert lines[0].startswith("  Usage     ")
        for line in (*lines, *overview):
            assert line.startswith("  ") and len(line) <= 100 and line.isascii()
    assert help_lines(UCI_COMMANDS, "perft") == help_lines(UCI_COMMANDS, "go perft")
    assert any('debug: ..." lines, or ends them' in line for line in overview)
    with pytest.raises(UsageError, match='no command is named "analyse"'):
        help_lines(UCI_COMMANDS, "analyse")


@given(st.lists(st.binary(max_size=20).filter(lambda part: b"\n" not in part)), st.integers(1, 9))
def test_lines_do_not_depend_on_how_they_are_cut(parts: list[bytes], size: int) -> None:
    data = b"".join(part + b"\n" for part in parts) + b"last"
    chunks = iter([data[at : at + size] for at in range(0, len(data), size)] + [b""])
    lines = [*parts, b"last"]
    lines[0] = lines[0].removeprefix(codecs.BOM_UTF8)
    texts = [line.decode("utf-8", "replace").strip(string.whitespace) for line in lines]
    assert list(read_lines(lambda _: next(chunks))) == texts
