"""Positions that tell all: one legal assignment, no number too many, no easy deduction.

The positions of Jandhyala's chapter 22, after Chlond and Steinruecken, are of this kind: some
numbers are uncovered, no total is given, and exactly one layout fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from sapper.analysis import analyze, count
from sapper.errors import GameError
from sapper.game import Board, Layout, board_named, checked_seed, random_layout, seed_of
from sapper.limits import Budget
from sapper.puzzles.fewest import fewest_numbers

if TYPE_CHECKING:
    from sapper.field import Position
    from sapper.limits import Limits

__all__ = ["UniquePosition", "unique_positions"]


class UniquePosition(NamedTuple):
    """A position, its only layout, and how many clues its easiest deduction takes.

    Frozen: threads can share one.
    """

    position: Position
    layout: Layout
    core: int


def unique_positions(
    board: str | Board,
    *,
    least_core: int = 1,
    fewest: bool = False,
    tries: int = 10_000,
    seed: int | None = None,
    limits: Limits | None = None,
) -> Iterator[UniquePosition]:
    """Yield positions with exactly one legal assignment, without a total.

    No number can be covered again: there would be a second assignment. Each is made from a random
    layout by covering its numbers in random order as long as one assignment is left, or with as few
    numbers as tell that layout, and kept if its easiest deduction takes enough clues. They never
    end; take as many as you like.

    Parameters
    ----------
    board : str or Board
        Field and number of mines.
    least_core : int
        How many clues every deduction must take at least: the smallest core of the easiest one.
    fewest : bool
        Show as few numbers as any position of the same layout could, which takes longer: it is
        proved by implicit hitting sets.
    tries : int
        After so many layouts in a row that give no such position, give up.
    seed : int, optional
        The same seed gives the same positions.
    limits : Limits, optional
        What all of it may cost.

    Raises
    ------
    GameError
        If so many tries gave nothing; it says how hard the hardest was.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> found = next(unique_positions(Board(Grid(5, 5), mines=5), least_core=3, seed=1))
    >>> found.core >= 3, count(found.position)
    (True, 1)
    >>> found = next(unique_positions(Board(Grid(5, 5), mines=5), fewest=True, seed=1))
    >>> len(found.position.numbers), count(found.position)
    (7, 1)
    """
    board = board_named(board)
    if isinstance(least_core, bool) or not isinstance(least_core, int) or least_core < 1:
        raise GameError(f"a deduction takes at least 1 clue, not {least_core!r:.60}")
    random = Random(seed_of("unique", checked_seed(seed)))
    budget = Budget(limits)
    hardest = failures = 0
    while failures < tries:
        layout = random_layout(board, rule="any", seed=random.getrandbits(63))
        with budget.whole():
            position = _fewest(layout, budget) if fewest else _thinned(layout, random, budget)
            found = None if position is None else _graded(position, layout, budget)
        if found is not None and found.core >= least_core:
            failures = 0
            yield found
        else:
            failures += 1
            hardest = max(hardest, 0 if found is None else found.core)
    best = f"the easiest deduction never took more than {hardest}" if hardest else "none was unique"
    raise GameError(
        f"no position in which every deduction takes {least_core} clues in {tries:,} layouts of"
        f" {board}: {best}"
    )


def _fewest(layout: Layout, budget: Budget) -> Position | None:
    shown = fewest_numbers(layout, budget)
    return None if shown is None else layout.position(shown, total=False)


def _graded(position: Position, layout: Layout, budget: Budget) -> UniquePosition:
    move = analyze(position, limits=budget.left()).difficulty
    return UniquePosition(position, layout, 0 if move is None else move.size)


def _thinned(layout: Layout, random: Random, budget: Budget) -> Position | None:
    """Cover numbers as long as one assignment is left; None if there are more from the start."""

    def is_unique(position: Position) -> bool:
        return count(position, limits=budget.left()) == 1

    shown = list(layout.numbers)
    position = layout.position(shown, total=False)
    if not is_unique(position):
        return None
    random.shuffle(shown)
    for cell in shown:
        # What cannot be covered now cannot be covered later either: there will be less to see.
        less = position.with_label(cell, "?")
        if is_unique(less):
            position = less
    return position
