"""The integer program of a minefield: Chlond's model, after Jandhyala, chapter 22.

A variable in {0, 1} for every covered cell, an equation for every clue, and one for the mine total
if it is given. The questions of `CpSat` are objectives on this one model; whoever can solve it, can
answer them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from sapper.clues import Clues, Solution
from sapper.errors import MethodError
from sapper.methods.reduced import Row, reduce
from sapper.questions import Budget

__all__ = ["Model", "Solver", "model_of"]


@dataclass(frozen=True, slots=True)
class Model:
    """Equations over 0-1 variables, one variable per covered cell."""

    clues: Clues
    rows: tuple[Row, ...]

    def solution(self, values: list[int]) -> Solution:
        """Return the mines of an assignment, checked by adding up.

        Raises
        ------
        MethodError
            If a solver returned something that is no solution.
        """
        mines = frozenset(
            cell for cell, value in zip(self.clues.cells, values, strict=True) if value
        )
        if not self.clues.is_solution(mines):
            raise MethodError(
                "the solver returned an assignment that is not legal: its numbers are too large "
                "for it; 'engine' and 'brute' are exact"
            )
        return mines


class Solver(Protocol):
    """Something that solves models."""

    def maximize(self, objective: Mapping[int, int]) -> list[int] | None:
        """Return values that maximize a sum over variables, or None if nothing is feasible."""

    def forbid(self, values: list[int]) -> None:
        """Rule out one assignment."""

    def every(self) -> Iterator[list[int]]:
        """Yield all assignments, each once, in a fixed order."""


def model_of(clues: Clues, budget: Budget, *, largest: int) -> Model:
    """Return the model of a clue system.

    Raises
    ------
    MethodError
        If a weight or a count is larger than the solver can hold exactly.
    """
    parts = reduce(clues, budget, propagate=False).components
    rows = [row for part in parts for row in part.rows]
    rows.sort(key=lambda row: row.clue)
    # Rows without cells say that 0 is their count, or that nothing is feasible.
    rows += [
        Row(clue.count, (), number)
        for number, clue in enumerate(clues.clues)
        if clue.count and not any(weight for _, weight in clue.terms)
    ]
    if clues.free_mines is not None and (clues.free_mines or clues.cells):
        everything = tuple((cell, 1) for cell in range(len(clues.cells)))
        rows.append(Row(clues.free_mines, everything, len(clues.clues)))
    for place, row in enumerate(rows):
        size = sum(abs(weight) for _, weight in row.terms)
        if abs(row.count) > size:
            # However long the count is, nothing is feasible.
            rows[place] = Row(1, (), row.clue)
        elif size > largest:
            raise MethodError(
                f"a clue has weights that add up to {size:,}, and this solver is exact up to "
                f"{largest:,}; 'engine' and 'brute' take larger ones"
            )
    return Model(clues, tuple(rows))
