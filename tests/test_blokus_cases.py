"""Blokus as its controllers see it: cases of real programs, matches, garbage. Real processes."""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from gtp_host import GtpProcess
from gtp_torture import Torture
from slow_blokus import GAMES, SlowBlokus

DATA = Path(__file__).parent / "data"
OPTIONS = ("--quiet", "--nobook", "--noresign", "--level", "1", "--seed", "2")
GAME_IDS = {"Blokus": "classic", "Blokus Two-Player": "classic_2",
            "Blokus Three-Player": "classic_3", "Blokus Duo": "duo"}  # fmt: skip


def rows(name: str) -> dict[str, dict[str, object]]:
    lines = (DATA / f"blokus_{name}.jsonl").read_text().splitlines()
    return {str(row["id"]): row for row in map(json.loads, lines)}


MOVES = rows("moves")


@pytest.fixture(scope="module")
def process() -> Iterator[GtpProcess]:
    with GtpProcess("--game", "blokus", *OPTIONS) as process:
        yield process
        assert process.ask("quit") == ""
        assert process.wait() == 0
        assert process.errors == b""


@pytest.fixture
def blokus(process: GtpProcess) -> GtpProcess:
    """The shared process, with an empty board."""
    process.ask("set_game Blokus")
    return process


def set_up(blokus: GtpProcess, row: dict[str, object]) -> list[str]:
    """Play the moves of an oracle position, in or out of turn."""
    blokus.ask("set_game Blokus" if row["variant"] == "classic" else "set_game Blokus Duo")
    moves = row["moves"]
    assert isinstance(moves, list)
    blokus.send(*(f"play {move}" for move in moves))
    assert [blokus.reply() for _ in moves] == ["= "] * len(moves)
    return moves


def legal(blokus: GtpProcess, colour: str) -> list[str]:
    text = blokus.ask(f"all_legal {colour}")
    return text.split("\n") if text else []


@pytest.mark.parametrize("id", ["m203", "m015", "m017", "m018"])
def test_late_positions(blokus: GtpProcess, id: str) -> None:
    row = MOVES[id]
    set_up(blokus, row)
    colours = row["colors"]
    assert isinstance(colours, dict)
    for colour, want in colours.items():
        moves = legal(blokus, colour)
        digest = hashlib.sha256("\n".join(sorted(moves)).encode()).hexdigest()
        assert (len(moves), digest) == (want["n"], want["sha256"])
    assert '"game_over": false' in blokus.ask("analyze json")
    if id == "m203":
        assert legal(blokus, "w") == ["d9,e9,d10"]
        assert "(V3)" in blokus.ask("move_info d9,e9,d10")
        assert blokus.ask("g") == "d9,e9,d10"
        assert blokus.ask("g") == "pass"


def test_opposite_colours_belong_together(blokus: GtpProcess) -> None:
    for row in rows("scores").values():
        scores = row["final_score"]
        assert isinstance(scores, dict)
        for game, want in scores.items():
            set_up(blokus, row)
            if game in GAMES and row["variant"] == "classic":
                blokus.ask(f"set_game {game}")
                blokus.send(*(f"play {move}" for move in row["moves"]))  # type: ignore[attr-defined]
                assert {blokus.reply() for _ in row["moves"]} == {"= "}  # type: ignore[attr-defined]
            assert blokus.ask("final_score").rstrip() == want
        if row["id"] == "s02":
            break


def test_a_skip_is_nothing_at_all(blokus: GtpProcess) -> None:
    moves = set_up(blokus, MOVES["m018"])
    before = blokus.ask("moves")
    assert before.split("\n") == moves
    answer = blokus.ask("g")
    assert blokus.ask("moves") == f"{before}\n3 {answer}"
    blokus.ask("undo")
    assert blokus.ask("moves") == before
    text = blokus.ask("fen")
    assert blokus.ask("genmove 1") == "pass"
    assert (blokus.ask("moves"), blokus.ask("fen")) == (before, text)


def test_three_players_go_on_after_the_fourth_colour(blokus: GtpProcess) -> None:
    blokus.ask("set_game Blokus Three-Player")
    for move in ("1 a20", "2 t20", "3 t1", "4 a1"):
        blokus.ask(f"play {move}")
    moves = legal(blokus, "1")
    assert moves
    for move in moves:
        squares = move.split(",")
        assert "b19" in squares and not {"a19", "b20"} & set(squares)
    assert blokus.ask("g") in moves


@pytest.mark.parametrize("line", ["play b", "play b pass", "play b null", "play b ,", "p"])
def test_a_pass_is_an_error(blokus: GtpProcess, line: str) -> None:
    blokus.ask("set_game Blokus Duo")
    before = blokus.ask("fen")
    blokus.fail(line)
    assert blokus.ask("fen") == before


def test_a_move_for_regression_does_not_depend_on_earlier_searches(blokus: GtpProcess) -> None:
    blokus.ask("set_game Blokus Duo")
    first = [blokus.ask("reg_genmove b"), blokus.ask("move_values")]
    for line in ("genmove b", "g", "undo", "undo"):
        blokus.ask(line)
    assert [blokus.ask("reg_genmove b"), blokus.ask("move_values")] == first


def test_blank_lines_and_the_end_of_input() -> None:
    with GtpProcess("--game", "blokus", "--quiet") as process:
        process.send_bytes(b"\n# note\n\n1 name\n")
        process.close_input()
        assert process.wait() == 0
        assert process.rest() == b"=1 Triptych\n\n"
        assert process.errors == b""


def controlled_game(
    black: GtpProcess, white: GtpProcess, game: str, number: int, referee: SlowBlokus
) -> None:
    """What `twogtp` sends for one game, in its order; `black` is player `number` of those who take
    turns. The rules are those of `slow_blokus`."""
    both, green = (black, white), 0
    for engine in both:
        assert engine.ask("clear_board") == ""
    for engine in both:
        assert float(engine.ask("cputime")) > 0
    players = 3 if game == "Blokus Three-Player" else len(referee.players)
    while (colour := referee.turn()) is not None:
        player = colour % players
        if game == "Blokus Three-Player" and colour == 3:
            player, green = green % 3, green + 1
        mover, other = both if player == number % players else (white, black)
        text = mover.ask(f"genmove {referee.ids[colour]}")
        move = referee.find(text)
        assert move is not None and move.text == text and referee.allows(colour, move)
        referee.moves.append((colour, move))
        assert other.ask(f"play {referee.ids[colour]} {text}") == ""
    for engine in both:
        assert float(engine.ask("cputime")) > 0


@pytest.mark.parametrize("game", GAMES)
def test_a_match_as_a_controller_plays_it(game: str) -> None:
    options = ("--game", GAME_IDS[game], *OPTIONS)
    with GtpProcess(*options) as black, GtpProcess(*options) as white:
        for engine in (black, white):
            assert engine.ask(f"set_game {game}") == ""
        for number in range(2):
            referee = SlowBlokus(game)
            controlled_game(black, white, game, number, referee)
            for engine in (black, white):
                check_that_it_is_over(engine, referee)
        for engine in (black, white):
            assert engine.ask("quit") == ""
            assert engine.wait() == 0
            assert engine.errors == b""


def check_that_it_is_over(engine: GtpProcess, referee: SlowBlokus) -> None:
    """What no controller asks at the end of a game."""
    assert engine.ask("final_score") == referee.final_score()
    for id in referee.ids:
        assert engine.ask(f"genmove {id}") == "pass"
        assert engine.ask(f"all_legal {id}") == ""
        assert engine.fail(f"reg_genmove {id}") == "player failed to generate a move"
    assert engine.ask("g") == "pass"


@pytest.mark.parametrize("game", ["Blokus", "Blokus Duo"])
def test_garbage(blokus: GtpProcess, game: str) -> None:
    """Some of what `scripts/gtp_torture.py` does at length."""
    torture = Torture(blokus, random.Random(7))
    torture.play(game)
    assert torture.genmoves and torture.garbage and torture.undos
