"""What the formats of other programs share: boards are grids, and small enough."""

from __future__ import annotations

import re
from array import array
from typing import Final

from sapper.errors import FormatError, PositionError
from sapper.field import (
    COVERED,
    FREE,
    MINE,
    Grid,
    Position,
    Topology,
    neighbourhood,
    topology_of_shape,
    total_mismatch,
)
from sapper.game import Layout

__all__ = [
    "MOST_CELLS",
    "checked_sides",
    "codes_of",
    "layout_of_bits",
    "position_of",
    "sides_of",
    "wrong_at",
]

MOST_CELLS: Final = 1_000_000
"""How many cells a board may have: few characters could ask for a huge one."""


def checked_sides(width: int, height: int, *, line: int | None = None, column: int = 1) -> None:
    """Refuse a board without cells, or with too many, before anything is made of it."""
    at = None if line is None else column
    if not width or not height:
        raise FormatError(f"a board of {width}×{height} has no cells", line=line, column=at)
    if width * height > MOST_CELLS:
        message = f"a board of {width}×{height} has more than {MOST_CELLS:,} cells"
        raise FormatError(message, line=line, column=at)


def wrong_at(message: str, found: re.Match[str], at: int) -> FormatError:
    """Return the error that names the place `at` characters into what a pattern has found."""
    before = found.string[: found.start(1) + at]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return FormatError(message, line=line, column=column)


def layout_of_bits(width: int, height: int, bits: str) -> Layout:
    """Return the grid whose mines are the ones in a text of zeros and ones, row by row."""
    cells = bits[: width * height].encode()
    return Layout.from_bytes(Grid(height, width), cells.translate(_BITS))


_BITS: Final = bytes.maketrans(b"01", b"\0\1")


def sides_of(topology: Topology, name: str) -> tuple[int, int]:
    """Return width and height of a grid, or refuse any other field."""
    if not isinstance(topology, Grid):
        raise FormatError(f"the format {name} has only grids, and this is {topology}")
    height, width = topology.shape
    return width, height


def position_of(
    codes: array[int],
    shape: tuple[int, int],
    mines: int,
    *,
    replaced: int | None,
    topology: str | Topology | None,
) -> Position:
    """Return a position after all the checks; `replaced` stands instead of `mines` if given."""
    try:
        field = topology_of_shape(topology, shape)
    except PositionError as error:
        raise FormatError(str(error)) from None
    wrong = next(field.too_large(codes), None)
    if wrong is not None:
        message = neighbourhood(codes[wrong], len(field.neighbours_at(wrong)))
        raise FormatError(f"cell {field.cells[wrong]}: {message}")
    total = mines if replaced is None else replaced
    problem = total_mismatch(total, known=codes.count(MINE), covered=codes.count(COVERED))
    if problem is not None:
        raise FormatError(problem.message)
    return Position.from_codes(field, codes.tobytes(), total, trusted=True)


def codes_of(position: Position, name: str) -> list[int]:
    """Return the codes of a position with a total and without cells that are free by hearsay."""
    if position.mines is None:
        raise FormatError(f"the format {name} needs the number of mines, and it is not known")
    codes: list[int] = memoryview(position.codes).cast("i").tolist()
    if FREE in codes:
        cell = position.topology.cells[codes.index(FREE)]
        raise FormatError(f"{cell} is free and has no number, which the format {name} cannot hold")
    return codes
