"""How hard a board is, from the reasons that it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from sapper._native import grade_board, integers, run_under
from sapper.errors import GameError, quoted
from sapper.field import Cell
from sapper.game import Layout
from sapper.limits import Budget, Limits

__all__ = ["LEVELS", "Grade", "Level", "checked_level", "grade", "level_of", "usual_start"]

Level: TypeAlias = Literal["trivial", "easy", "tricky", "hard", "fiendish"]
"""How hard the hardest deduction is that a board needs.

``"trivial"``: single numbers say everything. ``"easy"``: two numbers together, or a look at the
number of mines. ``"tricky"``: three. ``"hard"``: four or five. ``"fiendish"``: more.
"""

# What the core takes for a cell, and the search for a start.
_BYTES_PER_CELL: Final = 100

LEVELS: Final[tuple[Level, ...]] = ("trivial", "easy", "tricky", "hard", "fiendish")


@dataclass(frozen=True, slots=True)
class Grade:
    """What it takes to finish a board.

    Frozen: threads can share one.

    Attributes
    ----------
    guesses : int
        How often nothing is certain, so that a cell has to be given away.
    guessed : tuple of cells
        Where: each time the free cell with the least chance of a mine.
    hardest_core : int
        How many numbers the hardest deduction takes that cannot be avoided: the size of its
        smallest core. 0 if nothing has to be deduced.
    k : int or None
        The least k with which k-set search finds all that numbers prove; None if it is above 6.
    uses_total : bool
        Whether the number of mines is needed.
    steps : mapping of int to int
        How many deductions took so many numbers at least, from two on, everything easier being
        exhausted before.
    level : str
        See `Level`.
    """

    guesses: int
    guessed: tuple[Cell, ...]
    hardest_core: int
    k: int | None
    uses_total: bool
    steps: Mapping[int, int]
    level: Level


def grade(layout: Layout, start: Cell | None = None, *, limits: Limits | None = None) -> Grade:
    """Tell how hard a board is, from the reasons that it takes.

    The board is played along the easiest path: always the deduction with the smallest core, the
    fewest numbers that force a cell; what is known already costs nothing. The number of mines is
    asked only when numbers say nothing more, and counts as one more of them. Since knowledge only
    grows, no other path avoids the largest core.

    Parameters
    ----------
    layout : Layout
        The board.
    start : cell, optional
        The first dig. If not given, that for which the board was generated, or the first cell of
        the largest opening.
    limits : Limits, optional
        What it may cost; every deduction is a node at least.

    Raises
    ------
    GameError
        If the start is a mine, or there is no free cell.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper.play.generate import generate
    >>> found = grade(generate("expert", seed=7))
    >>> found.guesses, found.hardest_core, found.k, found.uses_total, found.level
    (0, 3, 2, True, 'tricky')
    """
    if not isinstance(layout, Layout):
        raise GameError(f"a grade is of a Layout, not of {quoted(layout)}")
    topology, budget = layout.topology, Budget(limits)
    budget.spend(held=_BYTES_PER_CELL * len(topology) + topology.adjacency_bytes)
    first = _largest_opening(layout, budget) if start is None else start
    place = topology.index(first)
    if layout.mined[place]:
        raise GameError(f"the start {quoted(first)} is a mine")
    guessed, sizes, total, k, level = grade_board(
        topology.adjacency, layout.mined, place, run_under(limits and budget.left())
    )
    cells, counts = topology.pick(integers(guessed)), integers(sizes)
    return Grade(
        guesses=len(cells),
        guessed=tuple(cells),
        hardest_core=len(counts) - 1 if counts else 0,
        k=k or None,
        uses_total=total > 0,
        steps={size: n for size, n in enumerate(counts) if size > 1 and n},
        level=LEVELS[level],
    )


def usual_start(layout: Layout) -> Cell:
    """Return where to begin on a board if nobody says: in its largest opening.

    Raises
    ------
    GameError
        If there is no free cell.
    """
    if not isinstance(layout, Layout):
        raise GameError(f"a start is looked for on a Layout, not on {quoted(layout)}")
    return _largest_opening(layout, Budget())


def _largest_opening(layout: Layout, budget: Budget) -> Cell:
    start: Cell | None = getattr(layout, "start", None)
    if start is not None:
        return start
    topology, numbers = layout.topology, integers(layout.codes)
    best = next((place for place, number in enumerate(numbers) if number >= 0), None)
    if best is None:
        raise GameError("there is nothing to dig: every cell is a mine")
    largest, seen = 0, bytearray(len(numbers))
    for place in budget.watched(range(len(numbers))):
        if numbers[place] or seen[place]:
            continue
        opening, waiting = {place}, [place]
        for at in budget.watched(waiting):
            seen[at] = 1
            for other in topology.neighbours_at(at):
                if other not in opening:
                    opening.add(other)
                    if numbers[other] == 0:
                        waiting.append(other)
        if len(opening) > largest:
            best, largest = place, len(opening)
    return topology.cells[best]


def checked_level(level: object) -> int:
    """Return the place of a level, or raise GameError if it is none."""
    if level not in LEVELS:
        raise GameError(f"a grade is {', '.join(LEVELS)}, not {quoted(level)}")
    return LEVELS.index(level)


def level_of(size: int, *, uses_total: bool = False) -> Level:
    """Return the level of a deduction that takes so many numbers, as grades have it."""
    if size <= 1:
        return "easy" if uses_total else "trivial"
    return "easy" if size == 2 else "tricky" if size == 3 else "hard" if size <= 5 else "fiendish"
