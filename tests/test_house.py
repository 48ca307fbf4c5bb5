"""The house rules of the repository, where a machine can hold them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TARGETS = "help run test check format warmup perft bench speed match clean"


def make(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")} | variables
    return subprocess.run(["make", *words], capture_output=True, text=True, env=environment)


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@needs_make
def test_help_names_every_target() -> None:
    out = make("-s", "-C", str(ROOT), "help").stdout
    said = [line.split()[1] for line in out.splitlines() if line.startswith("  make ")]
    assert " ".join(said) == TARGETS


@needs_make
def test_old_python_is_refused_in_one_line(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    old = tmp_path / "python2.7"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    result = make("-s", "-C", str(tmp_path), "run", f"PYTHON={old}")
    assert result.returncode != 0
    assert result.stdout == ""
    said = [line for line in result.stderr.splitlines() if not line.startswith(("make", "find"))]
    assert said == ["Triptych needs Python 3.11 or newer: set PYTHON=/path/to/python3.11"]
    assert not (tmp_path / ".venv").exists()


def test_ci_script_is_sound() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(script)]).returncode == 0
