"""`triptych` with fake engines in place of chess and Blokus: a real process that starts fast.

The environment variable FAKE_HOLD names what never comes: `load`, `count`, `think` or several.
"""

import os
import sys
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fake_board_engine import FAKE_BLOKUS
from fake_engine import FAKE, Hold

from engine.games import GAMES
from protocol.cli import main

if __name__ == "__main__":
    GAMES["chess"] = FAKE
    GAMES["blokus"] = FAKE_BLOKUS
    Hold.open_all()
    for name in os.environ.get("FAKE_HOLD", "").split():
        getattr(Hold, name).clear()
    with patch("engine.warmup.ready"):  # There is nothing to compile.
        raise SystemExit(main())
