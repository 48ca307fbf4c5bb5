"""The numbers that the search goes by: in hundredths of a pawn where nothing else is said.

They lie in the memory of each thread, so that `scripts/chess_tune.py`, which found them, can let
two searches with different ones play each other.
"""

import numpy as np

START = {
    # Far below alpha a look at captures is enough: razor + razor_depth * depth ** 2.
    "razor": (173, 60),
    "razor_depth": (97, 25),
    # Far above beta nothing is looked at: ahead * depth + worth of the move before / ahead_worth.
    "ahead": (35, 10),
    "ahead_worth": (1070, 200),
    # A null move is tried above beta + pass_base - pass_depth * depth, unless the worth of the
    # move before is pass_worth; it is reduced by pass_plies + pass_slope * depth, in 1/1024
    # plies, and by one for each pass_excess above beta.
    "pass_base": (28, 30),
    "pass_depth": (10, 4),
    "pass_worth": (13362, 3000),
    "pass_plies": (4498, 300),
    "pass_slope": (318, 40),
    "pass_excess": (65, 15),
    # A capture that gets probcut above beta by a shallow search is good enough.
    "probcut": (76, 30),
    # The table's move is singular if the others stay (singular + singular_line on the main line) *
    # depth / 16 below it; by `double` more, it is looked at two plies deeper.
    "singular": (20, 4),
    "singular_line": (14, 5),
    "double": (9, 4),
    # Quiet moves are left out after enough + enough_depth * depth ** 2 moves, in hundredths.
    "enough": (900, 100),
    "enough_depth": (190, 20),
    # Or if history says less than -history_depth * (depth - 1).
    "history_depth": (4912, 600),
    # Or if the judgement is futile + futile_depth * late + history / futile_history below alpha.
    "futile": (60, 20),
    "futile_depth": (63, 15),
    "futile_history": (156, 30),
    # Or if they lose (loss_square * late ** 2 + loss_depth * late) / 10 by exchanges.
    "loss_square": (105, 20),
    "loss_depth": (89, 30),
    # Captures are left out if what they take is capture + capture_depth * late below alpha, or if
    # they lose capture_loss * depth.
    "capture": (180, 30),
    "capture_depth": (86, 20),
    "capture_loss": (82, 15),
    # Late moves are reduced by late + late_slope * ln depth * ln number, in 1/1024 plies, and more
    # or less for what else is known: see `base_reduction` and `adjusted`.
    "late": (1681, 150),
    "late_slope": (481, 40),
    "late_worse": (1107, 200),
    "late_window": (1073, 200),
    "late_cut": (2030, 250),
    "late_line": (2096, 250),
    "late_takes": (1104, 200),
    "late_singular": (694, 200),
    "late_pv": (1102, 200),
    "late_cutoffs": (1032, 200),
    "late_number": (1313, 200),
    "late_worth": (10664, 2000),
    # What history says of a middling move.
    "middling": (6242, 1000),
    # A second look at a late move goes deeper if the first was `deeper` above alpha.
    "deeper": (26, 8),
    # Below the horizon: a capture is looked at if it could get within this of alpha.
    "quiesce": (86, 25),
    # History is moved by bonus * depth - 250, at most bonus_most.
    "bonus": (285, 40),
    "bonus_most": (1541, 250),
    # And by `change` for each hundredth of a pawn that the judgement changed by.
    "change": (25, 12),
    # What the history of a quiet move weighs, in 1/1024, beside what it did after other moves.
    "history": (1081, 150),
    # What the history of a capture weighs, in 1/16384, beside 16 times the value of what it takes.
    "capture_history": (4049, 800),
}
"""Value, and the step by which it is moved to find out whether more or less is better."""

MARGINS = np.dtype([(name, np.int64) for name in START])
