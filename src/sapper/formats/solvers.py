"""Export to the formats of SAT, pseudo-Boolean and mixed-integer solvers.

Variable `i` is the `i`-th covered cell; comments say which cell that is. Cells that no clue touches
are variables too, so the number of models is `sapper.count`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final

from sapper.errors import FormatError
from sapper.formats.linear import Equation, equations

if TYPE_CHECKING:
    from sapper.clues import Clues
    from sapper.field import Position

__all__ = ["MAX_CLAUSES", "dump_dimacs", "dump_lp", "dump_opb"]

MAX_CLAUSES: Final = 1_000_000
"""How many clauses a CNF may have before it is refused."""

# LP files hold floating-point numbers; up to here they are exact.
_EXACT: Final = 2**53
# Readers of LP files cut lines, some of them at 255 characters.
_TERMS_PER_LINE: Final = 8


def dump_dimacs(
    puzzle: Position | Clues, *, total: bool = True, max_clauses: int = MAX_CLAUSES
) -> str:
    """Return a puzzle as DIMACS CNF, directly, without auxiliary variables.

    Of k mines among n cells, every k + 1 cells have a free one and every n - k + 1 a mine. That is
    small for clues on a board, but not for a mine total over many cells.

    Parameters
    ----------
    puzzle
        A position or a clue system.
    total
        Whether to state the mine total, if there is one.
    max_clauses
        Largest number of clauses to write.

    Raises
    ------
    FormatError
        If there would be more clauses than that, or a clue is weighted; OPB and LP have neither
        limit.

    Examples
    --------
    >>> from sapper.field import Grid, Position
    >>> print(dump_dimacs(Position(Grid(1, 3), ["?1?"])), end="")
    c minefield by sapper: variable i is true if cell i holds a mine
    c var 1 = (0, 0)
    c var 2 = (0, 2)
    p cnf 2 2
    c clue at (0, 1)
    -1 -2 0
    1 2 0
    """
    system = equations(puzzle, total=total)
    size = 0
    for row in system.rows:
        if row.weights is not None:
            raise FormatError(f"CNF has no weights, and {row.name} is weighted: use opb or lp")
        size += _clauses(row)
        if size > max_clauses:
            raise FormatError(
                f"CNF without auxiliary variables needs over {max_clauses:,} clauses, last for"
                f" {row.name} over {len(row.variables):,} cells: use opb or lp"
                + (", or leave the total out" if row.name == "all mines" else "")
            )
    lines = ["c minefield by sapper: variable i is true if cell i holds a mine"]
    lines += [f"c var {variable} = {cell}" for variable, cell in system.legend()]
    lines.append(f"p cnf {len(system.cells)} {size}")
    for row in system.rows:
        lines.append(f"c {_line(row.name)}")
        lines += [" ".join(map(str, (*clause, 0))) for clause in _clauses_of(row)]
    return "\n".join(lines) + "\n"


def _clauses(row: Equation) -> int:
    cells, mines = len(row.variables), row.count
    if not 0 <= mines <= cells:
        return 1
    return comb(cells, mines + 1) + comb(cells, cells - mines + 1)


def _clauses_of(row: Equation) -> Iterator[tuple[int, ...]]:
    cells, mines = len(row.variables), row.count
    if not 0 <= mines <= cells:
        # The empty clause: nothing satisfies it.
        yield ()
        return
    yield from combinations([-variable for variable in row.variables], mines + 1)
    yield from combinations(row.variables, cells - mines + 1)


def dump_opb(puzzle: Position | Clues, *, total: bool = True) -> str:
    """Return a puzzle in the OPB format of pseudo-Boolean solvers.

    Examples
    --------
    >>> from sapper.field import Grid, Position
    >>> print(dump_opb(Position(Grid(1, 3), ["?1?"])), end="")
    * #variable= 2 #constraint= 1
    * minefield by sapper: variable x_i is 1 if cell i holds a mine
    * var x1 = (0, 0)
    * var x2 = (0, 2)
    * clue at (0, 1)
    +1 x1 +1 x2 = 1 ;
    """
    system = equations(puzzle, total=total)
    # An equation without cells, such as 0 = 3, still needs a variable to be written with.
    variables = len(system.cells) or min(len(system.rows), 1)
    lines = [
        f"* #variable= {variables} #constraint= {len(system.rows)}",
        "* minefield by sapper: variable x_i is 1 if cell i holds a mine",
    ]
    lines += [f"* var x{variable} = {cell}" for variable, cell in system.legend()]
    for row in system.rows:
        terms = [f"{weight:+d} x{variable}" for weight, variable in row.terms()] or ["+0 x1"]
        lines += [f"* {_line(row.name)}", f"{' '.join(terms)} = {row.count} ;"]
    return "\n".join(lines) + "\n"


def dump_lp(puzzle: Position | Clues, *, total: bool = True) -> str:
    r"""Return a puzzle in the LP format of mixed-integer solvers.

    Raises
    ------
    FormatError
        If a weight or a count is so large that floating point cannot hold it; OPB can.

    Examples
    --------
    >>> from sapper.field import Grid, Position
    >>> print(dump_lp(Position(Grid(1, 3), ["?1?"])), end="")
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
    system = equations(puzzle, total=total)
    lines = ["\\ minefield by sapper: variable x_i is 1 if cell i holds a mine"]
    lines += [f"\\ var x{variable} = {cell}" for variable, cell in system.legend()]
    lines += ["Minimize", " obj: 0 x1", "Subject To"]
    for number, row in enumerate(system.rows, start=1):
        if max(map(abs, (row.count, *(row.weights or ())))) > _EXACT:
            raise FormatError(f"LP files cannot hold the numbers of {row.name} exactly: use opb")
        terms = [
            f"{'-' if weight < 0 else '+'} {abs(weight)} x{variable}"
            for weight, variable in row.terms()
        ]
        lines.append(f"\\ {_line(row.name)}")
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


def _line(name: str) -> str:
    return " ".join(name.splitlines())
