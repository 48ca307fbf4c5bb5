"""Large blocks of zeroed memory in huge pages, where the system has them.

A hash probe, an attack table or a history counter is one read somewhere in megabytes. With pages of
4 KB the CPU would first have to find out where the page lies, again and again.
"""

import mmap
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

HUGE = 2 << 20
"""Bytes of a huge page on x86."""


def zeros(count: int, dtype: DTypeLike) -> NDArray[Any]:
    """Like `numpy.zeros((count,), dtype)`. Untouched pages take no memory.

    Raises MemoryError.
    """
    kind = np.dtype(dtype)
    size = count * kind.itemsize
    whole = -(-size // HUGE) * HUGE
    try:
        if hasattr(mmap, "MAP_PRIVATE"):
            memory = mmap.mmap(-1, whole + HUGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        else:
            memory = mmap.mmap(-1, whole + HUGE)
    except (OSError, ValueError, OverflowError) as error:
        raise MemoryError(f"{size} bytes") from error
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    raw = np.frombuffer(memory, np.uint8)
    start = -raw.ctypes.data % HUGE
    return raw[start : start + size].view(kind)
