"""What is visibly wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sapper.errors import quoted
from sapper.field.labels import COVERED, MINE
from sapper.field.topology import Cell, Topology

__all__ = ["Problem", "problems", "total_problem"]

Kind = Literal[
    "number-above-neighbourhood",
    "number-above-open",
    "number-below-mines",
    "total-below-mines",
    "total-above-cells",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a position.

    Frozen: threads can share one.

    Parameters
    ----------
    kind
        ``"number-above-neighbourhood"``: a number above its number of neighbours;
        ``"number-above-open"``: above its neighbours that are covered or known mines;
        ``"number-below-mines"``: below its neighbours that are known mines;
        ``"total-below-mines"``: a mine total below the known mines;
        ``"total-above-cells"``: above the known mines and the covered cells.
    cell
        Where, or None for the total.
    message
        A sentence for people.
    """

    kind: Kind
    cell: Cell | None
    message: str

    def __str__(self) -> str:
        place = "" if self.cell is None else f" at {quoted(self.cell)}"
        return f"{self.kind}{place}: {self.message}"


def problems(topology: Topology, codes: Sequence[int], mines: int | None) -> list[Problem]:
    """List all problems, numbers first in canonical order, then the total."""
    found = list(_numbers(topology, codes))
    total = total_problem(codes, mines)
    return found if total is None else [*found, total]


def _numbers(topology: Topology, codes: Sequence[int]) -> Iterator[Problem]:
    cells = topology.cells
    for index, number in enumerate(codes):
        if number < 0:
            continue
        around = topology.neighbours_at(index)
        known = covered = 0
        for neighbour in around:
            if codes[neighbour] == MINE:
                known += 1
            elif codes[neighbour] == COVERED:
                covered += 1
        if number > len(around):
            yield Problem(
                "number-above-neighbourhood", cells[index], neighbourhood(number, len(around))
            )
        if number > known + covered:
            yield Problem(
                "number-above-open",
                cells[index],
                f"the number {number} has {_few(known + covered, 'covered or mined neighbour')}",
            )
        if number < known:
            yield Problem(
                "number-below-mines",
                cells[index],
                f"the number {number} has {_plural(known, 'known mine')} around it",
            )


def neighbourhood(number: int, degree: int) -> str:
    """Say that a number is above the size of its neighbourhood."""
    return f"the number {number} has {_few(degree, 'neighbour')}"


def total_problem(codes: Sequence[int], mines: int | None) -> Problem | None:
    """Return what is wrong with the mine total, if anything is."""
    if mines is None:
        return None
    return total_mismatch(mines, known=_count(codes, MINE), covered=_count(codes, COVERED))


def total_mismatch(mines: int, *, known: int, covered: int) -> Problem | None:
    """Return what is wrong with a mine total, given how many cells could hold a mine."""
    if mines < known:
        has = "is" if known == 1 else "are"
        return Problem(
            "total-below-mines",
            None,
            f"{_plural(mines, 'mine')} in all, but there {has} {_plural(known, 'known mine')}",
        )
    if mines > known + covered:
        also = f" and {_plural(known, 'known mine')}" if known else ""
        return Problem(
            "total-above-cells",
            None,
            f"{_plural(mines, 'mine')} do not fit in {_plural(covered, 'covered cell')}{also}",
        )
    return None


def _count(codes: Sequence[int], code: int) -> int:
    return sum(map(code.__eq__, codes))


def _few(number: int, noun: str) -> str:
    return f"only {_plural(number, noun)}" if number else f"no {noun}"


def _plural(number: int, noun: str) -> str:
    amount = f"{number}" if number.bit_length() < 200 else "far too many"
    return f"{amount} {noun}{'' if number == 1 else 's'}"
