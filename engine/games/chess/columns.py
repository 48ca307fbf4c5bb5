"""The facts of positions as columns of an Arrow table, made from whole arrays at once.

A set of squares is a uint64 with bit 0 for a1, bit 1 for b1 ... bit 63 for h8, and a single square
is such a bit's number. `protocol/PROTOCOL.md` tells what each column holds.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.games.chess.forms import BadLine, Form, Found
from engine.games.chess.jsontext import MAX_FEN, TEXT_RECORD, write_fens
from engine.games.chess.notation import format_move
from engine.games.chess.records import MAX_XRAYS, SKEWER

SIDES = ("white", "black")

SETS = (
    "pieces", "attacks", "attacked", "hanging", "pinned", "skewered", "developed",
    "pawns", "doubled", "isolated", "backward", "passed",
)  # fmt: skip
"""Fields of ANALYSIS that hold a set of squares for each side."""
NUMBERS = ("material", "mobility", "offense", "defense")
"""Fields of ANALYSIS that hold a number for each side."""
BY_SQUARE = ("attackers", "defenders", "xray_attackers")
"""Fields of ANALYSIS that hold a set of squares for each square."""

SQUARE = pa.uint8()
SET = pa.uint64()
XRAY = pa.struct([("slider", SQUARE), ("first", SQUARE), ("next", SQUARE)])
SKEWERING = pa.struct([("slider", SQUARE), ("front", SQUARE), ("back", SQUARE)])
FORK = pa.struct([("by", SQUARE), ("targets", SET)])

SCHEMA = pa.schema(
    [
        ("line", pa.int64()),
        ("error", pa.string()),
        ("fen", pa.string()),
        ("turn", pa.string()),
        ("check", pa.bool_()),
        ("checkers", SET),
        ("legal_moves", pa.int16()),
        ("phase", pa.int8()),
        ("key", pa.uint64()),
        ("eval", pa.int32()),
        ("fork_moves", pa.list_(pa.string())),
        *((name, pa.list_(SET, 64)) for name in BY_SQUARE),
    ]
    + [
        (f"{side}_{name}", kind)
        for side in SIDES
        for name, kind in (
            *((name, SET) for name in SETS),
            ("pinned_pieces", SET),
            *((name, pa.int32()) for name in NUMBERS),
            ("skewers", pa.list_(SKEWERING)),
            ("xrays", pa.list_(XRAY)),
            ("forks", pa.list_(FORK)),
        )
    ]
)


class TableForm(Form):
    """A table of SCHEMA. A bad line is a row with nothing but its number and its error."""

    room = 1024  # making a column takes as long for one position as for hundreds

    def __init__(self, chess960: bool) -> None:
        self._chess960 = chess960
        self._tables: list[pa.Table] = []
        self._errors: list[BadLine] = []

    def add(self, found: Found) -> None:
        states, facts, lines, errors = found
        self._errors += errors
        if len(states):
            columns = dict(self._columns(states, facts, lines))
            self._tables.append(pa.table([columns[name] for name in SCHEMA.names], SCHEMA))

    def finish(self) -> pa.Table:
        tables, self._tables = self._tables, []
        errors, self._errors = self._errors, []
        if not errors:
            return pa.concat_tables(tables) if tables else SCHEMA.empty_table()
        numbers, problems = zip(*errors, strict=True)
        known = {"line": pa.array(numbers, pa.int64()), "error": pa.array(problems)}
        bad = [known.get(field.name, pa.nulls(len(errors), field.type)) for field in SCHEMA]
        table = pa.concat_tables([*tables, pa.table(bad, SCHEMA)]).combine_chunks()
        return table.take(np.argsort(table["line"].to_numpy()))

    def _columns(
        self, states: NDArray[np.void], facts: NDArray[np.void], lines: NDArray[np.int64]
    ) -> Iterator[tuple[str, pa.Array]]:
        n = len(states)
        yield "line", pa.array(lines.copy())
        yield "error", pa.nulls(n, pa.string())
        yield "fen", self._fens(states)
        yield "turn", pa.array(SIDES).take(pa.array(states["turn"]))
        yield "check", pa.array(facts["checkers"] != 0)
        yield "checkers", _sets(facts["checkers"])
        yield "legal_moves", pa.array(facts["legal_moves"].astype(np.int16))
        yield "phase", pa.array(facts["phase"].astype(np.int8))
        yield "key", _sets(states["key"])
        yield "eval", pa.array(facts["eval"].astype(np.int32))
        yield "fork_moves", self._moves(facts)
        for name in BY_SQUARE:
            yield name, pa.FixedSizeListArray.from_arrays(_sets(facts[name].ravel()), 64)
        for c, side in enumerate(SIDES):
            for name in SETS:
                yield f"{side}_{name}", _sets(facts[name][:, c])
            yield f"{side}_pinned_pieces", _sets((facts["pinned"] & ~facts["pawns"])[:, c])
            for name in NUMBERS:
                yield f"{side}_{name}", pa.array(facts[name][:, c].astype(np.int32))
            xrays = facts["xrays"][:, c * MAX_XRAYS :][:, :MAX_XRAYS]
            real = np.arange(MAX_XRAYS) < facts["xray_count"][:, c, None]
            yield f"{side}_xrays", _triples(xrays, real, XRAY)
            yield f"{side}_skewers", _triples(xrays, real & (xrays & SKEWER != 0), SKEWERING)
            yield f"{side}_forks", _forks(facts["targets"], facts["forking"][:, c])

    def _fens(self, states: NDArray[np.void]) -> pa.Array:
        n = len(states)
        ends, text = np.zeros(n + 1, np.int32), np.zeros(n * MAX_FEN, np.uint8)
        size = write_fens(states, n, int(self._chess960), TEXT_RECORD, ends, text)
        return pa.StringArray.from_buffers(n, pa.py_buffer(ends), pa.py_buffer(text[:size].copy()))

    def _moves(self, facts: NDArray[np.void]) -> pa.Array:
        moves = facts["fork_moves"]
        real = np.arange(moves.shape[1]) < facts["fork_count"][:, None]
        known, places = np.unique(moves[real], return_inverse=True)
        texts = pa.array([format_move(move, self._chess960) for move in known], pa.string())
        return _lists(real, texts.take(pa.array(places)))


def _sets(numbers: NDArray[Any]) -> pa.Array:
    """A copy of some int64 as uint64."""
    return pa.array(numbers.astype(np.uint64))


def _lists(real: NDArray[np.bool_], values: pa.Array) -> pa.Array:
    """A list for each row of `real`, with as many of the `values` as it has true entries."""
    ends = np.zeros(len(real) + 1, np.int32)
    np.cumsum(real.sum(axis=1), out=ends[1:])
    return pa.ListArray.from_arrays(pa.array(ends), values)


def _triples(xrays: NDArray[np.int32], real: NDArray[np.bool_], kind: pa.DataType) -> pa.Array:
    found = xrays[real]
    squares = [pa.array((found >> shift & 63).astype(np.uint8)) for shift in (12, 6, 0)]
    return _lists(real, pa.StructArray.from_arrays(squares, fields=list(kind)))


def _forks(targets: NDArray[np.int64], forking: NDArray[np.int64]) -> pa.Array:
    real = (forking[:, None] >> np.arange(64) & 1).astype(bool)
    by = pa.array(np.nonzero(real)[1].astype(np.uint8))
    return _lists(real, pa.StructArray.from_arrays([by, _sets(targets[real])], fields=list(FORK)))
