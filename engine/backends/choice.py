"""The backends by their names."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from engine.backends.check import CheckedDivider, checked_examine, checked_list
from engine.backends.cuda import Card
from engine.backends.facts import examiner
from engine.backends.moves import list_moves
from engine.backends.perft import CardDivider
from engine.device import DeviceFacts, DeviceRules
from engine.tasks import Examine, Tasks, Words


def choose(
    name: str,
    rules: DeviceRules,
    facts: DeviceFacts,
    on_cpu: Tasks,
    notice: Callable[[str], None],
    words: Words,
    merge: bool = False,
) -> Tasks:
    """The work of a game by the backend `gpu` or `check`. Blocks for seconds. Raises BackendError.

    What finds facts is put on the card when it is first asked for; that may raise BackendError too.
    `notice` takes lines for the user. With `merge` the card counts equal positions once.
    """
    card = Card(rules)

    @cache
    def facts_card() -> Card:
        return Card(facts)

    def legal(state: Any) -> list[int]:
        moves: list[int] = list_moves(card, state.reshape(1)).moves.tolist()
        return moves

    def examine() -> Examine:
        return examiner(facts_card())

    if name == "gpu":
        return Tasks(
            CardDivider(card, on_cpu.divide, notice, merge=merge), legal, examine, waits=True
        )
    divide = CardDivider(card, on_cpu.divide, notice, 1, merge)
    counting = replace(words, set_up=lambda state: f"--merge {words.set_up(state)}")
    return Tasks(
        CheckedDivider(divide, on_cpu.divide, counting if merge else words),
        checked_list(legal, on_cpu.legal, words),
        lambda: checked_examine(examine(), on_cpu.examiner(), words),
        waits=True,
    )
