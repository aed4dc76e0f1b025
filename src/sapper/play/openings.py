"""How likely each dig is to show a zero, so that all around it opens by itself."""

from __future__ import annotations

from fractions import Fraction

from sapper.analysis import analyze, count
from sapper.errors import PositionError
from sapper.field import COVERED, MINE, Cell, Position
from sapper.limits import Budget, Limits

__all__ = ["opening_chances"]


def opening_chances(position: Position, *, limits: Limits | None = None) -> dict[Cell, Fraction]:
    """Return for each covered cell the chance that it is free and so are all its neighbours.

    Exact. A cell beside a certain mine has no chance, and one among certainly safe cells is sure;
    for each of the others the worlds with a zero there are counted. Cells that no number is near
    differ only by how many neighbours they have, so one of each kind is counted.

    Raises
    ------
    PositionError
        If there is no legal assignment.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> chances = opening_chances(Position(Grid(1, 6), ["1?????"], mines=2))
    >>> [str(chances[0, column]) for column in range(1, 6)]
    ['0', '0', '1/4', '1/4', '1/2']
    """
    budget = Budget(limits)
    now = analyze(position, limits=budget.left())
    if not now.consistent:
        raise PositionError("there is no legal assignment, so nothing can be opened")
    field = position.topology
    codes = memoryview(position.codes).cast("i").tolist()
    verdicts = [
        "mine" if code == MINE else now.verdicts.get(cell, "safe")
        for cell, code in zip(field.cells, codes, strict=True)
    ]
    touched = {
        near for at, code in enumerate(codes) if code >= 0 for near in field.neighbours_at(at)
    }
    far: dict[int, Fraction] = {}
    chances: dict[Cell, Fraction] = {}
    for at, cell in enumerate(field.cells):
        if codes[at] != COVERED:
            continue
        around = {at, *field.neighbours_at(at)}
        said = {verdicts[near] for near in around}
        if "mine" in said or "unknown" not in said:
            chances[cell] = Fraction(0 if "mine" in said else 1)
            continue
        budget.look()
        alone = around.isdisjoint(touched)
        undecided = sum(verdicts[near] == "unknown" for near in around)
        if not alone or undecided not in far:
            opened = count(position.with_label(cell, 0), limits=budget.left())
            chance = Fraction(opened, now.count)
            if alone:
                far[undecided] = chance
        else:
            chance = far[undecided]
        chances[cell] = chance
    return chances
