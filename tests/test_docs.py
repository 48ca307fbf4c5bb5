"""What the pages for people say that a machine can check."""

import argparse
import re
from pathlib import Path

from test_layers import ENGINE, imports

from engine.games.chess import CHESS
from protocol.board_commands import BLOKUS_COMMANDS, BOARD_COMMANDS, COTULENH_COMMANDS
from protocol.gtp_cli import GAME_IDS, add_options

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CHANGELOG.md", "engine/README.md", "protocol/PROTOCOL.md", "protocol/GTP.md")
MAP = re.findall(
    r"^\| `([\w/]+)\.py` \| .+ \|$", (ROOT / "engine/README.md").read_text(), re.MULTILINE
)


def test_the_source_map_names_every_file_once() -> None:
    files = {name: path for name, path in ENGINE.items() if name != "engine"}
    known = sorted(str(path.relative_to(ROOT / "engine")) for path in files.values())
    assert sorted(f"{name}.py" for name in MAP) == known


def test_the_source_map_is_in_the_order_of_imports() -> None:
    place = {f"engine.{name}".replace("/", ".").removesuffix(".__init__"): i
             for i, name in enumerate(MAP)}  # fmt: skip
    for name in place:
        for other in imports(name) & place.keys():
            assert place[other] < place[name], f"{name} uses {other}, which stands further down"


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text()):
            assert (ROOT / page).parent.joinpath(target).exists(), f"{page}: {target}"


def test_the_readme_tells_every_option_and_its_default() -> None:
    section = (ROOT / "README.md").read_text().split("## Options")[1].split("## ")[0]
    told = re.findall(r"^\| `([^`]+)` \|([^|]*)\|", section, re.MULTILINE)
    defaults = [(option.name, option.default) for option in CHESS.options]
    assert sorted((name, default.strip()) for name, default in told) == sorted(defaults)


def test_the_page_of_the_line_protocol_tells_every_command() -> None:
    page = (ROOT / "protocol/GTP.md").read_text()
    told = re.findall(r"^### (.+)$", page, re.MULTILINE)
    served = (*BOARD_COMMANDS, *BLOKUS_COMMANDS, *COTULENH_COMMANDS)
    commands = {command.name: command for command in served}
    assert sorted(told) == sorted(commands)
    for name, section in zip(
        told, re.split(r"^### .+$", page, flags=re.MULTILINE)[1:], strict=True
    ):
        said = re.findall(r"^\*\*(\w+)\*\*", section, re.MULTILINE)
        assert said == ["Function", "Arguments", "Fails", "Replies"], name
        for alias in commands[name].aliases:
            assert f"`{alias}`" in section


def test_the_page_of_the_line_protocol_tells_every_option() -> None:
    page = (ROOT / "protocol/GTP.md").read_text()
    parser = argparse.ArgumentParser()
    add_options(parser)
    for action in parser._actions[1:]:
        for text in action.option_strings:
            assert f"`{text} " in page or f"`{text}`" in page, text
    for other, game in GAME_IDS.items():
        assert re.search(rf"^\| `{game}` \|.*`{other}`", page, re.MULTILINE), other
