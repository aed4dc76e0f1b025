"""Export to the OPB format of pseudo-Boolean solvers.

Variable `i` is the `i`-th covered cell; comments say which cell that is. Cells that no clue touches
are variables too, so the number of models is `sapper.count`.
"""

from __future__ import annotations

from sapper.clues import Clues
from sapper.field import Position
from sapper.formats.linear import equations, one_line

__all__ = ["write"]


def write(puzzle: Position | Clues) -> str:
    """Return a puzzle in the OPB format of pseudo-Boolean solvers.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Position(Grid(1, 3), ["?1?"])), end="")
    * #variable= 2 #constraint= 1
    * minefield by sapper: variable x_i is 1 if cell i holds a mine
    * var x1 = (0, 0)
    * var x2 = (0, 2)
    * clue at (0, 1)
    +1 x1 +1 x2 = 1 ;
    """
    system = equations(puzzle)
    # An equation without cells, such as 0 = 3, still needs a variable to be written with.
    variables = len(system.cells) or min(len(system.rows), 1)
    lines = [
        f"* #variable= {variables} #constraint= {len(system.rows)}",
        "* minefield by sapper: variable x_i is 1 if cell i holds a mine",
    ]
    lines += [f"* var x{variable} = {cell}" for variable, cell in system.legend()]
    for row in system.rows:
        terms = [f"{weight:+d} x{variable}" for weight, variable in row.terms()] or ["+0 x1"]
        lines += [f"* {one_line(row.name)}", f"{' '.join(terms)} = {row.count} ;"]
    return "\n".join(lines) + "\n"
