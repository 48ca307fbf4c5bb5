"""Playing a move and taking it back.

The bitboards of a child are a new tuple (`movegen.child_boards`); the mailbox and the piece
lists are changed in place here, each in a constant number of steps. A list loses a piece by
putting its last one into the gap. `put_back` undoes the same steps in reverse order, so that a
list comes back as it was, order included.

What `put_back` must know is one number, the `trace`:

    bits 0-7   code of the piece that moved     bits 24-31  square of the captured piece
         8-15  code of the captured piece            32-39  slot of a pawn that promoted
         16-23 its slot
"""

from typing import Any

from numba import types

from engine.bits import lsb, select, u
from engine.games.chess.attacks import Tables
from engine.games.chess.movegen import Boards, castled, child_boards, ep_legal, ep_takers
from engine.games.chess.numba_types import STATE_T, TABLES_T, UNDO_T, State
from engine.games.chess.state import CASTLE, EN_PASSANT, PROMOTE_KNIGHT
from engine.jit import inline, kernel

Undo = Any


@inline
def leave_list(pos: State, code: int, slot: int) -> None:
    """Drop the piece in a slot from its list: the last of the list takes its place."""
    last = pos.count[u(code)] - 1
    pos.count[u(code)] = last
    mover = pos.squares[u((code << 4) + last)]
    pos.squares[u((code << 4) + slot)] = mover
    pos.slot[u(mover)] = slot


@inline
def rejoin_list(pos: State, code: int, slot: int, sq: int) -> None:
    """Undo `leave_list`. Where the piece itself was last, its slot lies beyond the list now and a
    promotion deeper in the tree may have written there; so it is not read in that case."""
    last = pos.count[u(code)]
    pos.count[u(code)] = last + 1
    at = (code << 4) + slot
    mover = select(slot == last, sq, pos.squares[u(at)])
    pos.squares[u((code << 4) + last)] = mover
    pos.slot[u(mover)] = last
    pos.squares[u(at)] = sq
    pos.slot[u(sq)] = slot


@inline
def shift(pos: State, code: int, slot: int, sq: int) -> None:
    """Put the piece of a slot on another square."""
    pos.board[u(sq)] = code
    pos.slot[u(sq)] = slot
    pos.squares[u((code << 4) + slot)] = sq


@inline
def move_pieces(pos: State, move: int) -> int:
    """Play a move on mailbox and lists; returns the trace."""
    start = move & 63
    to = (move >> 6) & 63
    kind = move >> 12
    code = int(pos.board[u(start)])
    slot = int(pos.slot[u(start)])
    if kind == CASTLE:
        rook = int(pos.board[u(to)])
        rook_slot = int(pos.slot[u(to)])
        king_to, rook_to = castled(start, to)
        pos.board[u(start)] = 0
        pos.board[u(to)] = 0
        shift(pos, code, slot, king_to)
        shift(pos, rook, rook_slot, rook_to)
        return code
    square = to
    if kind == EN_PASSANT:
        square = to - 8 + ((code & 8) << 1)
    taken = int(pos.board[u(square)])
    trace = code
    if taken:
        taken_slot = int(pos.slot[u(square)])
        trace |= (taken << 8) | (taken_slot << 16) | (square << 24)
        leave_list(pos, taken, taken_slot)
        pos.board[u(square)] = 0
    pos.board[u(start)] = 0
    if kind >= PROMOTE_KNIGHT:
        trace |= slot << 32
        leave_list(pos, code, slot)
        code += kind - 8
        slot = int(pos.count[u(code)])
        pos.count[u(code)] = slot + 1
    shift(pos, code, slot, to)
    return trace


@inline
def put_back(pos: State, move: int, trace: int) -> None:
    """Undo `move_pieces`."""
    start = move & 63
    to = (move >> 6) & 63
    kind = move >> 12
    code = trace & 255
    if kind == CASTLE:
        king_to, rook_to = castled(start, to)
        rook = int(pos.board[u(rook_to)])
        slot = int(pos.slot[u(king_to)])
        rook_slot = int(pos.slot[u(rook_to)])
        pos.board[u(king_to)] = 0
        pos.board[u(rook_to)] = 0
        shift(pos, code, slot, start)
        shift(pos, rook, rook_slot, to)
        return
    if kind >= PROMOTE_KNIGHT:
        pos.count[u(code + kind - 8)] -= 1
        rejoin_list(pos, code, (trace >> 32) & 255, start)
        pos.board[u(start)] = code
    else:
        shift(pos, code, int(pos.slot[u(to)]), start)
    pos.board[u(to)] = 0
    taken = (trace >> 8) & 255
    if taken:
        square = (trace >> 24) & 255
        rejoin_list(pos, taken, (trace >> 16) & 255, square)
        pos.board[u(square)] = taken


@inline
def load_boards(pos: State) -> Boards:
    return (
        pos.pawns, pos.knights, pos.diagonals, pos.lines, pos.us,
        pos.them, pos.king, pos.enemy_king, pos.castling, pos.ep,
    )  # fmt: skip


@inline
def store_boards(pos: State, boards: Boards) -> None:
    (
        pos.pawns, pos.knights, pos.diagonals, pos.lines, pos.us,
        pos.them, pos.king, pos.enemy_king, pos.castling, pos.ep,
    ) = boards  # fmt: skip


@inline
def save(pos: State, undo: Undo, move: int, trace: int) -> None:
    boards = load_boards(pos)
    for i in range(10):
        undo.boards[u(i)] = boards[i]
    undo.key = pos.key
    undo.pawn_key = pos.pawn_key
    undo.psq = pos.psq
    undo.halfmove = pos.halfmove
    undo.trace = trace
    undo.move = move


@inline
def restore(pos: State, undo: Undo) -> None:
    b = undo.boards
    store_boards(pos, (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9]))
    pos.key = undo.key
    pos.pawn_key = undo.pawn_key
    pos.psq = undo.psq
    pos.halfmove = undo.halfmove
    pos.turn = 1 - pos.turn


@inline
def castling_key(t: Tables, rooks: int) -> int:
    key = 0
    while rooks:
        key ^= t.zobrist_castle[u(lsb(rooks))]
        rooks &= rooks - 1
    return key


@inline
def update_sums(pos: State, t: Tables, move: int, trace: int) -> None:
    """Keys of the pieces and piece-square sum after `move_pieces`."""
    start = move & 63
    to = (move >> 6) & 63
    kind = move >> 12
    code = trace & 255
    origin = (code << 6) + start
    if kind == CASTLE:
        king_to, rook_to = castled(start, to)
        rook = (int(pos.board[u(rook_to)]) << 6) + to
        home = (code << 6) + king_to
        corner = rook - to + rook_to
        pos.key ^= t.zobrist[u(origin)] ^ t.zobrist[u(home)]
        pos.key ^= t.zobrist[u(rook)] ^ t.zobrist[u(corner)]
        pos.psq += t.psq[u(home)] - t.psq[u(origin)] + t.psq[u(corner)] - t.psq[u(rook)]
        return
    goal = (int(pos.board[u(to)]) << 6) + to
    change = t.zobrist[u(origin)] ^ t.zobrist[u(goal)]
    if code & 7 == 1:
        pos.pawn_key ^= t.zobrist[u(origin)]
        if kind < PROMOTE_KNIGHT:
            pos.pawn_key ^= t.zobrist[u(goal)]
    pos.psq += t.psq[u(goal)] - t.psq[u(origin)]
    taken = (trace >> 8) & 255
    if taken:
        victim = (taken << 6) + ((trace >> 24) & 255)
        change ^= t.zobrist[u(victim)]
        pos.psq -= t.psq[u(victim)]
        if taken & 7 == 1:
            pos.pawn_key ^= t.zobrist[u(victim)]
    pos.key ^= change


@kernel(types.void(STATE_T, TABLES_T, types.int64, UNDO_T))
def play(pos: State, t: Tables, move: int, undo: Undo) -> None:
    """Play a legal move: every field of the position follows, `undo` gets what it replaces."""
    colour = pos.turn
    boards = load_boards(pos)
    child = child_boards(colour, t, boards, move)
    trace = move_pieces(pos, move)
    save(pos, undo, move, trace)
    update_sums(pos, t, move, trace)
    store_boards(pos, child)
    key = pos.key ^ t.zobrist_black
    key ^= castling_key(t, boards[8] ^ child[8])
    if boards[9]:
        key ^= t.zobrist_ep[u(lsb(boards[9]) & 7)]
    if child[9]:
        pos.ep = 0
        takers = ep_takers(1 - colour, child)
        while takers:
            if ep_legal(1 - colour, t, child, takers & -takers):
                pos.ep = child[9]
            takers &= takers - 1
        if pos.ep:
            key ^= t.zobrist_ep[u(lsb(pos.ep) & 7)]
    pos.key = key
    pos.halfmove += 1
    if trace & 7 == 1 or trace & 0xFF00:
        pos.halfmove = 0
    pos.fullmove += colour
    pos.turn = 1 - colour


@kernel(types.void(STATE_T, UNDO_T))
def take_back(pos: State, undo: Undo) -> None:
    """Undo `play`."""
    put_back(pos, undo.move, undo.trace)
    restore(pos, undo)
    pos.fullmove -= pos.turn


@kernel(types.void(STATE_T, TABLES_T, UNDO_T))
def pass_turn(pos: State, t: Tables, undo: Undo) -> None:
    """Let the side to move pass, for the search's null move. Only when it is not in check."""
    save(pos, undo, 0, 0)
    pos.us, pos.them = pos.them, pos.us
    pos.king, pos.enemy_king = pos.enemy_king, pos.king
    if pos.ep:
        pos.key ^= t.zobrist_ep[u(lsb(pos.ep) & 7)]
        pos.ep = 0
    pos.key ^= t.zobrist_black
    pos.halfmove += 1
    pos.turn = 1 - pos.turn


@kernel(types.void(STATE_T, UNDO_T))
def unpass_turn(pos: State, undo: Undo) -> None:
    """Undo `pass_turn`."""
    restore(pos, undo)
