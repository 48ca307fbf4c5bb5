"""Code for graphics cards, compiled and linked where there is none."""

from importlib.util import find_spec

import pytest

from engine.backends import compiler
from engine.games.chess.device import BODIES

needs_compiler = pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason="no numba-cuda here: pip install 'triptych[gpu-ci]'"
)


@needs_compiler
@pytest.mark.parametrize("capability", [(8, 0), (9, 0)])
@pytest.mark.parametrize("name", BODIES)
def test_bodies_compile_and_link_without_a_device(name: str, capability: tuple[int, int]) -> None:
    body, arguments = BODIES[name]
    for colour in (0, 1):
        ptx = compiler.to_ptx(body, arguments, colour, capability)
        assert "call" not in ptx  # everything is merged into the kernel
        code = compiler.link(ptx, capability)
        assert code.cubin.startswith(b"\x7fELF")
        assert 32 < code.registers <= 64
        assert code.spilled <= 160
