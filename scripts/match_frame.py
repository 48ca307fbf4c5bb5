"""What a match over UCI and one over GTP have in common: words of the command line, the table."""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence

Faults = Counter[tuple[bool, str]]
"""(by the engine, kind) -> how often."""


LARGEST = 1_000_000_000


def positive(text: str) -> int:
    """A number of the command line, from 1 to LARGEST."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= LARGEST:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {LARGEST}, got {text}")
    return number


def match_parser(about: str | None) -> argparse.ArgumentParser:
    """Knows the two sides."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--engine", required=True, metavar="CMD", help="command line of the engine")
    add("--opponent", required=True, metavar="CMD", help="command line of its opponent")
    return parser


def fault_row(faults: Faults, side: bool, kinds: Sequence[str]) -> tuple[str, str]:
    """A row of the table: what the engine, or else its opponent, did wrong."""
    counts = [f"{faults[side, kind]} {kind}" for kind in kinds if faults[side, kind]]
    return f"{'engine' if side else 'opponent'} faults", ", ".join(counts) or "none"


def table_text(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{key:<16}{value}" for key, value in rows)
