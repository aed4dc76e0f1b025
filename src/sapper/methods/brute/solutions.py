"""The view of the solutions that plain enumeration found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from sapper.clues import Clue, Clues, Solution
from sapper.errors import UnknownCellError
from sapper.field import Cell
from sapper.limits import Budget, Limits
from sapper.zdd import SetView

if TYPE_CHECKING:
    from sapper.zdd import Zdd


class BruteSolutions(SetView):
    """The legal assignments: every listed mask, with every choice of the free cells.

    Counting, membership and iteration go through the list and nothing else, for they are what
    diagrams are tested against. Made by `sapper.methods.brute.Brute.solutions`.

    Parameters
    ----------
    clues : Clues
        The clue system that was enumerated.
    masks : tuple of int
        The assignments of the cells in clues that satisfy every clue, ascending; the first cell
        has the lowest bit.
    limits : Limits, optional
        What each question may cost.
    decided : mapping
        Whether cells are mined that were decided afterwards.
    """

    def __init__(
        self,
        clues: Clues,
        masks: tuple[int, ...],
        limits: Limits | None = None,
        decided: Mapping[Cell, bool] | None = None,
    ) -> None:
        self._system = clues
        self._masks = masks
        self._limits = limits
        self._decided = dict(decided or {})
        self._touched = clues.touched
        self._free = tuple(cell for cell in clues.untouched if cell not in self._decided)
        self._extra = frozenset(cell for cell in clues.untouched if self._decided.get(cell, False))

    @property
    def clues(self) -> Clues:
        """The clues whose solutions these are."""
        clues = self._system
        for cell, mined in self._decided.items():
            clues = clues.including(cell) if mined else clues.excluding(cell)
        return clues

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All covered cells in canonical order."""
        return self._system.cells

    def __bool__(self) -> bool:
        return any(self._choices(size) for size in {mask.bit_count() for mask in self._masks})

    def count(self) -> int:
        """Return the number of solutions."""
        return self.counted(Budget(self._limits))

    def counted(self, budget: Budget) -> int:
        """Add up, for every listed mask, the choices of the free cells."""
        return sum(self._by_mines(budget).values())

    def count_by_mines(self) -> dict[int, int]:
        """Return the number of solutions for every number of mines on `cells`."""
        return dict(sorted(self._by_mines(Budget(self._limits)).items()))

    def _by_mines(self, budget: Budget) -> Counter[int]:
        counts: Counter[int] = Counter()
        sizes = Counter(mask.bit_count() for mask in budget.watched(self._masks, every=4096))
        for size, masks in sizes.items():
            for chosen in self._choices(size):
                counts[len(self._extra) + size + chosen] += masks * comb(len(self._free), chosen)
        return counts

    def __iter__(self) -> Iterator[Solution]:
        budget = Budget(self._limits)
        for mask in budget.watched(self._masks):
            mines = self._mines_of(mask)
            for chosen in self._choices(mask.bit_count()):
                for extra in budget.watched(combinations(self._free, chosen)):
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
            mines == touched | free | self._extra
            and mask in self._masks
            and len(free) in self._choices(len(touched))
        )

    def including(self, cell: Cell) -> BruteSolutions:
        """Return the view of the solutions with a mine in `cell`."""
        return self._with(cell, mined=True)

    def excluding(self, cell: Cell) -> BruteSolutions:
        """Return the view of the solutions with no mine in `cell`."""
        return self._with(cell, mined=False)

    def _with(self, cell: Cell, *, mined: bool) -> BruteSolutions:
        if cell not in self._system.index:
            raise UnknownCellError(cell, "the covered cells")
        masks = self._masks
        if cell in self._touched:
            bit = 1 << self._touched.index(cell)
            masks = tuple([mask for mask in masks if bool(mask & bit) == mined])
        elif self._decided.get(cell, mined) != mined:
            masks = ()
        return BruteSolutions(self._system, masks, self._limits, {**self._decided, cell: mined})

    def zdd(self) -> Zdd:
        """Return the reduced diagram of all solutions: first the cells in clues, then the rest."""
        from sapper.zdd import Zdd

        budget, clues = Budget(self._limits), self._system
        listed = (self._mines_of(mask) - self._extra for mask in self._masks)
        made = Zdd.from_sets(self._touched, listed, budget).under(budget)
        made = made.with_free(clues.untouched)
        if clues.free_mines is not None:
            made = made.satisfying(Clue(clues.free_mines, made.cells))
        for cell, mined in self._decided.items():
            made = made.including(cell) if mined else made.excluding(cell)
        return made.under(self._limits)

    def _choices(self, touched: int) -> range:
        """Return how many free cells may be mined if `touched` touched ones are."""
        if self._system.free_mines is None:
            return range(len(self._free) + 1)
        missing = self._system.free_mines - len(self._extra) - touched
        return range(missing, missing + 1) if 0 <= missing <= len(self._free) else range(0)

    def _mines_of(self, mask: int) -> Solution:
        mined = (cell for place, cell in enumerate(self._touched) if mask >> place & 1)
        return self._extra.union(mined)

    def __repr__(self) -> str:
        return f"<solutions of {len(self.cells)} cells by enumeration>"
