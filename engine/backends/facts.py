"""The facts of many positions on a card."""

import numpy as np

from engine.backends.runner import Runner, in_parts
from engine.device import DeviceFacts
from engine.tasks import Examine, Records


def examiner(runner: Runner) -> Examine:
    """An Examine that copies positions to the card, examines them there and copies the facts back.

    Threads may share it: while one waits for the card, others read positions and write results.
    """
    rules: DeviceFacts = runner.rules

    def examine(states: Records, found: Records) -> None:
        def work(part: slice) -> None:
            n = part.stop - part.start
            given = runner.xp.asarray(states[part].view(np.uint8))
            # Beyond its counts a record of facts says nothing: zeros, so that copies are equal.
            facts = runner.xp.zeros(n * rules.facts.itemsize, np.uint8)
            runner.run("examine", 0, n, given, facts)
            found[part].view(np.uint8)[:] = runner.fetch(facts)

        in_parts(runner, len(states), work)

    return examine
