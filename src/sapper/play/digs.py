"""What a dig is good for: whether it is survived, what it may show, and whether the game is won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from sapper import _native
from sapper.analysis import Analysis, analyze
from sapper.errors import GameError, LimitExceeded, PositionError, expect
from sapper.field import COVERED, FREE, Cell, Position
from sapper.limits import Budget, Limits, machine_limits

__all__ = ["Dig", "compare_digs", "winning_chances"]

_MOST_WORLDS: Final = 1000
_PATIENCE: Final = 1.0


@dataclass(frozen=True, slots=True)
class Dig:
    """What can be said of a dig before it is made; every chance is exact.

    Frozen: threads can share one.

    Attributes
    ----------
    cell : cell
        Where.
    survival : Fraction
        The chance that it is no mine.
    numbers : mapping
        For each number that it may show, the chance that it does; they add up to `survival`.
    progress : Fraction
        The chance that it is survived and then some cell is certainly safe, or nothing is left to
        dig.
    wins : Fraction or None
        The chance that perfect play wins after it; None where that is not known: too many worlds,
        no total, or something is certain anyway.
    """

    cell: Cell
    survival: Fraction
    numbers: Mapping[int, Fraction]
    progress: Fraction
    wins: Fraction | None = None


def compare_digs(
    position: Position,
    cells: Iterable[Cell] | None = None,
    *,
    number: int = 3,
    limits: Limits | None = None,
) -> tuple[Dig, ...]:
    """Compare digs, each by all numbers that it may show.

    Parameters
    ----------
    position : Position
        What is visible.
    cells : iterable of cells, optional
        The digs to compare; by default the best of the analysis, and what wins most.
    number : int
        How many of the best, if no cells are given.
    limits : Limits, optional
        What all of it may cost. For each number that a cell may show the position is analysed once.

    Returns
    -------
    tuple of Dig
        In the order of `cells`; by default best first: by the chance to win where it is known,
        then by survival, then by progress.

    Raises
    ------
    PositionError
        If a cell is not covered, or there is no legal assignment.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> first, *_ = compare_digs(Position(Grid(2, 3), ["1??", "???"], mines=2))
    >>> first.cell, first.survival, first.wins
    ((0, 1), Fraction(2, 3), Fraction(1, 3))
    >>> {number: str(chance) for number, chance in first.numbers.items()}
    {2: '2/3'}
    """
    budget = Budget(limits)
    now = analyze(position, limits=budget.left())
    if not now.consistent:
        raise PositionError("there is no legal assignment, so no dig can be compared")
    wins = {} if now.safe else winning_chances(position, limits=budget.left())
    if cells is not None:
        return tuple(_dig(now, cell, wins, budget) for cell in cells)
    likely = [cell for cell in now.best if now.verdicts[cell] != "mine"][:number]
    winning = sorted(wins, key=lambda cell: -wins[cell])[:number]
    found = [_dig(now, cell, wins, budget) for cell in dict.fromkeys([*winning, *likely])]
    found.sort(key=lambda dig: (-(dig.wins or 0), -dig.survival, -dig.progress))
    return tuple(found[:number])


def _dig(now: Analysis, cell: Cell, wins: Mapping[Cell, Fraction], budget: Budget) -> Dig:
    position = now.puzzle
    assert isinstance(position, Position)
    if position.label(cell) != "?":
        raise PositionError(f"{cell!r:.60} is not covered, so it cannot be dug")
    numbers, progress = {}, 0
    for number in range(len(position.topology.neighbours(cell)) + 1):
        budget.look()
        then = analyze(position.with_label(cell, number), limits=budget.left())
        if not then.consistent:
            continue
        numbers[number] = Fraction(then.count, now.count)
        if then.safe or "unknown" not in then.verdicts.values():
            progress += then.count
    survival = sum(numbers.values(), start=Fraction(0))
    return Dig(cell, survival, numbers, Fraction(progress, now.count), wins.get(cell))


def winning_chances(position: Position, *, limits: Limits | None = None) -> dict[Cell, Fraction]:
    """Return the chance that perfect play wins after each dig; nothing where it is not known.

    It is known where the worlds can be listed: there are a thousand at most, and a second is
    enough. Exact. No cell may be certainly safe, for then that one is dug first.

    Raises
    ------
    GameError
        If a cell is certainly safe.
    LimitExceeded
        If a limit is hit before the second is over; every set of worlds is a node.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> chances = winning_chances(Position(Grid(1, 4), ["?1??"], mines=2))
    >>> {cell: str(chance) for cell, chance in chances.items()}
    {(0, 0): '1/2', (0, 2): '1/2', (0, 3): '0'}
    """
    expect(position, Position, "a Position is needed")
    codes = memoryview(position.codes).cast("i").tolist()
    if position.mines is None or FREE in codes or COVERED not in codes:
        return {}
    seconds = None if limits is None else limits.seconds
    patience = _PATIENCE if seconds is None else min(seconds, _PATIENCE)
    nodes, size = (None, None) if limits is None else machine_limits(limits)[1:]
    try:
        worlds, cells, wins = _native.winning(
            position.topology.adjacency,
            position.codes,
            position.mines,
            _MOST_WORLDS,
            _native.run_under(Limits(seconds=patience, nodes=nodes, bytes=size)),
        )
    except ValueError as error:
        raise GameError(f"digs that win cannot be compared: {error}") from None
    except LimitExceeded as hit:
        if hit.limit == "seconds" and (seconds is None or seconds > _PATIENCE):
            return {}
        raise
    places = _native.integers(cells)
    found = dict(zip(places, _native.integers(wins), strict=True))
    cell_at = position.topology.cells
    return {cell_at[place]: Fraction(found[place], worlds) for place in sorted(found)}
