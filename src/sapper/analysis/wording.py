"""How clues and cells are named in explanations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from sapper.clues import Clue
from sapper.field import Cell, Position

__all__ = ["Namer", "number", "some"]

_LISTED = 10


def number(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> number(1, "mine"), number(3, "mine"), number(0, "mine")
    ('1 mine', '3 mines', '0 mines')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def some(cells: Collection[Cell], *, conjunction: str = "and") -> str:
    """Return cells as a list in words; long lists are cut.

    >>> some([(0, 1), (0, 2), (1, 1)])
    '(0, 1), (0, 2) and (1, 1)'
    """
    names = [cell if isinstance(cell, str) else repr(cell) for cell in cells]
    if len(names) > _LISTED:
        left = len(names) - _LISTED + 2
        return f"{', '.join(names[: _LISTED - 2])} {conjunction} {left} more cells"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {conjunction} {names[-1]}"


class Namer:
    """Names the clues of one puzzle.

    Parameters
    ----------
    puzzle
        A position, whose numbers are named by what they show; or anything else.
    clues
        The clues that will be named; those without a place are numbered in this order.
    total
        The clue that is the mine total, if it is among them.
    order
        The place of each cell, so that lists of cells come out in the order of the field.
    """

    def __init__(
        self,
        puzzle: object,
        clues: Sequence[Clue],
        total: Clue | None,
        order: Callable[[Cell], int],
    ) -> None:
        self._position = puzzle if isinstance(puzzle, Position) else None
        self._total = total
        self._number = {clue: place for place, clue in enumerate(clues, start=1)}
        self._order = order

    def is_total(self, clue: Clue) -> bool:
        """Tell whether a clue is the mine total."""
        return clue is self._total

    def clue(self, clue: Clue) -> str:
        """Return the name of a clue: ``the 2 at (0, 1)``."""
        if self.is_total(clue):
            return "the mine total"
        if clue.cell is None:
            return f"clue {self._number[clue]}"
        place = some([clue.cell])
        if self._position is not None:
            return f"the {self._position.label(clue.cell)} at {place}"
        return f"the {clue.count} at {place}"

    def sorted(self, cells: Collection[Cell]) -> list[Cell]:
        """Return cells in the order of the field."""
        return sorted(cells, key=self._order)

    def cells(self, cells: Collection[Cell]) -> str:
        """Return cells in words, in the order of the field."""
        return some(self.sorted(cells))

    def needs(self, clue: Clue) -> str:
        """Return how many mines a clue asks for: ``the 2 at (0, 1) needs 1 more mine``."""
        if self.is_total(clue):
            return f"the mine total leaves {number(clue.count, 'mine')}"
        more = ""
        if self._position is not None and clue.cell is not None:
            known = self._position.label(clue.cell)
            if isinstance(known, int) and known != clue.count:
                more = "more "
        return f"{self.clue(clue)} needs {number(clue.count, more + 'mine')}"

    def says(self, clue: Clue) -> str:
        """Return what a clue says: ``the 2 at (0, 1) needs 2 mines among (0, 0) and (0, 2)``."""
        if clue.weights is not None:
            terms = " + ".join(
                f"{weight}·{_term(cell)}" if weight != 1 else _term(cell)
                for cell, weight in clue.terms
            )
            return f"{self.clue(clue)} says {terms} = {clue.count}"
        cells = self.cells(clue.cells) if clue.cells else "no covered cell"
        return f"{self.needs(clue)} among {cells}"


def _term(cell: Cell) -> str:
    """Return a cell as part of a sum, where a name that is a number needs brackets."""
    name = cell if isinstance(cell, str) else repr(cell)
    return f"[{name}]" if name.lstrip("-").isdigit() else name
