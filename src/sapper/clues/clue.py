"""One clue: an exact sum over some cells."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sapper.errors import PositionError, expect, quoted
from sapper.field import Cell, whole


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Clue:
    """The mines among some cells add up to exactly `count`.

    Frozen: threads can share one.

    Parameters
    ----------
    count : int
        The sum. It may be negative, and then no unweighted clue can be satisfied.
    cells : iterable of cells
        The cells that are summed, each at most once.
    weights : iterable of int, optional
        What a mine in each cell adds to the sum: any integers, negative ones too. By default each
        mine adds 1; a clue whose weights are all 1 is the same as one without.
    cell : cell, optional
        The place of the number on a board.

    Raises
    ------
    PositionError
        If a cell appears twice, cannot be hashed, or there is not one weight per cell; or if the
        count or a weight is not a whole number.

    Examples
    --------
    >>> clue = Clue(1, ["a", "b"])
    >>> clue
    Clue(1, ('a', 'b'))
    >>> clue.is_satisfied_by({"b", "z"})
    True
    >>> Clue(0, "abc", weights=[1, 2, -3]).is_satisfied_by({"a", "b", "c"})
    True
    """

    count: int
    cells: tuple[Cell, ...]
    weights: tuple[int, ...] | None
    cell: Cell | None

    def __init__(
        self,
        count: int,
        cells: Iterable[Cell],
        weights: Iterable[int] | None = None,
        cell: Cell | None = None,
    ) -> None:
        expect(cells, Iterable, "a clue is over cells")
        cells = tuple(cells)
        refuse_repeats(cells, "a clue")
        factors = None
        if weights is not None:
            expect(weights, Iterable, "weights are numbers, one for each cell")
            factors = tuple(whole(weight, "a weight") for weight in weights)
            if len(factors) != len(cells):
                raise PositionError(
                    f"a clue over {len(cells)} cells has {len(factors)} weights; "
                    "give one weight per cell"
                )
            if all(factor == 1 for factor in factors):
                factors = None
        object.__setattr__(self, "count", whole(count, "the count of a clue"))
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "weights", factors)
        object.__setattr__(self, "cell", cell)

    @property
    def terms(self) -> Iterator[tuple[Cell, int]]:
        """Each cell with its weight."""
        return zip(self.cells, self.weights or (1,) * len(self.cells), strict=True)

    def is_satisfied_by(self, mines: Iterable[Cell]) -> bool:
        """Tell whether the clue holds if exactly these cells are mined."""
        expect(mines, Iterable, "mines are cells")
        mined = frozenset(mines)
        return sum(weight for cell, weight in self.terms if cell in mined) == self.count

    def __repr__(self) -> str:
        parts = [repr(self.count), repr(self.cells)]
        if self.weights is not None:
            parts.append(f"weights={self.weights!r}")
        if self.cell is not None:
            parts.append(f"cell={self.cell!r}")
        return f"Clue({', '.join(parts)})"


def refuse_repeats(cells: tuple[Cell, ...], where: str) -> None:
    """Raise `PositionError` if a cell appears twice or cannot be hashed."""
    try:
        distinct = len(set(cells)) == len(cells)
    except TypeError:
        raise PositionError(f"{where} names a cell that cannot be hashed") from None
    if not distinct:
        twice, _ = Counter(cells).most_common(1)[0]
        raise PositionError(f"{where} names the cell {quoted(twice)} twice")
