"""The backends by their names."""

from collections.abc import Callable

from engine.backends.check import CheckedDivider
from engine.backends.cuda import Card
from engine.backends.perft import CardDivider
from engine.device import DeviceRules
from engine.divide import Divide


def choose_divider(
    name: str,
    rules: DeviceRules,
    on_cpu: Divide,
    notice: Callable[[str], None],
    text: Callable[[int], str],
    how: Callable[[], str],
) -> Divide:
    """What counts leaves for the backend `gpu` or `check`; `CheckedDivider` says what `text` and
    `how` are. Blocks for seconds. Raises BackendError."""
    card = Card(rules)
    if name == "check":
        return CheckedDivider(CardDivider(card, on_cpu, notice, 1), on_cpu, text, how)
    return CardDivider(card, on_cpu, notice)
