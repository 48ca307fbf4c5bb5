"""Compiling everything into the disk cache, two halves at a time.

Compiling chess takes one process longer than a GUI likes to wait. The kernels fall into two groups
of about the same size, so a cold start compiles each group in a process of its own; what one group
needs of the other stands early in it, and is in the cache by the time it is asked for. This process
then finds all of it in the cache, and never grows by the 200 MB that the compiler takes.
"""

import ctypes
import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

GROUPS = (
    ("engine.games.chess.make", "engine.games.chess.ordering", "engine.games.chess.search"),
    ("engine.games.chess.evaluate", "engine.games.chess.perft", "engine.games.chess.rules"),
)
MODULES = tuple(module for group in GROUPS for module in group)
"""Every module with kernels, in an order in which each finds what it calls already compiled."""

MARK = "complete"
"""A file of this name in the cache folder says that nothing needs compiling."""


def ready(on_compile: Callable[[str], None] | None = None) -> None:
    """Make sure that importing the modules with kernels compiles nothing. Blocks."""
    from engine.jit import CACHED, FOLDER

    if not CACHED:
        if on_compile is not None:
            on_compile(f"compiling; the result cannot be kept, {FOLDER} is not writable")
        return
    if (FOLDER / MARK).exists():
        return
    if on_compile is not None:
        on_compile("compiling, this happens once and takes about 10 seconds")
    _compile_in_parallel()
    (FOLDER / MARK).touch()


def _compile_in_parallel() -> None:
    """A group that fails to compile here will be compiled, and fail loudly, when imported."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "engine.warmup", *group],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parent.parent,
        )
        for group in GROUPS
    ]
    for process in processes:
        process.wait()


def warmup(on_step: Callable[[str, float], None]) -> None:
    """Compile or load every kernel. `on_step(name, seconds)` is called for each; the two groups are
    compiled at the same time, so the seconds add up to more than the clock shows."""
    from engine.jit import seconds

    ready()
    for module in MODULES:
        before = set(seconds)
        importlib.import_module(module)
        for name in [name for name in seconds if name not in before]:
            on_step(name, seconds[name])


def _die_with_parent() -> None:
    """Ask Linux to end this process when the one that started it is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, 9)


def main(modules: list[str]) -> None:
    _die_with_parent()
    for module in modules:
        importlib.import_module(module)


if __name__ == "__main__":
    main(sys.argv[1:])
