"""The transposition table: what is stored is found, and what gives way to what."""

import ctypes
import random
from typing import Any

import pytest
from numba import types

from engine.alphabeta import MATE, MATED_SOON, from_table, to_table
from engine.errors import OptionError
from engine.jit import kernel
from engine.table import (
    EXACT,
    GENERATIONS,
    LOWER,
    UPPER,
    Table,
    bound_of,
    depth_of,
    eval_of,
    find,
    move_of,
    on_line,
    record,
    score_of,
)


@kernel(types.void(*[types.int64] * 10))
def put(
    table: int, buckets: int, key: int, generation: int, move: int,
    score: int, evaluation: int, depth: int, bound: int, line: int,
) -> None:  # fmt: skip
    record(table, buckets, key, generation, move, score, evaluation, depth, bound, line)


def keep(
    table: Table, key: int, move: int = 1, score: int = 0, value: int = 0, depth: int = 5,
    bound: int = EXACT, line: int = 0,
) -> None:  # fmt: skip
    put(
        table.address, table.buckets, key, table.generation, move, score, value, depth, bound,
        line,
    )  # fmt: skip


def read(data: int) -> tuple[int, ...]:
    """(move, score, evaluation, depth, bound, line), by the accessors that the search uses."""
    return unpack(data)  # type: ignore[no-any-return]


@kernel(types.UniTuple(types.int64, 6)(types.int64))
def unpack(data: int) -> Any:
    line = int(on_line(data))
    return move_of(data), score_of(data), eval_of(data), depth_of(data), bound_of(data), line


@kernel(types.int64(types.int64, types.int64))
def keep_score(score: int, ply: int) -> int:
    return to_table(score, ply)


@kernel(types.int64(types.int64, types.int64))
def read_score(score: int, ply: int) -> int:
    return from_table(score, ply)


BUCKET_MATES = [(0x1234_5678 << 32) + low for low in range(1, 9)]
"""Keys whose upper halves are equal share a bucket of four."""


def test_what_is_stored_is_found() -> None:
    table = Table(1)
    rng = random.Random(1)
    stored = {}
    for generation in (0, 1, 31, 32, 63):
        table.generation = generation
        for score, value in ((0, 0), (-1, 1), (30_999, -32_700), (-32_000, 32_000)):
            for depth, bound, line in (
                (0, UPPER, 0),
                (1, LOWER, 1),
                (126, EXACT, 1),
                (127, EXACT, 0),
            ):
                key = rng.randrange(-(2**63), 2**63)
                entry = (rng.randrange(1, 2**16), score, value, depth, bound, line)
                keep(table, key, *entry)
                stored[key] = entry
                assert read(find(table, key)) == entry
                assert find(table, key ^ 1) == 0
                assert find(table, key ^ (1 << 40)) == 0
    found = [read(find(table, key)) == entry for key, entry in stored.items()]
    assert found.count(True) > len(found) - 3, "so few entries hardly ever meet"


def test_depths_beyond_the_field_are_stored_as_the_greatest() -> None:
    table = Table(1)
    keep(table, 1, depth=130, line=0)
    assert read(find(table, 1))[3:] == (127, EXACT, 0)


def test_an_empty_table_knows_nothing() -> None:
    table = Table(1)
    assert [find(table, key) for key in (0, 1, -1, 2**62)] == [0] * 4


def test_four_entries_share_a_bucket_and_the_shallowest_gives_way() -> None:
    table = Table(1)
    for key, depth in zip(BUCKET_MATES[:4], (9, 3, 7, 8), strict=True):
        keep(table, key, depth=depth)
    assert all(find(table, key) for key in BUCKET_MATES[:4])
    keep(table, BUCKET_MATES[4], depth=1)
    assert [find(table, key) != 0 for key in BUCKET_MATES[:5]] == [True, False, True, True, True]


def test_old_entries_give_way_before_deep_ones() -> None:
    table = Table(1)
    keep(table, BUCKET_MATES[0], depth=9)
    for _ in range(2):
        table.age()
    for key in BUCKET_MATES[1:4]:
        keep(table, key, depth=2)
    keep(table, BUCKET_MATES[4], depth=2)
    assert [find(table, key) != 0 for key in BUCKET_MATES[:5]] == [False, True, True, True, True]


def test_age_counts_across_the_wrap() -> None:
    table = Table(1)
    table.generation = GENERATIONS - 1
    keep(table, BUCKET_MATES[0], depth=3)
    table.age()
    assert table.generation == 0
    for key in BUCKET_MATES[1:4]:
        keep(table, key, depth=1)
    keep(table, BUCKET_MATES[4], depth=1)
    assert find(table, BUCKET_MATES[0]) == 0


def test_the_same_position_again() -> None:
    table, key = Table(1), BUCKET_MATES[0]
    keep(table, key, move=77, depth=5)
    keep(table, key, move=0, score=9, depth=6, bound=LOWER)
    assert read(find(table, key)) == (77, 9, 0, 6, LOWER, 0), "a move is not forgotten for none"
    keep(table, key, move=78, depth=1, bound=LOWER)
    assert read(find(table, key))[0] == 77, "a bound says less than a much deeper result"
    keep(table, key, move=78, depth=1, bound=EXACT)
    assert read(find(table, key)) == (78, 0, 0, 1, EXACT, 0)
    keep(table, key, move=79, depth=9, bound=LOWER)
    table.age()
    keep(table, key, move=80, depth=1, bound=LOWER)
    assert read(find(table, key))[0] == 80, "results of an earlier search are not held on to"
    keep(table, BUCKET_MATES[1])
    assert find(table, key) and find(table, BUCKET_MATES[1]), "one place for one position"


def test_another_size_is_an_empty_table() -> None:
    table = Table(1)
    keep(table, 99)
    for megabytes in (3, 2):
        table.resize(megabytes)
        assert (table.megabytes, table.buckets) == (megabytes, megabytes * 16_384)
        assert find(table, 99) == 0
        keep(table, 99)
        assert find(table, 99)
    table.clear()
    assert (find(table, 99), table.megabytes) == (0, 2)


def test_the_ends_of_the_table_are_inside_it() -> None:
    """Keys that fall into the first and the last bucket land in the memory of the table."""
    table = Table(1)
    for key, word in ((5, 0), (-1, -8)):
        keep(table, key)
        words = (ctypes.c_int64 * (1 << 17)).from_address(table.address)
        assert any(words[word : word + 8 or None])
        assert find(table, key)


@pytest.mark.parametrize("megabytes", [1 << 20, 1 << 40])
def test_a_size_that_does_not_fit_keeps_the_old_table(megabytes: int) -> None:
    table = Table(1)
    keep(table, 99, move=5)
    before = table.address, table.buckets, table.megabytes
    with pytest.raises(OptionError, match=f"{megabytes} MB"):
        table.resize(megabytes)
    assert (table.address, table.buckets, table.megabytes) == before
    assert read(find(table, 99))[0] == 5


def test_permille_counts_entries_of_this_search() -> None:
    table = Table(1)
    assert table.permille() == 0
    for i in range(16_384):
        for low in range(2):
            keep(table, (i << 50) + low + 1 - (1 << 63))
    half = table.permille()
    assert 450 <= half <= 550
    table.age()
    assert table.permille() == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mate_is_as_far_from_the_root_as_its_position_and_the_mate_together(sign: int) -> None:
    seen_at_ply_8 = sign * (MATE - 11)
    kept = keep_score(seen_at_ply_8, 8)
    assert kept == sign * (MATE - 3)
    assert read_score(kept, 20) == sign * (MATE - 23)
    assert read_score(sign * 30_000, 20) == keep_score(sign * 30_000, 20) == sign * 30_000


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mate_that_the_table_passes_on_and_on_stays_a_mate(sign: int) -> None:
    score = sign * (MATE - 1)
    for _ in range(20):
        score = read_score(score, 100)
    assert sign * score == MATED_SOON + 1
    assert keep_score(score, 0) == score
