"""The programs that `speed.py` compares, and the positions it compares them on.

Each peer is a running process, warmed before it is measured, that tells its own CPU time.
"""

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine_process import EngineFault
from uci_client import Go, UciClient


@dataclass(frozen=True)
class Position:
    """A standard position: `counts` are its published leaf counts by depth, from depth 1."""

    name: str
    fen: str
    depth: int
    counts: tuple[int, ...]


POSITIONS = (
    Position(
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        (20, 400, 8_902, 197_281, 4_865_609, 119_060_324),
    ),
    Position(
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        (48, 2_039, 97_862, 4_085_603, 193_690_690),
    ),
    Position(
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        (14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661),
    ),
    Position(
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        (6, 264, 9_467, 422_333, 15_833_292),
    ),
    Position(
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        (44, 1_486, 62_379, 2_103_487, 89_941_194),
    ),
    Position(
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        (46, 2_079, 89_890, 3_894_594, 164_075_551),
    ),
)

PYTHON_PEERS = {
    "chess": (
        2,
        """
import chess
def leaves(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total
def perft(fen, depth):
    return leaves(chess.Board(fen), depth)
""",
    ),
    "chessmg": (
        0,
        """
import chessmg
def perft(fen, depth):
    return chessmg.ChessPosition(fen).perft(depth)
""",
    ),
    "nchess": (
        0,
        """
import nchess
def perft(fen, depth):
    return nchess.Board(fen).perft(depth, no_print=True)
""",
    ),
}
"""Package -> plies to leave out so that it ends, and code that defines `perft(fen, depth)`."""

PYTHON_LOOP = """
import json, sys, time
from importlib.metadata import version
print(version(sys.argv[1]), flush=True)
for line in sys.stdin:
    fen, depth = json.loads(line)
    begin = time.process_time()
    nodes = perft(fen, depth)
    print(json.dumps([nodes, time.process_time() - begin]), flush=True)
"""


class WrongAnswer(Exception):
    """A speed with a wrong count or wrong facts is no speed."""


class Peer(Protocol):
    """Something whose perft can be timed."""

    label: str
    about: str
    """Name and version."""
    less: int
    """Plies to leave out, for a program too slow for the full depth."""

    def perft(self, fen: str, depth: int) -> tuple[int, float]:
        """Leaves, and the CPU seconds it took to count them."""

    def close(self) -> None: ...


class UciPeer:
    """An engine that answers `go perft` and searches."""

    less = 0

    def __init__(self, label: str, command: str, options: dict[str, str] | None = None) -> None:
        self.label = label
        one_core = {"Threads": "1", "Hash": "16"}
        # Stockfish prints its bench on stderr.
        self.client = UciClient(command, one_core | (options or {}), merge_stderr=True)
        self.about = self.client.name
        # The first of each kind pays for what is loaded late.
        self.perft(POSITIONS[0].fen, 4)
        self.search(100)

    def perft(self, fen: str, depth: int) -> tuple[int, float]:
        begin = self.client.cpu_seconds()
        nodes = sum(self.client.perft(fen, depth).values())
        return nodes, self._cpu_since(begin)

    def search(self, movetime: int) -> tuple[int, float]:
        """Nodes of a search of the start position, and its CPU seconds."""
        self.client.new_game()
        begin = self.client.cpu_seconds()
        thought = self.client.think(POSITIONS[0].fen, (), Go(movetime=movetime), None, 60)
        seconds = self._cpu_since(begin)
        counts = [
            line.split(" nodes ")[1].split()[0] for line in thought.infos if " nodes " in line
        ]
        return int(counts[-1]), seconds

    def bench(self) -> tuple[int, float]:
        """Nodes of the engine's own bench, and its CPU seconds."""
        begin = self.client.cpu_seconds()
        reply = self.client.ask("bench", "Nodes searched", 600)
        return int(reply[-1].rpartition(":")[2]), self._cpu_since(begin)

    def analyze_file(self, source: Path, target: Path) -> tuple[int, float]:
        """Positions in a file, and the CPU seconds to write their facts into another."""
        done = "info string analyze file: "
        begin = self.client.cpu_seconds()
        self.client.send(f'analyze file "{source}" out "{target}"')
        for line in self.client.read_until(done, 600):
            if line.startswith("info string error"):
                raise EngineFault("error", line)
        return int(line.removeprefix(done).split()[0].replace(",", "")), self._cpu_since(begin)

    def _cpu_since(self, begin: float) -> float:
        self.client.sync()
        return self.client.cpu_seconds() - begin

    def close(self) -> None:
        self.client.quit()


class PythonPeer:
    """A package for Python that counts in a process of its own."""

    def __init__(self, python: str, package: str) -> None:
        self.label = {"chess": "python-chess"}.get(package, package)
        self.less, code = PYTHON_PEERS[package]
        self._process = subprocess.Popen(
            [python, "-c", code + PYTHON_LOOP, package],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self.about = f"{self.label} {self._reply()}"
        self.perft(POSITIONS[0].fen, 2)

    def _reply(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise EngineFault("crash", "not importable, or it ended")
        return line

    def perft(self, fen: str, depth: int) -> tuple[int, float]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([fen, depth]) + "\n")
        nodes, seconds = json.loads(self._reply())
        return int(nodes), float(seconds)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def find_stockfish() -> str | None:
    """Path of Stockfish; Debian keeps games off root's PATH."""
    return shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")


def open_ours(command: str) -> tuple[list[UciPeer], list[str]]:
    """Triptych in its modes, and what had to be skipped."""
    ours = [UciPeer("triptych", command)]
    if "perft bulk" not in ours[0].client.options:
        return ours, ["every move made: the engine has no option Perft Bulk"]
    return [*ours, UciPeer("triptych, all moves made", command, {"Perft Bulk": "false"})], []


def open_engines(commands: list[str]) -> tuple[list[UciPeer], list[str]]:
    """Stockfish, where there is one, and the engines asked for."""
    skipped = []
    stockfish = find_stockfish()
    if stockfish is None:
        skipped.append("stockfish: not on PATH, not in /usr/games")
    else:
        commands = [shlex.quote(stockfish), *commands]
    return [UciPeer(Path(shlex.split(one)[0]).name, one) for one in commands], skipped


def open_packages(python: str) -> tuple[list[PythonPeer], list[str]]:
    """The move generators that `python` can import."""
    peers, skipped = [], []
    for package in PYTHON_PEERS:
        try:
            peers.append(PythonPeer(python, package))
        except EngineFault as fault:
            skipped.append(f"{package}: {fault.detail} ({python})")
    return peers, skipped
