"""The words in which every method answers."""

from typing import Final, Literal, NamedTuple, TypeAlias

from sapper.clues.costs import Cost
from sapper.field import Cell

Verdict: TypeAlias = Literal["safe", "mine", "unknown"]
"""What is certain of a covered cell."""

VERDICTS: Final[tuple[Verdict, Verdict, Verdict]] = ("safe", "mine", "unknown")
"""Verdicts by code: where verdicts travel as bytes, byte ``i`` stands for ``VERDICTS[i]``."""

Solution: TypeAlias = frozenset[Cell]
"""A legal assignment: the covered cells that hold a mine."""


class Cheapest(NamedTuple):
    """A solution of least cost, with its cost.

    Frozen: threads can share one.
    """

    solution: Solution
    cost: Cost
