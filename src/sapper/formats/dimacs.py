"""Export to DIMACS CNF, for SAT solvers and model counters.

Variable `i` is the `i`-th covered cell; comments say which cell that is. Cells that no clue touches
are variables too. Auxiliary variables follow, and each is determined by the cells: whatever the
encoding, the models are the legal assignments, one for one, so their number is `sapper.count`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Final

from sapper.clues import Clues
from sapper.errors import FormatError, quoted
from sapper.field import Position
from sapper.formats.linear import Equation, equations, one_line

__all__ = ["ENCODINGS", "MAX_CLAUSES", "write"]

MAX_CLAUSES: Final = 1_000_000
"""How many clauses one equation may take before `direct` and `counter` are refused."""

ENCODINGS: Final = ("auto", "direct", "counter", "adder")

# What `auto` takes: equations without auxiliary variables up to here, counters up to there.
_DIRECT: Final = 200
_COUNTER: Final = 200_000

Clause = tuple[int, ...]


def write(puzzle: Position | Clues, *, encoding: str = "auto") -> str:
    """Return a puzzle as DIMACS CNF.

    Parameters
    ----------
    puzzle
        A position or a clue system.
    encoding
        How 'k mines among n cells' becomes clauses:

        - ``"direct"``: no auxiliary variables. Of every k + 1 cells one is free, of every n - k + 1
          one is a mine. Small for clues on a board, hopeless for a total.
        - ``"counter"``: variables say 'at least j among the first i' (Sinz 2005, both directions);
          about n·k variables and 4·n·k clauses. Solvers propagate well through it.
        - ``"adder"``: binary sums by full adders (Eén and Sörensson 2006); about 2·n variables and
          14·n clauses, and weights are taken.
        - ``"auto"``: for each equation the first of these that is small.

    Raises
    ------
    FormatError
        If there is no such encoding, or it cannot take an equation: too many clauses, or weights.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Position(Grid(1, 3), ["?1?"])), end="")
    c minefield by sapper: variable i is true if cell i holds a mine
    c each legal assignment is one model; auxiliary variables: none
    c var 1 = (0, 0)
    c var 2 = (0, 2)
    p cnf 2 2
    c p show 1 2 0
    c clue at (0, 1)
    -1 -2 0
    1 2 0
    """
    if encoding not in ENCODINGS:
        raise FormatError(f"there is no encoding {quoted(encoding)}: use {', '.join(ENCODINGS)}")
    system = equations(puzzle)
    clauses = _Clauses(len(system.cells))
    body: list[str] = []
    for row in system.rows:
        body.append(f"c {one_line(row.name)}")
        clauses.made = []
        _encoder(row, encoding)(row, clauses)
        body += [" ".join(map(str, (*clause, 0))) for clause in clauses.made]
        clauses.size += len(clauses.made)
    cells, extra = len(system.cells), clauses.variables - len(system.cells)
    named = f"{cells + 1} to {clauses.variables}" if extra else "none"
    lines = [
        "c minefield by sapper: variable i is true if cell i holds a mine",
        f"c each legal assignment is one model; auxiliary variables: {named}",
        *(f"c var {variable} = {cell}" for variable, cell in system.legend()),
        f"p cnf {clauses.variables} {clauses.size}",
        " ".join(["c p show", *map(str, range(1, cells + 1)), "0"]),
    ]
    return "\n".join([*lines, *body]) + "\n"


class _Clauses:
    """Clauses under way, and the number of variables so far."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.size = 0
        self.made: list[Clause] = []

    def fresh(self) -> int:
        self.variables += 1
        return self.variables

    def add(self, *clauses: Clause) -> None:
        self.made += clauses

    def exclusive_or(self, *literals: int) -> int:
        """Return a variable that is true if an odd number of literals is."""
        out = self.fresh()
        for signs in range(1 << len(literals)):
            flipped = [lit if signs >> i & 1 else -lit for i, lit in enumerate(literals)]
            # A row of the truth table: here `signs` says which literals are false.
            odd = (len(literals) - signs.bit_count()) % 2
            self.add((*flipped, out if odd else -out))
        return out

    def at_least_two(self, one: int, two: int, three: int | None = None) -> int:
        """Return a variable that is true if two of the literals are."""
        out = self.fresh()
        if three is None:
            self.add((-one, -two, out), (one, -out), (two, -out))
            return out
        for a, b in ((one, two), (one, three), (two, three)):
            self.add((-a, -b, out), (a, b, -out))
        return out


def _encoder(row: Equation, encoding: str) -> Callable[[Equation, _Clauses], None]:
    if encoding == "adder":
        return _adder
    size = {"direct": _direct_size(row), "counter": _counter_size(row)}
    if encoding == "auto":
        if row.weights is None and size["direct"] <= _DIRECT:
            return _direct
        return _counter if row.weights is None and size["counter"] <= _COUNTER else _adder
    if row.weights is not None:
        raise FormatError(f"{row.name[:60]} has weights, which only the encoding 'adder' takes")
    if size[encoding] > MAX_CLAUSES:
        raise FormatError(
            f"the encoding {encoding!r} needs over {MAX_CLAUSES:,} clauses for {row.name[:60]} over"
            f" {len(row.variables):,} cells: use 'auto'"
        )
    return _direct if encoding == "direct" else _counter


def _direct_size(row: Equation) -> int:
    cells, mines = len(row.variables), row.count
    if not 0 <= mines <= cells:
        return 1
    # Far too many are not counted exactly.
    if min(mines, cells - mines) > 20 and cells > 60:
        return MAX_CLAUSES + 1
    return comb(cells, mines + 1) + comb(cells, cells - mines + 1)


def _counter_size(row: Equation) -> int:
    cells, mines = len(row.variables), row.count
    return 4 * cells * (mines + 1) if 0 <= mines <= cells else 1


def _direct(row: Equation, out: _Clauses) -> None:
    cells, mines = len(row.variables), row.count
    if not 0 <= mines <= cells:
        out.add(())  # the empty clause: nothing satisfies it
        return
    out.add(*combinations([-variable for variable in row.variables], mines + 1))
    out.add(*combinations(row.variables, cells - mines + 1))


def _counter(row: Equation, out: _Clauses) -> None:
    cells, mines = len(row.variables), row.count
    if not 0 <= mines <= cells:
        out.add(())
        return
    # at_least[j]: at least j among the cells so far; None where it is always or never so.
    at_least: list[int | None] = [None] * (mines + 2)
    for seen, cell in enumerate(row.variables, start=1):
        before = list(at_least)
        for j in range(1, min(seen, mines + 1) + 1):
            new = at_least[j] = out.fresh()
            old, less = before[j], before[j - 1]
            if old is not None:
                out.add((-old, new), (old, cell, -new))
            else:
                out.add((cell, -new))  # not even all cells before were enough
            out.add((-cell, new) if less is None else (-cell, -less, new))
            if less is not None:
                out.add((less, -new))
    for j, sign in ((mines, 1), (mines + 1, -1)):
        last = at_least[j]
        if last is not None:
            out.add((sign * last,))


def _adder(row: Equation, out: _Clauses) -> None:
    count = row.count
    columns: list[list[int]] = []
    for weight, variable in row.terms():
        # w·x = w + (-w)·(1 - x), so that no weight is negative.
        literal = variable if weight > 0 else -variable
        count -= min(weight, 0)
        for place in _bits(abs(weight)):
            columns += [[] for _ in range(place + 1 - len(columns))]
            columns[place].append(literal)
    if count < 0 or count.bit_length() > len(columns) + len(row.variables).bit_length() + 1:
        out.add(())
        return
    place = 0
    while place < len(columns) or count >> place:
        column = columns[place] if place < len(columns) else []
        above: list[int] = []
        while len(column) > 1:
            taken, column = column[:3], column[3:]
            column.append(out.exclusive_or(*taken))
            above.append(out.at_least_two(*taken))
        if above:
            columns += [[]] * (place + 2 - len(columns))
            columns[place + 1] = columns[place + 1] + above
        wanted = count >> place & 1
        if column:
            out.add((column[0] if wanted else -column[0],))
        elif wanted:
            out.add(())
        place += 1


def _bits(number: int) -> Iterator[int]:
    return (place for place in range(number.bit_length()) if number >> place & 1)
