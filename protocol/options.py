"""`setoption`: finding, checking and announcing options, from the game's table alone.

Checking needs nothing heavy, so a wrong value is refused at once, even while the engine still
compiles.
"""

from collections.abc import Sequence

from engine.errors import OptionError
from engine.types import Option
from protocol.uci import parse_number, quote

_LARGEST = 1 << 62


def find_option(options: Sequence[Option], name: str) -> Option:
    """The option of that name; case and the number of blanks do not count."""
    wanted = " ".join(name.split()).lower()
    for option in options:
        if option.name.lower() == wanted:
            return option
    known = ", ".join(option.name for option in options)
    raise OptionError(f"no option is named {quote(name)}; there are: {known}")


def check_value(option: Option, value: str | None) -> str:
    """The value in the form that the engine takes, or OptionError saying what was expected."""
    if option.kind == "button":
        return ""
    if option.kind == "string":
        if value is None:
            raise OptionError(f"option {option.name} takes a text or <empty>, {_given(value)}")
        return "" if value == "<empty>" else value
    if option.kind == "check":
        if value is not None and value.lower() in ("true", "false"):
            return value.lower()
        raise OptionError(f'option {option.name} takes "true" or "false", {_given(value)}')
    number = None if value is None else parse_number(value, _LARGEST)
    if number is None or not option.low <= number <= option.high:
        raise OptionError(
            f"option {option.name} takes a whole number from {option.low} to {option.high}, "
            f"{_given(value)}"
        )
    return str(number)


def render_option(option: Option) -> str:
    """The line that announces an option to the host."""
    line = f"option name {option.name} type {option.kind}"
    if option.kind == "button":
        return line
    line += f" default {option.default or '<empty>'}"
    if option.kind == "spin":
        line += f" min {option.low} max {option.high}"
    return line


def _given(value: str | None) -> str:
    return "no value was given" if value is None else f"not {quote(value)}"
