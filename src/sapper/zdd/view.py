"""Set algebra and cheapest solutions for views that can make a diagram."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from operator import index
from sys import maxsize
from typing import TYPE_CHECKING, Any

from sapper.clues import Cheapest, Clue, Clues, Cost

if TYPE_CHECKING:
    from sapper.zdd.zdd import Family, Zdd

__all__ = ["SetView", "checked_number"]


def checked_number(n: int) -> int:
    """Return how many solutions are wanted, if that is a number.

    Raises
    ------
    TypeError, ValueError
        If it is no integer, negative, or more than a machine can count.
    """
    try:
        number = index(n)
    except TypeError:
        raise TypeError(f"how many solutions must be an integer, not {n!r}") from None
    if number < 0:
        raise ValueError(f"cannot draw {n} solutions")
    if number > maxsize:
        raise ValueError(f"cannot draw {n} solutions: that is more than a machine can count")
    return number


class SetView(ABC):
    """A view of solutions that combines with others, by way of its diagram.

    ``|``, ``&``, ``-`` and ``^`` give a `sapper.zdd.Zdd` in the cell order of the left side. A cell
    that one side does not know is free of mines there, so the view before a cell was opened and
    the one after it go together: ``before - after`` are the worlds that its number ruled out.

    Where both sides are given by clues, ``&`` and ``-`` never make the diagram of the right side:
    that of the left is narrowed by its clues. Else the right side is brought into the order of the
    left, which can be slow for diagrams of more than some thousand nodes in unlike orders.
    """

    @abstractmethod
    def zdd(self) -> Zdd:
        """Return the reduced diagram of all solutions."""

    @property
    @abstractmethod
    def clues(self) -> Clues:
        """The clues whose solutions these are."""

    def cheapest_first(self, costs: Mapping[Any, Cost]) -> Iterator[Cheapest]:
        """Walk over the solutions in order of cost."""
        return self.zdd().cheapest_first(costs)

    def k_cheapest(self, costs: Mapping[Any, Cost], k: int) -> list[Cheapest]:
        """Return the `k` cheapest solutions, or all if there are fewer, in order of cost."""
        return self.zdd().k_cheapest(costs, k)

    def __or__(self, other: Family) -> Zdd:
        return self.zdd() | other.zdd()

    def __and__(self, other: Family) -> Zdd:
        return _common(self, other) if isinstance(other, SetView) else self.zdd() & other

    def __sub__(self, other: Family) -> Zdd:
        if isinstance(other, SetView):
            ours = self.zdd()
            return ours - _narrowed(ours, self.clues, other.clues)
        return self.zdd() - other

    def __xor__(self, other: Family) -> Zdd:
        return self.zdd() ^ other.zdd()

    def __le__(self, other: Family) -> bool:
        return not self - other

    def isdisjoint(self, other: Family) -> bool:
        """Tell whether no solution is in both."""
        return not self & other


def _common(left: SetView, right: SetView) -> Zdd:
    return _narrowed(left.zdd(), left.clues, right.clues)


def _narrowed(zdd: Zdd, known: Clues, clues: Clues) -> Zdd:
    """Return those sets of a diagram, made of the clues `known`, that solve `clues` as well."""
    held = {(clue.count, frozenset(clue.terms)) for clue in known.clues}
    for cell in known.cells:
        if cell not in clues.index:
            zdd = zdd.excluding(cell)
    for clue in clues.clues:
        # A cell that the left side does not know is free of mines there.
        terms = [(cell, weight) for cell, weight in clue.terms if cell in known.index]
        if (clue.count, frozenset(terms)) not in held:
            cells, weights = [cell for cell, _ in terms], [weight for _, weight in terms]
            zdd = zdd.satisfying(Clue(clue.count, cells, weights))
    total = clues.free_mines
    if total is not None and (known.free_mines != total or known.cells != clues.cells):
        zdd = zdd.satisfying(Clue(total, zdd.cells))
    return zdd
