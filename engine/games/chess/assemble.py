"""A record from a mailbox, compiled: what `notation` and `verify` do for any setup in Python, with
the same result to the last byte.

    clear, then the mailbox by the caller --> fill_pieces --> fill_sides
"""

from engine.bits import lsb, msb, popcount, select, u
from engine.games.chess.attacks import Tables, forward
from engine.games.chess.movegen import EDGE_RANKS, Boards, attackers, ep_legal, ep_takers
from engine.games.chess.numba_types import State
from engine.games.chess.state import BLACK, KING, PAWN, WHITE
from engine.jit import inline

MAX_PAWNS = 8
MAX_PIECES = 16
"""For each side. No list of a record has more room than MAX_PIECES."""

WHITE_KING, BLACK_KING = 1 + KING, 9 + KING
ANY_WEST, ANY_EAST = 1 << 8, 1 << 9
"""Castling with the outermost rook of a wing, beside the bits of the eight files."""


@inline
def clear(pos: State) -> None:
    """Mailbox and lists to zero; the rest of the record is written anew for each position."""
    for i in range(64):
        pos.board[i] = 0
        pos.slot[i] = 0
    for i in range(256):
        pos.squares[i] = 0
    for i in range(16):
        pos.count[i] = 0


@inline
def fill_pieces(pos: State, t: Tables, occupied: int) -> None:
    """Lists, bitboards, both keys and the piece-square sum, from the mailbox. All of them must be
    zero; neither side may have more than MAX_PIECES pieces, so no list runs into the next."""
    pawns, knights, diagonals, lines = 0, 0, 0, 0
    key, pawn_key, psq = 0, 0, 0
    rest = occupied
    while rest:
        sq = lsb(rest)
        bit = rest & -rest
        code = int(pos.board[u(sq)])
        slot = int(pos.count[u(code)])
        pos.squares[u((code << 4) + slot)] = sq
        pos.slot[u(sq)] = slot
        pos.count[u(code)] = slot + 1
        kind = u((code & 7) - 1)
        place = u((code << 6) + sq)
        pawns |= bit & t.to_pawns[kind]
        knights |= bit & t.to_knights[kind]
        diagonals |= bit & t.to_diagonals[kind]
        lines |= bit & t.to_lines[kind]
        key ^= t.zobrist[place]
        pawn_key ^= t.zobrist[place] & t.to_pawns[kind]
        psq += t.psq[place]
        rest &= rest - 1
    pos.pawns = pawns
    pos.knights = knights
    pos.diagonals = diagonals
    pos.lines = lines
    pos.key = key
    pos.pawn_key = pawn_key
    pos.psq = psq


@inline
def lawful(pos: State, t: Tables, boards: Boards) -> bool:
    """What makes a position legal, besides the number of pieces: one king and at most MAX_PAWNS
    pawns a side, no pawn on the first or last rank, the side that moved not in check, and at
    most two checkers."""
    pawns, knights, diagonals, lines, us, them, king, enemy_king, castling, ep = boards
    if pos.count[WHITE_KING] != 1 or pos.count[BLACK_KING] != 1 or pawns & EDGE_RANKS:
        return False
    if pos.count[1 + PAWN] > MAX_PAWNS or pos.count[9 + PAWN] > MAX_PAWNS:
        return False
    swapped = pawns, knights, diagonals, lines, them, us, enemy_king, king, castling, ep
    if attackers(1 - pos.turn, t, swapped) or (t.king[u(king)] >> enemy_king) & 1:
        return False
    return popcount(attackers(pos.turn, t, boards)) <= 2


@inline
def rights(named: int, rooks: int, king: int, side: int, chess960: bool) -> int:
    """Castling rights of one side as a bitboard: the outermost rook that is named on each wing of
    the king, if the king stands on its first rank. `rooks` are those of the side."""
    first = 56 * side
    file = king - first
    if file < 0 or file > 7 or not (chess960 or file == 4):
        return 0
    rooks = (rooks >> first) & select(chess960, 0xFF, 0x81)
    west = (1 << file) - 1
    east = 0xFE << file
    found = 0
    wing = rooks & west & select(named & ANY_WEST != 0, -1, named)
    if wing:
        found |= wing & -wing
    wing = rooks & east & select(named & ANY_EAST != 0, -1, named)
    if wing:
        found |= 1 << msb(wing)
    return found << first


@inline
def real_ep(colour: int, t: Tables, boards: Boards) -> bool:
    """Whether an en passant capture to the square of `boards` is legal, as `can_capture_ep`."""
    pawns, _, _, _, us, them, _, _, _, ep = boards
    passed = forward(1 - colour, ep)
    came_from = forward(colour, ep)
    if passed & pawns & them == 0 or (ep | came_from) & (us | them):
        return False
    takers = ep_takers(colour, boards)
    while takers:
        if ep_legal(colour, t, boards, takers & -takers):
            return True
        takers &= takers - 1
    return False


@inline
def fill_sides(
    pos: State,
    t: Tables,
    sides: tuple[int, int],
    named: tuple[int, int],
    ep: int,
    chess960: bool,
) -> bool:
    """The rest of the record, which depends on the kings and on who is to move: whether the
    position is legal. `sides` are the pieces of white and black, `named` their castling rooks."""
    colour = pos.turn
    white_king = int(pos.squares[u(WHITE_KING << 4)])
    black_king = int(pos.squares[u(BLACK_KING << 4)])
    rooks = pos.lines & ~pos.diagonals
    castling = rights(named[0], rooks & sides[0], white_king, WHITE, chess960)
    castling |= rights(named[1], rooks & sides[1], black_king, BLACK, chess960)
    us = select(colour == WHITE, sides[0], sides[1])
    them = select(colour == WHITE, sides[1], sides[0])
    king = select(colour == WHITE, white_king, black_king)
    enemy_king = select(colour == WHITE, black_king, white_king)
    pieces = pos.pawns, pos.knights, pos.diagonals, pos.lines
    boards = (*pieces, us, them, king, enemy_king, castling, ep)
    if not lawful(pos, t, boards):
        return False
    key = pos.key
    if ep:
        if real_ep(colour, t, boards):
            key ^= t.zobrist_ep[u(lsb(ep) & 7)]
        else:
            ep = 0
    rest = castling
    while rest:
        key ^= t.zobrist_castle[u(lsb(rest))]
        rest &= rest - 1
    pos.key = key ^ select(colour == BLACK, t.zobrist_black, 0)
    pos.us = us
    pos.them = them
    pos.king = king
    pos.enemy_king = enemy_king
    pos.castling = castling
    pos.ep = ep
    return True
