"""The clue system: cells, exact sums over them, and an optional number of mines.

A board becomes a clue system by `Clues.from_position`; a puzzle with no board is built bare.
"""

from sapper.clues.answers import VERDICTS, Cheapest, Solution, Verdict
from sapper.clues.clue import Clue, refuse_repeats
from sapper.clues.clues import Clues, Puzzle
from sapper.clues.costs import Cost, checked_costs, total_cost
from sapper.clues.simplify import Simplified

__all__ = [
    "VERDICTS",
    "Cheapest",
    "Clue",
    "Clues",
    "Cost",
    "Puzzle",
    "Simplified",
    "Solution",
    "Verdict",
    "checked_costs",
    "refuse_repeats",
    "total_cost",
]
