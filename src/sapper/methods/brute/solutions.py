"""The view of the solutions that plain enumeration found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Final

from sapper.clues import Cheapest, Cost, Solution, checked_costs, total_cost
from sapper.errors import InconsistentError, MethodError, UnknownCellError
from sapper.field import Cell
from sapper.methods.brute.zdd import BruteZdd
from sapper.zdd import checked_number

MAX_LISTED: Final = 1 << 17
"""The most solutions that are written out for a diagram."""

MAX_VARIABLES: Final = 400
"""The most cells of a diagram, which is built by recursion over them."""


class BruteSolutions:
    """The legal assignments: every listed mask, with every choice of the free cells.

    Made by `sapper.methods.brute.Brute.solutions`.

    Parameters
    ----------
    cells : tuple of cells
        All covered cells in canonical order.
    touched : tuple of cells
        The cells that the bits of `masks` stand for, lowest bit first.
    masks : tuple of int
        The assignments of `touched` that satisfy every clue, ascending.
    free : tuple of cells
        Cells in no clue that are not yet decided.
    mines : int, optional
        The number of mines in all on `cells`.
    decided : frozenset of cells
        Mines among the cells that are neither touched nor free.
    """

    def __init__(
        self,
        *,
        cells: tuple[Cell, ...],
        touched: tuple[Cell, ...],
        masks: tuple[int, ...],
        free: tuple[Cell, ...],
        mines: int | None,
        decided: Solution = frozenset(),
    ) -> None:
        self._cells = cells
        self._touched = touched
        self._masks = masks
        self._free = free
        self._mines = mines
        self._decided = decided

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All covered cells in canonical order."""
        return self._cells

    def __bool__(self) -> bool:
        return any(map(self._completions, self._masks))

    def count(self) -> int:
        """Return the number of solutions."""
        return sum(map(self._completions, self._masks))

    def count_by_mines(self) -> dict[int, int]:
        """Return the number of solutions for every number of mines on `cells`."""
        counts: Counter[int] = Counter()
        for touched, masks in Counter(map(int.bit_count, self._masks)).items():
            for chosen in self._choices(touched):
                mines = len(self._decided) + touched + chosen
                counts[mines] += masks * comb(len(self._free), chosen)
        return dict(sorted(counts.items()))

    def __iter__(self) -> Iterator[Solution]:
        for mask in self._masks:
            mines = self._mines_of(mask)
            for chosen in self._choices(mask.bit_count()):
                for extra in combinations(self._free, chosen):
                    yield mines.union(extra)

    def __contains__(self, solution: object) -> bool:
        if not isinstance(solution, Iterable):
            return False
        try:
            mines = frozenset(solution)
        except TypeError:  # a set with something in it that is no cell
            return False
        touched = mines.intersection(self._touched)
        free = mines.intersection(self._free)
        mask = sum(1 << place for place, cell in enumerate(self._touched) if cell in touched)
        return (
            mines == touched | free | self._decided
            and mask in self._masks
            and len(free) in self._choices(len(touched))
        )

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        """Draw `n` solutions uniformly and independently.

        Raises
        ------
        InconsistentError
            If there is no solution.
        """
        # Fractions of huge counts do not fit in floats: draw a rank and look it up instead.
        checked_number(n)
        random = Random(seed)
        total = self._require_some()
        return [self._at(random.randrange(total), random) for _ in range(n)]

    def _at(self, rank: int, random: Random) -> Solution:
        for mask in self._masks:
            for chosen in self._choices(mask.bit_count()):
                completions = comb(len(self._free), chosen)
                if rank < completions:
                    return self._mines_of(mask).union(random.sample(self._free, chosen))
                rank -= completions
        raise AssertionError("the rank is below the number of solutions")

    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        """Return a solution of least cost, with its cost.

        A cell without a cost costs nothing. Costs are compared exactly.

        Raises
        ------
        InconsistentError
            If there is no solution.
        CostError
            If a cost is not a finite number.
        UnknownCellError
            If a cost is given for something that is not a covered cell.
        """
        checked = checked_costs(costs, self._cells)
        self._require_some()
        exact = {cell: Fraction(cost) for cell, cost in checked.items()}
        by_cost = sorted(self._free, key=exact.__getitem__)
        candidates = (
            self._mines_of(mask).union(by_cost[:chosen])
            for mask in self._masks
            for chosen in self._choices(mask.bit_count())
        )
        best = min(candidates, key=lambda mines: sum(exact[cell] for cell in mines))
        return Cheapest(best, total_cost(checked, best))

    def including(self, cell: Cell) -> BruteSolutions:
        """Return the view of the solutions with a mine in `cell`.

        Raises
        ------
        UnknownCellError
            If it is not a covered cell.
        """
        return self._with(cell, mined=True)

    def excluding(self, cell: Cell) -> BruteSolutions:
        """Return the view of the solutions with no mine in `cell`.

        Raises
        ------
        UnknownCellError
            If it is not a covered cell.
        """
        return self._with(cell, mined=False)

    def zdd(self) -> BruteZdd:
        """Return the reduced diagram of all solutions, in the canonical order of cells.

        Raises
        ------
        MethodError
            If there are more than `MAX_LISTED` solutions or `MAX_VARIABLES` cells.
        """
        if len(self._cells) > MAX_VARIABLES or self.count() > MAX_LISTED:
            raise MethodError(
                f"the method 'brute' makes a diagram of at most {MAX_LISTED:,} solutions over at "
                f"most {MAX_VARIABLES} cells; 'engine' takes any number"
            )
        return BruteZdd(self._cells, self)

    def _with(self, cell: Cell, *, mined: bool) -> BruteSolutions:
        masks, free, decided = self._masks, self._free, self._decided
        if cell in self._touched:
            bit = 1 << self._touched.index(cell)
            masks = tuple(mask for mask in masks if bool(mask & bit) == mined)
        elif cell in free:
            free = tuple(other for other in free if other != cell)
            decided = decided | {cell} if mined else decided
        elif cell not in self._cells:
            raise UnknownCellError(cell, "the covered cells")
        elif (cell in decided) != mined:
            masks = ()
        return BruteSolutions(
            cells=self._cells,
            touched=self._touched,
            masks=masks,
            free=free,
            mines=self._mines,
            decided=decided,
        )

    def _choices(self, touched: int) -> range:
        """Return how many free cells may be mined if `touched` touched ones are."""
        if self._mines is None:
            return range(len(self._free) + 1)
        missing = self._mines - len(self._decided) - touched
        return range(missing, missing + 1) if 0 <= missing <= len(self._free) else range(0)

    def _completions(self, mask: int) -> int:
        return sum(comb(len(self._free), chosen) for chosen in self._choices(mask.bit_count()))

    def _mines_of(self, mask: int) -> Solution:
        mined = (cell for place, cell in enumerate(self._touched) if mask >> place & 1)
        return self._decided.union(mined)

    def _require_some(self) -> int:
        count = self.count()
        if not count:
            raise InconsistentError("there is no legal assignment to choose from")
        return count

    def __repr__(self) -> str:
        return f"<BruteSolutions over {len(self._cells)} cells>"
