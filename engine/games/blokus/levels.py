"""What a level costs.

A level is a number of simulations for a colour's first moves, four times that of the level below.
It grows by an eighth with each piece the colour has placed, since simulations get faster, so that
the time for a move stays about the same for most of the game. A subtree kept from the last move
counts as made.

    level             1    2    3    4     5     6      7       8       9
    simulations       8   32  128  512  2048  8192  32768  131072  524288
"""

LOWEST, HIGHEST, DEFAULT = 1, 9, 5


def simulations(level: int, placed: int = 0) -> int:
    """Simulations for one move of a colour that has placed some pieces."""
    return 8 * 4 ** (level - 1) * (8 + placed) // 8
