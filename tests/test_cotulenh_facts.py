"""What CoTuLenh tells people of a position."""

import re

from cotulenh_positions import random_cases

from engine.games.cotulenh.evaluate import evaluate
from engine.games.cotulenh.explain import explain
from engine.games.cotulenh.position import Position
from engine.games.cotulenh.tables import T


def test_the_terms_of_the_evaluation_add_up() -> None:
    signs = set()
    for fen, _ in random_cases(11, 60):
        position = Position(fen)
        value = int(evaluate(position.state, T))
        final = (value if position.turn == 0 else -value) / 100
        head, pieces, heroic, rest, empty, last = explain(position).split("\n")
        assert (head.split()[0], empty) == ("Term", "")
        assert last == f"Final evaluation {final:+.2f} (red side)"
        totals = [float(row.split("|")[-1]) for row in (pieces, heroic, rest)]
        assert round(sum(totals), 2) == round(final, 2)
        for row, total in ((pieces, totals[0]), (heroic, totals[1])):
            red, blue, _ = map(float, re.findall(r"[-+]?\d+\.\d\d", row))
            assert round(red - blue, 2) == round(total, 2)
            signs.add(total > 0)
    assert signs == {True, False}


def test_a_heroic_piece_counts_for_its_side() -> None:
    text = explain(Position("6c4/11/11/11/11/11/11/4+t6/11/11/11/6C4 r"))
    assert re.search(r"^Pieces +\|   0\.00 \|   2\.10 \|  -2\.10$", text, re.M)
    assert re.search(r"^Heroic pieces +\|   0\.00 \|   0\.70 \|  -0\.70$", text, re.M)
