"""The rules of the game, once: layouts, boards, random layouts and games on any field.

Boards and layouts are frozen values, safe to share between threads; a `Game` changes with every
move and belongs to one thread at a time. All of them pickle and copy.

Examples
--------
>>> from sapper.game import new_game
>>> game = new_game("beginner", rule="zero", seed=7)
>>> (4, 4) in game.dig((4, 4)), game.status
(True, 'playing')
"""

from sapper.errors import GameError
from sapper.game.board import BOARDS, Board, board_named
from sapper.game.game import Game, Move, Status, new_game
from sapper.game.layout import Layout, uncover
from sapper.game.start import (
    START_RULES,
    StartRule,
    checked_rule,
    checked_seed,
    kept_free,
    random_layout,
    seed_of,
)

__all__ = [
    "BOARDS",
    "START_RULES",
    "Board",
    "Game",
    "GameError",
    "Layout",
    "Move",
    "StartRule",
    "Status",
    "board_named",
    "checked_rule",
    "checked_seed",
    "kept_free",
    "new_game",
    "random_layout",
    "seed_of",
    "uncover",
]
