"""Export to the MPS format of mixed-integer solvers."""

from __future__ import annotations

from sapper.clues import Clues
from sapper.field import Position
from sapper.formats.linear import equations, one_line

__all__ = ["write"]


def write(puzzle: Position | Clues) -> str:
    """Return a puzzle in the free MPS format: the same model as LP, for readers without LP.

    Raises
    ------
    FormatError
        If a weight or a count is so large that floating point cannot hold it; OPB can.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Position(Grid(1, 3), ["?1?"])), end="")
    * minefield by sapper: variable x_i is 1 if cell i holds a mine
    * var x1 = (0, 0)
    * var x2 = (0, 2)
    * row c1 = clue at (0, 1)
    NAME minefield
    ROWS
     N obj
     E c1
    COLUMNS
     M1 'MARKER' 'INTORG'
     x1 c1 1
     x2 c1 1
     M2 'MARKER' 'INTEND'
    RHS
     rhs c1 1
    BOUNDS
     BV bnd x1
     BV bnd x2
    ENDATA
    """
    system = equations(puzzle).in_floats("MPS")
    # Columns must be named, even if an equation without cells is all there is.
    size = max(1, len(system.cells))
    columns: list[list[str]] = [[] for _ in range(size)]
    lines = ["* minefield by sapper: variable x_i is 1 if cell i holds a mine"]
    lines += [f"* var x{variable} = {cell}" for variable, cell in system.legend()]
    right = []
    for number, row in enumerate(system.rows, start=1):
        lines.append(f"* row c{number} = {one_line(row.name)}")
        for weight, variable in row.terms():
            columns[variable - 1].append(f" x{variable} c{number} {weight}")
        if row.count:
            right.append(f" rhs c{number} {row.count}")
    lines += ["NAME minefield", "ROWS", " N obj"]
    lines += [f" E c{number}" for number in range(1, len(system.rows) + 1)]
    lines += ["COLUMNS", " M1 'MARKER' 'INTORG'"]
    for variable, entries in enumerate(columns, start=1):
        lines += entries or [f" x{variable} obj 0"]
    lines += [" M2 'MARKER' 'INTEND'", "RHS", *right, "BOUNDS"]
    lines += [f" BV bnd x{variable}" for variable in range(1, size + 1)]
    return "\n".join([*lines, "ENDATA"]) + "\n"
