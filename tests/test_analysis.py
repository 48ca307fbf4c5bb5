"""The facts of a position: the slow reference against the oracle, the engine against both."""

import json
from functools import cache
from typing import Any

import chess
import pytest
from analysis_positions import KIWIPETE, RARE, boards
from chess_oracle import rows
from oracles.analysis import analysis

from engine.control import Control
from engine.engine import Engine
from engine.errors import MoveError, PositionError
from engine.games.chess import analysis as facts_module
from engine.games.chess.position import Position
from engine.types import Limits

Facts = dict[str, Any]

TOP = "fen turn check checkers legal_moves phase key eval fork_moves white black"
SIDE = (
    "pieces attacks attacked hanging attackers defenders pinned pinned_pieces skewered skewers "
    "xrays xray_attackers forks developed pawns material mobility offense defense"
)
PAWNS = "all doubled isolated backward passed"


def difference(found: Any, expected: Any, path: str = "") -> str | None:
    """The first place where two objects differ, the order of keys included."""
    if isinstance(found, dict) and isinstance(expected, dict):
        if list(found) != list(expected):
            return f"{path or 'object'}: keys {list(found)}, expected {list(expected)}"
        differences = (difference(found[key], expected[key], f"{path}.{key}") for key in expected)
        return next((text for text in differences if text is not None), None)
    if type(found) is not type(expected) or found != expected:
        return f"{path}: {found}, expected {expected}"
    return None


def analyzed(engine: Engine, board: chess.Board) -> Facts:
    """What the engine says of a board."""
    engine.set_option("UCI_Chess960", str(board.chess960).lower())
    engine.set_position(board.fen(shredder=board.chess960, en_passant="fen"), [])
    facts: Facts = json.loads(engine.analyze())
    return facts


def without_engine_keys(facts: Facts) -> Facts:
    return {key: value for key, value in facts.items() if key not in ("key", "eval")}


@cache
def references() -> list[Facts]:
    """What the reference says of `boards`."""
    return [analysis(board) for board in boards()]


# The reference and the oracle


def row_board(row: Facts) -> chess.Board:
    return chess.Board(row["fen"], chess960=row.get("chess960", False))


def row_side(row: Facts, color: str) -> Facts:
    """What an oracle row knows of a side, in the shape of `analyze json`."""
    pieces = {
        each["square"]: each
        for each in row["pieces"]
        if each["piece"].isupper() == (color == "white")
    }
    attacked = [square for square, piece in pieces.items() if piece["attackers"]]
    assert row["attacked_pieces"][color] == attacked
    pinned = row["pinned"][color]
    counts = {
        "hanging": row["hanging"][color],
        "attacked": attacked,
        "pinned": pinned,
        "skewered": row["skewered"][color],
        "developed": row["developed"][color],
    } | {key: row["pawns"][color][key] for key in PAWNS.split()[1:]}
    assert row["counts"][color] == {key: len(squares) for key, squares in counts.items()}
    return {
        "pieces": list(pieces),
        "attacks": row["attacked_squares"][color],
        "attacked": attacked,
        "hanging": row["hanging"][color],
        "attackers": {square: pieces[square]["attackers"] for square in attacked},
        "defenders": {square: pieces[square]["defenders"] for square in attacked},
        "pinned": pinned,
        "pinned_pieces": [square for square in pinned if pieces[square]["piece"] not in "Pp"],
        "skewered": row["skewered"][color],
        "skewers": own_triples(row["skewers"], pieces),
        "xrays": own_triples(row["xrays"], pieces),
        "xray_attackers": {
            square: piece["xray_attackers"]
            for square, piece in pieces.items()
            if piece["xray_attackers"]
        },
        "developed": row["developed"][color],
        "pawns": row["pawns"][color],
    }


def own_triples(triples: list[list[str]], pieces: Facts) -> list[list[str]]:
    """Triples whose slider is one of the pieces, sorted by square index."""
    own = [triple for triple in triples if triple[0] in pieces]
    return sorted(own, key=lambda triple: [chess.parse_square(name) for name in triple])


def assert_row(facts: Facts, row: Facts) -> None:
    assert facts["checkers"] == row["checkers"]
    for color in ("white", "black"):
        expected = row_side(row, color)
        found = {key: value for key, value in facts[color].items() if key in expected}
        assert difference(found, expected, color) is None, row["fen"]


def test_the_reference_equals_the_oracle() -> None:
    for row in rows("analysis.jsonl"):
        assert_row(analysis(row_board(row)), row)


def test_a_difference_is_told() -> None:
    """The comparison sees values, kinds of values, missing keys and the order of keys."""
    whole = {"a": 1, "b": {"c": [1], "d": True}}
    assert difference(whole, whole) is None
    assert difference({"a": 1, "b": {"c": [2], "d": True}}, whole) == ".b.c: [2], expected [1]"
    assert difference({"a": 1, "b": {"c": [1], "d": 1}}, whole) == ".b.d: 1, expected True"
    assert difference({"a": 1}, whole) == "object: keys ['a'], expected ['a', 'b']"
    assert difference({"b": whole["b"], "a": 1}, whole) is not None


# The positions


@pytest.mark.parametrize("kind", RARE)
def test_rare_kinds_are_met(kind: str) -> None:
    test = RARE[kind]
    assert any(test(board, facts) for board, facts in zip(boards(), references(), strict=True))


def test_positions_are_many_and_different() -> None:
    fens = {(board.fen(shredder=board.chess960), board.chess960) for board in boards()}
    assert len(fens) >= 2_400
    assert sum(chess960 for _, chess960 in fens) >= 600


# The engine


def test_engine_equals_the_oracle(chess_engine: Engine) -> None:
    for row in rows("analysis.jsonl"):
        assert_row(analyzed(chess_engine, row_board(row)), row)


def test_engine_equals_the_reference(chess_engine: Engine) -> None:
    for board, expected in zip(boards(), references(), strict=True):
        found = without_engine_keys(analyzed(chess_engine, board))
        assert difference(found, expected) is None, expected["fen"]


def test_keys_of_the_object(chess_engine: Engine) -> None:
    facts = analyzed(chess_engine, chess.Board())
    assert " ".join(facts) == TOP
    for color in ("white", "black"):
        assert " ".join(facts[color]) == SIDE
        assert " ".join(facts[color]["pawns"]) == PAWNS


def test_key_and_eval_are_those_of_the_other_commands(chess_engine: Engine) -> None:
    for board in boards()[::40]:
        facts = analyzed(chess_engine, board)
        lines = chess_engine.display().splitlines()
        assert f"Fen: {facts['fen']}" in lines
        assert f"Key: {facts['key']}" in lines
        assert f"Checkers: {' '.join(facts['checkers'])}".rstrip() in lines
        white = facts["eval"] if board.turn else -facts["eval"]
        told = chess_engine.evaluate().splitlines()[-3]
        assert told == f"By terms         {white / 100:+.2f} (white side)", facts["fen"]
        assert facts["legal_moves"] == len(chess_engine.legal_moves())


# Colours swapped

OWN = ("fen", "turn", "key")
"""What two mirrored positions do not share."""


def turned(value: Any, flip: bool) -> Any:
    """A value with its lists in an order that does not depend on squares, and with squares and
    moves turned over if `flip`."""
    if isinstance(value, str) and flip:
        return "".join(str(9 - int(c)) if c.isdigit() else c for c in value)
    if isinstance(value, list):
        return sorted((turned(each, flip) for each in value), key=json.dumps)
    if isinstance(value, dict):
        # Names of facts bear no digits, squares do.
        return {turned(key, flip): turned(each, flip) for key, each in value.items()}
    return value


def test_mirrored_positions_have_mirrored_facts(chess_engine: Engine) -> None:
    """All of them, the evaluation included: it is that of the side to move."""
    for board in boards()[::8]:
        facts = analyzed(chess_engine, board)
        other = analyzed(chess_engine, board.mirror())
        assert all(facts[key] != other[key] for key in OWN)
        other["white"], other["black"] = other["black"], other["white"]
        kept = {key: turned(facts[key], False) for key in facts if key not in OWN}
        mirror = {key: turned(other[key], True) for key in other if key not in OWN}
        assert kept == mirror, facts["fen"]


# Once for each position


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each time that facts are worked out."""
    seen: list[int] = []
    work = facts_module.analyze_all

    def counted(*args: Any) -> None:
        seen.append(1)
        work(*args)

    monkeypatch.setattr(facts_module, "analyze_all", counted)
    return seen


def test_facts_are_worked_out_once(chess_engine: Engine, passes: list[int]) -> None:
    """Neither the other commands, nor what fails, nor options drop them."""
    chess_engine.set_position(KIWIPETE, [])
    first = chess_engine.analyze()
    assert len(passes) == 1
    chess_engine.display()
    chess_engine.evaluate()
    chess_engine.legal_moves()
    chess_engine.perft(2, Control(), lambda move, count: None)
    chess_engine.search(Limits(depth=2), Control(), lambda info: None)
    chess_engine.set_option("Hash", "1")
    with pytest.raises(MoveError):
        chess_engine.set_position(None, ["e2e4", "e2e4"])
    with pytest.raises(PositionError):
        chess_engine.set_position("no position", [])
    assert chess_engine.analyze() == first
    assert len(passes) == 1
    chess_engine.set_option("UCI_Chess960", "true")
    assert json.loads(chess_engine.analyze())["fen"] == KIWIPETE.replace("KQkq", "HAha")
    assert len(passes) == 1


def test_facts_are_those_of_the_new_position(chess_engine: Engine) -> None:
    """After everything that changes the position."""
    board = chess.Board()
    moves: list[str] = []
    for text in ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"]:
        moves.append(text)
        board.push_uci(text)
        chess_engine.set_position(None, moves)
        found = without_engine_keys(json.loads(chess_engine.analyze()))
        assert difference(found, analysis(board)) is None
    start = analysis(chess.Board())
    chess_engine.new_game()
    assert without_engine_keys(json.loads(chess_engine.analyze())) == start
    chess_engine.set_position(KIWIPETE, [])
    assert without_engine_keys(json.loads(chess_engine.analyze())) != start
    chess_engine.bench(1, Control(), lambda line: None)
    assert without_engine_keys(json.loads(chess_engine.analyze())) == start


def test_a_move_drops_the_facts(passes: list[int]) -> None:
    """On the position itself: the record is one and the same until a move is played."""
    position = Position()
    first = position.analysis(facts_module.examiner())
    assert position.analysis(facts_module.examiner()) is first and len(passes) == 1
    kept = first.tobytes()
    position.play_text(["g1f3", "g8f6", "f3g1"])
    assert position.analysis(facts_module.examiner()) is not first and len(passes) == 2
    assert first.tobytes() == kept
    position.play_text(["f6g8"])
    back = position.analysis(facts_module.examiner())
    assert back["attacks"].tolist() == first["attacks"].tolist()
    assert len(passes) == 3


# The record


def squares_of(bits: int) -> list[str]:
    return [chess.square_name(square) for square in chess.SquareSet(int(bits) % 2**64)]


def test_the_record_says_what_the_text_says() -> None:
    """The sets of squares of a record, against the reference, and what follows from them."""
    sets = ["pieces", "attacks", "attacked", "hanging", "pinned", "skewered", "developed"]
    numbers = ["material", "mobility", "offense", "defense"]
    for board, expected in list(zip(boards(), references(), strict=True))[::16]:
        position = Position(board.fen(shredder=board.chess960), board.chess960)
        facts = position.analysis(facts_module.examiner())
        for colour, side in enumerate((expected["white"], expected["black"])):
            found = {key: squares_of(facts[key][colour]) for key in sets}
            assert found == {key: side[key] for key in sets}
            pawns = {key: squares_of(facts[key][colour]) for key in PAWNS.split()[1:]}
            assert {"all": squares_of(facts["pawns"][colour])} | pawns == side["pawns"]
            assert {key: facts[key][colour] for key in numbers} == {
                key: side[key] for key in numbers
            }
            assert facts["xray_count"][colour] == len(side["xrays"])
            forks = {fork["by"]: fork["targets"] for fork in side["forks"]}
            assert squares_of(facts["forking"][colour]) == list(forks)
        for square in range(64):
            attacks = board.attacks_mask(square)
            assert int(facts["reach"][square]) % 2**64 == attacks
        assert squares_of(facts["checkers"]) == expected["checkers"]
        assert facts["fork_count"] == len(expected["fork_moves"])
