"""The static evaluation as a table for people."""

import numpy as np

from engine.games.chess.evaluation import TERMS, evaluate
from engine.games.chess.network import SIGHT, judge, open_eyes
from engine.games.chess.position import Position
from engine.games.chess.records import CACHE
from engine.games.chess.tables import T


def unpack(packed: int) -> tuple[int, int]:
    """(middlegame, endgame) of a packed pair, see `values.pair`."""
    eg = (packed & 0xFFFFFFFF) - ((packed & 0x80000000) << 1)
    return (packed - eg) >> 32, eg


def _row(name: str, pairs: list[str]) -> str:
    return f"{name:<16}" + "".join(f"| {text:^15} " for text in pairs)


def _text(packed: int) -> str:
    mg, eg = unpack(packed)
    return f"{mg / 100:+6.2f} {eg / 100:+6.2f}"


def explain(position: Position) -> str:
    """Each term for both sides and the difference, in pawns, what they come to, what the network
    adds, and the final value; white's point of view."""
    cache: np.void = np.zeros(1, CACHE)[0]
    sight: np.void = np.zeros(1, SIGHT)[0]
    open_eyes(sight)
    sign = 1 if position.turn == 0 else -1
    by_terms = sign * int(evaluate(position.state, T, cache))
    final = sign * int(judge(sight, T, position.state))
    terms = [int(term) for term in cache["terms"]]
    rows = [_row("Term", ["White  MG / EG", "Black  MG / EG", "Total  MG / EG"])]
    rows.append(_row("Material, place", ["", "", _text(int(position.state["psq"]))]))
    rows.append(_row("Pawns", ["", "", _text(int(cache["pawns"]["score"].sum()))]))
    for i, name in enumerate(TERMS):
        mine, theirs = terms[i], terms[8 + i]
        rows.append(_row(name, [_text(mine), _text(theirs), _text(mine - theirs)]))
    rows.append("")
    for name, value in (
        ("By terms", by_terms), ("By network", final - by_terms), ("Final evaluation", final)
    ):  # fmt: skip
        rows.append(f"{name:<16} {value / 100:+.2f} (white side)")
    return "\n".join(rows)
