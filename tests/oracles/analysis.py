"""What `analyze json` must print for a chess position, found out with python-chess.

One function for each fact, written the way one would with that library: neither clever nor
wasteful. The tests compare the engine with it, and `scripts/speed.py` measures the engine's speed
against it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import chess
from chess import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Color, Square

WORTH = {PAWN: 1, KNIGHT: 3, BISHOP: 3, ROOK: 5, QUEEN: 9, KING: 100}
"""For forks and skewers: who is worth more than whom."""

MATERIAL = {PAWN: 100, KNIGHT: 320, BISHOP: 330, ROOK: 500, QUEEN: 900, KING: 0}
PHASE = {PAWN: 0, KNIGHT: 1, BISHOP: 1, ROOK: 2, QUEEN: 4, KING: 0}

LINES = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
DIRECTIONS = {ROOK: LINES, BISHOP: DIAGONALS, QUEEN: LINES + DIAGONALS}
"""Steps (files, ranks) of the sliders."""

Triple = tuple[Square, Square, Square]


def analysis(board: chess.Board) -> dict[str, Any]:
    """The object that `analyze json` prints, but for `key` and `eval`: only the engine knows
    them."""
    return {
        "fen": board.fen(shredder=board.chess960, en_passant="legal"),
        "turn": chess.COLOR_NAMES[board.turn],
        "check": board.is_check(),
        "checkers": names(board.checkers()),
        "legal_moves": board.legal_moves.count(),
        "phase": phase(board),
        "fork_moves": fork_moves(board),
        "white": side(board, WHITE),
        "black": side(board, BLACK),
    }


def side(board: chess.Board, color: Color) -> dict[str, Any]:
    """The facts of one side."""
    pieces = list(chess.SquareSet(board.occupied_co[color]))
    attackers = {square: board.attackers(not color, square) for square in pieces}
    attacked = [square for square in pieces if attackers[square]]
    defenders = {square: board.attackers(color, square) for square in attacked}
    pinned = [square for square in pieces if board.is_pinned(color, square)]
    pairs = list(pairs_on_lines(board, color))
    skewers = [pair for pair in pairs if is_skewer(board, *pair)]
    material = sum(MATERIAL[kind_on(board, square)] for square in pieces)
    mobility = pseudo_legal_moves(board, color)
    return {
        "pieces": names(pieces),
        "attacks": names(attacks(board, color)),
        "attacked": names(attacked),
        "hanging": names(
            square
            for square in attacked
            if len(attackers[square]) > len(defenders[square]) and kind_on(board, square) != KING
        ),
        "attackers": {name(square): names(attackers[square]) for square in attacked},
        "defenders": {name(square): names(defenders[square]) for square in attacked},
        "pinned": names(pinned),
        "pinned_pieces": names(square for square in pinned if kind_on(board, square) != PAWN),
        "skewered": names({pair[1] for pair in enemy_skewers(board, color)}),
        "skewers": triples(skewers),
        "xrays": triples(pair for pair in pairs if board.color_at(pair[2]) != color),
        "xray_attackers": {
            name(square): names(behind)
            for square in pieces
            if (behind := xray_attackers(board, color, square))
        },
        "forks": [
            {"by": name(square), "targets": names(targets)}
            for square in pieces
            if (targets := forked(board, square))
        ],
        "developed": names(developed(board, color)),
        "pawns": pawns(board, color),
        "material": material,
        "mobility": mobility,
        "offense": material + mobility,
        "defense": defense(board, color),
    }


# Text


def name(square: Square) -> str:
    return chess.SQUARE_NAMES[square]


def names(squares: Iterable[Square]) -> list[str]:
    return [name(square) for square in sorted(squares)]


def triples(found: Iterable[Triple]) -> list[list[str]]:
    return [[name(square) for square in triple] for triple in sorted(found)]


# The whole board


def kind_on(board: chess.Board, square: Square) -> chess.PieceType:
    """What stands on an occupied square."""
    kind = board.piece_type_at(square)
    assert kind is not None
    return kind


def phase(board: chess.Board) -> int:
    """How many pieces are left, from 24 in the opening to 0 with pawns alone."""
    return min(24, sum(PHASE[piece.piece_type] for piece in board.piece_map().values()))


def squares_of(move: chess.Move) -> Triple:
    """What moves are sorted by; promotions in the order N B R Q."""
    return move.from_square, move.to_square, move.promotion or 0


def fork_moves(board: chess.Board) -> list[str]:
    """Legal moves after which the piece that moved, in castling the king, forks."""
    found = []
    mover = board.turn
    for move in sorted(board.legal_moves, key=squares_of):
        text, castling = board.uci(move), board.is_castling(move)
        board.push(move)
        square = board.king(mover) if castling else move.to_square
        assert square is not None
        if forked(board, square):
            found.append(text)
        board.pop()
    return found


# Attacks


def attacks(board: chess.Board, color: Color) -> chess.SquareSet:
    """Every square that some piece of a side attacks."""
    reached = chess.SquareSet()
    for square in chess.SquareSet(board.occupied_co[color]):
        reached |= board.attacks(square)
    return reached


def forked(board: chess.Board, square: Square) -> list[Square]:
    """What the piece on a square forks: two or more enemies that are worth more than it or have
    no defender. The king is worth most of all."""
    color = board.color_at(square)
    own_worth = WORTH[kind_on(board, square)]
    targets = []
    for target in board.attacks(square) & board.occupied_co[not color]:
        worth = WORTH[kind_on(board, target)]
        if worth > own_worth or not board.attackers(not color, target):
            targets.append(target)
    return targets if len(targets) >= 2 else []


# Lines


def pieces_on_line(
    board: chess.Board, square: Square, direction: tuple[int, int]
) -> Iterator[Square]:
    """The occupied squares from a square outwards, the nearest first."""
    file = chess.square_file(square) + direction[0]
    rank = chess.square_rank(square) + direction[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        here = chess.square(file, rank)
        if board.piece_type_at(here) is not None:
            yield here
        file += direction[0]
        rank += direction[1]


def pairs_on_lines(board: chess.Board, color: Color) -> Iterator[Triple]:
    """Each slider of a side, the first piece on one of its lines and the next one beyond."""
    for kind, directions in DIRECTIONS.items():
        for slider in board.pieces(kind, color):
            for direction in directions:
                line = pieces_on_line(board, slider, direction)
                first, beyond = next(line, None), next(line, None)
                if first is not None and beyond is not None:
                    yield slider, first, beyond


def is_skewer(board: chess.Board, slider: Square, front: Square, back: Square) -> bool:
    """Two enemies of the slider, and the front one, not a pawn, is worth no less than the other.
    A king at the back is a pin."""
    color = board.color_at(slider)
    if board.color_at(front) == color or board.color_at(back) == color:
        return False
    front_kind, back_kind = kind_on(board, front), kind_on(board, back)
    return front_kind != PAWN and back_kind != KING and WORTH[front_kind] >= WORTH[back_kind]


def enemy_skewers(board: chess.Board, color: Color) -> list[Triple]:
    """The skewers that a side suffers."""
    return [pair for pair in pairs_on_lines(board, not color) if is_skewer(board, *pair)]


def xray_attackers(board: chess.Board, color: Color, square: Square) -> list[Square]:
    """Enemy rooks behind an own queen or king, and enemy bishops behind an own rook, queen or
    king, seen from a piece."""
    found = []
    for slider, directions, through in (
        (ROOK, LINES, {QUEEN, KING}),
        (BISHOP, DIAGONALS, {ROOK, QUEEN, KING}),
    ):
        for direction in directions:
            line = pieces_on_line(board, square, direction)
            first, beyond = next(line, None), next(line, None)
            if first is None or beyond is None:
                continue
            if board.color_at(first) == color and kind_on(board, first) in through:
                if board.color_at(beyond) != color and kind_on(board, beyond) == slider:
                    found.append(beyond)
    return found


# Pawns, development, totals


def developed(board: chess.Board, color: Color) -> list[Square]:
    """Knights and bishops off their own first rank."""
    first_rank = 0 if color == WHITE else 7
    minor = board.pieces(KNIGHT, color) | board.pieces(BISHOP, color)
    return [square for square in minor if chess.square_rank(square) != first_rank]


def is_ahead(color: Color, one: Square, other: Square) -> bool:
    """Whether `one` stands nearer to the enemy's side than `other`."""
    difference = chess.square_rank(one) - chess.square_rank(other)
    return difference > 0 if color == WHITE else difference < 0


def on_adjacent_files(pawns: chess.SquareSet, square: Square) -> list[Square]:
    return [pawn for pawn in pawns if abs(chess.square_file(pawn) - chess.square_file(square)) == 1]


def is_doubled(board: chess.Board, color: Color, square: Square) -> bool:
    """Whether another pawn of the side stands on the file."""
    file = chess.BB_FILES[chess.square_file(square)]
    return len(board.pieces(PAWN, color) & file) > 1


def is_isolated(board: chess.Board, color: Color, square: Square) -> bool:
    return not on_adjacent_files(board.pieces(PAWN, color), square)


def is_backward(board: chess.Board, color: Color, square: Square) -> bool:
    """Whether all neighbours have gone ahead, and an enemy pawn holds or attacks the square in
    front."""
    neighbours = on_adjacent_files(board.pieces(PAWN, color), square)
    if not neighbours or not all(is_ahead(color, pawn, square) for pawn in neighbours):
        return False
    front = square + (8 if color == WHITE else -8)
    enemy_pawns = board.pieces(PAWN, not color)
    return front in enemy_pawns or bool(board.attackers(not color, front) & enemy_pawns)


def is_passed(board: chess.Board, color: Color, square: Square) -> bool:
    """Whether no enemy pawn is ahead, on the file or beside it."""
    return not any(
        is_ahead(color, pawn, square)
        and abs(chess.square_file(pawn) - chess.square_file(square)) <= 1
        for pawn in board.pieces(PAWN, not color)
    )


def pawns(board: chess.Board, color: Color) -> dict[str, list[str]]:
    own = board.pieces(PAWN, color)
    tests = {
        "doubled": is_doubled,
        "isolated": is_isolated,
        "backward": is_backward,
        "passed": is_passed,
    }
    found = {
        key: names(square for square in own if test(board, color, square))
        for key, test in tests.items()
    }
    return {"all": names(own)} | found


def pseudo_legal_moves(board: chess.Board, color: Color) -> int:
    """Moves of a side, whoever is to move. En passant is for the side to move, and only where
    it is legal."""
    other = board.copy(stack=False)
    other.turn = color
    if color != board.turn or not board.has_legal_en_passant():
        other.ep_square = None
    return other.pseudo_legal_moves.count()


def defense(board: chess.Board, color: Color) -> int:
    """Own pawns in front of the king, files at the king without pawns, and what the pawns are
    worth as such."""
    king = board.king(color)
    assert king is not None
    king_file, king_rank = chess.square_file(king), chess.square_rank(king)
    front_rank = king_rank + (1 if color == WHITE else -1)
    own, every = board.pieces(PAWN, color), chess.SquareSet(board.pawns)
    total = 0
    for file in range(max(0, king_file - 1), min(7, king_file + 1) + 1):
        if 0 <= front_rank <= 7 and chess.square(file, front_rank) in own:
            total += 10
        if not every & chess.BB_FILES[file]:
            total -= 20
    for pawn in own:
        total -= 10 * is_doubled(board, color, pawn)
        total -= 15 * is_isolated(board, color, pawn)
        total += 20 * is_passed(board, color, pawn)
    return total
