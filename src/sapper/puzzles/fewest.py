"""As few numbers as tell a layout apart from every other, by implicit hitting sets.

Another layout is ruled out by a number that it does not meet, or that stands where it has a mine.
So numbers tell all exactly if they hit, for each other layout, the family of those that rule it
out. A smallest set that hits the families met so far either does, and then none is smaller, or
another layout fits, and gives a family more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper._native import run_under, smallest_hitting_set
from sapper.analysis import uniqueness
from sapper.game import Layout

if TYPE_CHECKING:
    from sapper.field import Cell
    from sapper.limits import Budget

__all__ = ["fewest_numbers"]


def fewest_numbers(layout: Layout, budget: Budget) -> list[Cell] | None:
    """Return a smallest set of cells whose numbers leave no other layout; None if all do not do.

    Raises
    ------
    LimitExceeded
        If a limit is hit.
    """
    numbers = list(layout.numbers)
    if _missed(layout, numbers, budget) is not None:
        return None
    families: list[list[int]] = []
    least = 0
    while True:
        run = run_under(budget.left())
        chosen = smallest_hitting_set(families, least, len(numbers) + 1, run)
        assert chosen is not None  # all numbers hit every family
        least = len(chosen)
        shown = [numbers[place] for place in sorted(chosen)]
        missed = _missed(layout, shown, budget)
        if missed is None:
            return shown
        # More numbers, as long as another layout is left: the fewer rule that out, the better.
        for fresh in numbers:
            if fresh in missed:
                more = [cell for cell in numbers if cell not in missed or cell == fresh]
                missed = _missed(layout, more, budget) or missed
        families.append([place for place, cell in enumerate(numbers) if cell in missed])


def _missed(layout: Layout, shown: list[Cell], budget: Budget) -> frozenset[Cell] | None:
    """Return the numbers that would rule out another layout that these allow; None if none does."""
    found = uniqueness(layout.position(shown, total=False), limits=budget.left())
    other = found.second if found.layout == layout.mines else found.layout
    if other is None:
        return None
    theirs = Layout(layout.topology, other).numbers
    return frozenset(c for c, count in layout.numbers.items() if theirs.get(c) != count)
