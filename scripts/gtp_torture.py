"""Random games against a GTP Blokus engine, with garbage among the commands.

    python scripts/gtp_torture.py "triptych --game blokus --level 1 --quiet" --games 200

One line in twenty is garbage, moves are taken back at random, and colours are asked out of turn.
Every reply must have its form and come in its turn, garbage must change nothing, every move must be
legal by a slow referee (`tests/slow_blokus.py`), and the score must be right. Exit status: 0, or 1
with what went wrong and the commands that led to it.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from gtp_client import GtpClient
from slow_blokus import GAMES, SlowBlokus
from tqdm import tqdm

GARBAGE = 0.05
WORDS = (
    "play", "p", "genmove", "1", "b", "w", "5", "a21", "e10,e12", "j5,", ",", "pass", "null", "-1",
    "99999999999999999999", "Blokus", "duo", "go", "nodes", "-", "=", "? x", "fen", "/", "level",
    "x" * 3000, "é", "\x00", "\x7f", "\t\t", "legalmoves", "all_legal", "help", "time_left",
)  # fmt: skip
"""None of them is a move, and no command made of them changes the position but genmove."""
QUESTIONS = ("known_command play", "moves", "fen", "showboard", "final_score", "cputime", "name")


class Engine(Protocol):
    """Sends bytes; a reply comes without the empty line that ends it."""

    def send_bytes(self, data: bytes) -> None: ...
    def reply(self) -> str: ...


class Torture:
    """Games with one engine. Raises AssertionError for anything that is wrong."""

    def __init__(self, engine: Engine, rng: random.Random) -> None:
        self.engine = engine
        self.rng = rng
        self.sent: list[str] = []
        """The commands of the game so far."""
        self.genmoves = self.garbage = self.undos = 0
        self._id = 0

    def play(self, game: str) -> None:
        """One game to its end."""
        self.sent.clear()
        self._ask(f"set_game {game}")
        referee = SlowBlokus(game)
        while (turn := referee.turn()) is not None:
            if self.rng.random() < GARBAGE:
                self._garbage(referee)
            chance = self.rng.random()
            if chance < 0.06 and referee.moves:
                for _ in range(self.rng.randint(1, min(3, len(referee.moves)))):
                    self._ask("undo")
                    referee.moves.pop()
                    self.undos += 1
                continue
            if chance < 0.1:
                self._ask(self.rng.choice(QUESTIONS))
            out_of_turn = self.rng.random() < 0.1
            self._move(referee, self.rng.choice(referee.colours) if out_of_turn else turn)
        score = self._ask("final_score")
        assert score == referee.final_score(), (score, referee.final_score())
        assert self._ask("g") == "pass"
        assert self._ask("moves").split("\n") == _history(referee)

    def _move(self, referee: SlowBlokus, colour: int) -> None:
        id, legal = referee.ids[colour], list(referee.legal(colour))
        if self.rng.random() < 0.5:
            text = self._ask(f"genmove {id}")
            self.genmoves += 1
            if not legal:
                assert text == "pass", f"{text} for a colour that cannot move"
                return
            move = referee.find(text)
            assert move in legal and move is not None and move.text == text, f"{text}: illegal"
        elif legal:
            move = self.rng.choice(legal)
            squares = move.text.split(",")
            self.rng.shuffle(squares)
            self._ask(f"play {id} {','.join(squares)}")
        else:
            return
        referee.moves.append((colour, move))

    def _garbage(self, referee: SlowBlokus) -> None:
        """Something that must fail, or get no reply, and change nothing."""
        line = " ".join(self.rng.choices(WORDS, k=self.rng.randint(1, 6)))
        line = line.replace("genmove ", "genmove x ")
        if self.rng.random() < 0.3:
            line = bytes(self.rng.choices(range(1, 256), k=50)).decode("latin-1").replace("\n", "")
        self.sent.append(line)
        self.engine.send_bytes(line.encode("utf-8", "replace") + b"\n")
        self.garbage += 1
        # Whether a reply comes to garbage is no matter, but the moves must still be what they were.
        self._id += 1
        self.engine.send_bytes(f"{self._id} moves\n".encode())
        reply = self.engine.reply()
        if not reply.startswith(f"={self._id} "):
            assert reply[0] in "=?", reply
            reply = self.engine.reply()
        history = reply.removeprefix(f"={self._id} ").split("\n")
        assert history == _history(referee), f"changed by {line!r}"

    def _ask(self, command: str) -> str:
        """The text of the reply, which must succeed and bear the id."""
        self._id += 1
        line = f"{self._id} {command}"
        self.sent.append(line)
        data = f"{line}\n".encode()
        cut = self.rng.randint(0, len(data))
        self.engine.send_bytes(data[:cut])
        self.engine.send_bytes(data[cut:])
        reply = self.engine.reply()
        assert reply.startswith(f"={self._id} "), f"{line}: {reply!r}"
        return reply.removeprefix(f"={self._id} ")


def _history(referee: SlowBlokus) -> list[str]:
    return [f"{referee.ids[colour]} {move.text}" for colour, move in referee.moves] or [""]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine", metavar="CMD", help="command line of the engine")
    parser.add_argument("--games", type=int, default=200, help="default 200")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    client = GtpClient(arguments.engine)
    torture = Torture(client, random.Random(arguments.seed))
    names = list(GAMES)
    try:
        for number in tqdm(range(arguments.games), unit="game", disable=None):
            torture.play(names[number % len(names)])
    except Exception as problem:
        print("\n".join(torture.sent))
        print(f"game {number + 1}: {type(problem).__name__}: {problem}", file=sys.stderr)
        client.kill()
        return 1
    client.quit()
    print(f"{arguments.games} games, {torture.genmoves} genmoves, {torture.undos} undos, "
          f"{torture.garbage} lines of garbage: all well")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
