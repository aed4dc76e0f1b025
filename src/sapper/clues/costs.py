"""Costs of mines, checked before a search and summed exactly after it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, TypeAlias

from sapper.errors import CostError, UnknownCellError, quoted
from sapper.field import Cell

Cost: TypeAlias = int | float | Fraction
"""What a mine costs: any finite real number. Integers and fractions are summed without rounding."""


def checked_costs(costs: Mapping[Any, Cost], cells: Sequence[Cell]) -> dict[Cell, Cost]:
    """Return the cost of every cell, in the order of `cells`.

    Parameters
    ----------
    costs : mapping
        What a mine in a cell costs. A cell that is not named costs nothing.
    cells : sequence
        The covered cells.

    Raises
    ------
    CostError
        If a cost is not a finite real number.
    UnknownCellError
        If a cost is given for something that is not a covered cell.

    Examples
    --------
    >>> checked_costs({"b": 2}, ["a", "b"])
    {'a': 0, 'b': 2}
    """
    if not isinstance(costs, Mapping):
        raise TypeError(f"costs are given as a mapping from cells, not as {quoted(costs)}")
    known: dict[Cell, Cost] = dict.fromkeys(cells, 0)
    for cell, cost in costs.items():
        if cell not in known:
            raise UnknownCellError(cell, "the covered cells, so it has no cost")
        known[cell] = _checked(cell, cost)
    return known


def total_cost(costs: Mapping[Any, Cost], solution: Iterable[Cell]) -> Cost:
    """Return the sum of the costs of a solution's mines, rounded at most once.

    The sum is an `int` if every cost in it is, a `Fraction` if all are exact, else the `float`
    nearest to the exact sum.

    Raises
    ------
    CostError
        If the sum is too large for a float.

    Examples
    --------
    >>> total_cost({"a": 0.1, "b": 0.2, "c": 0.7}, {"a", "b", "c"})
    1.0
    >>> total_cost({"a": 1, "b": 2, "c": 0.5}, {"a", "b"})
    3
    """
    try:
        paid = [costs[cell] for cell in solution]
    except KeyError as error:
        raise UnknownCellError(error.args[0], "the costs") from None
    if not any(isinstance(cost, float) for cost in paid):
        return sum(paid)
    try:
        return float(sum((Fraction(cost) for cost in paid), Fraction(0)))
    except OverflowError:
        raise CostError("the costs add up to more than a float can hold") from None


def _checked(cell: Cell, cost: object) -> Cost:
    if isinstance(cost, bool) or not isinstance(cost, Real):
        raise CostError(f"the cost of {quoted(cell)} is {quoted(cost)}, which is not a real number")
    if isinstance(cost, Rational):
        exact = Fraction(int(cost.numerator), int(cost.denominator))
        return exact.numerator if exact.denominator == 1 else exact
    if not math.isfinite(cost):
        raise CostError(f"the cost of {quoted(cell)} is {quoted(cost)}; a cost must be finite")
    return float(cost)
