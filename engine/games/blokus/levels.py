"""What a level costs.

A level is a number of simulations for one move; a subtree kept from the last move counts as made.
Seconds are for one thread, worked out from 80,000 simulations/s on Duo and 40,000 on 20 x 20, as
measured in early middle games on a slow core; openings take up to twice as long, endings less.

    level               1      2      3      4      5      6      7      8      9
    simulations        30     90    270    800   2400   7200  21600  64800 194400
    Duo, s         0.0005  0.001  0.003   0.01   0.03   0.08   0.24    0.7    2.2
    20 x 20, s      0.001  0.003  0.008   0.02   0.06    0.2   0.55    1.7    5.0
"""

LOWEST, HIGHEST, DEFAULT = 1, 9, 4


def simulations(level: int) -> int:
    """Simulations for one move."""
    return 30 * 3 ** (level - 1) if level < 4 else 800 * 3 ** (level - 4)
