"""Chess positions as text, against oracle rows and python-chess."""

import string
from typing import Any

import chess
import pytest
from chess_oracle import legal_fen, positions, rows
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import PositionError
from engine.games.chess.notation import (
    SQUARES,
    START,
    Setup,
    format_fen,
    parse_fen,
)

BAD = [row for row in rows("bad_input.jsonl") if row["kind"] == "fen"]
UNICODE_BLANKS = [c for c in map(chr, range(0x3001)) if c.isspace() and c not in string.whitespace]
KINGS = "4k3/8/8/8/8/8/8/4K3 w - -"

ILLEGAL = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_OPPOSITE_CHECK
    | chess.STATUS_TOO_MANY_CHECKERS
)
"""What python-chess must say of a position that we refuse; other faults are repaired or taken."""


def refusal(text: str, chess960: bool = False) -> str:
    with pytest.raises(PositionError) as caught:
        parse_fen(text, chess960)
    return str(caught.value)


def mirrored(setup: Setup) -> Setup:
    """The same position with colours swapped and ranks turned over."""
    board = [0] * 64
    for sq, code in enumerate(setup.board):
        board[sq ^ 56] = code ^ 8 if code else 0
    castling = sum(1 << (sq ^ 56) for sq in range(64) if setup.castling >> sq & 1)
    ep = None if setup.ep is None else setup.ep ^ 56
    return Setup(tuple(board), 1 - setup.turn, castling, ep, setup.halfmove, setup.fullmove)


# Oracle rows


@pytest.mark.parametrize("row", BAD, ids=[row["id"] for row in BAD])
def test_bad_input_rows(row: dict[str, Any]) -> None:
    text, expect = row["input"], row["expect"]
    if expect == "reject":
        assert refusal(text)
    elif expect == "survive":
        try:
            setup = parse_fen(text, False)
        except PositionError:
            return
        assert setup == parse_fen(format_fen(setup, False), False)
    else:
        setup = parse_fen(text, False)
        assert format_fen(setup, False) == row.get("becomes", legal_fen(chess.Board(text)))


def test_the_start_position() -> None:
    setup = parse_fen(START, False)
    assert format_fen(setup, False) == START == chess.STARTING_FEN
    assert setup.castling == chess.BB_CORNERS
    assert (setup.turn, setup.ep, setup.halfmove, setup.fullmove) == (0, None, 0, 1)


def test_oracle_positions_come_out_as_python_chess_writes_them() -> None:
    for fen, chess960 in positions():
        setup = parse_fen(fen, chess960)
        board = chess.Board(fen, chess960=chess960)
        assert format_fen(setup, chess960) == legal_fen(board)
        assert setup.castling == board.clean_castling_rights()
        assert parse_fen(format_fen(setup, chess960), chess960) == setup


def test_mirrored_positions_give_mirrored_setups() -> None:
    for fen, chess960 in positions():
        other = chess.Board(fen, chess960=chess960).mirror()
        text = other.fen(shredder=chess960, en_passant="fen")
        read = parse_fen(text, chess960)
        expected = mirrored(parse_fen(fen, chess960))
        assert read.board == expected.board
        assert (read.turn, read.castling, read.ep) == (
            expected.turn,
            expected.castling,
            expected.ep,
        )


# Fields of a position


@pytest.mark.parametrize(
    ("tail", "halfmove", "fullmove"),
    [
        ("", 0, 1),
        ("7", 7, 1),
        ("7 30", 7, 30),
        ("0 0", 0, 1),
        ("150 200", 150, 200),
        ("0007 " + "0" * 5000 + "12", 7, 12),
        ("7 30 and whatever follows -3 x", 7, 30),
        ("hmvc 3; fmvn 4;", 3, 4),
        ("fmvn 4; hmvc 3;", 3, 4),
        ("bm Nf3 Nc3; ce -32;", 0, 1),
        ('id "hmvc 9; 1"; hmvc 2;', 2, 1),
        ("noop;", 0, 1),
        ("hmvc 1;hmvc 2;", 2, 1),
    ],
)
def test_counters(tail: str, halfmove: int, fullmove: int) -> None:
    setup = parse_fen(f"{KINGS} {tail}", False)
    assert (setup.halfmove, setup.fullmove) == (halfmove, fullmove)


@pytest.mark.parametrize(
    "tail",
    [
        "-3 1", "x 1", "+1 1", "1.5 1", "²", "٣", "0 -1", "0 x", "0 bm", "10001 1", "0 100001",
        "9" * 5000, "garbage", "garbage 1", "hmvc 1", "hmvc -1;", "hmvc x;", "hmvc;", "fmvn 1 2;",
        "hmvc 1; x 2;", 'id "open; hmvc 1;', "hmvc 1; ;", "bm-e4;",
    ],
)  # fmt: skip
def test_counters_that_are_refused(tail: str) -> None:
    assert refusal(f"{KINGS} {tail}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected 4 to 6 fields, found 0"),
        ("8/8 w - -", 'placement "8/8": expected 8 ranks, found 2'),
        ("7/8/8/8/8/8/8/8 w - -", 'rank 8 "7": expected 8 squares, found 7'),
        ("8/8/8/8/8/8/7./8 w - -", 'rank 2 "7.": expected letters'),
        ("8/8/8/8/8/8/7é/8 w - -", r"found " '"\\xe9"'),
        (KINGS.replace(" w ", " W "), 'side to move "W"'),
        (f"{KINGS[:-3]}K- -", 'castling "K-"'),
        (f"{KINGS[:-3]}I -", 'castling "I"'),
        (f"{KINGS[:-1]}E6", 'en passant "E6": expected - or a square of rank 6'),
        (f"{KINGS[:-1]}i6", 'en passant "i6"'),
        (f"{KINGS[:-1]}e3", "rank 6 with white to move"),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", "expected one white king, found 2"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - -", "no check to black, who has just moved, found one from e7"),
    ],
)
def test_a_refusal_names_the_bad_part(text: str, words: str) -> None:
    assert words in refusal(text)


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("letters", ["KKK", "KKKK", "KQK", "KQH", "HAHA", "ABC", "KkKqK"])
def test_a_side_has_at_most_two_castling_letters(letters: str, chess960: bool) -> None:
    count = sum(letter.isupper() for letter in letters)
    for colour, text in (("white", letters), ("black", letters.swapcase())):
        words = f'castling "{text}": expected at most 2 letters for {colour}, found {count}'
        assert refusal(f"{KINGS[:-3]}{text} -", chess960) == words


@pytest.mark.parametrize("letters", ["KKqq", "kqKQ", "KkQq", "HAha", "kk"])
def test_castling_letters_in_any_order_and_twice(letters: str) -> None:
    given, plain = (
        parse_fen(f"r3k2r/8/8/8/8/8/8/R3K2R w {text} -", False)
        for text in (letters, "".join(sorted(set(letters), key="KHQAkhqa".index)))
    )
    assert given == plain and given.castling


@pytest.mark.parametrize("number", range(1, 9))
def test_empty_squares_side_by_side_are_one_digit(number: int) -> None:
    ranks = KINGS.split()[0].split("/")
    for row, gap in (
        ("44", "44"),
        ("35", "35"),
        ("11111111", "11111111"),
        ("3n13", "13"),
        ("45", "45"),
    ):
        changed = [*ranks]
        changed[8 - number] = row
        said = refusal("/".join(changed) + " w - - 0 1")
        assert said.startswith(f'rank {number} "{row}": expected one digit for neighbouring empty')
        assert said.endswith(f'found "{gap}"')


def test_only_blanks_of_ascii_separate_fields() -> None:
    fields = START.split()
    for blank in (*string.whitespace, " \t "):
        assert parse_fen(blank + blank.join(fields) + blank, False) == parse_fen(START, False)
    for blank in UNICODE_BLANKS:
        for i in range(1, len(fields)):
            assert refusal(" ".join(fields[:i]) + blank + " ".join(fields[i:]))
        assert refusal(f"{blank}{START}")
        assert refusal(f"{START}{blank}")
        assert refusal(f"{KINGS} hmvc{blank}3;") and refusal(f"{KINGS} hmvc {blank}3;")
        assert parse_fen(f'{KINGS} id "a{blank}b"; hmvc 3;', False).halfmove == 3


def take_or_refuse(text: str, chess960: bool) -> None:
    """Any text is either a position that survives being written and read, or refused with one
    short line of ASCII."""
    try:
        setup = parse_fen(text, chess960)
    except PositionError as error:
        line = str(error)
        assert line.isascii() and line.isprintable() and len(line) < 300
    else:
        assert parse_fen(format_fen(setup, chess960), chess960) == setup


@given(st.text(max_size=200), st.booleans())
@settings(deadline=None)
@example("x" * 10_000, False)
@example("\ud800\x00 w - -", True)
@example(f"{KINGS} " + "id " * 5000, False)
@example(f"{KINGS} " + 'id "a" ' * 5000, False)
@example("/".join(["8"] * 10_000), False)
def test_any_text_is_taken_or_refused(text: str, chess960: bool) -> None:
    take_or_refuse(text, chess960)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_damaged_fen_is_taken_or_refused(data: st.DataObject) -> None:
    text, chess960 = data.draw(st.sampled_from(positions()))
    alphabet = st.sampled_from("PNBRQKpnbrqkABCDEFGHabcdefgh12345678/ -w09;\t")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(at + 3, len(text))))
        text = text[:at] + data.draw(st.text(alphabet, max_size=3)) + text[end:]
    take_or_refuse(text, chess960)


# Which positions are legal

SQUARE = st.integers(0, 63)
PIECE = st.sampled_from([*"PNBRQpnbrq"]).map(chess.Piece.from_symbol)


@pytest.mark.parametrize("sq", [*range(8), *range(56, 64)])
@pytest.mark.parametrize("letter", ["P", "p"])
def test_pawns_on_the_last_ranks_are_refused(sq: int, letter: str) -> None:
    board = chess.Board("8/8/8/3k4/8/3K4/8/8 w - - 0 1")
    board.set_piece_at(sq, chess.Piece.from_symbol(letter))
    assert SQUARES[sq] in refusal(board.fen())


@st.composite
def scattered(draw: st.DrawFn) -> chess.Board:
    """Two kings and other pieces anywhere."""
    board = chess.Board(None)
    for sq, piece in draw(st.dictionaries(SQUARE, PIECE, max_size=10)).items():
        if piece.piece_type != chess.PAWN or 0 < sq >> 3 < 7:
            board.set_piece_at(sq, piece)
    white, black = draw(st.lists(SQUARE, min_size=2, max_size=2, unique=True))
    board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
    board.turn = draw(st.booleans())
    return board


@given(scattered())
@settings(max_examples=600, deadline=None)
def test_legality_is_that_of_python_chess(board: chess.Board) -> None:
    try:
        setup = parse_fen(board.fen(), False)
    except PositionError:
        assert board.status() & ILLEGAL
    else:
        assert not board.status() & ILLEGAL
        assert format_fen(setup, False) == board.fen()


@st.composite
def after_two_steps(draw: st.DrawFn) -> chess.Board:
    """A scattered position in which a pawn has just made two steps past another one."""
    board = draw(scattered())
    file = draw(st.integers(0, 7))
    taker = draw(st.sampled_from([f for f in (file - 1, file + 1) if 0 <= f <= 7]))
    row, ep_row, home = (4, 5, 6) if board.turn else (3, 2, 1)
    for rank in (row, ep_row, home):
        if board.piece_type_at(chess.square(file, rank)) != chess.KING:
            board.remove_piece_at(chess.square(file, rank))
    for at, colour in ((file, not board.turn), (taker, board.turn)):
        if board.piece_type_at(chess.square(at, row)) != chess.KING:
            board.set_piece_at(chess.square(at, row), chess.Piece(chess.PAWN, colour))
    board.ep_square = chess.square(file, ep_row)
    return board


@given(after_two_steps())
@settings(max_examples=600, deadline=None)
def test_en_passant_is_kept_where_python_chess_finds_a_legal_capture(board: chess.Board) -> None:
    status = board.status()
    if not status & ILLEGAL:
        real = not status & chess.STATUS_INVALID_EP_SQUARE and board.has_legal_en_passant()
        setup = parse_fen(board.fen(en_passant="fen"), False)
        assert setup.ep == (board.ep_square if real else None)


@pytest.mark.parametrize(
    ("fen", "kept"),
    [
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", True),
        ("4k3/8/8/8/3P3p/8/8/4K3 b - d3 0 1", False),  # nobody beside it
        ("4k3/8/8/8/P7/7p/8/4K3 b - a3 0 1", False),  # across the edge of the board
        ("4k3/8/8/8/3pp3/8/8/4K3 b - d3 0 1", False),  # a black pawn cannot have come
        ("4k3/8/8/8/3Pp3/3N4/8/4K3 b - d3 0 1", False),  # it cannot have passed d3
        ("4k3/8/8/8/3Pp3/8/3N4/4K3 b - d3 0 1", False),  # nor have come from d2
        ("8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", False),  # both pawns leave the rank of the king
        ("8/8/8/8/k2Pp1NQ/8/8/4K3 b - d3 0 1", True),
        ("4k3/8/8/8/3Pp3/8/8/4RK2 b - d3 0 1", False),  # pinned on the file
        ("8/7k/8/8/3Pp3/8/8/1B2K3 b - d3 0 1", True),  # pinned, but along the way it takes
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", True),  # takes the checking pawn
        ("8/2N5/4k3/8/3Pp3/8/8/4K3 b - d3 0 1", False),  # does not end the check
    ],
)
def test_en_passant_cases(fen: str, kept: bool) -> None:
    for setup in (parse_fen(fen, False), parse_fen(chess.Board(fen).mirror().fen(), False)):
        assert (setup.ep is not None) is kept
    assert (parse_fen(fen, False).ep is not None) is kept


@given(
    st.lists(st.sampled_from("RRRNB."), min_size=8, max_size=8),
    st.lists(st.sampled_from("rrrnb."), min_size=8, max_size=8),
    st.integers(0, 7),
    st.integers(0, 7),
    st.from_regex(r"[KQA-H]{0,2}[kqa-h]{0,2}", fullmatch=True),
    st.booleans(),
)
@settings(max_examples=600, deadline=None)
@example([*"RRRR...."], [*"rrrr...."], 4, 4, "KQkq", False)
@example([*"R......R"], [*"r......r"], 4, 4, "HAha", False)
@example([*"RR....RR"], [*"rr....rr"], 3, 3, "BGbg", True)
def test_castling_rights_are_those_of_python_chess(
    white: list[str], black: list[str], king: int, enemy: int, letters: str, chess960: bool
) -> None:
    white[king], black[enemy] = "K", "k"
    board = chess.Board(chess960=chess960)
    for sq, letter in zip((*range(8), *range(56, 64)), white + black, strict=True):
        board.set_piece_at(sq, chess.Piece.from_symbol(letter) if letter != "." else None)
    board.set_castling_fen(letters or "-")
    setup = parse_fen(f"{board.board_fen()} w {letters or '-'} - 0 1", chess960)
    assert setup.castling == board.clean_castling_rights()
    assert format_fen(setup, chess960) == legal_fen(board)


@pytest.mark.parametrize(
    ("placement", "letters", "rooks"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R", "KQ", "a1 h1"),
        ("4k3/8/8/8/8/8/8/RR2K1RR", "KQ", "a1 h1"),  # the outermost
        ("4k3/8/8/8/8/8/8/RR2K1RR", "GB", "b1 g1"),  # unless a letter names one
        ("4k3/8/8/8/8/8/8/RR2K1RR", "GH", "h1"),  # two on one wing: the outer one
        ("4k3/8/8/8/8/8/8/RR2K1RR", "BA", "a1"),
        ("4k3/8/8/8/8/8/8/RR2K1RR", "QB", "a1"),
        ("4k3/8/8/8/8/8/8/RR2K1RR", "BB", "b1"),
        ("4k3/8/8/8/8/8/8/4K1R1", "KQ", "g1"),
        ("4k3/8/8/8/8/8/R3K2R/8", "KQ", ""),  # king off the first rank
        ("r3k2r/8/8/8/8/8/8/4K3", "KQkq", "a8 h8"),
    ],
)
def test_castling_letters_in_chess960(placement: str, letters: str, rooks: str) -> None:
    setup = parse_fen(f"{placement} w {letters} - 0 1", True)
    assert [SQUARES[sq] for sq in range(64) if setup.castling >> sq & 1] == rooks.split()
