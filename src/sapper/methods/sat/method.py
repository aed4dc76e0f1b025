"""Inference by satisfiability: Dempsey & Guinn, *A Phase Transition in Minesweeper*, section 3.

A cell is safe if the clues with a mine there are unsatisfiable, and a mine if they are without one.
The paper asks twice for every cell; here each model that is found settles many cells at once, and
only what no model settles is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import ClassVar

from sapper.clues import Clues, Puzzle, Solution, Verdict
from sapper.field import Cell
from sapper.limits import Limits
from sapper.methods.onebyone import OneByOne, SolverFindings
from sapper.methods.reduced import Component, Reduced, reduce
from sapper.methods.sat.encodings import Encoder
from sapper.methods.sat.part import Part
from sapper.methods.sat.solver import Solver
from sapper.methods.sat.total import is_met, settle_under_total
from sapper.questions import BaseMethod, Budget, Question

__all__ = ["Sat"]


class Sat(BaseMethod):
    """Satisfiability of the clues, with PySAT.

    It does not count, and so does not mind how wide a board is. Each component is solved alone;
    a mine total couples them through the numbers of mines that each can have.

    Parameters
    ----------
    encoding : str
        How a clue becomes clauses: ``"direct"`` as in the paper, with no auxiliary variable; a
        cardinality encoding of PySAT (``"seqcounter"``, ``"sortnetwrk"``, ``"cardnetwrk"``,
        ``"totalizer"``, ``"mtotalizer"``, ``"kmtotalizer"``); or ``"auto"``, which is direct for
        clues of usual size. Weighted clues become decision diagrams.
    solver : str
        A solver of PySAT: ``"minisat22"``, ``"minisat-gh"``, ``"glucose3"``, ``"glucose4"`` or
        ``"glucose42"``.

    Raises
    ------
    MethodError
        If there is no such encoding or solver, or PySAT is not installed.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> Sat().findings(Clues([Clue(1, "ab"), Clue(2, "abc")])).verdicts
    {'a': 'unknown', 'b': 'unknown', 'c': 'mine'}
    >>> sorted(map(sorted, Sat(encoding="totalizer").solutions(Clues([Clue(1, "ab")]))))
    [['a'], ['b']]
    """

    name: ClassVar[str] = "sat"
    answers: ClassVar[frozenset[Question]] = frozenset({"consistent", "solutions", "verdicts"})

    def __init__(self, *, encoding: str = "auto", solver: str = "minisat22") -> None:
        Encoder(0, encoding)
        Solver(solver, Budget())
        self._encoding = encoding
        self._solver = solver

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> SolverFindings:
        """Return findings, each computed when it is read."""
        return SolverFindings(self, puzzle, limits)

    def is_consistent(self, puzzle: Puzzle, budget: Budget) -> bool:
        """Tell whether there is a legal assignment."""
        reduced = reduce(Clues.of(puzzle, budget.look), budget)
        parts = self._parts(reduced, budget)
        if parts is None:
            return False
        with _freed(parts):
            if reduced.mines is None:
                return True
            return is_met(parts, reduced.mines, len(reduced.free), budget)

    def verdicts(self, puzzle: Puzzle, budget: Budget) -> dict[Cell, Verdict]:
        """Return the verdict of every covered cell; nothing if there is no legal assignment."""
        clues = Clues.of(puzzle, budget.look)
        reduced = reduce(clues, budget)
        parts = self._parts(reduced, budget)
        if parts is None:
            return {}
        with _freed(parts):
            # For each part, the cells that can be mines and those that can be free.
            seen = [part.settle() for part in parts]
            free = (True, True)
            if reduced.mines is not None:
                total = settle_under_total(parts, seen, reduced.mines, len(reduced.free), budget)
                if total is None:
                    return {}
                seen, free = total
            return _assembled(clues, reduced, parts, seen, free)

    def _parts(self, reduced: Reduced, budget: Budget) -> list[Part] | None:
        """Return the components in solvers, each with a model; None if one of them has none."""
        if not reduced.consistent:
            return None
        parts = []
        for component in reduced.components:
            part = Part(component, self._encoding, self._solver, budget)
            parts.append(part)
            if part.find() is None:
                with _freed(parts):
                    return None
        return parts

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> OneByOne:
        """Return a view that finds the legal assignments one by one.

        Limits hold for each walk over the view.
        """
        clues = Clues.of(puzzle, Budget(limits).look)
        return OneByOne(self, clues, limits)

    def find(self, clues: Clues, budget: Budget) -> Iterator[Solution]:
        """Yield all solutions: models of the clues, each with every choice of the free cells."""
        reduced = reduce(clues, budget)
        if not reduced.consistent:
            return
        free = [clues.cells[cell] for cell in reduced.free]
        known = [cell for cell, value in zip(clues.cells, reduced.values, strict=True) if value]
        part = Part(_union(reduced.components), self._encoding, self._solver, budget)
        for mask in _models(part, reduced.mines, len(free)):
            chosen = [clues.cells[cell] for cell in part.mines_of(mask)]
            counts = range(len(free) + 1)
            if reduced.mines is not None:
                missing = reduced.mines - len(chosen)
                counts = range(missing, missing + 1)
            for count in counts:
                for extra in budget.watched(combinations(free, count)):
                    yield frozenset([*known, *chosen, *extra])
        part.free()

    def __repr__(self) -> str:
        return f"Sat(encoding={self._encoding!r}, solver={self._solver!r})"


@contextmanager
def _freed(parts: Sequence[Part]) -> Iterator[None]:
    """Free the solvers of parts whose work ends without an error."""
    yield
    for part in parts:
        part.free()


def _models(part: Part, mines: int | None, free: int) -> Iterator[int]:
    """Yield all models; under a total, those that some of the free cells complete to it."""
    least, most = 0, len(part.cells)
    if mines is not None:
        least, most = max(0, mines - free), min(mines, most)
    mask = part.find()
    if mask is None:
        return
    mask = part.aim(least, most)
    # While the models that come have the right number of mines, nobody has to count.
    while mask is not None and least <= mask.bit_count() <= most:
        yield mask
        part.forbid(mask)
        part.prefer(mask)
        part.models.clear()
        mask = part.find()
        if mask is None:
            return
    while (mask := part.with_mines(least, most)) is not None:
        yield mask
        part.forbid(mask)
        part.models.clear()


def _union(components: tuple[Component, ...]) -> Component:
    cells = sorted(cell for component in components for cell in component.cells)
    return Component(tuple(cells), tuple(row for part in components for row in part.rows))


def _assembled(
    clues: Clues,
    reduced: Reduced,
    parts: list[Part],
    seen: list[tuple[int, int]],
    free: tuple[bool, bool],
) -> dict[Cell, Verdict]:
    by_value: dict[int | None, Verdict] = {0: "safe", 1: "mine", None: "unknown"}
    verdicts = [by_value[value] for value in reduced.values]
    for part, (mined, freed) in zip(parts, seen, strict=True):
        for place, cell in enumerate(part.cells):
            if not mined >> place & 1:
                verdicts[cell] = "safe"
            elif not freed >> place & 1:
                verdicts[cell] = "mine"
    if free != (True, True):
        for cell in reduced.free:
            verdicts[cell] = "mine" if free[0] else "safe"
    return dict(zip(clues.cells, verdicts, strict=True))
