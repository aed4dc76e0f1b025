"""Suzuki, Hao and Minato, section 3: one ZDD per hint, and their intersection.

Every covered cell is an item. The sets that satisfy hint ``i`` are ``S(Xᵢ, cᵢ) ∗ 2^(U∖Xᵢ)``: any
``cᵢ`` of the cells around it, with any choice of the others. The solutions are what all hints have
in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

from sapper.clues import Clue, Clues, Puzzle
from sapper.errors import LimitExceeded, MethodError, pip_install, quoted
from sapper.field import Cell
from sapper.limits import Limits, load
from sapper.methods.diagrams import DiagramMethod
from sapper.methods.orders import CellOrder, ordered
from sapper.questions import Budget, foreign

if TYPE_CHECKING:
    from sapper.zdd import Zdd

Intersection: TypeAlias = Literal["bottom-up", "top-down", "given"]
"""In which order the hints are intersected."""

_INTERSECTIONS: Final = ("bottom-up", "top-down", "given")
_LEAST_CAPACITY: Final = 1 << 10
_FIRST_CAPACITY: Final = 1 << 18
_LAST_CAPACITY: Final = 1 << 30
# The nodes and the memory of operations; what is not used yet is not taken either.
_BYTES_PER_NODE: Final = 5
# Intersections within so many nodes are done before anybody notices.
_QUICK: Final = 1 << 16
# How many are done by one thread.
_AT_ONCE: Final = 16


class ZddMethod(DiagramMethod):
    """Intersect the ZDDs of the hints, on the ZDD package OxiDD.

    Parameters
    ----------
    order : str or sequence of cells
        The order of the variables: ``"frontier"`` (default) keeps few hints half decided,
        ``"given"`` is that of the cells (row by row on a board), a sequence lists them.
    intersection : str
        ``"bottom-up"`` (default) takes the hints by their first variable, deepest first, so that a
        hint changes nothing below its own variables; ``"top-down"`` is the reverse; ``"given"``
        keeps the order of the clues.

    Notes
    -----
    Weighted clues are taken, too: S(X, k) becomes the sets of weight k. An intersection that is
    out of time is left to end alone, within the nodes it was given. A diagram passes through at
    most some 2³⁰ nodes.

    References
    ----------
    Suzuki, Hao and Minato, *Generating all solutions of Minesweeper problem using degree
    constrained subgraph model*, section 3.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> clues = Clues([Clue(1, "ab"), Clue(1, "bc")])
    >>> ZddMethod().findings(clues).count, len(ZddMethod(order=["c", "a", "b"]).diagram(clues))
    (2, 3)
    """

    name: ClassVar[str] = "zdd"

    def __init__(
        self, *, order: CellOrder = "frontier", intersection: Intersection = "bottom-up"
    ) -> None:
        if intersection not in _INTERSECTIONS:
            known = ", ".join(map(repr, _INTERSECTIONS))
            raise MethodError(f"no order of intersection {quoted(intersection)}; there are {known}")
        self._order = order
        self._intersection = intersection

    def diagram(self, puzzle: Puzzle, limits: Limits | None = None) -> Zdd:
        """Return the diagram over the cells in clues, the total left aside.

        Raises
        ------
        LimitExceeded
            If a limit is hit.
        """
        budget = Budget(limits)
        clues = Clues.of(puzzle, budget.look)
        cells = ordered(clues, self._order, budget)
        hints = self._sorted(clues, cells)
        expected = 16 * (len(cells) + 1) * (len(clues.clues) + 1)
        capacity = min(max(expected, _LEAST_CAPACITY), _FIRST_CAPACITY)
        allowed = limits.nodes if limits is not None else None
        most = min(allowed or _LAST_CAPACITY, _LAST_CAPACITY)
        while True:
            # The package takes its memory at the start, so begin small and grow where needed.
            budget.spend(held=_BYTES_PER_NODE * capacity)
            try:
                return _Intersecting(cells, capacity, budget).run(hints)
            except MemoryError:
                if capacity > most:
                    raise LimitExceeded("nodes", allowed=most, spent=capacity) from None
                capacity *= 8

    def _sorted(self, clues: Clues, cells: Sequence[Cell]) -> list[Clue]:
        if self._intersection == "given":
            return list(clues.clues)
        level = {cell: place for place, cell in enumerate(cells)}

        def span(clue: Clue) -> tuple[int, int]:
            levels = [level[cell] for cell in clue.cells]
            return min(levels, default=0), max(levels, default=0)

        if self._intersection == "bottom-up":
            return sorted(clues.clues, key=span, reverse=True)
        return sorted(clues.clues, key=lambda clue: span(clue)[::-1])

    def __repr__(self) -> str:
        return f"ZddMethod(order={self._order!r}, intersection={self._intersection!r})"


class _Intersecting:
    """One attempt with a manager of a certain capacity."""

    def __init__(self, cells: Sequence[Cell], capacity: int, budget: Budget) -> None:
        try:
            load("oxidd.zbdd")
            from oxidd.zbdd import ZBDDManager
        except ImportError:
            raise MethodError(
                f"the method 'zdd' needs the package oxidd: {pip_install('sapper[zdd]')}"
            ) from None
        self._cells = cells
        self._budget = budget
        self._manager = manager = ZBDDManager(capacity, max(capacity // 4, 1 << 10), 1)
        if cells:
            manager.add_vars(len(cells))
        levels = budget.watched(range(len(cells)))
        self._items = [manager.singleton(level) for level in levels]
        self._level = {cell: level for level, cell in enumerate(cells)}
        self._nothing = manager.empty()
        # anything[l] = 2^(the variables from level l on)
        self._anything = [manager.base()]
        for item in budget.watched(reversed(self._items)):
            below = self._anything[-1]
            self._anything.append(item.make_node(below, below))
        self._anything.reverse()

    def run(self, clues: Sequence[Clue]) -> Zdd:
        common = self._anything[0]
        for start in range(0, len(clues), _AT_ONCE):
            common = self._all(common, map(self.satisfying, clues[start : start + _AT_ONCE]))
        self._budget.spend(nodes=common.node_count())
        return self._exported(common)

    def _all(self, common: Any, more: Iterator[Any]) -> Any:
        for sets in more:
            self._budget.look()
            if self._manager.approx_num_inner_nodes() >= _QUICK:
                return self._watched(common, [sets, *more])
            common &= sets
        return common

    def _watched(self, common: Any, more: list[Any]) -> Any:
        # The package cannot be told to stop, but it ends at the latest when its nodes do.
        stopped: list[bool] = []

        def work() -> Any:
            return reduce(lambda one, two: one if stopped else one & two, more, common)

        return foreign(work, self._budget, stop=lambda: stopped.append(True))

    def satisfying(self, clue: Clue) -> Any:
        """Return S(X, k) ∗ 2^(U∖X), from the deepest variable up.

        `partial` maps what the cells above have added to the sets of the levels below that
        complete it.
        """
        weights = {self._level[cell]: weight for cell, weight in clue.terms}
        if not weights:
            return self._anything[0] if clue.count == 0 else self._nothing
        first, last = min(weights), max(weights)
        sums = _reachable_sums([weights[level] for level in sorted(weights)])
        partial = {clue.count: self._anything[last + 1]}
        for level in self._budget.watched(range(last, first - 1, -1)):
            item = self._items[level]
            if level not in weights:
                partial = {total: item.make_node(sets, sets) for total, sets in partial.items()}
                continue
            possible, weight = sums.pop(), weights[level]
            wanted = {t for total in partial for t in (total, total - weight)} & possible
            partial = {
                total: item.make_node(
                    partial.get(total + weight, self._nothing), partial.get(total, self._nothing)
                )
                for total in wanted
            }
        sets = partial.get(0, self._nothing)
        for item in self._budget.watched(reversed(self._items[:first])):
            sets = item.make_node(sets, sets)
        return sets

    def _exported(self, root: Any) -> Zdd:
        """Return the diagram as a value, children before parents."""
        from sapper.zdd import BOTTOM, TOP, Zdd

        number: dict[Any, int] = {self._nothing: BOTTOM, self._manager.base(): TOP}
        rows: list[tuple[int, int, int]] = []
        pending = [root]
        while pending:
            if len(rows) % 512 == 0:
                self._budget.look()
            node = pending[-1]
            if node in number:
                pending.pop()
                continue
            high, low = node.cofactors()
            missing = [child for child in (low, high) if child not in number]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            number[node] = len(rows)
            rows.append((node.node_var(), number[low], number[high]))
        return Zdd(self._cells, rows, root=number[root], is_reduced=True)


def _reachable_sums(weights: Sequence[int]) -> list[set[int]]:
    """Return what the first 0, 1, 2, … weights can add up to, leaving out the last.

    With k of n unit weights these are the numbers 0..k; the sets stay small where sums coincide.
    """
    sums = [{0}]
    for weight in weights[:-1]:
        sums.append(sums[-1] | {total + weight for total in sums[-1]})
    return sums
