"""What every view of solutions offers, by way of its diagram."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import index
from sys import maxsize
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from sapper.clues import Cheapest, Clue, Clues, Cost, Solution
from sapper.errors import quoted
from sapper.field import Cell, Shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sapper.zdd.zdd import Family, Zdd

__all__ = ["SetView", "checked_number", "checked_seed"]

T = TypeVar("T")


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
        raise TypeError(f"how many solutions must be an integer, not {quoted(n)}") from None
    if number < 0:
        raise ValueError(f"cannot draw {quoted(n)} solutions")
    if number > maxsize:
        raise ValueError(f"cannot draw {quoted(n)} solutions: no machine can count them")
    return number


def checked_seed(seed: int | None) -> int | None:
    """Return a seed, if it is one: any integer, or `None` for another one each time.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if seed is not None and not isinstance(seed, int):
        raise TypeError(f"a seed is an integer, not {quoted(seed)}")
    return seed


class SetView(Shown, ABC):
    """A lazy view of solutions, which threads can share.

    All views offer the same, and differ in what it costs. A subclass must be able to make a
    diagram; whatever it can do without one, it overrides.

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

    def ask(self, question: Callable[[Zdd], T]) -> T:
        """Put one question to the diagram; who has limits shares them with making it."""
        return question(self.zdd())

    @property
    @abstractmethod
    def clues(self) -> Clues:
        """The clues whose solutions these are."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order."""
        return self.clues.cells

    def __bool__(self) -> bool:
        return self.ask(bool)

    def __len__(self) -> NoReturn:
        raise TypeError("there may be more solutions than len() can say; ask the view's .count()")

    def __contains__(self, solution: object) -> bool:
        if not isinstance(solution, Iterable):
            return False
        try:
            return self.clues.is_solution(solution)
        except TypeError:  # something in it cannot be hashed, so it is no cell
            return False

    def __iter__(self) -> Iterator[Solution]:
        """Walk over all solutions in an order that depends on nothing but the position."""
        return iter(self.zdd())

    def count(self) -> int:
        """Return the number of solutions."""
        return self.ask(lambda zdd: zdd.count())

    def count_by_mines(self) -> dict[int, int]:
        """Return the number of solutions for every number of mines on `cells`."""
        return self.ask(lambda zdd: zdd.count_by_mines())

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        """Draw `n` solutions uniformly and independently; raise if there is none."""
        return self.ask(lambda zdd: zdd.sample(n, seed=seed))

    def sample_array(self, n: int = 1, *, seed: int | None = None) -> NDArray[np.bool_]:
        """Draw as `sample`: a row per solution, a column per cell, in the order of `cells`."""

        def drawn(zdd: Zdd) -> NDArray[np.bool_]:
            place = {cell: number for number, cell in enumerate(zdd.cells)}
            return zdd.sample_array(n, seed=seed)[:, [place[cell] for cell in self.cells]]

        return self.ask(drawn)

    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        """Return a solution of least cost with its cost; raise if there is none.

        A cell without a cost costs nothing. Costs are compared exactly.
        """
        return self.ask(lambda zdd: zdd.cheapest(costs))

    def cheapest_first(self, costs: Mapping[Any, Cost]) -> Iterator[Cheapest]:
        """Walk over the solutions in order of cost."""
        return self.zdd().cheapest_first(costs)

    def k_cheapest(self, costs: Mapping[Any, Cost], k: int) -> list[Cheapest]:
        """Return the `k` cheapest solutions, or all if there are fewer, in order of cost."""
        return self.ask(lambda zdd: zdd.k_cheapest(costs, k))

    def including(self, cell: Cell) -> SetView | Zdd:
        """Return the solutions with a mine in `cell`."""
        return self.zdd().including(cell)

    def excluding(self, cell: Cell) -> SetView | Zdd:
        """Return the solutions with no mine in `cell`."""
        return self.zdd().excluding(cell)

    def __or__(self, other: Family) -> Zdd:
        return self.zdd() | other

    def __and__(self, other: Family) -> Zdd:
        if isinstance(other, SetView):
            return _narrowed(self.zdd(), self.clues, other.clues)
        return self.zdd() & other

    def __sub__(self, other: Family) -> Zdd:
        ours = self.zdd()
        if isinstance(other, SetView):
            return ours - _narrowed(ours, self.clues, other.clues)
        return ours - other

    def __xor__(self, other: Family) -> Zdd:
        return self.zdd() ^ other

    def __le__(self, other: Family) -> bool:
        return not self - other

    def isdisjoint(self, other: Family) -> bool:
        """Tell whether no solution is in both."""
        return not self & other


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
