"""Static evaluation, tapered between middlegame and endgame.

Material and piece-square values come ready from the position. The rest walks over the pieces of
each side once and collects attack sets, from which king safety and threats follow.

What pawns and kings alone decide is kept in a small cache of the thread. Every other term is
worked out from the side of `colour` and stored in `cache.terms[8 * colour + term]`, so that
`eval` can show what the search uses. `evaluate` looks the pawns up in the cache; `weigh` does the
rest, and is all that a caller needs who has an entry of its own.
"""

from typing import Any

from numba import types

from engine.bits import lsb, popcount, select, u
from engine.games.chess import values as v
from engine.games.chess.attacks import Tables, bishop_attacks, east, forward, rook_attacks, west
from engine.games.chess.numba_types import CACHE_T, STATE_T, TABLES_T, State
from engine.games.chess.pawns import Entry, fill_entry, passed_pawns
from engine.games.chess.records import PAWN_ENTRIES
from engine.jit import helper, inline, kernel

Cache = Any
Attack = tuple[int, int, int, int, int, int, int, int, int]
"""What `piece_attacks` finds out about one side."""

TERMS = ("Mobility", "Pieces", "Passed pawns", "King danger", "Threats")
MOBILITY, PIECES, PASSERS, SAFETY, THREATS = range(5)

SCALE = 5
"""Where `terms` keeps how much counts, of 64, that others add: little where an advantage does not
win, nothing where a king alone is to be mated, which takes a plan."""

A_FILE = 0x0101010101010101
H_FILE = A_FILE << 7
LIGHT = 0x55AA55AA55AA55AA

PHASE_TOTAL = 24
"""Minor pieces 1, rooks 2, queens 4."""


@inline
def count_piece(
    t: Tables, piece: int, attacks: int, area: int, ring: int, inner: int
) -> tuple[int, int]:
    """(mobility value, danger to the enemy king) of one piece."""
    mobility = t.mobility[u(((piece - 1) << 5) + popcount(attacks & area))]
    danger = 0
    if attacks & ring:
        danger = t.danger[piece - 1] + t.danger[v.RING_SQUARE] * popcount(attacks & inner)
    return mobility, danger


@helper
def piece_attacks(
    colour: int, t: Tables, pos: State, own: int, enemy: int, king: int, enemy_king: int
) -> Attack:
    """(mobility, danger to the enemy king, number of attackers near it, then the squares attacked
    by knights, bishops, rooks, queens, by any piece, and by two or more)."""
    pawns = pos.pawns & own
    occupied = own | enemy
    enemy_pawns = pos.pawns & enemy
    pawn_takes = west(colour, pawns) | east(colour, pawns)
    # A pawn that cannot move, or has not, takes room from its own pieces.
    fixed = pawns & (forward(1 - colour, occupied) | select(colour == 0, 0xFFFF00, 0xFFFF00 << 32))
    area = ~(fixed | (1 << king) | west(1 - colour, enemy_pawns) | east(1 - colour, enemy_pawns))
    inner = t.king[u(enemy_king)]
    ring = inner | forward(1 - colour, inner)
    mobility = 0
    danger = 0
    attackers = 0
    any_ = t.king[u(king)] | pawn_takes
    twice = t.king[u(king)] & pawn_takes
    by_knight = 0
    by_bishop = 0
    by_rook = 0
    by_queen = 0
    pieces = pos.knights & own
    while pieces:
        attacks = t.knight[u(lsb(pieces))]
        m, d = count_piece(t, 1, attacks, area, ring, inner)
        mobility += m
        danger += d
        attackers += d != 0
        by_knight |= attacks
        twice |= any_ & attacks
        any_ |= attacks
        pieces &= pieces - 1
    diagonals = pos.diagonals & own
    lines = pos.lines & own
    pieces = diagonals & ~lines
    while pieces:
        attacks = bishop_attacks(t, lsb(pieces), occupied ^ (diagonals & lines))
        m, d = count_piece(t, 2, attacks, area, ring, inner)
        mobility += m
        danger += d
        attackers += d != 0
        by_bishop |= attacks
        twice |= any_ & attacks
        any_ |= attacks
        pieces &= pieces - 1
    pieces = lines & ~diagonals
    while pieces:
        attacks = rook_attacks(t, lsb(pieces), occupied ^ lines)
        m, d = count_piece(t, 3, attacks, area, ring, inner)
        mobility += m
        danger += d
        attackers += d != 0
        by_rook |= attacks
        twice |= any_ & attacks
        any_ |= attacks
        pieces &= pieces - 1
    pieces = lines & diagonals
    while pieces:
        sq = lsb(pieces)
        attacks = bishop_attacks(t, sq, occupied) | rook_attacks(t, sq, occupied)
        m, d = count_piece(t, 4, attacks, area, ring, inner)
        mobility += m
        danger += d
        attackers += d != 0
        by_queen |= attacks
        twice |= any_ & attacks
        any_ |= attacks
        pieces &= pieces - 1
    return mobility, danger, attackers, by_knight, by_bishop, by_rook, by_queen, any_, twice


@inline
def piece_placement(
    t: Tables, colour: int, pos: State, own: int, closed: int, enemy_closed: int, holes: int
) -> int:
    """Bishop pair, rooks on open files, outposts, minor pieces behind a pawn."""
    score = 0
    bishops = pos.diagonals & own & ~pos.lines
    if bishops & (bishops - 1):
        score += t.worth[v.BISHOP_PAIR]
    rooks = pos.lines & own & ~pos.diagonals & ~closed
    score += t.worth[v.ROOK_OPEN] * popcount(rooks & ~enemy_closed)
    score += t.worth[v.ROOK_HALF_OPEN] * popcount(rooks & enemy_closed)
    knights = pos.knights & own
    score += t.worth[v.OUTPOST] * popcount(holes & knights)
    score += t.worth[v.OUTPOST + 1] * popcount(holes & bishops)
    score += t.worth[v.BEHIND_PAWN] * popcount((knights | bishops) & forward(1 - colour, pos.pawns))
    return score


@helper
def king_danger(
    t: Tables,
    king: int,
    occupied: int,
    attack: Attack,
    defence: Attack,
    enemy: int,
    enemy_queens: int,
) -> int:
    """What the enemy's attack on our king costs, packed, zero or negative."""
    _, danger, attackers, by_knight, by_bishop, by_rook, by_queen, any_, twice = attack
    if attackers < 2 and enemy_queens == 0:
        return 0
    _, _, _, _, _, _, own_queen, own_any, own_twice = defence
    weak = any_ & ~own_twice & (~own_any | own_queen | t.king[u(king)])
    safe = ~enemy & (~own_any | (weak & twice))
    diagonal = bishop_attacks(t, king, occupied)
    line = rook_attacks(t, king, occupied)
    units = danger + t.danger[v.WEAK_SQUARE] * popcount(weak & t.king[u(king)])
    if by_knight & t.knight[u(king)] & safe:
        units += t.danger[v.SAFE_CHECK]
    if by_bishop & diagonal & safe:
        units += t.danger[v.SAFE_CHECK + 1]
    if by_rook & line & safe:
        units += t.danger[v.SAFE_CHECK + 2]
    if by_queen & (diagonal | line) & safe & ~own_queen:
        units += t.danger[v.SAFE_CHECK + 3]
    if enemy_queens == 0:
        units -= t.danger[v.NO_QUEEN]
    units = max(units - t.danger[v.NO_DANGER], 0)
    return -((units * units // v.DANGER) << 32) - (units >> 3)


@inline
def chase(pos: State, king: int, enemy_king: int) -> int:
    """What it costs in the endgame that a king which is alone stands near the edge and near the
    other king. Bishop and knight mate in a corner that the bishop sees; bishops of both colours see
    all four."""
    file, rank = king & 7, king >> 3
    near = 7 - max(abs(file - (enemy_king & 7)), abs(rank - (enemy_king >> 3)))
    light = pos.diagonals & LIGHT
    if pos.lines == 0 and pos.knights and (light == 0) != (light == pos.diagonals):
        file = select(light != 0, 7 - file, file)
        return v.CORNER * abs(7 - file - rank) + v.NEAR * near
    return v.EDGE * (max(3 - file, file - 4) + max(3 - rank, rank - 4)) + v.NEAR * near


@helper
def threats(
    t: Tables,
    colour: int,
    pos: State,
    own: int,
    enemy: int,
    attack: Attack,
    defence: Attack,
) -> int:
    """Enemy pieces that we attack to our profit."""
    _, _, _, by_knight, by_bishop, by_rook, _, any_, _ = attack
    _, _, _, _, _, _, _, enemy_any, _ = defence
    pawns = pos.pawns & own
    takes = west(colour, pawns) | east(colour, pawns)
    targets = enemy & ~pos.pawns
    heavy = pos.lines & enemy
    by_minor = by_knight | by_bishop
    enemy_pawns = pos.pawns & enemy
    light = targets & ~heavy
    open_ = light & ~west(1 - colour, enemy_pawns) & ~east(1 - colour, enemy_pawns)
    score = t.worth[v.PAWN_THREAT] * popcount(takes & light)
    score += t.worth[v.PAWN_THREAT + 1] * popcount(takes & heavy)
    score += t.worth[v.MINOR_THREAT] * popcount(by_minor & open_)
    score += t.worth[v.MINOR_THREAT + 1] * popcount(by_minor & heavy & ~pos.diagonals)
    score += t.worth[v.MINOR_THREAT + 2] * popcount(by_minor & heavy & pos.diagonals)
    score += t.worth[v.ROOK_THREAT] * popcount(by_rook & open_)
    score += t.worth[v.ROOK_THREAT + 1] * popcount(by_rook & heavy & pos.diagonals)
    hanging = any_ & ~enemy_any
    score += t.worth[v.HANGING] * popcount(hanging & enemy_pawns)
    score += t.worth[v.HANGING + 1] * popcount(hanging & targets)
    empty = ~(own | enemy)
    push = forward(colour, pawns) & empty
    push |= forward(colour, push & select(colour == 0, 0xFF0000, 0xFF0000000000)) & empty
    push &= ~enemy_any | any_
    hits = (west(colour, push) | east(colour, push)) & targets & ~takes
    return score + t.worth[v.PUSH_THREAT] * popcount(hits)


@inline
def is_fortress(t: Tables, pos: State, stronger: int, colour: int, king: int) -> bool:
    """Nothing but pawns of one rook file and bishops that do not see the square where they promote,
    while the other king stands there or beside: that is a draw."""
    pawns = pos.pawns & stronger
    if stronger & (pos.knights | pos.lines) or (pawns & ~A_FILE and pawns & ~H_FILE):
        return False
    corner = select(pawns & A_FILE != 0, 0, 7) + select(colour == 0, 56, 0)
    shade = select((LIGHT >> corner) & 1 != 0, LIGHT, ~LIGHT)
    if pos.diagonals & stronger & shade:
        return False
    return ((t.king[u(corner)] | (1 << corner)) >> king) & 1 != 0


@inline
def endgame_scale(t: Tables, pos: State, colour: int, stronger: int, king: int) -> int:
    """How much of an endgame advantage of a colour can be turned into a win, of 64. `king` is
    that of the other side."""
    pawns = pos.pawns & stronger
    if pawns == 0:
        # Without pawns a minor piece ahead does not win.
        mine = value_of(pos, stronger)
        theirs = value_of(pos, (pos.us | pos.them) ^ stronger)
        if mine - theirs <= 3:
            return 0 if mine < 5 else 4 if theirs <= 3 else 14
        # Two knights do not mate a bare king.
        bare = theirs == 0 and pos.pawns == 0
        return 0 if bare and mine == 6 and (pos.diagonals | pos.lines) == 0 else 64
    if is_fortress(t, pos, stronger, colour, king):
        return 0
    bishops = pos.diagonals & ~pos.lines
    if (
        (pos.knights | pos.lines) == 0
        and popcount(bishops) == 2
        and popcount(bishops & stronger) == 1
        and (popcount(bishops & LIGHT) == 1)
    ):
        return 32
    return 64


@inline
def value_of(pos: State, side: int) -> int:
    """Pieces of a side on the schoolbook scale, pawns left out."""
    minors = popcount(pos.knights & side) + popcount(pos.diagonals & ~pos.lines & side)
    rooks = popcount(pos.lines & ~pos.diagonals & side)
    queens = popcount(pos.lines & pos.diagonals & side)
    return 3 * minors + 5 * rooks + 9 * queens


@inline
def phase_of(pos: State) -> int:
    """24 with all pieces on the board, 0 with none."""
    diagonals, lines = pos.diagonals, pos.lines
    phase = (
        popcount(pos.knights)
        + popcount(diagonals & ~lines)
        + 2 * popcount(lines & ~diagonals)
        + 4 * popcount(lines & diagonals)
    )
    return min(phase, PHASE_TOTAL)


@inline
def rough(pos: State) -> int:
    """Material and piece-square values alone, for the side to move."""
    eg = (pos.psq << 32) >> 32
    mg = (pos.psq - eg) >> 32
    phase = phase_of(pos)
    mg = select(pos.turn == 0, mg, -mg)
    eg = select(pos.turn == 0, eg, -eg)
    return (mg * phase + eg * (PHASE_TOTAL - phase)) // PHASE_TOTAL


@inline
def sides(pos: State) -> tuple[int, int, int, int]:
    """(white pieces, black pieces, square of the white king, of the black king)."""
    return (
        select(pos.turn == 0, pos.us, pos.them),
        select(pos.turn == 0, pos.them, pos.us),
        select(pos.turn == 0, pos.king, pos.enemy_king),
        select(pos.turn == 0, pos.enemy_king, pos.king),
    )


@inline
def entry_key(pos: State, t: Tables) -> int:
    """Key of the pawns and both kings."""
    _, _, wk, bk = sides(pos)
    return pos.pawn_key ^ t.zobrist[u((6 << 6) + wk)] ^ t.zobrist[u((14 << 6) + bk)]


@inline
def fill(pos: State, t: Tables, entry: Entry, key: int) -> None:
    """Fill an entry for a position whose key it is to bear."""
    white, black, wk, bk = sides(pos)
    fill_entry(t, pos, entry, key, white, black, wk, bk)


@inline
def weigh(pos: State, t: Tables, entry: Entry, terms: Any) -> int:
    """Value for the side to move, from its entry. `terms` are overwritten."""
    turn = pos.turn
    white, black, wk, bk = sides(pos)
    occupied = white | black
    passers = entry.passers
    closed = entry.closed
    holes = entry.outposts
    w = piece_attacks(0, t, pos, white, black, wk, bk)
    b = piece_attacks(1, t, pos, black, white, bk, wk)
    queens = pos.diagonals & pos.lines
    terms[MOBILITY] = w[0]
    terms[8 + MOBILITY] = b[0]
    terms[PIECES] = piece_placement(t, 0, pos, white, closed[0], closed[1], holes[0])
    terms[8 + PIECES] = piece_placement(t, 1, pos, black, closed[1], closed[0], holes[1])
    terms[PASSERS] = passed_pawns(t, 0, pos, passers & white, white, wk, bk)
    terms[8 + PASSERS] = passed_pawns(t, 1, pos, passers & black, black, bk, wk)
    terms[SAFETY] = king_danger(t, wk, occupied, b, w, black, queens & black)
    terms[8 + SAFETY] = king_danger(t, bk, occupied, w, b, white, queens & white)
    chased = pos.pawns == 0 and (white & (white - 1) == 0 or black & (black - 1) == 0)
    if chased:
        if white & (white - 1) == 0:
            terms[SAFETY] -= chase(pos, wk, bk)
        else:
            terms[8 + SAFETY] -= chase(pos, bk, wk)
    terms[THREATS] = threats(t, 0, pos, white, black, w, b)
    terms[8 + THREATS] = threats(t, 1, pos, black, white, b, w)
    total = pos.psq + entry.score
    for i in range(5):
        total += terms[u(i)] - terms[u(8 + i)]
    eg = (total << 32) >> 32
    mg = (total - eg) >> 32
    # From here on for the side to move, so that rounding treats both colours alike.
    mg = select(turn == 0, mg, -mg)
    eg = select(turn == 0, eg, -eg)
    phase = phase_of(pos)
    if eg > 0:
        scale = endgame_scale(t, pos, turn, pos.us, pos.enemy_king)
    else:
        scale = endgame_scale(t, pos, 1 - turn, pos.them, pos.king)
    terms[SCALE] = (64 * phase + scale * (PHASE_TOTAL - phase)) // PHASE_TOTAL
    if chased:
        terms[SCALE] = 0
    score = (mg * phase + (eg * scale >> 6) * (PHASE_TOTAL - phase)) // PHASE_TOTAL
    # A draw by the fifty-move rule comes nearer with each quiet move.
    return score * (200 - min(pos.halfmove, 100)) // 200 + v.TEMPO


@kernel(types.int64(STATE_T, TABLES_T, CACHE_T))
def evaluate(pos: State, t: Tables, cache: Cache) -> int:
    """Value for the side to move."""
    key = entry_key(pos, t)
    entry = cache.pawns[u(key & (PAWN_ENTRIES - 1))]
    if entry.key != key:
        fill(pos, t, entry, key)
    return weigh(pos, t, entry, cache.terms)
