"""Minimal cores by SAT: group-MUS extraction with deletion and refinement, on PySAT.

Each clue is a group of clauses behind a selector of its own. The solver is asked under all
selectors; those in its final conflict are a core already, often a small one. Then each is left out
in turn: if the rest still conflicts, the new conflict replaces the core, and otherwise the clue is
needed.
"""

from __future__ import annotations

from sapper.clues import Clue, Clues
from sapper.methods.reduced import reduce
from sapper.methods.sat.encodings import Encoder
from sapper.methods.sat.solver import Solver
from sapper.questions import Budget

__all__ = ["minimal_core"]


def minimal_core(clues: Clues, variable: int, mine: bool, budget: Budget) -> list[int] | None:
    """Return the numbers of clues that refute a value, none of which can be dropped.

    Parameters
    ----------
    clues
        The system. Its total counts as one more clue, after all others, where it is needed.
    variable, mine
        The place of a cell in ``clues.cells``, and the value to refute.
    budget
        Limits; each call of the solver counts as a node.

    Returns
    -------
    list of int or None
        None if the value can be had.

    Examples
    --------
    >>> minimal_core(Clues([Clue(1, "ab"), Clue(1, "de"), Clue(2, "abc")]), 4, False, Budget())
    [0, 2]
    """
    found = None
    for component in reduce(clues, budget, propagate=False).components:
        if variable in component.cells:
            near = {row.clue: clues.clues[row.clue] for row in component.rows}
            found = _minimal(clues, near, variable, mine, budget)
    if found is None and clues.free_mines is not None:
        everything = dict(enumerate((*clues.clues, Clue(clues.free_mines, clues.cells))))
        found = _minimal(clues, everything, variable, mine, budget)
    return found


def _minimal(
    clues: Clues, chosen: dict[int, Clue], variable: int, mine: bool, budget: Budget
) -> list[int] | None:
    index = clues.index
    encoder, solver = Encoder(len(index), budget=budget), Solver("minisat22", budget)
    group: dict[int, int] = {}
    for number, clue in chosen.items():
        if clue.weights is None:
            encoder.equals([index[cell] + 1 for cell in clue.cells], clue.count)
        else:
            terms = [(index[cell] + 1, weight) for cell, weight in clue.terms if weight]
            encoder.weighted(terms, clue.count)
        selector = encoder.new()
        group[selector] = number
        solver.add([-selector, *clause] for clause in encoder.taken())
    kept = _shrink(solver, list(group), variable + 1 if mine else -variable - 1)
    solver.free()
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
