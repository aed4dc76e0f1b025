"""Orders of the cells for diagrams over them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from sapper._native import frontier_order, run_under
from sapper.clues import Clues
from sapper.errors import MethodError, UnknownCellError
from sapper.field import Cell
from sapper.limits import Budget

TRIES: Final = 32
"""How many orders are compared by estimate before one is taken."""

CellOrder: TypeAlias = Literal["frontier", "given"] | Sequence[Cell]
"""How the cells in clues are ordered: by name, or as listed."""


def ordered(clues: Clues, order: CellOrder, budget: Budget) -> tuple[Cell, ...]:
    """Return the cells in clues in the order asked for.

    Parameters
    ----------
    order : str or sequence of cells
        ``"frontier"`` keeps few clues half decided: clues are completed one after the other,
        always the one that leaves the smallest estimated number of states. ``"given"`` keeps the
        order of the cells, which on a board is row by row. A sequence must name every cell in a
        clue; others in it are ignored.

    Raises
    ------
    MethodError
        If the order has no such name, or a cell is missing or named twice.
    UnknownCellError
        If the sequence names something that is not a covered cell.
    """
    if isinstance(order, str):
        if order == "given":
            return clues.touched
        if order == "frontier":
            return _frontier(clues, budget)
        raise MethodError(
            f"no order {order!r}; there are 'frontier' and 'given', or list the cells"
        )
    named = tuple(order)
    touched = frozenset(clues.touched)
    for cell in named:
        if cell not in clues.index:
            raise UnknownCellError(cell, "the covered cells, so it has no place in an order")
    if len(set(named)) != len(named) or not touched <= set(named):
        raise MethodError("an order must name every cell in a clue, each once")
    return tuple(cell for cell in named if cell in touched)


def _frontier(clues: Clues, budget: Budget) -> tuple[Cell, ...]:
    offsets, members, counts = array("i", [0]), array("i"), array("q")
    for clue in budget.watched(clues.clues):
        members.extend(map(clues.index.__getitem__, clue.cells))
        offsets.append(len(members))
        # Only an estimate: what a count means is for the method to say.
        counts.append(min(max(clue.count, 0), len(clue.cells)))
    data = offsets.tobytes(), members.tobytes(), counts.tobytes()
    with budget.step() as left:
        found = frontier_order(len(clues.cells), *data, TRIES, run_under(left))
    return tuple(clues.cells[place] for place in memoryview(found).cast("i"))
