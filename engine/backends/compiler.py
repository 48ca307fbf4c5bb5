"""Bodies of threads made into machine code for a graphics card. Needs numba-cuda, but no card.

numba-cuda compiles a body, and all it calls, to PTX, and nvJitLink makes that a cubin. The cubins
lie in the cache folder of exactly this source, so that only the first run needs the compiler.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from engine.cache import CACHED, FOLDER
from engine.device import DeviceCode
from engine.errors import BackendError
from engine.jit import Kernel

THREADS = 128
"""Threads of a block."""
REGISTERS, REGISTERS_WITH_SCRATCH = 64, 128
"""The most that a thread may use, so that eight blocks fit on a multiprocessor at a time, or four.
More registers and fewer threads were slower for chess on an H200, though 64 do not suffice for all.
Threads with memory of their own belong to games with more code, which calls functions."""

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
    from numba.cuda import compiler, dispatcher, target

    class Card:
        compute_capability = capability

    for module in (compiler, dispatcher):
        module.get_current_device = Card
    _take_kernels(target.CUDATypingContext, dispatcher.CUDADispatcher)
    return cuda


@cache
def _take_kernels(context: Any, dispatcher: Any) -> None:
    """Make numba-cuda compile a `Kernel` that a body calls, with the types that it declares. On the
    CPU it would be a symbol."""

    class Declared(dispatcher):  # type: ignore[misc]
        def __init__(self, kernel: Kernel) -> None:
            super().__init__(kernel.function, {"device": True, "debug": False, "opt": True})
            self._declared = kernel.signature

        def get_call_template(self, args: Any, kws: Any) -> Any:
            done = self.compile_device(self._declared.args, self._declared.return_type)
            # A function as on the CPU: merged into all callers they take minutes to compile.
            done.library.get_function(done.fndesc.mangled_name).attributes.add("noinline")
            return super().get_call_template(self._declared.args, {})

    resolve = context.resolve_value_type
    declared = cache(Declared)

    def resolve_value_type(self: Any, value: Any) -> Any:
        return resolve(self, declared(value) if isinstance(value, Kernel) else value)

    context.resolve_value_type = resolve_value_type


def entry(cuda: Any, rules: DeviceCode, body: str, colour: int) -> Callable[..., None]:
    """What a thread does, for `numba.cuda`: it calls a body of a game. Its parameters are n and the
    arguments of the body after i, as a tuple.

    Thread i does i, if i < n. A game that needs scratch memory gets as many threads as there is
    memory for, and each does several i.
    """
    run, scratch = rules.bodies[body][0], rules.scratch

    def one(n: int, arguments: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            run(colour, i, *arguments)

    def several(n: int, arguments: Any) -> None:
        thread = cuda.grid(1)
        own = arguments[1] + thread * scratch
        for i in range(thread, n, cuda.gridsize(1)):
            run(colour, i, arguments[0], own, *arguments[2:])

    return several if scratch else one


def to_ptx(rules: DeviceCode, body: str, colour: int, capability: Capability) -> str:
    """PTX of such a kernel."""
    cuda = _compiler(capability)
    code, _ = cuda.compile(
        entry(cuda, rules, body, colour),
        (types.int64, types.Tuple(rules.bodies[body][1])),
        cc=capability, device=False, abi="numba",
        launch_bounds=(THREADS, 65536 // (THREADS * registers(rules))),
    )  # fmt: skip
    return str(code)


def entry_name(ptx: str) -> str:
    """Name of the only entry point."""
    (name,) = re.findall(r"\.visible \.entry (\w+)\(", ptx)
    return str(name)


def registers(rules: DeviceCode) -> int:
    """The most that a thread of a game may use."""
    return REGISTERS_WITH_SCRATCH if rules.scratch else REGISTERS


def link(ptx: str, capability: Capability, most: int) -> Code:
    """Machine code from PTX, of at most so many registers a thread."""
    from cuda.bindings import nvjitlink

    text = ptx.encode()
    options = ["-arch=sm_{}{}".format(*capability), "-verbose", f"-maxrregcount={most}"]
    handle = nvjitlink.create(len(options), options)
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
    # One line for each function, one of them the kernel.
    used = max(int(number) for number in re.findall(r"Used (\d+) registers", report))
    spilled = sum(int(size) for size in re.findall(r"(\d+) bytes spill", report))
    return Code(entry_name(ptx), bytes(cubin), used, spilled)


def build(rules: DeviceCode, capability: Capability) -> dict[str, Code]:
    """Machine code of all bodies for all colours, from the cache or compiled now, by names such as
    `leaf0`."""
    code = {}
    for name in rules.bodies:
        for colour in rules.colours:
            stem = FOLDER / "{}.{}{}.sm_{}{}".format(rules.name, name, colour, *capability)
            found = _read(stem)
            if found is None:
                found = link(to_ptx(rules, name, colour, capability), capability, registers(rules))
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
