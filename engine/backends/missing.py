"""What is missing here for a graphics card to count: told in one line, without loading Numba."""

import ctypes
from importlib.util import find_spec
from typing import Any

from engine.errors import BackendError

INSTALL = "pip install 'triptych[gpu-cu13]' (driver 580 or newer), or 'triptych[gpu]'"


def cupy() -> Any:
    """CuPy, if it finds a CUDA device. Takes a second. Raises BackendError, which says in one line
    what to install."""
    if find_spec("cupy") is None:
        raise BackendError(f"no CuPy here: {INSTALL}")
    try:
        import cupy
    except Exception as problem:  # a wheel for another machine may fail in any way
        said = " ".join(str(problem).split())[:200]
        raise BackendError(f"CuPy does not load ({said}): {INSTALL}") from problem
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError as problem:
        raise BackendError(
            "no NVIDIA driver here (libcuda.so.1): install the driver of the card"
        ) from problem
    runtime = cupy.cuda.runtime
    try:
        found = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as problem:
        if "InsufficientDriver" in str(problem):
            raise BackendError(
                f"the NVIDIA driver is too old for this CuPy: update the driver, or {INSTALL}"
            ) from problem
        said = " ".join(str(problem).split())[:200]
        raise BackendError(f"no CUDA device here ({said})") from problem
    if not found:
        raise BackendError("no CUDA device here")
    return cupy


def missing() -> str:
    """Why no card can count here, in one line; empty if one can."""
    try:
        cupy()
    except BackendError as problem:
        return str(problem)
    return ""
