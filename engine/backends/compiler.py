"""Bodies of threads made into machine code for a graphics card. Needs numba-cuda, but no card.

numba-cuda compiles a body, and all it calls, to PTX, and nvJitLink makes that a cubin. The cubins
lie in the cache folder of exactly this source, so that only the first run needs the compiler.
"""

import os
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from engine.cache import CACHED, FOLDER
from engine.device import DeviceRules
from engine.errors import BackendError

THREADS = 128
"""Threads of a block."""
BLOCKS = 8
"""Blocks that shall fit on a multiprocessor at a time: 64 registers for each thread. Fewer threads
with more registers were slower on an H200, though these registers do not suffice for all."""

Capability = tuple[int, int]
"""Compute capability of a card, such as (9, 0)."""


@dataclass(frozen=True)
class Code:
    """A kernel, linked for one kind of card."""

    name: str
    """Name of the entry point in the cubin."""
    cubin: bytes
    registers: int = 0
    """Registers of a thread."""
    spilled: int = 0
    """Bytes of registers that did not fit and go to memory and back."""


def _compiler(capability: Capability) -> Any:
    """numba.cuda, made to compile functions called by functions without a card being here."""
    if find_spec("numba_cuda") is None:  # what Numba itself brings is older
        raise BackendError("no numba-cuda here: pip install 'triptych[gpu-cu13]'")
    if not hasattr(np, "row_stack"):
        # NumPy 2.5 dropped it, numba-cuda up to 0.30 looks it up.
        np.row_stack = np.vstack
    from numba import cuda
    from numba.cuda import compiler, dispatcher

    class Card:
        compute_capability = capability

    for module in (compiler, dispatcher):
        module.get_current_device = Card
    return cuda


def to_ptx(body: Any, arguments: tuple[Any, ...], colour: int, capability: Capability) -> str:
    """PTX of a kernel whose thread i calls `body(colour, i, *arguments)`, for each i < n.

    Its first parameter is n, an int64. The side to move is a constant of the code.
    """
    cuda = _compiler(capability)

    def entry(n: int, arguments: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            body(colour, i, *arguments)

    signature = (types.int64, types.Tuple(arguments))
    code, _ = cuda.compile(
        entry, signature, cc=capability, device=False, abi="numba", launch_bounds=(THREADS, BLOCKS)
    )
    return str(code)


def entry_name(ptx: str) -> str:
    """Name of the only entry point."""
    (name,) = re.findall(r"\.visible \.entry (\w+)\(", ptx)
    return str(name)


def link(ptx: str, capability: Capability) -> Code:
    """Machine code from PTX."""
    from cuda.bindings import nvjitlink

    text = ptx.encode()
    handle = nvjitlink.create(2, ["-arch=sm_{}{}".format(*capability), "-verbose"])
    try:
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, text, len(text), "kernel")
        nvjitlink.complete(handle)
        cubin = bytearray(nvjitlink.get_linked_cubin_size(handle))
        nvjitlink.get_linked_cubin(handle, cubin)
        log = bytearray(nvjitlink.get_info_log_size(handle))
        nvjitlink.get_info_log(handle, log)
    finally:
        nvjitlink.destroy(handle)
    report = log.decode(errors="replace")
    used = re.search(r"Used (\d+) registers", report)
    assert used is not None, report
    spilled = sum(int(size) for size in re.findall(r"(\d+) bytes spill", report))
    return Code(entry_name(ptx), bytes(cubin), int(used[1]), spilled)


def build(rules: DeviceRules, capability: Capability) -> dict[str, Code]:
    """Machine code of all bodies for all colours, from the cache or compiled now, by names such as
    `leaf0`."""
    code = {}
    for name, (body, arguments) in rules.bodies.items():
        for colour in rules.colours:
            stem = FOLDER / "{}.{}{}.sm_{}{}".format(rules.name, name, colour, *capability)
            found = _read(stem)
            if found is None:
                found = link(to_ptx(body, arguments, colour, capability), capability)
                _write(stem, found)
            code[f"{name}{colour}"] = found
    return code


def _read(stem: Path) -> Code | None:
    try:
        return Code(Path(f"{stem}.entry").read_text(), Path(f"{stem}.cubin").read_bytes())
    except OSError:
        return None


def _write(stem: Path, code: Code) -> None:
    """Keep the code for the next start. The name comes last, and each file whole or not at all."""
    if not CACHED:
        return
    for file, data in ((f"{stem}.cubin", code.cubin), (f"{stem}.entry", code.name.encode())):
        part = Path(f"{file}.{os.getpid()}")
        part.write_bytes(data)
        part.replace(file)
