"""Puzzles from papers that are clue systems in disguise, and their examples."""

from sapper.puzzles.equal_moments import Division, EqualMoments, equal_moments, shortest_length
from sapper.puzzles.golan import Leaf, leaf_table
from sapper.puzzles.golan import example as golan_example
from sapper.puzzles.unique import UniquePosition, unique_positions

__all__ = [
    "Division",
    "EqualMoments",
    "Leaf",
    "UniquePosition",
    "equal_moments",
    "golan_example",
    "leaf_table",
    "shortest_length",
    "unique_positions",
]
