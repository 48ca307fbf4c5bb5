"""Conversations with a fake engine inside this process: what is said."""

import json
import re
from pathlib import Path

import chess
import pytest
from fake_engine import FAKE, FakeEngine, Hold
from protocol_host import Host

pytestmark = pytest.mark.usefixtures("held")

MATED = "position startpos moves f2f3 e7e5 g2g4 d8h4"


def test_uci(host: Host) -> None:
    host.send("uci")
    lines = host.expect("uciok")
    assert lines[0].startswith("id name Triptych ")
    assert lines[1] == "id author the Triptych authors"
    assert len(lines) == 3 + len(FAKE.options)
    assert "option name Clear Hash type button" in lines


def test_perft(host: Host) -> None:
    host.send("go perft 3")
    lines = host.expect("info string perft .*")
    assert lines[0] == "a2a3: 380"
    assert lines[20:] == [
        "",
        "Nodes searched: 8902",
        "info string perft depth 3 nodes 8902 time 7 nps 1271714",
    ]
    host.send("go perft 0")
    assert host.expect("info string perft .*")[:-1] == ["Nodes searched: 1"]
    host.send(MATED, "go perft 2")
    assert host.expect("info string perft .*")[:-1] == ["Nodes searched: 0"]


@pytest.mark.parametrize("depth", ["", " -1", " two"])
def test_perft_wants_a_depth(host: Host, depth: str) -> None:
    (error,) = host.ask(f"go perft{depth}")
    assert error.startswith('info string error: go: expected a depth of 0 or more after "perft"')


def test_bench(host: Host) -> None:
    host.send("bench 5")
    assert host.expect("Nodes/second: .*") == [
        "info string position 1 of 1",
        "Total time (ms): 500",
        "Nodes searched: 5000",
        "Nodes/second: 10000",
    ]
    Hold.count.clear()
    host.send("bench")
    host.ask()
    host.send("stop")
    host.expect("info string bench stopped")
    (error,) = host.ask("bench x")
    assert error == 'info string error: bench: expected a depth of 1 or more, got "x"'


def test_no_legal_move(host: Host) -> None:
    host.send(MATED, "go depth 3")
    assert host.expect("bestmove .*") == ["info depth 0 score mate 0", "bestmove (none)"]
    host.send("go infinite")
    host.ask()
    host.send("stop")
    assert host.expect("bestmove .*")[-1] == "bestmove (none)"
    assert host.ask("legalmoves") == ["legalmoves 0"]


def test_a_failed_position_changes_nothing(host: Host) -> None:
    host.ask("position startpos moves e2e4")
    for line in (
        "position",
        "position startpos e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4 e2e4",
    ):
        (error,) = host.ask(line)
        assert error.startswith("info string error: "), line
    assert "a7a5" in host.ask("legalmoves")[0]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("xyzzy 1  2", "xyzzy 1 2"),
        ("xboard", "xboard"),
        ("UCI", "UCI"),
        ("analyse json", "analyse json"),
        ("isready\x00", "isready?"),
        ("h\u00e4? \x1b[2J", "h?? ?[2J"),
        ("x" * 10**6, "x" * 77 + "..."),
    ],
)
def test_unknown_commands(host: Host, line: str, shown: str) -> None:
    assert host.ask(line) == [
        f'info string error: unknown command "{shown}"; "help" lists the commands'
    ]


def test_white_space_and_bad_bytes(host: Host) -> None:
    for data in (b" \t isready \t \n", b"isready\r\n", b"\n\r\n\n  \nisready\n"):
        host.send_bytes(data)
        assert host.expect("readyok") == ["readyok"]
    host.send_bytes(b"\xff\xfe\x00\n")
    assert host.ask() == ['info string error: unknown command "???"; "help" lists the commands']
    host.send_bytes(b"position\tstartpos \t moves  e2e4\r\n")
    assert host.ask() == []
    host.send_bytes(b"isrea")
    host.send_bytes(b"dy\nisready")
    assert host.finish() == ["readyok", "readyok"]


def test_debug(host: Host) -> None:
    assert host.ask("debug on", "go depth 1 soon")[0] == ('info string debug: go skips "soon"')
    host.expect("bestmove .*")
    host.send("ucinewgame")
    host.expect(r"info string debug: ucinewgame took \d+ ms")
    assert host.ask("debug off", "ucinewgame", "register later") == []
    (error,) = host.ask("debug")
    assert error == 'info string error: debug: expected "on" or "off", got nothing'


def test_help(host: Host) -> None:
    lines = host.ask("help go perft")
    assert lines[0] == "  Usage     go perft N"
    assert host.ask("help perft") == lines
    assert "Also" not in "".join(lines)
    (error,) = host.ask("help me")
    assert error.startswith('info string error: help: no command is named "me"; there are: uci,')


def test_a_defect_in_a_search_still_gives_a_move(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    host.send("go nodes 666")
    assert host.expect("bestmove .*") == [
        "info string error: internal: ZeroDivisionError: a defect",
        "info depth 0 score cp 0",
        "bestmove a2a3",
    ]
    host.send("go depth 1")
    host.expect("bestmove a2a3")


def test_a_defect_in_a_job_is_one_line(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: FakeEngine) -> str:
        raise RuntimeError("several\nlines")

    monkeypatch.setattr(FakeEngine, "display", broken)
    assert host.ask("d") == ["info string error: internal: RuntimeError: several lines"]
    assert host.ask() == []


def test_quiet_keeps_only_the_last_info() -> None:
    host = Host(FAKE, quiet=True)
    host.send("go depth 5")
    lines = host.expect("bestmove .*")
    assert [line.split(" seldepth")[0] for line in lines[:-1]] == ["info depth 5"]
    host.send("bench 1")
    assert host.expect("Nodes/second: .*")[0] == "Total time (ms): 500"
    host.finish()


def test_analyze(host: Host) -> None:
    host.ask("position startpos moves e2e4")
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    (line,) = host.ask("analyze json")
    assert json.loads(line) == {"fen": fen, "checkers": [], "white": {"pieces": ["a1"]}}
    assert host.ask("analyze") == [
        f"analysis fen {fen}",
        "analysis checkers",
        "analysis white.pieces a1",
        "analysis end",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("analyze xml", 'expected "json", "file" or nothing, got "xml"'),
        ("analyze json file", 'expected nothing after "json", got "file"'),
        ("analyze file", 'expected a path after "file", got nothing'),
        ("analyze file out x", 'expected a path after "file", got "out"'),
        ("analyze file x out", 'expected a path after "out", got nothing'),
        ('analyze file "x', 'expected a quotation mark at the end of ""x"'),
        ('analyze file "x" y', 'expected nothing more after the path "x", got "y"'),
    ],
)
def test_analyze_names_the_word_that_makes_no_sense(host: Host, line: str, message: str) -> None:
    assert host.ask(line) == [f"info string error: analyze: {message}"]


def test_analyze_file(host: Host, tmp_path: Path) -> None:
    source, target = tmp_path / "some positions", tmp_path / "the out file"
    source.write_text(f"{chess.STARTING_FEN}\n\nrubbish\n{chess.STARTING_FEN}")
    summary = r"info string analyze file: 2 positions, 1 bad lines, \d+ ms, \d+ positions/s"
    host.send(f"analyze file {source}")
    rows = [json.loads(line) for line in host.expect(summary)[:-1]]
    assert [row.get("fen", row.get("line")) for row in rows] == [
        chess.STARTING_FEN, 3, chess.STARTING_FEN,
    ]  # fmt: skip
    for text in (f"{source} out {target}", f'"{source}" out "{target}"'):
        host.send(f"analyze file {text}")
        assert len(host.expect(summary)) == 1
        assert [json.loads(line) for line in target.read_text().splitlines()] == rows
        target.unlink()


def answer(host: Host, line: str) -> list[str]:
    """The reply to a command that does not hold `isready` back."""
    host.send(line, "legalmoves")
    return host.expect("legalmoves .*")[:-1]


def test_analyze_file_says_what_went_wrong(host: Host, tmp_path: Path) -> None:
    source = tmp_path / "in"
    assert answer(host, f"analyze file {source}") == [
        f'info string error: cannot read "{source}": No such file or directory'
    ]
    source.write_text("")
    (line,) = answer(host, f"analyze file {source}")
    assert re.fullmatch(
        rf"info string analyze file: 0 positions, 0 bad lines, \d+ ms, 0 positions/s, "
        rf'"{source}" is empty',
        line,
    )
    source.write_bytes(b"\x1f\x8b\x08")
    error, summary = answer(host, f"analyze file {source}")
    assert error == (f'info string error: cannot read "{source}": gzip data that breaks off')
    assert summary.startswith("info string analyze file: 0 positions, 0 bad lines, ")
    assert host.service.failures == 2


def test_quiet_keeps_only_the_results_of_a_file(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_text(f"{chess.STARTING_FEN}\nrubbish\n")
    host = Host(FAKE, quiet=True)
    lines = answer(host, f"analyze file {source}")
    assert [sorted(json.loads(line)) for line in lines] == [
        ["checkers", "fen", "white"], ["error", "line"],
    ]  # fmt: skip
    host.finish()


@pytest.mark.parametrize("depth", ["1000000", "99999999999", "9" * 60])
def test_perft_quotes_a_depth_as_it_was_given(host: Host, depth: str) -> None:
    assert host.ask(f"go perft {depth}") == [
        f'info string error: go: expected a depth that can be counted after "perft", got "{depth}"'
    ]
