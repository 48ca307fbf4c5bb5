"""A UCI engine that plays the first legal move and, in its second search, does one thing wrong.

    python bad_engine.py FAULT [FILE]

FAULT: good crash hang late illegal-move illegal-pv; or no-en-passant, which never counts those.
FILE is made when the engine begins to hang.
"""

import sys
import time
from pathlib import Path

import chess


def main(fault: str) -> None:
    board = chess.Board()
    searches = 0
    for line in sys.stdin:
        words = line.split()
        match words[0]:
            case "uci":
                say(f"id name {fault}")
                say("id author nobody")
                say("option name UCI_Chess960 type check default false")
                say("uciok")
            case "isready":
                say("readyok")
            case "position":
                # Always in the long form: position fen F [moves ...].
                moves = words[words.index("moves") + 1 :] if "moves" in words else []
                board = chess.Board(" ".join(words[2:8]))
                for move in moves:
                    board.push_uci(move)
            case "go" if words[1] == "perft":
                perft(board, int(words[2]), fault)
            case "go":
                searches += 1
                search(board, fault if searches == 2 else "good")
            case "quit":
                return


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def search(board: chess.Board, fault: str) -> None:
    best = next(iter(board.legal_moves)).uci()
    pv = best
    if fault == "crash":
        sys.exit("it was too much for me")
    if fault == "hang":
        for path in sys.argv[2:]:
            Path(path).touch()
        time.sleep(60)
    if fault == "late":
        time.sleep(0.4)
    if fault == "illegal-move":
        best = "e2e5"
    if fault == "illegal-pv":
        pv = f"{best} a1h8"
    say("info string pv e2e5 is not a pv")
    say(f"info depth 1 score cp 13 nodes 1 time 0 pv {pv}")
    say(f"bestmove {best}")


def perft(board: chess.Board, depth: int, fault: str) -> None:
    """Answer `go perft`."""

    def leaves(depth: int) -> dict[chess.Move, int]:
        counts = {}
        for move in board.legal_moves:
            if fault == "no-en-passant" and board.is_en_passant(move):
                continue
            board.push(move)
            counts[move] = sum(leaves(depth - 1).values()) if depth > 1 else 1
            board.pop()
        return counts

    counts = leaves(depth)
    for move, count in counts.items():
        say(f"{move}: {count}")
    say(f"\nNodes searched: {sum(counts.values())}")


if __name__ == "__main__":
    main(sys.argv[1])
