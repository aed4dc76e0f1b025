"""Playing: games, boards and layouts, and who plays them.

Examples
--------
>>> from sapper import play
>>> game = play.new_game("expert", rule="safe", seed=7)
>>> len(game.dig((0, 0))) >= 1
True
>>> play.tournament("champion", board="beginner", games=100, seed=1).rate > 0.8
True
"""

from sapper.game import BOARDS, Board, Game, Layout, StartRule, new_game, random_layout
from sapper.play.digs import Dig, compare_digs, winning_chances
from sapper.play.external import External
from sapper.play.games import play_games
from sapper.play.generate import Generated, UnmetWish, generate, generate_many
from sapper.play.grade import LEVELS, Grade, Level, grade, usual_start
from sapper.play.metrics import Metrics, metrics, three_bv
from sapper.play.openings import opening_chances
from sapper.play.optimal import Optimum, TooManyLayouts, optimal_play, optimal_wins
from sapper.play.puzzle import OneSafeCell, puzzle
from sapper.play.results import Difference, Result
from sapper.play.review import Judgement, Review, ReviewedMove, review
from sapper.play.sequential import SequentialTest, Standing
from sapper.play.sources import Games, Source
from sapper.play.strategies import BuiltIn, first_dig, named, strategies
from sapper.play.suites import SUITES, Suite
from sapper.play.tournament import guarded_player, public_name, tournament
from sapper.play.view import Strategy, View

__all__ = [
    "BOARDS",
    "LEVELS",
    "SUITES",
    "Board",
    "BuiltIn",
    "Difference",
    "Dig",
    "External",
    "Game",
    "Games",
    "Generated",
    "Grade",
    "Judgement",
    "Layout",
    "Level",
    "Metrics",
    "OneSafeCell",
    "Optimum",
    "Result",
    "Review",
    "ReviewedMove",
    "SequentialTest",
    "Source",
    "Standing",
    "StartRule",
    "Strategy",
    "Suite",
    "TooManyLayouts",
    "UnmetWish",
    "View",
    "compare_digs",
    "first_dig",
    "generate",
    "generate_many",
    "grade",
    "guarded_player",
    "metrics",
    "named",
    "new_game",
    "opening_chances",
    "optimal_play",
    "optimal_wins",
    "play_games",
    "public_name",
    "puzzle",
    "random_layout",
    "review",
    "strategies",
    "three_bv",
    "tournament",
    "usual_start",
    "winning_chances",
]
