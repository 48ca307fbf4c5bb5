"""The registry of games. Importing it loads no game's rules."""

from engine.games.base import Game
from engine.games.blokus import BLOKUS
from engine.games.chess import CHESS
from engine.games.cotulenh import COTULENH

GAMES: dict[str, Game] = {game.name: game for game in (CHESS, *BLOKUS, COTULENH)}
