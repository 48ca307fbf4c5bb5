"""What pawns are: doubled, isolated, backward, passed, a shield of their king.

Sets of squares in, sets of squares out. `own` and `enemy` are pawns, `colour` is that of `own`.
"""

from engine.bits import popcount, shr
from engine.games.chess.attacks import east, forward, west
from engine.jit import inline

FILE_A = 0x0101010101010101

SHIELD_PAWN = 10
OPEN_FILE = -20
DOUBLED_PAWN = -10
ISOLATED_PAWN = -15
PASSED_PAWN = 20


@inline
def ahead(colour: int, bits: int) -> int:
    """Every square in front of the given ones, on their own files."""
    if colour == 0:
        bits <<= 8
        bits |= bits << 8
        bits |= bits << 16
        return bits | (bits << 32)
    bits = shr(bits, 8)
    bits |= shr(bits, 8)
    bits |= shr(bits, 16)
    return bits | shr(bits, 32)


@inline
def neighbours(bits: int) -> int:
    """The squares left and right of the given ones."""
    return ((bits << 1) & ~FILE_A) | (shr(bits, 1) & ~(FILE_A << 7))


@inline
def files(bits: int) -> int:
    """Every square of the files of the given ones."""
    return ahead(0, bits) | ahead(1, bits) | bits


@inline
def doubled(own: int) -> int:
    """Pawns with another one of their colour on the file."""
    return own & (ahead(0, own) | ahead(1, own))


@inline
def isolated(own: int) -> int:
    """Pawns with none of their colour on a file beside them."""
    return own & ~neighbours(files(own))


@inline
def backward(colour: int, own: int, enemy: int) -> int:
    """Pawns whose neighbours are all ahead of them, and that cannot catch up: the square in front
    is held or attacked by an enemy pawn."""
    enemy_takes = west(1 - colour, enemy) | east(1 - colour, enemy)
    stopped = own & forward(1 - colour, enemy_takes | enemy)
    return stopped & ~isolated(own) & ~neighbours(ahead(colour, own) | own)


@inline
def passed(colour: int, own: int, enemy: int) -> int:
    """Pawns with no enemy pawn ahead, on their file or beside it. Own pawns ahead do not matter."""
    guarded = ahead(1 - colour, enemy)
    return own & ~(guarded | neighbours(guarded))


@inline
def pawn_defense(colour: int, own: int, enemy: int) -> int:
    """What the pawns alone add to the defence of their side, in hundredths of a pawn."""
    return (
        DOUBLED_PAWN * popcount(doubled(own))
        + ISOLATED_PAWN * popcount(isolated(own))
        + PASSED_PAWN * popcount(passed(colour, own, enemy))
    )


@inline
def king_defense(colour: int, own: int, enemy: int, king: int) -> int:
    """What the king's surroundings add, in hundredths of a pawn. `king` is one square as a bit.

    s s s   own pawns on these three squares shield the king; a file
    . K .   of the three without any pawn, of either colour, is open
    """
    front = forward(colour, king)
    shield = own & (front | neighbours(front))
    is_open = (king | neighbours(king)) & ~files(own | enemy)
    return SHIELD_PAWN * popcount(shield) + OPEN_FILE * popcount(is_open)
