"""Export to the LP format of mixed-integer solvers.

Variable `i` is the `i`-th covered cell; comments say which cell that is. Cells that no clue touches
are variables too, so the number of models is `sapper.count`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sapper.clues import Clues
from sapper.field import Position
from sapper.formats.linear import equations, one_line

__all__ = ["write"]

# Readers of LP files cut lines, some of them at 255 characters.
_TERMS_PER_LINE: Final = 8


def write(puzzle: Position | Clues) -> str:
    r"""Return a puzzle in the LP format of mixed-integer solvers.

    Raises
    ------
    FormatError
        If a weight or a count is so large that floating point cannot hold it; OPB can.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Position(Grid(1, 3), ["?1?"])), end="")
    \ minefield by sapper: variable x_i is 1 if cell i holds a mine
    \ var x1 = (0, 0)
    \ var x2 = (0, 2)
    Minimize
     obj: 0 x1
    Subject To
    \ clue at (0, 1)
     c1: + 1 x1 + 1 x2
      = 1
    Binary
     x1 x2
    End
    """
    system = equations(puzzle).in_floats("LP")
    lines = ["\\ minefield by sapper: variable x_i is 1 if cell i holds a mine"]
    lines += [f"\\ var x{variable} = {cell}" for variable, cell in system.legend()]
    lines += ["Minimize", " obj: 0 x1", "Subject To"]
    for number, row in enumerate(system.rows, start=1):
        terms = [
            f"{'-' if weight < 0 else '+'} {abs(weight)} x{variable}"
            for weight, variable in row.terms()
        ]
        lines.append(f"\\ {one_line(row.name)}")
        first, *others = _chunks(terms or ["0 x1"])
        lines += [f" c{number}: {first}", *(f"  {chunk}" for chunk in others)]
        lines.append(f"  = {row.count}")
    # The objective names x1, so it is declared even where there is no cell.
    names = [f"x{variable}" for variable in range(1, max(1, len(system.cells)) + 1)]
    lines += ["Binary", *(f" {chunk}" for chunk in _chunks(names)), "End"]
    return "\n".join(lines) + "\n"


def _chunks(words: list[str]) -> Iterable[str]:
    for start in range(0, len(words), _TERMS_PER_LINE):
        yield " ".join(words[start : start + _TERMS_PER_LINE])
