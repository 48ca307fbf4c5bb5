"""Listing legal moves by the way that the switches ask for.

The default way is `rules.generate`; any other is `naive.scan`. Switches have environment variables
as start values: `BLOKUS_` and the name in capitals.
"""

import logging
import os
from collections.abc import Mapping

import numpy as np

from engine.errors import EngineError, OptionError
from engine.games.blokus.naive import scan
from engine.games.blokus.notation import format_move, quote
from engine.games.blokus.rules import generate
from engine.games.blokus.state import MAX_MOVES
from engine.games.blokus.tables import T
from engine.games.blokus.verify import verify

LOG = logging.getLogger("triptych.blokus")

SWITCHES = {
    "use_frontier_movegen": True,  # from the frontier; else a scan of the whole board
    "use_bitboard_legality": True,  # by sets of squares; else square by square in the mailbox
    "use_heuristic_anchors": False,  # only corners of a piece make contact, see `naive`
    "movegen_debug": False,  # log the number of moves of each list
    "movegen_debug_equivalence": False,  # compare each list with the one of the other way
    "debug_bitboard": False,  # compare the sets of squares with the mailbox after each move
}
"""Their defaults. Every combination gives the same moves."""

_WORDS = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}


def parse_switch(name: str, text: str) -> bool:
    """Raises OptionError."""
    value = _WORDS.get(text.lower())
    if value is None:
        raise OptionError(f"{name} {quote(text)}: expected true or false, 1 or 0, on or off")
    return value


def switches_of(environment: Mapping[str, str]) -> dict[str, bool]:
    """Start values. A bad one is told in one line, and the default stands."""
    switches = dict(SWITCHES)
    for name in SWITCHES:
        variable = f"BLOKUS_{name.upper()}"
        if variable in environment:
            try:
                switches[name] = parse_switch(variable, environment[variable])
            except OptionError as error:
                LOG.warning("%s; using %s", error, str(SWITCHES[name]).lower())
    return switches


class Generator:
    """Lists the legal moves of a position, and holds what the switches say."""

    def __init__(self) -> None:
        self.switches = switches_of(os.environ)
        self._moves = np.zeros(MAX_MOVES, np.int32)

    @property
    def plain(self) -> bool:
        """Whether lists come the default way, with nothing to log or to compare."""
        return self.switches == SWITCHES

    def legal(self, pos: np.void, colour: int) -> list[int]:
        """The legal moves of a colour, whoever is to move. Raises EngineError when two ways of
        listing them were to be compared and differ."""
        on = self.switches
        moves = self._list(pos, colour, on["use_frontier_movegen"])
        if on["movegen_debug"]:
            LOG.warning("movegen: colour %d, ply %d, %d moves", colour, pos["ply"], len(moves))
        if on["movegen_debug_equivalence"]:
            fault = difference(moves, self._list(pos, colour, not on["use_frontier_movegen"]))
            if fault:
                LOG.warning("movegen: colour %d, ply %d: %s", colour, pos["ply"], fault)
                raise EngineError(f"movegen_debug_equivalence: {fault}")
        return moves

    def check(self, pos: np.void) -> None:
        """What `debug_bitboard` asks for after a move. Raises EngineError with the first fault."""
        if self.switches["debug_bitboard"]:
            fault = verify(pos, T)
            if fault:
                LOG.warning("position, ply %d: %s", pos["ply"], fault)
                raise EngineError(f"debug_bitboard: {fault}")

    def _list(self, pos: np.void, colour: int, frontier: bool) -> list[int]:
        masks = self.switches["use_bitboard_legality"]
        corners = self.switches["use_heuristic_anchors"]
        if frontier and masks and not corners:
            n = generate(pos, T, colour, self._moves)
        else:
            n = scan(pos, T, colour, int(frontier), int(masks), int(corners), self._moves)
        found: list[int] = self._moves[:n].tolist()
        return found


def difference(moves: list[int], others: list[int]) -> str | None:
    """The first difference between two lists of moves, in any order; None if there is none."""
    for name, these, those in (("missing", others, moves), ("not legal", moves, others)):
        odd = sorted(set(these) - set(those))
        if odd:
            return f"{format_move(odd[0])} is {name}"
    for moves_once in (moves, others):
        twice = sorted(move for move in set(moves_once) if moves_once.count(move) > 1)
        if twice:
            return f"{format_move(twice[0])} is there twice"
    return None
