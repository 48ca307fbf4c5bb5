"""What the pages for people say that a machine can check."""

import re
from pathlib import Path

from test_layers import ENGINE, imports

from engine.games.chess import CHESS

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CHANGELOG.md", "engine/README.md", "protocol/PROTOCOL.md")
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
