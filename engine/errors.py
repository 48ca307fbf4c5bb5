"""Every way a command can fail. The message is one line and is shown to the user as it stands."""


def quote(text: str) -> str:
    """User's text for a message: ASCII, one line, at most 80 characters."""
    shown = ascii(text[:81])[1:-1]
    return f'"{shown}"' if len(shown) <= 80 else f'"{shown[:77]}..."'


class EngineError(Exception):
    """A command could not be carried out; nothing was changed."""


class PositionError(EngineError):
    """The text of a position is malformed, or the position is not a legal one."""


class MoveError(EngineError):
    """A move is malformed or not legal in the position it was given for."""


class OptionError(EngineError):
    """An option does not exist or does not take that value."""


class BackendError(EngineError):
    """The chosen backend cannot run here."""


class CheckError(EngineError):
    """Two backends disagree."""


class FileError(EngineError):
    """A file cannot be read or written."""

    def __init__(self, what: str, path: str, why: str) -> None:
        """`what` could not be done, such as "cannot read". Of a long path only the end is shown."""
        shown = ascii(path)[1:-1]
        super().__init__(f'{what} "{shown if len(shown) <= 80 else "..." + shown[-77:]}": {why}')
