"""Compiling everything into the disk cache.

Compiling a game takes one process longer than a GUI likes to wait. Its modules fall into groups of
about the same weight, and a cold start compiles each group in a process of its own. This process
then finds all of it in the cache, and never grows by the 200 MB that the compiler takes.
"""

import ctypes
import gc
import importlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from engine.cache import CACHED, FOLDER
from engine.games import GAMES
from engine.games.base import Game


def ready(game: Game, on_compile: Callable[[str], None] | None = None) -> None:
    """Make sure that loading the game compiles nothing. Blocks: no time at all when it is all in
    the cache, some 10 seconds when nothing is."""
    if not CACHED:
        if on_compile is not None and game.kernels:
            on_compile(f"compiling; the result cannot be kept, {FOLDER} is not writable")
        return
    mark = _mark(game)
    if mark.exists() or not game.kernels:
        return
    if on_compile is not None:
        on_compile("compiling, this happens once and takes 10 to 20 seconds")
    _compile_in_parallel(game.kernels)
    _leave(mark)


def load_later(game: Game, on_compile: Callable[[str], None]) -> None:
    """Load what playing does not need. Blocks: for nothing once it is loaded, some 10 seconds when
    it is not in the cache."""
    mark = _mark_later(game)
    if not mark.exists():
        on_compile("compiling, this happens once and takes about 10 seconds")
    for module in game.later:
        importlib.import_module(module)
    if CACHED:
        _leave(mark)


def _room(game: Game) -> str:
    """Name of the package that a game lives in, perhaps with others."""
    return game.module.removesuffix(".session").rpartition(".")[2]


def _mark(game: Game) -> Path:
    """A file that says that all that playing needs is in the cache."""
    return FOLDER / f"{_room(game)}.complete"


def _mark_later(game: Game) -> Path:
    """A file that says that the rest is in the cache too."""
    return FOLDER / f"{_room(game)}.later"


def _leave(mark: Path) -> None:
    """Leave a mark. Another process may have cleared the folder away; then the next one finds
    none, and compiles."""
    with suppress(OSError):
        mark.touch()


def _compile_in_parallel(groups: Sequence[Sequence[str]]) -> None:
    """A group that fails to compile here will be compiled, and fail loudly, when imported."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "engine.warmup", *group],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parent.parent,
        )
        for group in groups
    ]
    importlib.import_module("engine.jit")  # takes its time too
    for process in processes:
        process.wait()


def warmup(on_step: Callable[[str, float], None]) -> None:
    """Compile or load every kernel of every game, one after the other. `on_step(name, seconds)` is
    called for each."""
    from engine.jit import seconds

    for game in GAMES.values():
        for module in (*chain.from_iterable(game.kernels), *game.later, *game.library):
            before = set(seconds)
            importlib.import_module(module)
            for name in [name for name in seconds if name not in before]:
                on_step(name, seconds[name])
        if CACHED:
            _leave(_mark(game))
            _leave(_mark_later(game))


def warmup_card(on_step: Callable[[str, float], None]) -> None:
    """Compile all code for the graphics card that is here, or load it onto the card. `on_step(name,
    seconds)` is called for each piece. Raises BackendError."""
    from engine.backends import cuda
    from engine.device import DeviceCode

    for module in dict.fromkeys(chain.from_iterable(game.card for game in GAMES.values())):
        for code in vars(importlib.import_module(module)).values():
            if isinstance(code, DeviceCode):
                start = time.perf_counter()
                cuda.Card(code)
                on_step(f"{code.name} for the card", time.perf_counter() - start)


def _die_with_parent() -> None:
    """Ask Linux to end this process when the one that started it is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, 9)


def main(modules: list[str]) -> None:
    """Compile the kernels of some modules into the cache, for another process to use."""
    from engine import jit

    _die_with_parent()
    gc.disable()  # the compiler makes no garbage worth looking for, and this process is short
    jit.only.update(modules)
    for module in modules:
        importlib.import_module(module)


if __name__ == "__main__":
    main(sys.argv[1:])
