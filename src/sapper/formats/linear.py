"""The equations behind a puzzle, for formats that other solvers read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sapper.clues import Clues
from sapper.errors import FormatError
from sapper.field import COVERED, MINE, Cell, Position

__all__ = ["Equation", "Equations", "equations", "one_line"]

# Up to here floating-point numbers are exact.
_EXACT: Final = 2**53


@dataclass(frozen=True, slots=True)
class Equation:
    """Σ weight × variable = count; without weights each weighs 1. Variables count from 1."""

    variables: tuple[int, ...]
    count: int
    weights: tuple[int, ...] | None
    name: str

    @property
    def is_trivial(self) -> bool:
        """Whether it says nothing: no variables and a count of zero."""
        return not self.variables and self.count == 0

    def terms(self) -> Iterator[tuple[int, int]]:
        """Iterate over pairs (weight, variable)."""
        return zip(self.weights or (1,) * len(self.variables), self.variables, strict=True)


@dataclass(frozen=True, slots=True)
class Equations:
    """A puzzle as equations over 0-1 variables, one per covered cell; the total is the last."""

    cells: tuple[Cell, ...]
    rows: tuple[Equation, ...]

    def in_floats(self, kind: str) -> Equations:
        """Return the equations themselves, for a kind of file that holds floating-point numbers.

        Raises
        ------
        FormatError
            If a weight or a count is so large that floating point cannot hold it; OPB can.
        """
        for row in self.rows:
            if max(map(abs, (row.count, *(row.weights or ())))) > _EXACT:
                raise FormatError(
                    f"{kind} files cannot hold the numbers of {row.name[:60]} exactly: use opb"
                )
        return self

    def legend(self) -> Iterator[tuple[int, str]]:
        """Iterate over variables and the cells they stand for, each on one line."""
        for variable, cell in enumerate(self.cells, start=1):
            yield variable, one_line(repr(cell))


def equations(puzzle: Position | Clues) -> Equations:
    """Return the equations of a position or a clue system.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> for row in equations(Position(Grid(1, 4), ["1?2*"], mines=2)).rows:
    ...     print(row.name, row.variables, row.count)
    clue at (0, 0) (1,) 1
    clue at (0, 2) (1,) 1
    all mines (1,) 1
    """
    if isinstance(puzzle, Position):
        cells, rows, known = _from_position(puzzle)
    else:
        cells, rows, known = _from_clues(puzzle)
    if puzzle.mines is not None:
        everything = tuple(range(1, len(cells) + 1))
        rows.append(Equation(everything, puzzle.mines - known, None, "all mines"))
    return Equations(cells, tuple(row for row in rows if not row.is_trivial))


def _from_position(position: Position) -> tuple[tuple[Cell, ...], list[Equation], int]:
    topology, codes = position.topology, memoryview(position.codes).cast("i").tolist()
    covered = [index for index, code in enumerate(codes) if code == COVERED]
    variable = {index: number for number, index in enumerate(covered, start=1)}
    cells = topology.cells
    rows = []
    for index, code in enumerate(codes):
        if code >= 0:
            around = topology.neighbours_at(index)
            known = sum(codes[neighbour] == MINE for neighbour in around)
            variables = tuple([variable[i] for i in around if i in variable])
            rows.append(Equation(variables, code - known, None, f"clue at {cells[index]!r}"))
    return tuple([cells[index] for index in covered]), rows, codes.count(MINE)


def _from_clues(clues: Clues) -> tuple[tuple[Cell, ...], list[Equation], int]:
    variable = {cell: number for number, cell in enumerate(clues.cells, start=1)}
    rows = [
        Equation(
            tuple([variable[cell] for cell in clue.cells]),
            clue.count,
            clue.weights,
            f"clue {number}" if clue.cell is None else f"clue at {clue.cell!r}",
        )
        for number, clue in enumerate(clues.clues, start=1)
    ]
    return clues.cells, rows, clues.known_mines


def one_line(name: str) -> str:
    """Return a name as a comment can hold it."""
    return " ".join(name.splitlines())
