"""`bench`: fixed positions of every variant, searched with a fixed number of simulations.

The signature is the number of tree nodes that this makes, the same on every run and machine.
"""

from engine.control import Control
from engine.games.blokus.fen import parse_fen, start
from engine.games.blokus.memory import Memory, Tree
from engine.games.blokus.tables import T
from engine.games.blokus.variants import VARIANTS
from engine.games.blokus.verify import build

THOUSANDS = 2
"""Thousands of simulations for each position."""

POSITIONS = (
    "classic b18y/bb15yyy/1bb15y1/3b12yy2/3bb10yy3/2bb9y1y4/4b7yyy5/3bbb7y6/4b15/20/20/7g12/"
    "6ggg11/6g4rr7/5g6rr6/4gg7r1r4/3gg9rr4/2g12rr2r/ggg14rrr/g18r 1 X,X,W,F",
    "classic bb16yy/1bb14yy1/1b1b13y2/3bb1ggg6yy3/4bbyyg5yy4/3yyybyg4y1y4/4yyby1gggyyy5/"
    "5bbyggyy1y6/5b1gyyy3y5/4b2g3b2y1r3/4b2ggbbbbyyyr3/4bbbgbgg2b2rr2/6gbbbg2bbbbr2/"
    "5gggbrg5r3/4g1grrrg4rrr2/3gg2r2r3r2r2/2gg2r2rrr1rr3r1/1g2rrr3r1rr4r1/ggg3r11r1/"
    "g17rr 1 L5,T5,N,V5",
    "classic bbbbyyyyy7yyyy/1b2b4y4yy2y1/b3b2b1y3yy2rr1/b1g1bb1byyy1y1y2r2/bgg2b1bbb1yy2yrr2/"
    "bg4b4y1b1yy1r1/bg2g1bb3ybbb1yyr1/2gggbb1bbbbybr1rrr1/2g1bgggb2yyyrr4/gg2b1gyyyy1y1r5/"
    "g2bbbgy3y2r3r1/ggb2g1ggggyy2rr1r1/2bb1gg3gyyrrr1rrr/2bbggrggyy1r7/bb1g2rrg1yrr7/"
    "1bggg1rrg1yyrr1r4/1bbgbgggrrrryyrrr3/1ggbbgg4ry2r1rr1/ggbb2rrrrr1yy4rr/"
    "g1ggggg12r 1 I5,U,T5,L4",
    "classic_2 bbb16y/2b16y/2b15yy/3b14y1/3bb12y2/4bb10yy2/6b8yy3/6bb5yy5/5bb5yy6/13y6/20/20/"
    "6gg6r5/5gg6rrr4/3g1g8r1rr2/2ggg10rr3/3g12r3/2g14rr1/ggg15rr/g18r 1 F,F,X,W",
    "classic_2 bb17y/1b17y/1bb4y9yyy/3bb2ybbbb4y3/3gbb1ybyy4yy3/3ggb1y1byyy1y1yy2/"
    "3gg1bybbbb1yyy4/2g3bby5y5/1gg2bbyyyy1yy6/2g1b5ryy7/2g1b5ry8/1g2bbr3rr8/1g1b1brrrr1r8/"
    "1gbbb2g4r7/1ggb2gg2grrr6/3g1gg1ggg1r1rr4/2gggrrrr1gr3rr3/1g1g2r2rrr4r1r1/ggg8r5rr1/"
    "g17rr 1 L5,I5,Y,P",
    "classic_2 bb3bbyyy9y/1bb2b1yy1yyyyy3yy/2b2bb2b5y2y1/1ggb3bbb4yyy1y1/1gbbb2b1yyy3y1y2/"
    "1ggb4b2y4yy2/bbbgbb1bbbbybb3yy1/bggg1bb3ybbb1yy3/bg3b1bbbyyy1yy4/g2bb1ggby1ry1y3g1/"
    "gbbb2g1by1r1y4g1/gg2bbg1yyrryyyyggg1/g1g2bgrrr1r1r1gyyyr/r1gg1b1g1r2rrrg1y1r/"
    "rrrggbgggr3rgggy1r/2r2g1grgggggrr3r/1r1r1gg1r4r1rr2r/1rrrgg1rr2rrr2r1r1/1gggrr1r5r3rrr/"
    "gg2rrr12r 1 V5,L4,Z5,U",
    "classic_3 b18y/b14y1yyy/bb12yyy2y/1b11y1y4/2bb7yyy6/3bb7y7/4b1b13/5bbb12/6b13/20/20/20/"
    "14r5/13rr5/4g9rr4/4gg10r3/3gg1g8rrr2/1gg2ggg8r1r1/gg4g11r1/g16rrr 1 X,F,F,X",
    "classic_3 b16yyy/bb4b11y1/1bb2bbb6r3y1/3bb1b1y5r2y2/4b2yyy3rr1yy2/2ggbb2y2y2ryy3/"
    "3g2bb1yyy2yrry2/2gg3bby2yyyrryy1/4gg1b5y1r1y2/4g1b4yy1r2y2/4gbbbbyyyrrr5/4g1g2br1r7/"
    "5gg2brr8/5g1g1b1rr7/2gg1g1gbbgg1r6/3gg2gggbgrrr5/3g6bggr1r4/2g7bb2rrr2r/1gg8b2r2rrr/"
    "gg17r 1 X,Y,Y,Z5",
    "classic_3 bb10yyy1yy1y/1b3b6yb1yy1yy/1bb1bbbyyyyybbbb3y/bg1b1b3bbb3y3y/bg1bb6byyyy2y1/"
    "bgg1bb5b1b2yyy1/bg1g2b5bb1y1y2/b2gg1b2b2bbyy1rrr/3gg1bb1bbb1yy1yyyr/1ggb3b1b2yrrryy1r/"
    "2gbbbb1b1yyyrr3r1/2gg1g1bbby2y1rr1r1/4gggbrrr1yyyr1rr1/1ggg1g1gr1r1ryrr2r1/"
    "1g2g2ggggrrryyy3/1g1gg5rgr1rryy2/2gg2rrr1rgg2rr3/1g2g2r1rr1g3r1r1/ggg1g4r2g4rrr/"
    "g2ggg1gggggrrrrr2r 1 I5,I5,I5,T5",
    "duo 14/14/14/5b8/4bbb4w2/5b1b2www1/7bbbw3/8bwbbb1/8wwwb2/9w1b2/10www1/9ww3/14/14 b T5,N",
    "duo 14/2b4w6/1bb1b1ww6/1bwbbbww6/1bwwb3w5/3w1b2wwww2/3w1bb1bb2w1/2w1w1bb1bbww1/"
    "2w1www1wbww2/2wbbw1wwwbb2/2wbbb2w1b3/2w3b2bb3/5bbbb5/14 b P,I5",
    "duo w1w11/www1w1b2bb3/2bww1b2bb3/2bw1bbb1bwbb1/1bbwb1w2ww1b1/1bwbbbwww1wwb1/"
    "b1w1b1b1wbb1b1/bbwww1bbbwbb1b/b4wwbwwwb1b/1wwww1wwbw1wwb/2w1bbbwb2wwb/4b1wbb2w1b/"
    "4b1w1b1w3/5www2wwww b T4,L5",
)
"""Middle games and endings; the starts of the games come on top."""


def bench_position(number: int, thousands: int, control: Control) -> tuple[str, int, int]:
    """Search one position, from 0 to `COUNT` - 1, with one thread. Returns its variant, the nodes
    of the tree and the simulations. Blocks."""
    if number < len(VARIANTS):
        variant = VARIANTS[number]
        setup = start(variant)
    else:
        variant, setup = parse_fen(POSITIONS[number - len(VARIANTS)])
    memory = Memory(Tree())
    memory.begin(build(setup, T), variant.players, control)
    memory.run(1000 * thousands)
    return variant.id, int(memory.work["nodes"]), int(memory.work["simulations"])


COUNT = len(VARIANTS) + len(POSITIONS)
