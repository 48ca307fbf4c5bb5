"""The four ways to play Blokus: boards, colours and who they belong to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """One of them. Colours are numbers from 0; the tuples below are indexed by colour."""

    id: str
    """In position texts and analyses."""
    game: str
    """As `set_game` and game records name it."""
    size: int
    players: int
    ids: tuple[str, ...]
    """Colours on the wire."""
    words: tuple[tuple[str, ...], ...]
    """Other words for them that are taken as input."""
    titles: tuple[str, ...]
    """Colours for people."""

    @property
    def colours(self) -> int:
        return len(self.ids)

    @property
    def starts(self) -> tuple[tuple[int, int], ...]:
        return STARTS[self.size]


STARTS = {20: ((0, 19), (19, 19), (19, 0), (0, 0)), 14: ((4, 9), (9, 4))}
"""By size of the board, the start square (x, y) of each colour."""

_FOUR = ("1", "2", "3", "4")
_FOUR_WORDS = (("blue",), ("yellow",), ("red",), ("green",))
_FOUR_TITLES = ("Blue", "Yellow", "Red", "Green")

CLASSIC = Variant("classic", "Blokus", 20, 4, _FOUR, _FOUR_WORDS, _FOUR_TITLES)
TWO_PLAYER = Variant("classic_2", "Blokus Two-Player", 20, 2, _FOUR, _FOUR_WORDS, _FOUR_TITLES)
THREE_PLAYER = Variant("classic_3", "Blokus Three-Player", 20, 3, _FOUR, _FOUR_WORDS, _FOUR_TITLES)
DUO = Variant(
    "duo", "Blokus Duo", 14, 2,
    ("b", "w"), (("black", "blue"), ("white", "green")), ("Purple", "Orange"),
)  # fmt: skip

VARIANTS = (CLASSIC, TWO_PLAYER, THREE_PLAYER, DUO)
