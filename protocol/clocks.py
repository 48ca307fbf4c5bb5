"""The clocks of the line protocol: `time_settings` and `time_left` to limits for one search."""

from dataclasses import dataclass

from engine.types import Limits


@dataclass
class _Clock:
    left: float
    """Milliseconds until the main time, or the period, is over."""
    stones: int
    """Moves to make in that time; 0 in the main time."""


class Clocks:
    """One clock for each colour. Main time, then periods of `byo` ms for `stones` moves each."""

    def __init__(self) -> None:
        self._settings: tuple[int, int, int] | None = None
        self._clocks: dict[int, _Clock] = {}

    def set_up(self, main: int, byo: int, stones: int) -> None:
        """New settings, in ms, for every colour. A period without moves means no limit, and so does
        no time at all."""
        unlimited = stones == 0 if byo else main == 0
        self._settings = None if unlimited else (main, byo, stones)
        self.restart()

    def restart(self) -> None:
        """A new game: all clocks are full."""
        self._clocks.clear()

    def set_left(self, colour: int, left: int, stones: int) -> None:
        """What the controller's clock of a colour says."""
        self._clocks[colour] = _Clock(left, stones)

    def limits(self, colour: int) -> Limits:
        """For the next move of a colour; no limits when there is no clock."""
        clock = self._clock(colour)
        if clock is None:
            return Limits()
        left = int(clock.left)
        return Limits(time=(left, left), movestogo=clock.stones or None)

    def spend(self, colour: int, milliseconds: float) -> None:
        """A move of that colour took so long."""
        clock = self._clock(colour)
        if clock is None:
            return
        clock.left -= milliseconds
        if clock.stones > 1:
            clock.stones -= 1
        elif self._settings is not None and (clock.stones == 1 or clock.left <= 0):
            _, byo, stones = self._settings
            if byo:
                clock.left, clock.stones = byo, stones

    def _clock(self, colour: int) -> _Clock | None:
        if colour not in self._clocks and self._settings is not None:
            main, byo, stones = self._settings
            self._clocks[colour] = _Clock(main, 0) if main else _Clock(byo, stones)
        return self._clocks.get(colour)
