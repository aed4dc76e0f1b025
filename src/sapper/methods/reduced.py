"""What is left of a clue system once the plainest certainties are taken out.

The effective label of Dempsey & Guinn (Definition 2) carried to its end: a clue that can be met in
one way only decides its cells, these are subtracted from the other clues, and so on. What remains
falls apart into components that share no cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sapper.clues import Clues
from sapper.questions import Budget

__all__ = ["Component", "Reduced", "Row", "reduce"]


@dataclass(frozen=True, slots=True)
class Row:
    """An exact sum over numbered cells; no weight is 0.

    Parameters
    ----------
    count
        What the sum must be.
    terms
        Pairs of a cell's number and its weight.
    clue
        The place of the clue in ``Clues.clues``.
    """

    count: int
    terms: tuple[tuple[int, int], ...]
    clue: int

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that are summed."""
        return tuple([cell for cell, _ in self.terms])

    @property
    def is_plain(self) -> bool:
        """Whether all weights are 1."""
        return all(weight == 1 for _, weight in self.terms)


@dataclass(frozen=True, slots=True)
class Component:
    """Cells that hang together, with all the rows that speak of them. Both ascend."""

    cells: tuple[int, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Reduced:
    """A clue system without its plain certainties.

    Parameters
    ----------
    consistent
        False if the reduction met a contradiction; then the rest means nothing.
    values
        For each cell 0 or 1 where it was decided, else None.
    components
        What is undecided and stands in a row that is left.
    free
        Undecided cells that no row constrains.
    mines
        How many mines the undecided cells hold together, if a total is given.
    """

    consistent: bool
    values: list[int | None]
    components: tuple[Component, ...]
    free: tuple[int, ...]
    mines: int | None


def reduce(clues: Clues, budget: Budget, *, propagate: bool = True) -> Reduced:
    """Return the reduced form of a clue system; the total is not used to decide anything.

    Linear in the size of the clues, times the number of times that each is shortened.

    Parameters
    ----------
    clues
        The system.
    budget
        Limits that are looked at now and then.
    propagate
        Whether to decide cells at all; without it the system is only split.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> reduced = reduce(Clues([Clue(1, "ab"), Clue(2, "bcd"), Clue(0, "c")]), Budget())
    >>> reduced.values
    [0, 1, 0, 1]
    >>> reduced.components
    ()
    """
    index = clues.index
    rows = [
        Row(
            clue.count,
            tuple([(index[cell], weight) for cell, weight in clue.terms if weight]),
            number,
        )
        for number, clue in enumerate(budget.watched(clues.clues))
    ]
    values: list[int | None] = [None] * len(clues.cells)
    consistent = _propagate(rows, values, budget) if propagate else True
    left = [_substituted(row, values) for row in budget.watched(rows)]
    consistent = consistent and all(row.terms or not row.count for row in rows)
    components = _split([row for row in left if row.terms], len(values), budget)
    bound = {cell for component in components for cell in component.cells}
    free = [n for n, value in enumerate(values) if value is None and n not in bound]
    mines = clues.free_mines
    if mines is not None:
        mines -= sum(value or 0 for value in values)
        # What no assignment reaches may be too long for whoever counts mines.
        consistent = consistent and 0 <= mines <= len(bound) + len(free)
    return Reduced(consistent, values, components, tuple(free), mines)


def _substituted(row: Row, values: list[int | None]) -> Row:
    if all(values[cell] is None for cell, _ in row.terms):
        return row
    known = sum(weight for cell, weight in row.terms if values[cell])
    terms = tuple([term for term in row.terms if values[term[0]] is None])
    return Row(row.count - known, terms, row.clue)


def _propagate(rows: list[Row], values: list[int | None], budget: Budget) -> bool:
    """Decide what single rows decide, to a fixpoint; False if a row cannot be met."""
    uses: list[list[tuple[int, int]]] = [[] for _ in values]
    low, high = [0] * len(rows), [0] * len(rows)
    for number, row in enumerate(budget.watched(rows)):
        for cell, weight in row.terms:
            uses[cell].append((number, weight))
            if weight < 0:
                low[number] += weight
            else:
                high[number] += weight
    pending = list(range(len(rows)))
    for number in budget.watched(_popped(pending)):
        row = rows[number]
        above, below = row.count - low[number], high[number] - row.count
        if above < 0 or below < 0:
            return False
        for cell, weight in row.terms:
            if values[cell] is not None:
                continue
            size = abs(weight)
            if size > above:
                value = int(weight < 0)
            elif size > below:
                value = int(weight > 0)
            else:
                continue
            values[cell] = value
            for other, factor in uses[cell]:
                if (factor > 0) == bool(value):
                    low[other] += abs(factor)
                else:
                    high[other] -= abs(factor)
                pending.append(other)
            above, below = row.count - low[number], high[number] - row.count
    return True


def _popped(pending: list[int]) -> Iterator[int]:
    while pending:
        yield pending.pop()


def _split(rows: list[Row], cells: int, budget: Budget) -> tuple[Component, ...]:
    parent = list(range(cells))

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    for row in budget.watched(rows):
        first = root(row.terms[0][0])
        for cell, _ in row.terms[1:]:
            parent[root(cell)] = first
    rows_of: dict[int, list[Row]] = {}
    for row in budget.watched(rows):
        rows_of.setdefault(root(row.terms[0][0]), []).append(row)
    return tuple(
        Component(tuple(sorted({cell for row in group for cell, _ in row.terms})), tuple(group))
        for group in budget.watched(rows_of.values())
    )
