"""Certainty first: a clue system without the cells that its clues decide."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sapper.clues.answers import Solution
from sapper.clues.clue import Clue
from sapper.field import Cell

if TYPE_CHECKING:
    from sapper.clues.clues import Clues
    from sapper.limits import Limits


@dataclass(frozen=True)
class Simplified:
    """A smaller clue system with the same solutions, and the way back.

    Frozen: threads can share one.

    Made by `Clues.simplify`.

    Attributes
    ----------
    clues : Clues
        What is left: no clue decides any of its cells. Its `known_mines` count `mines` too, so
        totals mean what they did.
    mines, safe : frozenset of cells
        The cells that the clues decide, and that are left out.
    sources : tuple of int
        For each clue that is left, the place of the clue that it comes from.
    consistent : bool
        Whether the clues, without the total, have a solution. If not, nothing is changed.
    """

    clues: Clues
    mines: Solution
    safe: frozenset[Cell]
    sources: tuple[int, ...]
    consistent: bool

    def restore(self, solution: Iterable[Cell]) -> Solution:
        """Return the solution of the original system that one of `clues` stands for."""
        return self.mines.union(solution)


def simplify(system: Clues, limits: Limits | None) -> Simplified:
    """Substitute every cell that the clues decide; see `Clues.simplify`."""
    consistent, values = _certain_values(system, limits)
    if not consistent:
        everything = tuple(range(len(system.clues)))
        return Simplified(system, frozenset(), frozenset(), everything, False)
    decided = zip(system.cells, values, strict=True)
    value = {cell: known for cell, known in decided if known >= 0}
    left: dict[tuple[int, frozenset[tuple[Cell, int]]], int] = {}
    clues: list[Clue] = []
    for place, clue in enumerate(system.clues):
        count = clue.count - sum(weight * value.get(cell, 0) for cell, weight in clue.terms)
        terms = [(cell, weight) for cell, weight in clue.terms if weight and cell not in value]
        content = (count, frozenset(terms))
        if terms and content not in left:
            left[content] = place
            clues.append(
                Clue(
                    count,
                    [cell for cell, _ in terms],
                    weights=[weight for _, weight in terms],
                    cell=clue.cell,
                )
            )
    mines = frozenset(cell for cell, known in value.items() if known)
    rest = type(system)(
        clues,
        [cell for cell in system.cells if cell not in value],
        system.mines,
        known_mines=system.known_mines + len(mines),
    )
    return Simplified(rest, mines, frozenset(value) - mines, tuple(left.values()), True)


def _certain_values(system: Clues, limits: Limits | None) -> tuple[bool, array[int]]:
    """Return whether the clues can be met, and for each cell 0, 1 or -1 for not decided."""
    from sapper._native import certain_values, run_under

    consistent, values = certain_values(system.system, run_under(limits))
    return consistent, array("b", values)
