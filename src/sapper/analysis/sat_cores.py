"""Minimal cores by SAT: group-MUS extraction with deletion and refinement, on PySAT.

Each clue is a group of clauses behind a selector of its own. The solver is asked under all
selectors of the cell's component; the selectors in its final conflict are a core already, often a
small one. Then each is left out in turn: if the rest still conflicts, the new conflict replaces
the core, and otherwise the clue is needed.
"""

from __future__ import annotations

from sapper.analysis.cores import Cores
from sapper.clues import Clue, Clues, Puzzle
from sapper.methods.reduced import reduce
from sapper.methods.sat import Encoder, Solver
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
        self._named = Clues.of(puzzle)

    def core(
        self, variable: int, mine: bool, *, smallest: bool = False, below: int = 0
    ) -> list[int] | None:
        """Return the numbers of clues that refute a value; None if it can be had."""
        if smallest:
            return super().core(variable, mine, smallest=smallest, below=below)
        clues = self._named.clues
        near = self._component(variable)
        found = self._minimal({n: clues[n] for n in near}, variable, mine)
        if found is None and self.total is not None:
            everything: dict[int, Clue] = dict(enumerate(clues))
            everything[len(clues)] = self.total
            found = self._minimal(everything, variable, mine)
        return found

    def _component(self, variable: int) -> list[int]:
        budget = self.budget
        for component in reduce(self._named, budget, propagate=False).components:
            if variable in component.cells:
                return [row.clue for row in component.rows]
        return []

    def _minimal(self, clues: dict[int, Clue], variable: int, mine: bool) -> list[int] | None:
        index = self._named.index
        encoder, solver = Encoder(len(index), budget=self.budget), Solver("minisat22", self.budget)
        group: dict[int, int] = {}
        for number, clue in clues.items():
            if clue.weights is None:
                encoder.equals([index[cell] + 1 for cell in clue.cells], clue.count)
            else:
                terms = [(index[cell] + 1, weight) for cell, weight in clue.terms if weight]
                encoder.weighted(terms, clue.count)
            selector = encoder.new()
            group[selector] = number
            solver.add([-selector, *clause] for clause in encoder.taken())
        assumed = variable + 1 if mine else -variable - 1
        kept = _shrink(solver, list(group), assumed)
        return None if kept is None else sorted(group[selector] for selector in kept)


def _shrink(solver: Solver, selectors: list[int], assumed: int) -> list[int] | None:
    core = _conflict(solver, selectors, assumed)
    if core is None:
        return None
    needed: list[int] = []
    while len(needed) < len(core):
        candidate = next(selector for selector in core if selector not in needed)
        rest = [selector for selector in core if selector != candidate]
        smaller = _conflict(solver, rest, assumed)
        if smaller is None:
            needed.append(candidate)
        else:
            core = smaller
    return core


def _conflict(solver: Solver, selectors: list[int], assumed: int) -> list[int] | None:
    """Return the selectors of a conflict under an assumption, or None if there is a model."""
    if solver.solve([assumed, *selectors]):
        return None
    conflict = frozenset(solver.core())
    return [selector for selector in selectors if selector in conflict]
