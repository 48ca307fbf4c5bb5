"""Who may import whom, and who may write to stdout."""

import ast
from pathlib import Path

import pytest

from engine.games import GAMES
from protocol.commands import UCI_COMMANDS
from protocol.options import render_option

ROOT = Path(__file__).resolve().parent.parent
PROTOCOL_PAGE = (ROOT / "protocol" / "PROTOCOL.md").read_text()

ORDER = """
    types errors control
    memory cache jit bits vectors threads mailbox piecelist zobrist rules table timeman
    alphabeta divide tasks device records_on_card lines sinks parquet batch
    games.base
    games.*
    games
    perft search bench backends backends.* warmup
    engine
    board_engine
    games.*.session
"""
"""Modules of `engine`, each line above those that use it. A `*` stands for any name: within such
a line only cycles are forbidden. A module that is missing here must be given its place."""


def modules(package: str) -> dict[str, Path]:
    """Name of each module of a package, `__init__` under the package's own name."""
    found = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


ENGINE = modules("engine")
PROTOCOL = modules("protocol")
SOURCES = ENGINE | PROTOCOL


def imports(name: str) -> set[str]:
    """Modules of this project that a module imports, anywhere in its text."""
    found = set()
    for node in ast.walk(ast.parse(SOURCES[name].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            base = node.module or ""
            inner = {f"{base}.{alias.name}" for alias in node.names} & set(SOURCES)
            found |= inner or {base}
    return found & set(SOURCES)


def rank(name: str) -> int:
    """Number of the line of `ORDER` that a module of `engine` stands in; names before stars."""
    parts = name.split(".")[1:]
    best: tuple[int, int] | None = None
    for number, line in enumerate(ORDER.strip().splitlines()):
        for pattern in line.split():
            wanted = pattern.split(".")
            last_is_star = wanted[-1] == "*"
            fits = len(wanted) == len(parts) or (last_is_star and len(wanted) < len(parts))
            if fits and all(w in ("*", p) for w, p in zip(wanted, parts, strict=False)):
                stars = wanted.count("*")
                if best is None or (stars - len(wanted), number) < best:
                    best = (stars - len(wanted), number)
    assert best is not None, f"{name} has no place in ORDER of tests/test_layers.py"
    return best[1]


@pytest.mark.parametrize("name", sorted(ENGINE))
def test_engine_imports_go_down(name: str) -> None:
    assert not imports(name) & set(PROTOCOL)
    if name == "engine":
        assert not imports(name)
        return
    for other in imports(name) - {"engine"}:
        assert rank(other) <= rank(name), f"{name} imports {other}"


def test_no_game_imports_another() -> None:
    for name in ENGINE:
        parts = name.split(".")
        if parts[:2] == ["engine", "games"] and len(parts) > 3:
            for other in imports(name):
                theirs = other.split(".")
                if theirs[:2] == ["engine", "games"] and len(theirs) > 2 and theirs[2] != "base":
                    assert theirs[2] == parts[2], f"{name} imports {other}"


def test_no_import_cycles() -> None:
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name not in done:
            for other in imports(name):
                visit(other, (*path, name))
            done.add(name)

    for name in SOURCES:
        visit(name, ())


@pytest.mark.parametrize("name", sorted(set(SOURCES) - {"protocol.console"}))
def test_only_the_console_writes_to_stdout(name: str) -> None:
    for node in ast.walk(ast.parse(SOURCES[name].read_text())):
        if isinstance(node, ast.Name):
            assert node.id != "print", f"{name}:{node.lineno}: print"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            text = f"{node.value.id}.{node.attr}"
            assert text not in ("sys.stdout", "sys.__stdout__", "os.write"), (
                f"{name}:{node.lineno}: {text}"
            )


def test_the_protocol_page_tells_every_command_and_option() -> None:
    for command in UCI_COMMANDS:
        assert f"\n### {command.name}\n" in PROTOCOL_PAGE, command.name
    assert PROTOCOL_PAGE.count("\n### ") == len(UCI_COMMANDS)
    rows = [line for line in PROTOCOL_PAGE.splitlines() if line.startswith("| `")]
    for game in GAMES.values():
        for option in game.options:
            (row,) = [row for row in rows if row.startswith(f"| `{option.name}` |")]
            cells = [cell.strip() for cell in row.split("|")[2:5]]
            span = f"{option.low} to {option.high}" if option.kind == "spin" else ""
            assert cells == [option.kind, option.default, span], render_option(option)
