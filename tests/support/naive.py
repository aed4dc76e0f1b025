"""An oracle for the oracle: the definition of a legal assignment, and nothing else.

For a position it looks at labels and neighbours only and never at a clue system, so it also
checks the step from positions to clues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from sapper.clues import Cheapest, Clues, Cost, Puzzle, Solution, checked_costs, total_cost
from sapper.errors import InconsistentError, UnknownCellError
from sapper.field import Cell, Position
from sapper.limits import Limits
from sapper.questions import BaseMethod, Budget, Findings
from tests.support.brute_zdd import BruteZdd


def is_legal(puzzle: Puzzle, mines: frozenset[Cell], *, total: bool = True) -> bool:
    """Tell whether mines on covered cells fit what is visible."""
    if isinstance(puzzle, Clues):
        everything = len(mines) + puzzle.known_mines
        fits = all(
            sum(weight for cell, weight in clue.terms if cell in mines) == clue.count
            for clue in puzzle.clues
        )
    else:
        field = puzzle.topology
        world = mines | {cell for cell in field.cells if puzzle.label(cell) == "*"}
        everything = len(world)
        fits = all(
            sum(other in world for other in field.neighbours(cell)) == label
            for cell in field.cells
            if isinstance(label := puzzle.label(cell), int)
        )
    return fits and (not total or puzzle.mines in (None, everything))


def covered(puzzle: Puzzle) -> tuple[Cell, ...]:
    """Return the covered cells in canonical order."""
    if isinstance(puzzle, Clues):
        return puzzle.cells
    return tuple(cell for cell in puzzle.topology.cells if puzzle.label(cell) == "?")


def legal(puzzle: Puzzle, *, total: bool = True) -> list[Solution]:
    """Return all legal assignments."""
    cells = covered(puzzle)
    return [
        mines
        for bits in product((False, True), repeat=len(cells))
        if is_legal(
            puzzle,
            mines := frozenset(cell for cell, mined in zip(cells, bits, strict=True) if mined),
            total=total,
        )
    ]


class Naive(BaseMethod):
    """The definition as a method; verdicts and probabilities follow from consistency and count."""

    name = "naive"
    answers = frozenset(
        {"consistent", "count", "by_mines", "solutions", "verdicts", "probabilities"}
    )

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> Findings:
        return NaiveFindings(self, puzzle, limits)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> Listed:
        return Listed(covered(puzzle), legal(puzzle))


class NaiveFindings(Findings):
    def find_count(self, budget: Budget) -> int:
        return len(legal(self.puzzle))

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        puzzle = self.puzzle
        known = len(puzzle.known_mines) if isinstance(puzzle, Position) else puzzle.known_mines
        counts = Counter(len(mines) + known for mines in legal(puzzle, total=False))
        return dict(sorted(counts.items()))


class Listed:
    """A view of listed solutions."""

    def __init__(self, cells: tuple[Cell, ...], solutions: list[Solution]) -> None:
        self.cells = cells
        self.listed = solutions

    def __bool__(self) -> bool:
        return bool(self.listed)

    def __contains__(self, solution: object) -> bool:
        return solution in self.listed

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.listed)

    def count(self) -> int:
        return len(self.listed)

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        self._require_some()
        return Random(seed).choices(self.listed, k=n)

    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        checked = checked_costs(costs, self.cells)
        self._require_some()
        best = min(self.listed, key=lambda mines: sum(Fraction(checked[cell]) for cell in mines))
        return Cheapest(best, total_cost(checked, best))

    def including(self, cell: Cell) -> Listed:
        return Listed(self._knowing(cell), [mines for mines in self.listed if cell in mines])

    def excluding(self, cell: Cell) -> Listed:
        return Listed(self._knowing(cell), [mines for mines in self.listed if cell not in mines])

    def zdd(self) -> BruteZdd:
        return BruteZdd(self.cells, self.listed)

    def _knowing(self, cell: Cell) -> tuple[Cell, ...]:
        if cell not in self.cells:
            raise UnknownCellError(cell)
        return self.cells

    def _require_some(self) -> None:
        if not self.listed:
            raise InconsistentError("there is none")
