"""Code for graphics cards where there is none: compiled, linked, simulated, and run on the CPU."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from device_games import (
    CASES,
    Case,
    compare,
    compare_facts,
    compare_lists,
    compare_merged,
    compare_rows,
)
from device_runners import Compiled, ptx_of

from engine.backends import compiler
from engine.device import DeviceCode
from engine.games.chess.rows_on_card import ROWS

needs_compiler = pytest.mark.skipif(
    find_spec("numba_cuda") is None or find_spec("cuda") is None,
    reason="numba-cuda is not installed, so no code for graphics cards can be made: "
    "pip install 'triptych[gpu-ci]'",
)
needs_gcc = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="gcc is not installed, so code for cards cannot run here"
)

games = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])

BODIES = [
    pytest.param(code, body, id=f"{code.name}-{body}")
    for case in CASES
    for code in (case.rules, case.facts, *([ROWS] if case.name == "chess" else []))
    for body in code.bodies
]

LIMITS = {
    "chess": (64, 160),
    "chess-facts": (128, 64),
    "chess-rows": (112, 0),
    "blokus": (64, 32),
    "blokus-facts": (64, 32),
    "cotulenh": (80, 2600),
    "cotulenh-facts": (80, 2600),
}
"""The most registers of a thread, and bytes of registers that go to memory and back, over all
functions of a kernel: those of CoTuLenh have up to sixteen, which save registers for each other."""


@needs_compiler
@pytest.mark.parametrize("capability", [(8, 0), (9, 0)])
@pytest.mark.parametrize(("rules", "body"), BODIES)
def test_kernels_compile_and_link(
    rules: DeviceCode, body: str, capability: tuple[int, int]
) -> None:
    most, spills = LIMITS[rules.name]
    for colour in rules.colours:
        ptx = ptx_of(rules, body, colour, capability)
        assert f".target sm_{capability[0]}{capability[1]}" in ptx
        assert "f64" not in ptx  # where signed and unsigned numbers meet, Numba takes floats
        if rules.name == "chess":
            assert "call" not in ptx  # everything is merged into the kernel
        code = compiler.link(ptx, capability, compiler.registers(rules))
        assert code.cubin.startswith(b"\x7fELF")
        assert 16 < code.registers <= most
        assert code.spilled <= spills


@needs_compiler
@needs_gcc
@games
def test_the_compiled_code_gives_what_the_cpu_gives(case: Case, tmp_path: Path) -> None:
    runner = Compiled(case.rules, (9, 0), tmp_path)
    assert compare(case, runner, 30_000, 8) > 10_000
    leaves, gone = compare_merged(case, runner, 200_000 if case.name == "cotulenh" else 30_000, 3)
    assert leaves > 5_000 and gone > 50
    assert compare_lists(case, runner) > 1_000
    assert compare_facts(case, Compiled(case.facts, (9, 0), tmp_path)) > 400


@needs_compiler
@needs_gcc
def test_the_compiled_code_for_arrays(tmp_path: Path) -> None:
    assert compare_rows(Compiled(ROWS, (9, 0), tmp_path)) > 1_000


@needs_compiler
def test_the_kernels_in_the_simulator() -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "device_games.py")],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    *lines, rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == "rows" and int(rows[1]) > 1_000
    assert [line[0] for line in lines] == [case.name for case in CASES]
    for numbers in lines:
        leaves, runs, moves, facts = map(int, numbers[1:])
        assert leaves > 100 and runs > 5 and moves > 50 and facts > 50
