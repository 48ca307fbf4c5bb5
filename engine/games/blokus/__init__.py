"""Blokus on 20 x 20, for four, three and two players, and Blokus Duo."""
