"""The engine room: rules, move generation, search and analysis of every game.

Importing this package loads nothing heavy; numba arrives with the modules that need it.
`README.md` beside this file is the source map.
"""

__version__ = "0.1.0"
