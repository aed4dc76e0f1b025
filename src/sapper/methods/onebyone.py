"""For methods that ask a solver: their findings, and solutions one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol

from sapper.clues import VERDICTS, Clues, Puzzle, Solution, Verdict
from sapper.field import Cell
from sapper.limits import Limits
from sapper.methods.diagrams import DiagramView
from sapper.questions import Budget, Findings, Method

if TYPE_CHECKING:
    from sapper.zdd import Zdd

__all__ = ["OneByOne", "SolverFindings"]


class Solving(Method, Protocol):
    """A method that asks a solver for models."""

    def is_consistent(self, puzzle: Puzzle, budget: Budget) -> bool:
        """Tell whether there is a legal assignment."""

    def verdicts(self, puzzle: Puzzle, budget: Budget) -> Mapping[Cell, Verdict]:
        """Return the verdict of every covered cell; nothing if there is no legal assignment."""

    def find(self, clues: Clues, budget: Budget) -> Iterator[Solution]:
        """Yield all legal assignments in a fixed order."""


class OneByOne(DiagramView):
    """The legal assignments of a clue system, found when they are asked for.

    Truth, iteration and decided cells ask for no more solutions than they need. For what takes all
    of them at once (counts, samples, cheapest ones, diagrams) they are found one by one first, on
    the cells in clues: that may be out of reach where 'engine' has an answer at once.
    """

    one_by_one: ClassVar[bool] = True

    def __init__(self, method: Solving, clues: Clues, limits: Limits | None) -> None:
        super().__init__(clues, limits)
        self._method = method

    def _diagram(self, budget: Budget) -> Zdd:
        from sapper.zdd import Zdd

        clues = Clues(self._clues.clues, self._clues.touched)
        return Zdd.from_sets(clues.cells, self._method.find(clues, budget), budget)

    def exists(self, budget: Budget) -> bool:
        """Tell whether there is a solution."""
        return self._method.is_consistent(self._clues, budget)

    def __iter__(self) -> Iterator[Solution]:
        return self._method.find(self._clues, Budget(self._limits))

    def including(self, cell: Cell) -> OneByOne:
        """Return the view of the solutions with a mine in `cell`."""
        return OneByOne(self._method, self._clues.including(cell), self._limits)

    def excluding(self, cell: Cell) -> OneByOne:
        """Return the view of the solutions with no mine in `cell`."""
        return OneByOne(self._method, self._clues.excluding(cell), self._limits)

    def __repr__(self) -> str:
        return f"<solutions of {len(self.cells)} cells by {self._method!r}, one by one>"


class SolverFindings(Findings):
    """Consistency by one model, verdicts by many."""

    source: Solving

    def __init__(self, source: Solving, puzzle: Puzzle, limits: Limits | None = None) -> None:
        super().__init__(source, puzzle, limits)

    def find_consistent(self, budget: Budget) -> bool:
        """Let the method look for a model."""
        return self.source.is_consistent(self.puzzle, budget)

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Let the method find verdicts in its own way."""
        found = self.source.verdicts(self.puzzle, budget)
        return bytes(VERDICTS.index(found[cell]) for cell in self.cells if found)
