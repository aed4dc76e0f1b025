"""Files of JSMinesweeper, ``.mine``: ``WxHxM``, then rows of what is seen.

``0`` to ``8`` are numbers, ``H`` is covered, ``F`` a flag, ``M`` a mine and ``?`` one that
exploded. A flag is believed: it is read as a known mine.
"""

from __future__ import annotations

import re
from array import array
from typing import Final

from sapper.errors import FormatError, quoted
from sapper.field import COVERED, MINE, Position, Topology
from sapper.formats.boards import checked_sides, codes_of, position_of, sides_of
from sapper.formats.reading import Reading

__all__ = ["read", "write"]

_HEADER: Final = re.compile(r"\s*([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9})\s*\Z")
_CODES: Final = {str(n): n for n in range(9)} | {"H": COVERED, "F": MINE, "M": MINE, "?": MINE}


def read(
    content: str, *, mines: int | None = None, topology: str | Topology | None = None
) -> Reading:
    r"""Read a position; if nothing is covered it is a full board.

    Raises
    ------
    FormatError
        With line and column.

    Examples
    --------
    >>> read("3x2x1\n1FH\n11H\n").value
    Position(Grid(2, 3), ['1*?', '11?'], mines=1)
    """
    lines = content.splitlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    header = _HEADER.match(lines[first]) if lines else None
    if header is None:
        message = "the first line is width, height and mines, as in 30x16x99"
        raise FormatError(message, line=first + 1, column=1)
    width, height, total = map(int, header.groups())
    checked_sides(width, height, line=first + 1)
    rows = lines[first + 1 :]
    while rows and not rows[-1].strip():
        rows.pop()
    codes = array("i")
    for number, row in enumerate(rows[:height], start=first + 2):
        text = row.rstrip()
        for at, sign in enumerate(text[:width]):
            if sign not in _CODES:
                wanted = "use 0-8, H (covered), F (flag), M (mine) or ? (exploded)"
                message = f"unknown character {quoted(sign)}: {wanted}"
                raise FormatError(message, line=number, column=at + 1)
            codes.append(_CODES[sign])
        if len(text) != width:
            message = f"this row has {len(text)} cells, and the first line says {width}"
            raise FormatError(message, line=number, column=min(len(text), width) + 1)
    if len(rows) != height:
        message = f"there are {len(rows)} rows, and the first line says {height}"
        raise FormatError(message, line=first + 2 + min(len(rows), height), column=1)
    position = position_of(codes, (height, width), total, replaced=mines, topology=topology)
    believed = COVERED in codes and any("F" in row for row in rows)
    return Reading(position, notes=("a flag (F) is read as a known mine",) if believed else ())


def write(puzzle: Position) -> str:
    """Return a position or a full board as such a file.

    Raises
    ------
    FormatError
        If it is no grid, has no total, or has a cell that is free without a number.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Position(Grid(2, 3), ["1*?", "11?"], mines=1)), end="")
    3x2x1
    1FH
    11H
    """
    width, height = sides_of(puzzle.topology, "mine")
    codes = codes_of(puzzle, "mine")
    mine = "F" if COVERED in codes else "M"
    signs = "".join({COVERED: "H", MINE: mine}.get(code) or str(code) for code in codes)
    rows = [signs[start : start + width] for start in range(0, len(signs), width)]
    return "\n".join([f"{width}x{height}x{puzzle.mines}", *rows]) + "\n"
