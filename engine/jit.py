"""The one place that says how Numba is called.

Numba's disk cache looks only at the file a function stands in: an edit in another file leaves
stale code behind, and counts come out wrong. So the cache folder carries a digest of every
source file of the engine in its name. Numba reads the folder's name when a function is
decorated, so it is enough that every function is decorated by this module.

Three ways to compile a function:

    @kernel("int64(int64, ...)")   an entry point: compiled or loaded from the disk cache when
                                   its module is imported, so nothing compiles later
    @inline                        always merged into its callers
    @helper                        compiled once for its callers, which keep it in their cache
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent
KEEP = 4
"""Cache folders of this many versions of the source are kept."""


def cache_folder() -> Path:
    """Folder for compiled code of exactly this source; `TRIPTYCH_CACHE` moves its parent."""
    digest = hashlib.sha256(os.environ.get("TRIPTYCH_PEXT", "").encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes())
    own = os.environ.get("TRIPTYCH_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    parent = Path(own) if own else Path(home) / "triptych"
    return parent / digest.hexdigest()[:16]


def _prune(parent: Path) -> None:
    """Drop the oldest cache folders. One that is in use elsewhere only costs a recompile."""
    folders = sorted(parent.iterdir(), key=lambda path: path.stat().st_mtime)
    for old in folders[:-KEEP]:
        if old.is_dir() and len(old.name) == 16:
            shutil.rmtree(old, ignore_errors=True)


def _prepare(folder: Path) -> bool:
    """Make the cache folder. False when nothing can be kept on disk here."""
    try:
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if new:
            _prune(folder.parent)
        return os.access(folder, os.W_OK)
    except OSError:
        return False


FOLDER = cache_folder()
CACHED = _prepare(FOLDER)
if CACHED:
    numba.config.CACHE_DIR = str(FOLDER)

OPTIONS: dict[str, Any] = {
    "boundscheck": False,
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
}

seconds: dict[str, float] = {}
"""Seconds that each kernel took to compile or load, in the order of import."""


def kernel(signature: Any) -> Callable[[F], F]:
    """An entry point with an explicit signature, ready to call once its module is imported."""

    def compile_now(function: F) -> F:
        start = time.perf_counter()
        dispatcher = numba.njit(signature, cache=CACHED, **OPTIONS)(function)
        name = f"{function.__module__.removeprefix('engine.')}.{function.__name__}"
        seconds[name] = time.perf_counter() - start
        return dispatcher  # type: ignore[no-any-return]

    return compile_now


def inline(function: F) -> F:
    """A function merged into each caller by the optimiser."""
    return numba.njit(forceinline=True, **OPTIONS)(function)  # type: ignore[no-any-return]


def helper(function: F) -> F:
    """A function compiled when its first caller is."""
    return numba.njit(**OPTIONS)(function)  # type: ignore[no-any-return]
