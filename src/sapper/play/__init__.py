"""Playing: games, boards and layouts, and who plays them.

Examples
--------
>>> from sapper import play
>>> game = play.new_game("expert", rule="safe", seed=7)
>>> len(game.dig((0, 0))) >= 1
True
"""

from sapper.game import BOARDS, Board, Game, Layout, new_game, random_layout

__all__ = ["BOARDS", "Board", "Game", "Layout", "new_game", "random_layout"]
