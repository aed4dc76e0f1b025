"""Views and findings by way of a diagram over the cells in clues, however it is made."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from math import comb
from typing import TYPE_CHECKING, ClassVar, TypeVar

from sapper.clues import Clue, Clues, Puzzle
from sapper.limits import Limits
from sapper.questions import BaseMethod, Budget, CountedFindings, Question
from sapper.zdd import SetView

if TYPE_CHECKING:
    from sapper.zdd import Zdd

__all__ = ["DiagramMethod", "DiagramView", "by_mines"]

T = TypeVar("T")

_BYTES_PER_NODE = 24


class DiagramView(SetView):
    """A view of the legal assignments of a clue system through a diagram.

    A subclass makes the diagram of the cells that stand in clues. Cells in no clue and the mine
    total come in afterwards: a free cell doubles the sets, the total keeps those of its size.
    """

    def __init__(self, clues: Clues, limits: Limits | None) -> None:
        self._clues = clues
        self._limits = limits
        self._touched: Zdd | None = None
        self._whole: Zdd | None = None

    @abstractmethod
    def _diagram(self, budget: Budget) -> Zdd:
        """Return the diagram over the cells in clues, the total left aside."""

    @property
    def clues(self) -> Clues:
        """The clues whose solutions these are."""
        return self._clues

    def touched(self, budget: Budget) -> Zdd:
        """Return the diagram over the cells in clues, the total left aside; it is kept."""
        if self._touched is None:
            self._touched = self._diagram(budget).under(None)
        return self._touched.under(budget)

    def whole(self, budget: Budget) -> Zdd:
        """Return the diagram over all covered cells, under the total; it is kept."""
        if self._whole is None:
            whole = self.touched(budget).with_free(self._clues.untouched)
            total = self._clues.free_mines
            if total is not None:
                whole = whole.satisfying(Clue(total, whole.cells))
            budget.spend(nodes=len(whole), held=_BYTES_PER_NODE * len(whole))
            self._whole = whole.under(None)
        return self._whole.under(budget)

    def zdd(self) -> Zdd:
        """Return the reduced diagram of all solutions, over all covered cells."""
        return self.whole(Budget(self._limits)).under(self._limits)

    def ask(self, question: Callable[[Zdd], T]) -> T:
        """Put one question to the diagram, which may be made first, under the same limits."""
        return question(self.whole(Budget(self._limits)))

    def __bool__(self) -> bool:
        return self.exists(Budget(self._limits))

    def count(self) -> int:
        """Return the number of solutions."""
        return self.counted(Budget(self._limits))

    def exists(self, budget: Budget) -> bool:
        """Tell whether there is a solution."""
        if self._clues.free_mines is None:
            return bool(self.touched(budget))
        return self.counted(budget) > 0

    def counted(self, budget: Budget) -> int:
        """Count the solutions on the diagram over the cells in clues."""
        free, total = len(self._clues.untouched), self._clues.free_mines
        touched = self.touched(budget)
        if total is None:
            return touched.count() << free
        return sum(
            number * comb(free, total - mines)
            for mines, number in touched.count_by_mines().items()
            if total >= mines
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.cells)} cells>"


def by_mines(clues: Clues, touched: dict[int, int], budget: Budget) -> dict[int, int]:
    """Return the counts for every number of mines, from those on the cells in clues."""
    free = len(clues.untouched)
    counts: dict[int, int] = {}
    ways = [comb(free, extra) for extra in budget.watched(range(free + 1))]
    for mines, number in touched.items():
        for extra in budget.watched(range(free + 1)):
            key = clues.known_mines + mines + extra
            counts[key] = counts.get(key, 0) + number * ways[extra]
    return dict(sorted(counts.items()))


class DiagramMethod(BaseMethod):
    """A method that makes the ZDD of all solutions, over the cells that stand in clues."""

    answers: ClassVar[frozenset[Question]] = frozenset(
        {"consistent", "count", "by_mines", "solutions", "verdicts", "probabilities"}
    )

    @abstractmethod
    def diagram(self, puzzle: Puzzle, limits: Limits | None = None) -> Zdd:
        """Return the diagram over the cells in clues, the total left aside."""

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> DiagramFindings:
        """Return findings from passes over one diagram."""
        return DiagramFindings(self, puzzle, limits)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> MethodView:
        """Return a view of the legal assignments; the diagram is made when it is first needed."""
        return MethodView(self, Clues.of(puzzle, Budget(limits).look), limits)


class MethodView(DiagramView):
    """The view of a method that makes diagrams."""

    def __init__(self, method: DiagramMethod, clues: Clues, limits: Limits | None) -> None:
        super().__init__(clues, limits)
        self._method = method

    def _diagram(self, budget: Budget) -> Zdd:
        with budget.step() as left:
            return self._method.diagram(self._clues, left)

    def __repr__(self) -> str:
        return f"<solutions of {len(self.cells)} cells by {self._method!r}>"


class DiagramFindings(CountedFindings):
    """Findings counted on a diagram."""

    source: DiagramMethod

    def _seen(self, budget: Budget) -> DiagramView:
        return self.known("_view", self._made, budget)

    def _made(self, budget: Budget) -> DiagramView:
        return MethodView(self.source, Clues.of(self.puzzle, budget.look), self.limits)

    def find_consistent(self, budget: Budget) -> bool:
        """Look whether the diagram is empty."""
        return self._seen(budget).exists(budget)

    def find_count(self, budget: Budget) -> int:
        """Count on the diagram."""
        return self._seen(budget).counted(budget)

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        """Count by mines on the diagram over the cells in clues, and add the others."""
        view = self._seen(budget)
        return by_mines(view.clues, view.touched(budget).count_by_mines(), budget)

    def find_mined(self, budget: Budget) -> list[int]:
        """Count the solutions with a mine in each cell."""
        found = self._seen(budget).whole(budget).counts_with()
        return [found[cell] for cell in self.cells]
