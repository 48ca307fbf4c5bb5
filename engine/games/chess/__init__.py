"""Chess, standard and Chess960: its nameplate, and its functions on NumPy arrays.

The functions stand in `arrays`, which is loaded when one of them is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.games.base import Game
from engine.types import Option

if TYPE_CHECKING:
    from engine.games.chess.arrays import (
        compute_attack_maps,
        evaluate,
        generate_pseudo_legal_moves,
    )

__all__ = ["CHESS", "compute_attack_maps", "evaluate", "generate_pseudo_legal_moves"]

CHESS = Game(
    name="chess",
    protocol="uci",
    module="engine.games.chess.session",
    kernels=(
        (
            "engine.games.chess.evaluation",
            "engine.games.chess.network",
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
    library=("engine.games.chess.rows",),
    card=("engine.games.chess.device", "engine.games.chess.rows_on_card"),
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
        Option("UCI_ShowWDL", "check", "false"),
        Option("UCI_LimitStrength", "check", "false"),
        Option("UCI_Elo", "spin", "1900", 1100, 1900),
        Option("OwnBook", "check", "false"),
        Option("BookFile", "string"),
        Option("SyzygyPath", "string"),
    ),
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("engine.games.chess.arrays"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
