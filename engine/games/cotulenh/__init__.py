"""CoTuLenh (Cờ Tư Lệnh), Vietnamese commander chess on 11 x 12 points."""

from engine.games.base import Game
from engine.types import Option

COTULENH = Game(
    name="cotulenh",
    protocol="gtp",
    module="engine.games.cotulenh.session",
    variant="CoTuLenh",
    options=(
        Option("Hash", "spin", "16", 1, 1 << 20),
        Option("Threads", "spin", "1", 1, 256),
    ),
    kernels=(
        (
            "engine.games.cotulenh.board",
            "engine.games.cotulenh.scan",
            "engine.games.cotulenh.danger",
            "engine.games.cotulenh.apply",
            "engine.games.cotulenh.deploy",
            "engine.games.cotulenh.movegen",
        ),
        (
            "engine.games.cotulenh.make",
            "engine.games.cotulenh.rules",
            "engine.games.cotulenh.perft",
            "engine.games.cotulenh.evaluate",
            "engine.games.cotulenh.facts",
            "engine.games.cotulenh.quiesce",
            "engine.games.cotulenh.search",
            "engine.table",
        ),
    ),
    card=("engine.games.cotulenh.device",),
)
