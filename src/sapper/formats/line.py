"""Positions in one line, as FEN is for chess: ``1??/12?/_1? mines=2 torus``.

Rows stand between strokes, the layers of a box between double strokes. A label is written as in
text, and ``?{30}`` is a run of thirty. After a space may follow ``mines=`` with the total,
``start=`` with the first dig and the name of the topology, a grid if there is none; offsets are
written ``(1,2)(-1,-2)``.
"""

from __future__ import annotations

import re
from array import array
from itertools import groupby
from typing import Final

from sapper.errors import FormatError, PositionError, quoted
from sapper.field import (
    COVERED,
    MINE,
    Cell,
    Position,
    Topology,
    code_of,
    format_row,
    kind_of,
    neighbourhood,
    topology_of_shape,
    total_mismatch,
)
from sapper.formats.reading import Reading

__all__ = ["MOST_CELLS", "read", "write"]

MOST_CELLS: Final = 1_000_000
"""How many cells a line may stand for: runs make small lines of huge boards."""

_CELL: Final = re.compile(r"(?:([0-9?*_])|\[([0-9]{1,10})\])(?:\{([1-9][0-9]{0,6})\})?")
_TOTAL: Final = re.compile(r"mines=([0-9]{1,20})")
_START: Final = re.compile(r"start=([0-9]{1,9}(?:,[0-9]{1,9})*)")
_SECOND: Final = re.compile(r"\n[ \t]*(?=[0-9?*_\[])[^\s=]*[/{]")
# From here on a run is shorter than its cells.
_RUN: Final = 5


def read(content: str, *, mines: int | None, topology: str | Topology | None) -> Reading:
    """Read a position from one line, and the first dig if the line tells it.

    Raises
    ------
    FormatError
        With the column.

    Examples
    --------
    >>> read("1??/12?/_1? mines=2 torus", mines=None, topology=None).value
    Position(Torus(3, 3), ['1??', '12?', '_1?'], mines=2)
    >>> read("01*/011 start=0,0", mines=None, topology=None).start
    (0, 0)
    """
    rows, *words = content.split() or [""]
    column = content.find(rows) + 1
    second = _SECOND.search(content, column)
    if second is not None:
        message = "another board begins here: give one line at a time"
        raise FormatError(message, line=content.count("\n", 0, second.end()) + 1, column=1)
    codes, shape = _codes(rows, column)
    name, start = "", None
    for word in words:
        total, dig = _TOTAL.fullmatch(word), _START.fullmatch(word)
        if dig is not None:
            start = tuple(map(int, dig[1].split(",")))
        elif total is None:
            name += word
        elif mines is None:
            mines = int(total[1])
    wanted = name or None if topology is None else topology
    try:
        # One layer is a flat board, unless a box is asked for.
        if shape[0] == 1 and not (isinstance(wanted, str) and len(kind_of(wanted).axes) == 3):
            shape = shape[1:]
        field = topology_of_shape(wanted, shape)
    except PositionError as error:
        raise FormatError(str(error), line=1, column=column + len(rows)) from None
    wrong = next(field.too_large(codes), None)
    if wrong is not None:
        message = neighbourhood(codes[wrong], len(field.neighbours_at(wrong)))
        raise FormatError(f"cell {field.cells[wrong]}: {message}", line=1, column=column)
    if mines is not None:
        problem = total_mismatch(mines, known=codes.count(MINE), covered=codes.count(COVERED))
        if problem is not None:
            raise FormatError(problem.message, line=1, column=column + len(rows))
    if start is not None and start not in field:
        message = f"the first dig {start} is outside {field}"
        raise FormatError(message, line=1, column=column + len(rows))
    return Reading(Position.from_codes(field, codes.tobytes(), mines, trusted=True), start=start)


def _codes(rows: str, column: int) -> tuple[array[int], tuple[int, ...]]:
    """Return the codes, and how many layers, rows and cells in a row there are."""
    codes, layers, at = array("i"), [[0]], 0
    while at < len(rows):
        place = column + at
        if rows[at] == "/":
            if rows.startswith("//", at):
                layers.append([0])
                at += 1
            else:
                layers[-1].append(0)
            at += 1
            continue
        cell = _CELL.match(rows, at)
        if cell is None:
            wanted = "use labels, runs such as ?{30}, and / between rows"
            raise FormatError(f"unknown {quoted(rows[at])}: {wanted}", line=1, column=place)
        run = int(cell[3] or 1)
        if len(codes) + run > MOST_CELLS:
            message = f"a line holds at most {MOST_CELLS:,} cells: use text"
            raise FormatError(message, line=1, column=place)
        try:
            codes.extend([code_of(cell[1] or cell[2])] * run)
        except PositionError as error:
            raise FormatError(str(error), line=1, column=place) from None
        layers[-1][-1] += run
        at = cell.end()
    width, height = layers[0][0], len(layers[0])
    for what, sides, first in (
        ("row", {side for layer in layers for side in layer}, width),
        ("layer", set(map(len, layers)), height),
    ):
        if sides != {first}:
            message = f"each {what} must be as long as the first, {first}, not {max(sides)}"
            raise FormatError(message, line=1, column=column)
    if not codes:
        raise FormatError("there are no cells", line=1, column=column)
    return codes, (len(layers), height, width)


def write(puzzle: Position, *, start: Cell | None = None) -> str:
    """Return a position, and the first dig if it is given, as one line that `read` reads back.

    Raises
    ------
    FormatError
        If the field is a graph, or has too many cells.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> print(write(Position(Torus(2, 6), ["1?????", "?*_???"], mines=2)), end="")
    1?{5}/?*_??? mines=2 torus
    """
    topology = puzzle.topology
    if len(topology.shape) not in (2, 3):
        raise FormatError(f"a line has rows, and {topology} has none: use json")
    if len(topology) > MOST_CELLS:
        raise FormatError(f"a line holds at most {MOST_CELLS:,} cells: use text")
    *_, height, width = topology.shape
    codes = memoryview(puzzle.codes).cast("i").tolist()
    rows = [_row(codes[start : start + width]) for start in range(0, len(codes), width)]
    layers = ["/".join(rows[start : start + height]) for start in range(0, len(rows), height)]
    words = ["//".join(layers)]
    if puzzle.mines is not None:
        words.append(f"mines={puzzle.mines}")
    if start is not None:
        place, sides = topology.index(start), []
        for side in reversed(topology.shape):
            place, at = divmod(place, side)
            sides.append(str(at))
        words.append("start=" + ",".join(reversed(sides)))
    if topology.name != "grid":
        words.append("".join(topology.name.split()))
    return " ".join(words) + "\n"


def _row(codes: list[int]) -> str:
    parts = []
    for code, group in groupby(codes):
        label, run = format_row([code]), len(list(group))
        parts.append(f"{label}{{{run}}}" if run >= _RUN else label * run)
    return "".join(parts)
