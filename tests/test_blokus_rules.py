"""The rules of Blokus: the oracle's counts, moves and scores, a slow game, records from scratch."""

import hashlib
import itertools
from typing import Any

import numpy as np
import pytest
from blokus_games import new_position, position_of, random_game, rows, slow, variant_of
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_blokus import DRAWINGS, SlowBlokus, placements

from engine.control import Control
from engine.errors import MoveError
from engine.games.blokus import rules
from engine.games.blokus.divide import divide
from engine.games.blokus.generator import SWITCHES
from engine.games.blokus.notation import format_move, format_piece, placement, placement_id
from engine.games.blokus.pieces import NAMES, ORIENTATIONS
from engine.games.blokus.position import Position
from engine.games.blokus.records import UNDO
from engine.games.blokus.scores import bonus, final_score, points
from engine.games.blokus.state import CELLS, MAX_MOVES
from engine.games.blokus.tables import T
from engine.games.blokus.variants import CLASSIC, DUO, THREE_PLAYER, TWO_PLAYER, VARIANTS, Variant
from engine.games.blokus.verify import verify

MOVES, PERFT, SCORES = rows("moves"), rows("perft"), rows("scores")
PERFT_LIMIT = 100_000_000
"""Rows of more leaves are left to `make perft`."""

TABLE = """
1 1 1 400 196 | 2 2 2 760 364 | I3 3 2 720 336 | V3 3 4 1444 676 | I4 4 2 680 308
L4 4 8 2736 1248 | O 4 1 361 169 | T4 4 4 1368 624 | Z4 4 4 1368 624 | F 5 8 2592 1152
I5 5 2 640 280 | L5 5 8 2584 1144 | N 5 8 2584 1144 | P 5 8 2736 1248 | T5 5 4 1296 576
U 5 4 1368 624 | V5 5 4 1296 576 | W 5 4 1296 576 | X 5 1 324 144 | Y 5 8 2584 1144
Z5 5 4 1296 576
"""
"""Piece, squares, orientations, placements on 20 x 20 and on 14 x 14."""

FIRST_MOVES = """
1:1 2:2 I3:2 V3:3 I4:2 L4:6 O:1 T4:2 Z4:2 F:2 I5:2 L5:6 N:4 P:6 T5:2 U:4 V5:3 W:2 X:0 Y:4 Z5:2
"""
"""On 20 x 20, of each colour."""


def texts(position: Position, colour: int) -> list[str]:
    return sorted(format_move(move) for move in position.legal(colour))


def meaning(pos: np.void) -> bytes:
    """All bytes of a record that mean something; those that do not are set to zero."""
    copy = pos.copy()
    slot = np.zeros(4 * CELLS, np.uint8)
    for colour in range(4):
        count = copy["frontier_count"][colour]
        copy["frontier"][colour * 256 + count : (colour + 1) * 256] = 0
        listed = colour * CELLS + copy["frontier"][colour * 256 :][:count].astype(int)
        slot[listed] = copy["slot"][listed]
    copy["slot"] = slot
    return bytes(copy.tobytes())


# Pieces


def test_the_table_of_pieces() -> None:
    wanted = [row.split() for row in TABLE.replace("\n", "|").split("|") if row.strip()]
    found: list[tuple[str, ...]] = []
    for piece, name in enumerate(NAMES):
        ways = [way for way in ORIENTATIONS if way.piece == piece]
        numbers = [len(ways[0].squares), len(ways)]
        for size in (20, 14):
            places = [(size + 1 - way.width) * (size + 1 - way.height) for way in ways]
            numbers.append(sum(places))
        found.append((name, *map(str, numbers)))
    assert [[*row] for row in found] == wanted
    sums = [sum(int(row[i]) for row in found) for i in (1, 2, 3, 4)]
    assert sums == [89, 91, 30433, 13729]


def test_every_placement_has_a_number_and_its_piece() -> None:
    """All placements, worked out apart from the engine, are the ones that the numbers give."""
    size = 14
    slowly = {one.text: one.piece for one in placements(size).values()}
    moves = [placement(number, size) for number in range(len(slowly))]
    assert placement(len(slowly), size) is None
    assert placement(-1, size) is None
    known = [move for move in moves if move is not None]
    assert [placement_id(move, size) for move in known] == [*range(len(moves))]
    assert slowly == {format_move(move): format_piece(move).partition(":")[0] for move in known}


def test_orientations_are_numbered_by_rows_from_the_bottom() -> None:
    for piece in range(len(DRAWINGS)):
        ways = [way for way in ORIENTATIONS if way.piece == piece]
        lists = [[(y, x) for x, y in way.squares] for way in ways]
        assert lists == sorted(sorted(way) for way in lists)
        assert [way.number for way in ways] == [*range(len(ways))]
    (cross,) = [way for way in ORIENTATIONS if NAMES[way.piece] == "X"]
    assert cross.squares == ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2))


def test_first_moves_by_piece() -> None:
    for colour in range(4):
        counts = dict.fromkeys(NAMES, 0)
        for move in new_position(CLASSIC).legal(colour):
            counts[format_piece(move).partition(":")[0]] += 1
        assert " ".join(f"{name}:{n}" for name, n in counts.items()) == FIRST_MOVES.strip()


# The oracle


@pytest.mark.parametrize("row", MOVES, ids=lambda row: f"{row['id']}-{row['tag']}")
def test_moves_of_every_colour(row: dict[str, Any]) -> None:
    position = position_of(row)
    ids = position.variant.ids
    assert position.over == row["game_over"]
    assert (None if position.over else ids[position.turn]) == row["to_play"]
    assert position.ply == row["ply"]
    for colour, name in enumerate(ids):
        found = texts(position, colour)
        assert len(found) == row["colors"][name]["n"]
        digest = hashlib.sha256("\n".join(found).encode()).hexdigest()
        assert digest == row["colors"][name]["sha256"]
        assert rules.count(position.state, T, colour) == len(found)
    if "legal" in row:
        assert [*row["legal"]] == ([] if position.over else texts(position, position.turn))
    last = position.history[-1].colour if position.history else position.variant.colours - 1
    passed = [(last + i) % len(ids) for i in range(1, len(ids) + 1)]
    passed = passed[: passed.index(position.turn)] if not position.over else []
    assert [ids[colour] for colour in passed] == row["skipped"]


@pytest.mark.parametrize(
    "row",
    [row for row in PERFT if row["nodes"] <= PERFT_LIMIT],
    ids=lambda row: f"{row['id']}-{row['tag']}-{row['depth']}",
)
def test_perft(row: dict[str, Any]) -> None:
    counts, nodes, stopped = divide(
        position_of(row), row["depth"], 1, Control(), lambda move, leaves: None
    )
    assert nodes == row["nodes"]
    assert sum(leaves for _, leaves in counts) == nodes
    assert not stopped


def test_perft_of_the_empty_board_in_closed_form() -> None:
    """Two pieces from each corner never meet, so the counts are products."""
    position = new_position(CLASSIC)
    first = position.legal(0)
    second = 0
    for move in first:
        position.play(0, move)
        second += len(position.legal(0))
        position.undo()
    s1, s2 = len(first), second
    assert (s1, s2) == (58, 9729)
    wanted = [s1, s1**2, s1**3, s1**4, s1**3 * s2, s1**2 * s2**2, s1 * s2**3, s2**4]
    empty = [row for row in PERFT if row["variant"] == "classic" and row["tag"] == "empty"]
    assert [row["nodes"] for row in empty] == wanted


def test_perft_is_the_same_on_threads_and_by_any_generator() -> None:
    row = next(row for row in PERFT if row["tag"] == "late" and 500 < row["nodes"] < 2_000)
    position = position_of(row)
    plain = divide(position, row["depth"], 1, Control(), lambda move, leaves: None)
    threads = divide(position, row["depth"], 3, Control(), lambda move, leaves: None)
    assert threads == plain
    for name in ("use_frontier_movegen", "movegen_debug_equivalence", "debug_bitboard"):
        position.generator.switches = {**SWITCHES, name: not SWITCHES[name]}
        counts, nodes, _ = divide(position, row["depth"], 1, Control(), lambda move, leaves: None)
        assert nodes == row["nodes"]
        assert sorted(counts) == sorted(plain[0])


def test_perft_stops() -> None:
    control = Control()
    counts, nodes, stopped = divide(
        new_position(CLASSIC), 4, 1, control, lambda move, leaves: control.stop()
    )  # fmt: skip
    assert stopped
    assert len(counts) == 1
    assert nodes == counts[0][1]


@pytest.mark.parametrize("row", SCORES, ids=lambda row: f"{row['id']}-{row['tag']}")
def test_scores(row: dict[str, Any]) -> None:
    position = position_of(row)
    assert position.over
    for colour, name in enumerate(position.variant.ids):
        assert position.state["squares"][colour] == row["squares"][name]
        assert bonus(position.state, colour) == row["bonus"][name]
        assert points(position.state, colour) == row["points"][name]
        assert points(position.state, colour) - 89 == row["advanced"][name]
    for variant in VARIANTS:
        if variant.game in row["final_score"]:
            found = final_score(position.state, variant)
            assert found.rstrip() == row["final_score"][variant.game]
            assert found.endswith(" ") == (variant in (CLASSIC, THREE_PLAYER))
    assert (TWO_PLAYER.game in row["final_score"]) == (variant_of(row) is CLASSIC)


# Step by step


@settings(deadline=None, max_examples=6)
@given(st.sampled_from([CLASSIC, DUO]), st.integers(0, 2**32), st.booleans())
def test_every_ply_of_random_games(variant: Variant, seed: int, free: bool) -> None:
    """Each record equals one from scratch, on the way up and down again; lists equal those of a
    slow game; what is undone is done again to the same bytes."""
    records = []
    for position in random_game(variant, seed, free):
        assert verify(position.state, T) is None
        records.append(meaning(position.state))
        if position.ply % 7 == seed % 7:
            game = slow(position)
            assert position.over == (game.turn() is None)
            assert position.turn == game.next_colour()
            for colour in range(variant.colours):
                assert tuple(texts(position, colour)) == game.texts(colour)
            assert final_score(position.state, variant) == game.final_score()
    end = position.state.tobytes()
    moves = position.texts()
    for record in reversed(records[:-1]):
        position.undo()
        assert meaning(position.state) == record
    with pytest.raises(MoveError, match="cannot undo"):
        position.undo()
    for _ in moves:
        position.redo()
    assert position.state.tobytes() == end
    with pytest.raises(MoveError, match="cannot redo"):
        position.redo()


def test_take_back_in_compiled_code() -> None:
    """Every move of some positions, made and taken back by the verbs."""
    for position in itertools.islice(random_game(DUO, 7, free=False), 4, 30, 5):
        state = position.copy()
        undo: np.void = np.zeros(1, UNDO)[0]
        for move in position.legal(position.turn):
            rules.make(state, T, move, undo)
            rules.unmake(state, T, undo)
            assert meaning(state) == meaning(position.state)


def test_generate_keeps_to_its_contract() -> None:
    for position in itertools.islice(random_game(CLASSIC, 3, free=True), 0, None, 9):
        moves = np.full(MAX_MOVES, -1, np.int32)
        before = position.state.tobytes()
        for colour in range(4):
            n = rules.generate(position.state, T, colour, moves)
            assert len(set(moves[:n].tolist())) == n == rules.count(position.state, T, colour)
        assert position.state.tobytes() == before


def test_undone_moves_are_gone_after_another_one() -> None:
    position = new_position(DUO)
    position.play_text(["e10", "j5"])
    position.undo()
    position.play_text(["j5,j6"])
    with pytest.raises(MoveError):
        position.redo()


# Generators


def test_all_64_combinations_of_switches_give_the_same_moves() -> None:
    some = [
        position.texts()
        for variant, free in ((CLASSIC, False), (DUO, True))
        for position in itertools.islice(random_game(variant, 11, free), 0, None, 23)
    ]
    duo = [moves for moves in some if not moves or moves[0][0] in "bw"]
    for moves in some:
        position = new_position(DUO if moves in duo else CLASSIC)
        position.play_text(moves)
        colours = range(position.variant.colours)
        wanted = [sorted(position.legal(colour)) for colour in colours]
        for values in itertools.product((False, True), repeat=len(SWITCHES)):
            position.generator.switches = dict(zip(SWITCHES, values, strict=True))
            found = [sorted(position.legal(colour)) for colour in colours]
            assert found == wanted, values
            if moves:
                position.undo()
                position.redo()
                assert position.texts() == moves


def test_a_first_piece_may_cover_the_start_with_any_of_its_squares() -> None:
    """What the plan's heuristic anchors lose: the X fits with an arm on the start square, so
    nobody tries its middle."""
    position = new_position(DUO)
    for on in (False, True):
        position.generator.switches["use_heuristic_anchors"] = on
        assert "e9,d10,e10,f10,e11" in texts(position, 0)
    assert len(texts(position, 0)) == 414


def test_slow_and_fast_agree_where_start_squares_are_taken() -> None:
    position = new_position(CLASSIC)
    game = SlowBlokus()
    assert texts(position, 3) == [*game.texts(3)]
    for row in MOVES:
        if row["tag"] == "start-square-taken":
            position = position_of(row)
            position.generator.switches["use_frontier_movegen"] = False
            position.generator.switches["use_bitboard_legality"] = False
            game = slow(position)
            for colour in range(position.variant.colours):
                assert texts(position, colour) == [*game.texts(colour)]
