"""A family of sets of cells as a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapper.clues import Cheapest, Clue, Cost, Solution, refuse_repeats
from sapper.errors import FormatError, InconsistentError, UnknownCellError, expect
from sapper.field import Cell, Shown
from sapper.limits import Budget, Limits
from sapper.zdd import algebra, counting, text
from sapper.zdd.costs import cheapest_first
from sapper.zdd.listing import listed
from sapper.zdd.nodes import BOTTOM, TOP, Nodes, branched, checked, reduced, sorted_nodes, walk
from sapper.zdd.view import checked_number, checked_seed


class Family(Protocol):
    """Whatever has a diagram of its sets: a view of solutions, or a diagram."""

    def zdd(self) -> Zdd:
        """Return the diagram."""


class Zdd(Shown):
    """A set of solutions as a reduced zero-suppressed decision diagram.

    The value is frozen and hashable, and threads can share it. Two are equal if they hold the same
    sets over the same cells in the same order. ``|``, ``&``, ``-`` and ``^`` combine two of them; a
    cell that one side does not know is free of mines there. What is made from a diagram keeps to
    its limits; see `under`.

    Parameters
    ----------
    cells : iterable of cells
        The variables, in the order in which paths from the root meet them.
    nodes : sequence of (variable, low, high)
        The branching nodes, each after its children, the root last; a list of triples or an array
        of three columns. A variable is a place in `cells`; a child is the place of a node, or -1
        for ⊥ and -2 for ⊤.
    root : int, optional
        Where paths begin, if not at the last node. Without nodes it is ⊥ unless given.
    is_reduced : bool
        Vouches that no two nodes are equal, none has ⊥ as its high child and the root reaches all,
        which saves the work of making it so.

    Raises
    ------
    ValueError
        If the nodes form no diagram over these cells.
    PositionError
        If a cell is named twice.

    Examples
    --------
    >>> one = Zdd("abc", [(2, -1, -2), (1, 0, -2), (0, 1, -2)])
    >>> one.count(), len(one)
    (3, 3)
    >>> [sorted(mines) for mines in one]
    [['c'], ['b'], ['a']]
    >>> (one - one.including("b")).count()
    2

    References
    ----------
    Minato, *Zero-suppressed BDDs for set manipulation in combinatorial problems*, DAC 1993.
    """

    __slots__ = ("__dict__", "_cells", "_nodes")

    def __init__(
        self,
        cells: Iterable[Cell],
        nodes: ArrayLike = (),
        *,
        root: int | None = None,
        is_reduced: bool = False,
    ) -> None:
        self._cells = tuple(cells)
        try:
            table = np.asarray(nodes, dtype=np.int64).reshape(-1, 3)
        except (ValueError, OverflowError):
            raise FormatError("nodes are rows of variable, low and high, in integers") from None
        if root is None:
            root = len(table) - 1 if len(table) else BOTTOM
        found = Nodes(table[:, 0], table[:, 1], table[:, 2], root)
        if is_reduced:
            found = sorted_nodes(*found)
        else:
            refuse_repeats(self._cells, "the list of variables")
            checked(found, len(self._cells))
            found = reduced(sorted_nodes(*found), Budget())
        self._nodes = found

    @classmethod
    def from_sets(
        cls, cells: Iterable[Cell], sets: Iterable[Iterable[Cell]], budget: Budget | None = None
    ) -> Zdd:
        """Return the diagram of listed sets, made within a budget.

        Raises
        ------
        UnknownCellError
            If a set has an element that is not one of `cells`.

        Examples
        --------
        >>> Zdd.from_sets("ab", ["", "ab"]).count()
        2
        """
        cells, budget = tuple(cells), budget or Budget()
        place = {cell: number for number, cell in enumerate(cells)}
        listing = budget.watched(sets)
        try:
            family = {tuple(sorted(place[cell] for cell in mines)) for mines in listing}
        except KeyError as error:
            raise UnknownCellError(error.args[0], "the variables of the diagram") from None
        rows, root = branched(family, len(cells), budget)
        return cls(cells, rows, root=root)

    _limits: Limits | Budget | None = None

    def _made(self, cells: tuple[Cell, ...], nodes: Nodes) -> Zdd:
        return _restored(cells, nodes).under(self._limits)

    def under(self, limits: Limits | Budget | None) -> Zdd:
        """Return the same diagram under limits.

        Whatever is asked of it, or of what is made from it, keeps to them: each question for
        itself, or all together to what is left of a budget.

        Examples
        --------
        >>> from sapper.limits import Limits
        >>> Zdd("abc", root=-2).with_free("abc").under(Limits(seconds=1)).count()
        8
        """
        if limits is self._limits:
            return self
        made = _restored(self._cells, self._nodes)
        made._limits = limits
        return made

    def _budget(self) -> Budget:
        return Budget.of(self._limits)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The variables: cells in the order in which paths from the root meet them."""
        return self._cells

    @property
    def nodes(self) -> list[tuple[Cell, int, int]]:
        """The branching nodes ``(cell, low, high)``, each after its children; the root is last.

        A child is the place of a node in this list, or -1 for ⊥ and -2 for ⊤.
        """
        return [(self._cells[variable], low, high) for variable, low, high in walk(self._nodes)]

    @property
    def root(self) -> int:
        """Where paths begin: the last node, or ⊥ or ⊤ if there is none."""
        return self._nodes.root

    def to_array(self) -> NDArray[np.int64]:
        """Return the nodes as three columns: place of the cell, low and high child."""
        return np.stack(self._nodes[:3], axis=1)

    def __len__(self) -> int:
        """Return the number of branching nodes; ⊥ and ⊤ are not counted."""
        return len(self._nodes.variable)

    # A diagram with no branching node can hold the empty set: truth is about the sets.
    def __bool__(self) -> bool:
        return self.root != BOTTOM

    def __iter__(self) -> Iterator[Solution]:
        """Walk over the sets: those without a cell before those with it, first cell first."""
        return listed(self._nodes, self._cells, self._budget())

    def __contains__(self, solution: object) -> bool:
        if not isinstance(solution, Iterable):
            return False
        try:
            mines = {self._place[cell] for cell in solution}
        except (KeyError, TypeError):  # something that is no cell of the diagram
            return False
        node, met = self.root, 0
        while node >= 0:
            mined = int(self._nodes.variable[node]) in mines
            met += mined
            node = int((self._nodes.high if mined else self._nodes.low)[node])
        return node == TOP and met == len(mines)

    def count(self) -> int:
        """Return the number of sets."""
        return int(counting.counts(self._nodes, self._budget())[self.root])

    def count_by_mines(self) -> dict[int, int]:
        """Return how many sets have how many elements."""
        sizes = counting.counts_by_size(self._nodes, self._budget()) if self else []
        return {mines: number for mines, number in enumerate(sizes) if number}

    def counts_with(self) -> dict[Cell, int]:
        """Return, for each cell, the number of sets that have it."""
        found = counting.counts_with(self._nodes, len(self._cells), self._budget())
        return dict(zip(self._cells, found, strict=True))

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        """Draw `n` sets uniformly and independently.

        Raises
        ------
        InconsistentError
            If there is no set.
        """
        budget, cells = self._budget(), self._cells
        return [
            frozenset([cells[place] for place in row.nonzero()[0].tolist()])
            for rows in self._sampled(n, seed, budget)
            for row in budget.watched(rows)
        ]

    def sample_array(self, n: int = 1, *, seed: int | None = None) -> NDArray[np.bool_]:
        """Draw as `sample`, one row per set and one column per cell.

        Raises
        ------
        InconsistentError
            If there is no set.
        """
        budget = self._budget()
        budget.spend(held=2 * checked_number(n) * len(self._cells))
        return np.concatenate(
            [np.zeros((0, len(self._cells)), dtype=np.bool_), *self._sampled(n, seed, budget)]
        )

    def _sampled(self, n: int, seed: int | None, budget: Budget) -> Iterator[NDArray[np.bool_]]:
        number, start = checked_number(n), checked_seed(seed)
        if not self:
            self._refuse()
        return counting.sampled(self._nodes, len(self._cells), number, start, budget)

    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        """Return a set of least cost, with its cost. A cell without a cost costs nothing.

        Raises
        ------
        InconsistentError
            If there is no set.
        CostError
            If a cost is not a finite number.
        UnknownCellError
            If a cost is given for something that is not one of the cells.
        """
        found = next(self.cheapest_first(costs), None)
        return found or self._refuse()

    def k_cheapest(self, costs: Mapping[Any, Cost], k: int) -> list[Cheapest]:
        """Return the `k` cheapest sets, or all if there are fewer, in order of cost."""
        return list(islice(self.cheapest_first(costs), checked_number(k)))

    def cheapest_first(self, costs: Mapping[Any, Cost]) -> Iterator[Cheapest]:
        """Walk over the sets in order of cost; each takes one queued branch per cell at most."""
        return cheapest_first(self._nodes, self._cells, costs, self._budget())

    def including(self, cell: Cell) -> Zdd:
        """Return the sets that have `cell`."""
        return self._fixed(cell, mined=True)

    def excluding(self, cell: Cell) -> Zdd:
        """Return the sets that do not have `cell`."""
        return self._fixed(cell, mined=False)

    def satisfying(self, clue: Clue) -> Zdd:
        """Return the sets in which a clue holds; cells that are no variables are free of mines.

        Examples
        --------
        >>> everything = Zdd("abc", root=-2).with_free("abc")
        >>> everything.satisfying(Clue(2, "abc")).count()
        3
        """
        expect(clue, Clue, "a Clue can be satisfied")
        weights = np.zeros(len(self._cells), dtype=np.int64)
        for cell, weight in clue.terms:
            if cell in self._place:
                weights[self._place[cell]] = weight
        nodes = algebra.satisfying(self._nodes, weights, clue.count, self._budget())
        return self._made(self._cells, nodes)

    def with_free(self, cells: Iterable[Cell]) -> Zdd:
        """Return every set with every choice of `cells`, which no set may have yet.

        These cells become the last variables.

        Raises
        ------
        ValueError
            If some set has one of them.
        """
        free = dict.fromkeys(cells)
        bound = tuple(cell for cell in self._cells if cell not in free)
        try:
            over = self.over(bound)
        except UnknownCellError as error:
            raise ValueError(f"some set has {error.cell!r} already") from None
        nodes = algebra.freed(over._nodes, len(bound), len(free))
        return self._made((*bound, *free), nodes)

    def zdd(self) -> Zdd:
        """Return the diagram itself: a diagram is a view of solutions, too."""
        return self

    def _fixed(self, cell: Cell, *, mined: bool) -> Zdd:
        place = self._place.get(cell)
        if place is None:
            raise UnknownCellError(cell, "the variables of the diagram")
        budget = self._budget()
        nodes = algebra.fixed(self._nodes, place, len(self._cells), budget, mined=mined)
        return self._made(self._cells, nodes)

    def __or__(self, other: Family) -> Zdd:
        return self._combined(other, "or")

    def __and__(self, other: Family) -> Zdd:
        return self._combined(other, "and")

    def __sub__(self, other: Family) -> Zdd:
        return self._combined(other, "minus")

    def __xor__(self, other: Family) -> Zdd:
        return self._combined(other, "xor")

    def __le__(self, other: Family) -> bool:
        return not self - other

    def isdisjoint(self, other: Family) -> bool:
        """Tell whether no set is in both."""
        return not self & other

    def _combined(self, other: Family, operation: algebra.Operation) -> Zdd:
        if not hasattr(other, "zdd"):
            raise TypeError(f"{type(other).__name__!r} is no set of solutions")
        budget = self._budget()
        family = other.zdd()
        cells = tuple(dict.fromkeys((*self._cells, *family._cells)))
        ours = self.under(budget).over(cells)._nodes
        theirs = family.under(budget).over(cells)._nodes
        return self._made(cells, algebra.combine(ours, theirs, operation, len(cells), budget))

    def over(self, cells: Iterable[Cell]) -> Zdd:
        """Return the same sets with other variables, or the same ones in another order.

        Raises
        ------
        UnknownCellError
            If a cell that some set has is missing.

        Examples
        --------
        >>> Zdd.from_sets("abc", ["ab", "c"]).over("cbad").cells
        ('c', 'b', 'a', 'd')
        """
        cells = tuple(cells)
        if cells == self._cells:
            return self
        refuse_repeats(cells, "the list of variables")
        place = {cell: number for number, cell in enumerate(cells)}
        for variable in np.unique(self._nodes.variable).tolist():
            if self._cells[variable] not in place:
                raise UnknownCellError(self._cells[variable], "the new variables")
        places = [place.get(cell, -1) for cell in self._cells]
        return self._made(cells, algebra.moved(self._nodes, places, self._budget()))

    def to_dot(self) -> str:
        """Return the diagram in the DOT language: a low edge is dashed, a high edge solid."""
        return text.dot(self._nodes, self._cells)

    def to_svg(self) -> str:
        """Return a picture of the diagram; raise `ValueError` above some hundred nodes."""
        return self.svg()

    def _repr_svg_(self) -> str | None:
        try:
            return self.to_svg()
        except ValueError:
            return None

    def dumps(self) -> str:
        """Return the diagram as Graphillion writes it; variable ``i`` is ``cells[i - 1]``."""
        return text.dumps(self._nodes)

    @classmethod
    def loads(cls, dump: str, cells: Sequence[Cell]) -> Zdd:
        """Return the diagram that `dumps`, or Graphillion, wrote over these cells.

        Raises
        ------
        FormatError
            If the text is not such a dump, or has a variable beyond the cells or out of order.

        Examples
        --------
        >>> one = Zdd.from_sets("abc", ["ab", "c"])
        >>> Zdd.loads(one.dumps(), "abc") == one
        True
        """
        cells = tuple(cells)
        rows, root = text.parsed(dump, len(cells))
        return cls(cells, rows, root=root)

    @cached_property
    def _place(self) -> dict[Cell, int]:
        return {cell: number for number, cell in enumerate(self._cells)}

    @cached_property
    def _canonical(self) -> tuple[bytes, ...]:
        nodes = reduced(self._nodes, Budget())
        return (*(column.tobytes() for column in nodes[:3]), bytes([nodes.root == TOP]))

    def _refuse(self) -> NoReturn:
        raise InconsistentError("there is no legal assignment to choose from")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Zdd):
            return NotImplemented
        return self._cells == other._cells and self._canonical == other._canonical

    def __hash__(self) -> int:
        return hash((self._cells, self._canonical))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._cells, self._nodes)

    def __repr__(self) -> str:
        return f"<Zdd of {len(self)} nodes over {len(self._cells)} cells>"


def _restored(cells: tuple[Cell, ...], nodes: Nodes) -> Zdd:
    made = Zdd.__new__(Zdd)
    made._cells, made._nodes = cells, nodes
    return made
