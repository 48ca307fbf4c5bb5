"""The chess position as one record, and the picture of a move.

Squares: a1 = 0, b1 = 1 ... h8 = 63, so `sq & 7` is the file and `sq >> 3` the rank.

Pieces in the mailbox and as list numbers (0 is an empty square):

          pawn knight bishop rook queen king
    white   1     2      3     4    5     6
    black   9    10     11    12   13    14

A move is sixteen bits:

    15      12 11         6 5          0
    +---------+------------+------------+
    |  kind   |     to     |    from    |
    +---------+------------+------------+

    kind 0-5   the piece that moves (pawn, knight, bishop, rook, queen, king)
         6     castling: from the king's square, to the square of the castling rook
         7     en passant
         8     pawn, two squares forward
         9-12  promotion to knight, bishop, rook, queen

The number 0 is no move.
"""

import numpy as np

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
CASTLE, EN_PASSANT, DOUBLE_PUSH = 6, 7, 8
PROMOTE_KNIGHT, PROMOTE_BISHOP, PROMOTE_ROOK, PROMOTE_QUEEN = 9, 10, 11, 12

WHITE, BLACK = 0, 1
LETTERS = ".PNBRQK..pnbrqk."
"""LETTERS[code] is the FEN letter of a piece code."""

MAX_MOVES = 256
"""Room for the moves of one position; 218 is the most that can arise."""

STATE = np.dtype(
    [
        # The mailbox: piece code of each square.
        ("board", np.uint8, (64,)),
        # Piece lists: the squares of piece code p are squares[16*p : 16*p + count[p]], in no
        # particular order; slot[sq] says where in its list the piece on sq stands. What lies in
        # `squares` beyond the count and in `slot` on empty squares means nothing.
        ("slot", np.uint8, (64,)),
        ("squares", np.uint8, (256,)),
        ("count", np.uint8, (16,)),
        # Bitboards, bit sq for square sq. Bishops and queens are the diagonals, rooks and
        # queens the lines; us is the side to move. Kings are squares and stand in us and them.
        ("pawns", np.int64),
        ("knights", np.int64),
        ("diagonals", np.int64),
        ("lines", np.int64),
        ("us", np.int64),
        ("them", np.int64),
        ("king", np.int64),
        ("enemy_king", np.int64),
        # Squares of the rooks that may still castle, both sides.
        ("castling", np.int64),
        # The square behind a pawn that just made two steps, as a bit; 0 unless an en passant
        # capture is legal.
        ("ep", np.int64),
        # Zobrist keys: of everything that makes positions equal under the repetition rule, and
        # of the pawns alone.
        ("key", np.int64),
        ("pawn_key", np.int64),
        # Sum of the piece-square values, white minus black: middlegame << 32 plus endgame.
        ("psq", np.int64),
        ("turn", np.int64),  # 0 white, 1 black
        ("halfmove", np.int64),  # plies since the last capture or pawn move
        ("fullmove", np.int64),  # from 1, up by one after each move of black
    ],
    align=True,
)

BOARDS = (
    "pawns", "knights", "diagonals", "lines", "us",
    "them", "king", "enemy_king", "castling", "ep",
)  # fmt: skip
"""The ten fields that move generation reads, in the order of the tuple it works on."""
