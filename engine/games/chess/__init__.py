"""Chess, standard and Chess960."""

from engine.games.base import Game
from engine.types import Option

CHESS = Game(
    name="chess",
    protocol="uci",
    module="engine.games.chess.session",
    kernels=(
        (
            "engine.games.chess.evaluate",
            "engine.games.chess.quiesce",
            "engine.games.chess.search",
            "engine.games.chess.root",
        ),
        (
            "engine.games.chess.make",
            "engine.games.chess.see",
            "engine.games.chess.generation",
            "engine.games.chess.perft",
            "engine.games.chess.rules",
            "engine.games.chess.ordering",
            "engine.table",
        ),
    ),
    later=(
        "engine.games.chess.analysis",
        "engine.games.chess.jsontext",
        "engine.games.chess.fentext",
    ),
    options=(
        Option("Hash", "spin", "16", 1, 1 << 20),
        Option("Clear Hash", "button"),
        Option("Threads", "spin", "1", 1, 256),
        Option("Ponder", "check", "false"),
        Option("MultiPV", "spin", "1", 1, 218),
        Option("Move Overhead", "spin", "30", 0, 5000),
        Option("Perft Hash", "spin", "0", 0, 1 << 20),
        Option("Perft Bulk", "check", "true"),
        Option("UCI_Chess960", "check", "false"),
        Option("UCI_AnalyseMode", "check", "false"),
    ),
)
