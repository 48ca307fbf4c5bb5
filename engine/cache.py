"""Where compiled code is kept on disk.

Numba's disk cache looks only at the file a function stands in: an edit in another file leaves
stale code behind, and counts come out wrong. So the cache folder carries a digest of every
source file of the engine in its name. It never lies in the working folder: GUIs start engines in
temporary ones. This module does not import numba.
"""

import hashlib
import os
import shutil
from pathlib import Path

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
"""Whether anything can be kept in FOLDER."""
