"""Rows of powers without common divisors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from sapper.limits import Budget


def primitive_rows(
    numbers: Sequence[int], powers: Sequence[int], budget: Budget | None = None
) -> list[list[int]]:
    """Return integer rows with the span of the rows of powers, each without a common divisor.

    A set has half of every sum of powers if and only if it has half of every sum of such rows. So
    where a row has an odd sum there is no such set, which powers by themselves do not show.

    Examples
    --------
    >>> primitive_rows([1, 3, 5, 7], [0, 2])
    [[1, 1, 1, 1], [0, 1, 3, 6]]
    """
    budget = budget or Budget()
    rows: list[list[int]] = []
    for power in powers:
        row = [Fraction(number**power) for number in numbers]
        for known in rows:
            budget.look()
            pivot = next(place for place, entry in enumerate(known) if entry)
            if factor := row[pivot] / known[pivot]:
                row = [entry - factor * other for entry, other in zip(row, known, strict=True)]
        if any(row):
            scale = math.lcm(*(entry.denominator for entry in row))
            whole = [int(entry * scale) for entry in row]
            divisor = math.gcd(*whole)
            rows.append([entry // divisor for entry in whole])
    return rows
