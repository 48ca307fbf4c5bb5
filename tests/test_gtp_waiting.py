"""The line protocol with a fake engine inside this process: who waits for whom, and endings."""

import time
from dataclasses import replace

import pytest
from fake_board_engine import FAKE_BLOKUS
from fake_engine import Hold
from gtp_host import GtpHost

from protocol import loop
from protocol.loop import Job, Kind

pytestmark = pytest.mark.usefixtures("held")


def begun(host: GtpHost, line: str) -> None:
    """Send a command that computes, and wait until it does."""
    host.send(line)
    while not (job := host.worker._running) or job.name != line.split()[0]:
        time.sleep(0.001)


# Who waits for whom.


def test_answers_that_need_no_engine_do_not_wait_for_it() -> None:
    Hold.load.clear()
    host = GtpHost(FAKE_BLOKUS)
    for line in ("name", "protocol_version", "list_commands", "known_command g", "help", "stop"):
        host.ask(line)
    host.send("g", "name", "foo")
    assert host.silent()
    Hold.load.set()
    assert host.reply().startswith("= a16")
    assert host.reply() == "= Triptych"
    assert host.reply() == "? unknown command (foo)"
    host.finish()


def test_stop_ends_what_runs_and_what_waits(gtp: GtpHost) -> None:
    Hold.think.clear()
    Hold.count.clear()
    begun(gtp, "genmove 1")
    gtp.send("2 name", "3 go perft 3", "4 moves")
    assert gtp.silent()
    gtp.send("5 stop")
    assert gtp.reply() == "= a16,a17,a18,a19,a20"
    assert gtp.reply() == "=2 Triptych"
    assert gtp.reply() == "=3 perft stopped"
    assert gtp.reply() == "=4 1 a16,a17,a18,a19,a20"
    assert gtp.reply() == "=5 "
    Hold.think.set()
    assert gtp.ask("genmove 2") == "p20,q20,r20,s20,t20"


def test_a_stopped_perft_tells_what_it_has(gtp: GtpHost) -> None:
    Hold.count.clear()
    begun(gtp, "go perft 2")
    time.sleep(0.05)
    gtp.send("stop")
    assert gtp.reply() == "= a16,a17,a18,a19,a20: 58\na17,a18,a19,a20: 58\nperft stopped"
    assert gtp.reply() == "= "
    begun(gtp, "bench")
    gtp.send("stop 1", "stop")
    assert gtp.reply() == "= bench stopped"
    assert gtp.reply() == "? no arguments allowed"
    assert gtp.reply() == "= "


def test_stop_while_idle_is_forgotten(gtp: GtpHost) -> None:
    assert gtp.ask("stop") == ""
    assert gtp.ask("reg_genmove 1") == "a16,a17,a18,a19,a20"


def test_everything_else_waits(gtp: GtpHost) -> None:
    Hold.think.clear()
    begun(gtp, "g")
    gtp.send("name", "undo", "genmove 1", "foo", "known_command x", "")
    assert gtp.silent()
    Hold.think.set()
    replies = [gtp.reply() for _ in range(6)]
    assert replies == ["= a16,a17,a18,a19,a20", "= Triptych", "= ", "= a16,a17,a18,a19,a20",
                       "? unknown command (foo)", "= false"]  # fmt: skip


# Endings.


def test_a_script_is_carried_out_to_its_end() -> None:
    for last in (b"quit\n", b"quit", b""):
        host = GtpHost(FAKE_BLOKUS)
        host.send_bytes(b"g\n" * 30 + b"go perft 2\nmoves\n" + last)
        output = host.finish()
        assert host.left
        assert output.count(b"\n\n") == (33 if last else 32)
        assert output.endswith(b"\n\n= \n\n") == bool(last)
        assert b"stopped" not in output


def test_a_script_waits_for_the_engine_to_load() -> None:
    Hold.load.clear()
    host = GtpHost(FAKE_BLOKUS)
    host.send("clear_board", "quit")
    assert host.silent(2 * loop.SCRIPT)
    Hold.load.set()
    assert host.finish() == b"= \n\n= \n\n"


def test_without_a_command_nothing_is_waited_for() -> None:
    Hold.load.clear()
    host = GtpHost(FAKE_BLOKUS)
    host.send("name", "quit")
    assert host.finish() == b"= Triptych\n\n= \n\n"
    assert not host.left


def test_a_long_command_of_a_script_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LIMIT", 0.2)
    Hold.think.clear()
    host = GtpHost(FAKE_BLOKUS)
    host.send("g", "g", "moves", "quit")
    output = host.finish().decode().split("\n\n")
    assert output[:2] == ["= a16,a17,a18,a19,a20", "= p20,q20,r20,s20,t20"]
    assert output[2].count("\n") == 1
    assert host.left


@pytest.mark.parametrize("last", ["quit", None])
def test_somebody_who_waited_is_not_kept_waiting(last: str | None) -> None:
    Hold.think.clear()
    host = GtpHost(FAKE_BLOKUS)
    begun(host, "g")
    time.sleep(2 * loop.SCRIPT)
    began = time.monotonic()
    if last:
        host.send(last)
    output = host.finish()
    assert output == b"= a16,a17,a18,a19,a20\n\n" + (b"= \n\n" if last else b"")
    assert host.left
    assert time.monotonic() - began < loop.LIMIT / 2


def test_a_job_that_does_not_listen_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LIMIT", 0.1)
    monkeypatch.setattr(loop, "LISTENING", 0.1)
    host = GtpHost(FAKE_BLOKUS)
    host.ask("fen")
    host.worker.submit(Job("deaf", lambda engine: time.sleep(1), Kind.COUNT))
    host.finish()
    assert not host.left


def test_a_game_that_cannot_be_loaded_is_told() -> None:
    host = GtpHost(replace(FAKE_BLOKUS, module="no_such_module_anywhere"))
    host.send("g")
    host.finish()
    assert isinstance(host.failed[0], ModuleNotFoundError)
