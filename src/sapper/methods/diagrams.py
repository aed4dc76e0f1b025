"""What methods have in common that end in a diagram over the cells in clues."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from sapper.clues import Cheapest, Clue, Clues, Cost, Puzzle, Solution
from sapper.field import Cell
from sapper.limits import Limits
from sapper.questions import BaseMethod, Budget, CountedFindings, Question
from sapper.zdd import SetView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sapper.zdd import Zdd

_BYTES_PER_NODE = 24


class DiagramMethod(BaseMethod):
    """A method that makes the ZDD of all solutions, over the cells that stand in clues.

    A subclass makes that diagram. Cells in no clue and the mine total, which neither model of the
    paper knows, come in afterwards: a free cell doubles the sets, the total keeps those of its
    size.
    """

    answers: ClassVar[frozenset[Question]] = frozenset(
        {"consistent", "count", "by_mines", "solutions", "verdicts", "probabilities"}
    )

    @abstractmethod
    def diagram(self, puzzle: Puzzle, limits: Limits | None = None) -> Zdd:
        """Return the diagram over the cells in clues, the total left aside."""

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> DiagramFindings:
        """Return findings from passes over one diagram."""
        return DiagramFindings(self, puzzle, limits)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> DiagramSolutions:
        """Return a view of the legal assignments; the diagram is made when it is first needed."""
        return DiagramSolutions(self, Clues.of(puzzle), limits)


class DiagramSolutions(SetView):
    """A view of the legal assignments through a diagram."""

    def __init__(self, method: DiagramMethod, clues: Clues, limits: Limits | None) -> None:
        self._method = method
        self._clues = clues
        self._limits = limits

    @property
    def clues(self) -> Clues:
        """The clues whose solutions these are."""
        return self._clues

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order."""
        return self._clues.cells

    @cached_property
    def touched(self) -> Zdd:
        """The diagram over the cells in clues, the total left aside."""
        return self._method.diagram(self._clues, self._limits)

    @cached_property
    def _whole(self) -> Zdd:
        budget = Budget(self._limits)
        whole = self.touched.with_free(self._clues.untouched)
        total = self._clues.free_mines
        if total is not None:
            whole = whole.satisfying(Clue(total, whole.cells))
        budget.spend(nodes=len(whole), held=_BYTES_PER_NODE * len(whole))
        return whole

    def zdd(self) -> Zdd:
        """Return the reduced diagram of all solutions, over all covered cells."""
        return self._whole

    def __bool__(self) -> bool:
        return self.count() > 0 if self._clues.free_mines is not None else bool(self.touched)

    def count(self) -> int:
        """Return the number of solutions."""
        free, total = len(self._clues.untouched), self._clues.free_mines
        if total is None:
            return self.touched.count() << free
        return sum(
            number * comb(free, total - mines)
            for mines, number in self.touched.count_by_mines().items()
            if total >= mines
        )

    def count_by_mines(self) -> dict[int, int]:
        """Return the number of solutions for every number of mines on `cells`."""
        return self._whole.count_by_mines()

    def __contains__(self, solution: object) -> bool:
        return solution in self._whole

    def __iter__(self) -> Iterator[Solution]:
        return iter(self._whole)

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        """Draw `n` solutions uniformly and independently; raise if there is none."""
        return self._whole.sample(n, seed=seed)

    def sample_array(self, n: int = 1, *, seed: int | None = None) -> NDArray[np.bool_]:
        """Draw as `sample`: a row per solution, a column per cell, in the order of `cells`."""
        place = {cell: number for number, cell in enumerate(self._whole.cells)}
        columns = [place[cell] for cell in self.cells]
        return self._whole.sample_array(n, seed=seed)[:, columns]

    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        """Return a solution of least cost with its cost; raise if there is none."""
        return self._whole.cheapest(costs)

    def including(self, cell: Cell) -> Zdd:
        """Return the solutions with a mine in `cell`."""
        return self._whole.including(cell)

    def excluding(self, cell: Cell) -> Zdd:
        """Return the solutions with no mine in `cell`."""
        return self._whole.excluding(cell)

    def __repr__(self) -> str:
        return f"<solutions of {len(self.cells)} cells by {self._method!r}>"


class DiagramFindings(CountedFindings):
    """Findings counted on a diagram."""

    source: DiagramMethod

    def _seen(self, budget: Budget) -> DiagramSolutions:
        return self.known("_view", self._made, budget)

    def _made(self, budget: Budget) -> DiagramSolutions:
        return self.source.solutions(self.puzzle, budget.left())

    def find_consistent(self, budget: Budget) -> bool:
        """Look whether the diagram is empty."""
        return bool(self._seen(budget))

    def find_count(self, budget: Budget) -> int:
        """Count on the diagram."""
        return self._seen(budget).count()

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        """Count by mines on the diagram over the cells in clues, and add the others."""
        clues = self.clues
        touched = self._seen(budget).touched.count_by_mines()
        free = len(clues.untouched)
        counts: dict[int, int] = {}
        for mines, number in touched.items():
            for extra in range(free + 1):
                key = clues.known_mines + mines + extra
                counts[key] = counts.get(key, 0) + number * comb(free, extra)
        return dict(sorted(counts.items()))

    def find_mined(self, budget: Budget) -> list[int]:
        """Count the solutions with a mine in each cell."""
        found = self._seen(budget).zdd().counts_with()
        return [found[cell] for cell in self.cells]
