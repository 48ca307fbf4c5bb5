"""The nameplate of a game: all that the host must know before anything heavy is loaded."""

from dataclasses import dataclass

from engine.types import Option


@dataclass(frozen=True)
class Game:
    """One game the process can serve."""

    name: str
    """As given to `--game`."""
    protocol: str
    """`uci` or `gtp`."""
    module: str
    """Imported when the game is loaded; offers `load() -> Engine`, with `variant` as argument
    if there is one."""
    options: tuple[Option, ...]
    kernels: tuple[tuple[str, ...], ...] = ()
    """Modules with compiled code, in groups that take about the same time to compile."""
    later: tuple[str, ...] = ()
    """Modules with compiled code that are loaded when first used: playing does not need them."""
    library: tuple[str, ...] = ()
    """Modules with compiled code for Python programs that import them: no command needs them."""
    card: tuple[str, ...] = ()
    """Modules with code for graphics cards, each piece of it a constant, a `device.DeviceCode`."""
    variant: str = ""
    """Which of the games of the module to begin with."""
