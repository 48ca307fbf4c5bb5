"""Blokus on 20 x 20, for four, three and two players, and Blokus Duo."""

from engine.games.base import Game
from engine.types import Option

_KERNELS = (
    ("engine.games.blokus.search",),
    ("engine.games.blokus.make",),
    (
        "engine.games.blokus.perft",
        "engine.games.blokus.rules",
    ),
    (
        "engine.games.blokus.naive",
        "engine.games.blokus.analysis",
    ),
)


def _game(name: str, variant: str) -> Game:
    return Game(
        name=name,
        protocol="gtp",
        module="engine.games.blokus.session",
        options=(Option("Threads", "spin", "1", 1, 256),),
        kernels=_KERNELS,
        card=("engine.games.blokus.device",),
        variant=variant,
    )


BLOKUS = (
    _game("blokus", "Blokus"),
    _game("blokus-two-player", "Blokus Two-Player"),
    _game("blokus-three-player", "Blokus Three-Player"),
    _game("blokus-duo", "Blokus Duo"),
)
