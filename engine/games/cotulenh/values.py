"""What pieces are worth to the search, in hundredths of an infantry."""

VALUE = (0, 100, 210, 120, 90, 320, 130, 260, 460, 560, 60)
"""Commander, infantry, tank, militia, engineer, artillery, anti-air gun, missile, air force, navy,
headquarters."""

HEROIC_BONUS = (0, 60, 70, 60, 50, 70, 60, 70, 130, 80, 70)

NEAR = (0, 5, 8, 5, 2, 7, 3, 7, 6, 3, 0)
"""For each square nearer to the enemy commander, from ten squares on."""

AIMED = (0, 6, 14, 8, 4, 22, 6, 18, 26, 16, 2)
"""For a piece whose reach ends at the enemy commander or beyond it, whatever stands between."""

GUARD = (0, 6, 5, 6, 3, 2, 6, 4, 0, 0, 10)
"""For a piece within two squares of its own commander."""

COVERED = 18
"""The commander stands under its own air defence while the enemy has planes."""

TEMPO = 12
"""Being to move."""
