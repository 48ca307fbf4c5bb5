"""Positions for the tests of the analysis: known ones, made ones, and those of random games."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import chess
from chess_oracle import game, positions, rows

Facts = dict[str, Any]
"""The object that `analyze json` prints."""

MADE = (
    # Castling forks a knight and a rook that nothing defends.
    ("4k3/8/8/8/8/8/5nPr/4K2R w K - 0 1", False),
    ("4k3/8/8/8/8/8/5nPr/4K2R w H - 0 1", True),
    ("2kr4/1R1N4/8/8/8/8/8/4K3 w - - 0 1", False),
    ("r3k3/R1PN4/8/8/8/8/8/4K3 b q - 0 1", False),
    # En passant: a fork; one of two takers pinned; forbidden by a pin along the rank, and by one
    # on the diagonal of the pawn that is taken; a way out of check.
    ("4k3/8/1r1r4/2pP4/8/8/8/4K3 w - c6 0 1", False),
    ("4k3/2b2r2/8/3pP3/8/8/8/4K3 w - d6 0 1", False),
    ("4r1k1/8/8/2P1P3/8/8/8/4K3 w - - 0 1", False),
    ("4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", False),
    ("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", False),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", False),
    ("7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1", False),
    ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", False),
    # Promotions that fork, with and without a capture.
    ("r1r1k3/1P6/8/8/8/8/6p1/4KR1R w - - 0 1", False),
    ("r1r1k3/1P6/8/8/8/8/6p1/4KR1R b - - 0 1", False),
    ("8/3P3r/k7/8/8/4b3/8/7K w - - 0 1", False),
    # Double checks, one by en passant.
    ("4k3/8/5N2/8/8/8/8/K3R3 b - - 0 1", False),
    ("8/8/8/3k4/4N3/5B2/8/3RK3 b - - 0 1", False),
    # Skewers: of king and queen, king and pawn, queen and queen, two by one slider.
    ("6q1/8/4k3/8/2B5/8/8/K7 b - - 0 1", False),
    ("8/R3k2p/8/8/8/8/8/4K3 b - - 0 1", False),
    ("6k1/8/q6Q/q6Q/8/8/r6R/6K1 w - - 0 1", False),
    ("4k3/1r5n/2q2b2/3B4/2q1r3/1r5n/8/4K3 w - - 0 1", False),
    # X-rays through king, queen and rook, by rook, bishop and queen.
    ("4k3/r3q2R/8/8/6B1/8/4r3/3n2K1 b - - 0 1", False),
    ("2n1k2R/8/8/1p6/2r5/8/4B3/4K3 b - - 0 1", False),
    ("r2k3R/8/8/8/8/8/8/4K3 b - - 0 1", False),
    ("3rk3/8/8/3Q4/r1QN4/8/8/4K3 b - - 0 1", False),
    # Pinned: a queen, a rook, a knight and pawns, of the side not to move too.
    ("4k3/4q3/8/b7/8/2N1R3/3P4/r1B1K2n b - - 0 1", False),
    ("4k3/3p1p2/2B4B/1Q3R2/4r3/8/4P3/4K2B w - - 0 1", False),
    # Kings on their last rank, no pawns at all, pawns in threes and fours.
    ("2K5/1P6/8/8/8/8/1p6/2k5 w - - 0 1", False),
    ("8/8/8/8/8/8/8/K1k5 b - - 99 150", False),
    ("4k3/pp1p4/p2p3p/p2p4/P4P1P/5P1P/5P1P/4K3 w - - 0 1", False),
    ("4k3/p1p5/1p1p4/P1P1p3/1P1P4/8/2P2P2/4K3 w - - 0 1", False),
    # Much material.
    ("RRRRRRRR/8/8/k7/8/8/8/K1B1N1B1 b - - 0 1", False),
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", False),
    ("7k/n1QQ2nb/NKqbB2R/1n1b3Q/QnrQQrn1/1Q1Q3q/1N4B1/1b1b1QRb w - - 0 1", False),
    # The end: mate, stalemate.
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", False),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False),
    # Castling of both sides where the rook or the king hardly moves, or the path is barred.
    ("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", True),
    ("5rkr/8/8/8/8/8/8/5RKR b HFhf - 0 1", True),
    ("r1k4r/8/8/8/8/8/8/qRK4R w HB - 0 1", True),
    ("r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1", False),
    ("r3k2r/1B6/8/8/8/8/8/R3K2R b KQkq - 0 1", False),
)
"""(FEN, chess960): what random games hardly ever show."""

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MANY_PROMOTIONS = "r1n1k1nr/PPP3PP/8/8/8/8/ppp3pp/R1N1K1NR w KQkq - 0 1"


def valid(fen: str, chess960: bool) -> chess.Board:
    board = chess.Board(fen, chess960=chess960)
    assert not board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK, (fen, board.status())
    return board


def from_games(wanted: int) -> list[chess.Board]:
    """Every third position of random games, the same on each run."""
    dice = random.Random(7)
    found: list[chess.Board] = []
    known = positions()
    while len(found) < wanted:
        shuffled = chess.Board.from_chess960_pos(dice.randrange(960)).fen()
        start = dice.choice(
            [
                (chess.STARTING_FEN, False),
                (shuffled, True),
                (MANY_PROMOTIONS, False),
                dice.choice(known),
            ]
        )
        choices = [dice.randrange(256) for _ in range(dice.randrange(20, 120))]
        found += [
            board.copy(stack=False)
            for ply, (board, _) in enumerate(game(*start, choices))
            if ply % 3 == 2
        ]
    return found[:wanted]


@cache
def boards() -> list[chess.Board]:
    """Over two thousand positions of both kinds of chess."""
    rated = [(row["fen"], row.get("chess960", False)) for row in rows("analysis.jsonl")]
    known = [valid(*one) for one in [*rated, *MADE]]
    known += [chess.Board(fen, chess960=chess960) for fen, chess960 in positions()]
    return known + from_games(2_000)


# What the positions show


def any_move(board: chess.Board, test: Callable[[chess.Move], bool]) -> bool:
    return any(test(move) for move in board.legal_moves)


def passive_castling(board: chess.Board, facts: Facts) -> bool:
    """Whether the side not to move could castle."""
    other = board.copy(stack=False)
    other.turn = not board.turn
    return any(map(other.is_castling, other.pseudo_legal_moves))


def forking_pieces(board: chess.Board, facts: Facts) -> set[int | None]:
    """Kinds of pieces that fork."""
    squares = [fork["by"] for color in ("white", "black") for fork in facts[color]["forks"]]
    return {board.piece_type_at(chess.parse_square(square)) for square in squares}


def forking_moves(board: chess.Board, facts: Facts) -> list[chess.Move]:
    return [board.parse_uci(text) for text in facts["fork_moves"]]


def kinds_of_front(board: chess.Board, facts: Facts) -> set[int | None]:
    """Kinds of skewered pieces."""
    squares = [square for color in ("white", "black") for square in facts[color]["skewered"]]
    return {board.piece_type_at(chess.parse_square(square)) for square in squares}


def xray_sliders(board: chess.Board, facts: Facts) -> set[int | None]:
    squares = [
        slider
        for color in ("white", "black")
        for sliders in facts[color]["xray_attackers"].values()
        for slider in sliders
    ]
    return {board.piece_type_at(chess.parse_square(square)) for square in squares}


def takers(board: chess.Board) -> tuple[int, int]:
    """En passant captures: pseudo-legal and legal."""
    return (
        sum(1 for _ in board.generate_pseudo_legal_ep()),
        sum(1 for _ in board.generate_legal_ep()),
    )


RARE: dict[str, Callable[[chess.Board, Facts], bool]] = {
    "black to move": lambda b, a: a["turn"] == "black",
    "Chess960 castling rights": lambda b, a: b.chess960 and b.castling_rights > 0,
    "check": lambda b, a: a["check"],
    "double check": lambda b, a: len(a["checkers"]) == 2,
    "mate": lambda b, a: b.is_checkmate(),
    "stalemate": lambda b, a: b.is_stalemate(),
    "en passant": lambda b, a: takers(b) == (1, 1),
    "en passant by two": lambda b, a: takers(b) == (2, 2),
    "en passant by one of two": lambda b, a: takers(b) == (2, 1),
    "en passant forbidden": lambda b, a: takers(b)[0] > takers(b)[1] == 0,
    "en passant for nobody": lambda b, a: b.ep_square is not None and takers(b) == (0, 0),
    "castling of the side not to move": passive_castling,
    "a king to be taken": lambda b, a: a["check"] and not a["legal_moves"],
    "more than 24 of phase": lambda b, a: len(b.pieces(chess.QUEEN, b.turn)) > 6,
    "no phase": lambda b, a: a["phase"] == 0,
    "four queens": lambda b, a: len(b.pieces(chess.QUEEN, b.turn)) >= 4,
    "three knights": lambda b, a: len(b.pieces(chess.KNIGHT, b.turn)) >= 3,
    "over a hundred moves": lambda b, a: a["legal_moves"] > 100,
    "two forks": lambda b, a: len(a["white"]["forks"]) >= 2,
    "a fork of four": lambda b, a: any(len(f["targets"]) >= 4 for f in a["black"]["forks"]),
    "a pawn forks": lambda b, a: chess.PAWN in forking_pieces(b, a),
    "a king forks": lambda b, a: chess.KING in forking_pieces(b, a),
    "a fork by castling": lambda b, a: any(map(b.is_castling, forking_moves(b, a))),
    "a fork by Chess960 castling": lambda b, a: (
        b.chess960 and any(map(b.is_castling, forking_moves(b, a)))
    ),
    "a fork en passant": lambda b, a: any(map(b.is_en_passant, forking_moves(b, a))),
    "forks by several promotions": lambda b, a: (
        len({m.promotion for m in forking_moves(b, a) if m.promotion}) >= 2
    ),
    "a skewered king": lambda b, a: chess.KING in kinds_of_front(b, a),
    "a skewered queen": lambda b, a: chess.QUEEN in kinds_of_front(b, a),
    "a skewered knight": lambda b, a: chess.KNIGHT in kinds_of_front(b, a),
    "two skewers on one piece": lambda b, a: (
        len(a["white"]["skewers"]) > len(a["black"]["skewered"])
    ),
    "a slider with two skewers": lambda b, a: (
        len({skewer[0] for skewer in a["white"]["skewers"]}) < len(a["white"]["skewers"])
    ),
    "rook x-ray attacker": lambda b, a: chess.ROOK in xray_sliders(b, a),
    "bishop x-ray attacker": lambda b, a: chess.BISHOP in xray_sliders(b, a),
    "two x-ray attackers": lambda b, a: any(
        len(sliders) > 1 for sliders in a["white"]["xray_attackers"].values()
    ),
    "forty x-rays": lambda b, a: len(a["white"]["xrays"]) >= 40,
    "a pinned pawn": lambda b, a: a["white"]["pinned"] != a["white"]["pinned_pieces"],
    "two pinned of the side not to move": lambda b, a: (
        len(a["black" if b.turn else "white"]["pinned"]) >= 2
    ),
    "backward": lambda b, a: bool(a["white"]["pawns"]["backward"]),
    "tripled": lambda b, a: len(a["black"]["pawns"]["doubled"]) == 3,
    "isolated and passed": lambda b, a: bool(
        set(a["white"]["pawns"]["isolated"]) & set(a["white"]["pawns"]["passed"])
    ),
    "a king on the last rank": lambda b, a: chess.square_rank(b.king(chess.WHITE) or 0) == 7,
    "a defense below -60": lambda b, a: a["black"]["defense"] < -60,
    "a full shield": lambda b, a: a["white"]["defense"] >= 30,
}
"""What the positions must show, each by a test of the board and its facts."""
