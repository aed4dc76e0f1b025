"""Minimal cores by SAT, behind the interface of those by the compiled core."""

from __future__ import annotations

from sapper.analysis.cores import Cores
from sapper.clues import Clues, Puzzle
from sapper.methods import minimal_core
from sapper.questions import Budget

__all__ = ["SatCores"]


class SatCores(Cores):
    """Finds minimal cores with PySAT; smallest ones and contradictions as `Cores` does.

    Parameters
    ----------
    puzzle : Position or Clues
        What is explained.
    budget : Budget
        What all searches together may cost; each call of the solver counts as a node.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        super().__init__(puzzle, budget)
        self._named = Clues.of(puzzle, budget.look)

    def core(
        self, variable: int, mine: bool, *, smallest: bool = False, below: int = 0
    ) -> list[int] | None:
        """Return the numbers of clues that refute a value; None if it can be had."""
        if smallest:
            return super().core(variable, mine, smallest=smallest, below=below)
        return minimal_core(self._named, variable, mine, self.budget)
