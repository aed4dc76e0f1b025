"""Positions as text: header lines, then one line per row."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sapper.errors import FormatError, PositionError, quoted
from sapper.field import (
    COVERED,
    MINE,
    LabelError,
    Position,
    Topology,
    as_topology,
    column_of_cell,
    encode_plain,
    encode_row,
    kind_of,
    neighbourhood,
    topology_from_spec,
    total_mismatch,
)
from sapper.formats.pasted import Pasted, pasted
from sapper.formats.reading import Reading

__all__ = ["read", "write"]

_KEYS: Final = ("mines", "topology", "offsets")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, slots=True)
class _Header:
    value: str
    line: int
    column: int

    def fail(self, message: str) -> FormatError:
        return FormatError(message, line=self.line, column=self.column)


@dataclass(slots=True)
class _Sheet:
    """The text, cut into headers and rows, with the lines that the rows came from."""

    headers: dict[str, _Header] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    layers: list[int] = field(default_factory=list)
    # Where each cell stands in its line, if that cannot be seen from the row.
    columns: list[list[int]] | None = None

    def column(self, row: int, cell: int) -> int:
        if self.columns is None:
            return column_of_cell(self.rows[row], cell)
        places = self.columns[row]
        return places[cell] if cell < len(places) else places[-1] + 1

    def fail(self, row: int, column: int, message: str) -> FormatError:
        return FormatError(message, line=self.lines[row], column=column)


def read(
    content: str, *, mines: int | None = None, topology: str | Topology | None = None
) -> Position | Reading:
    r"""Read a position from text.

    Parameters
    ----------
    content
        Headers `mines`, `topology` and `offsets`, then rows; ``%`` starts a comment line. The
        layers of a box are separated by blank lines. What is no text of ours may still be a board
        as other programs show it; then the reading says how it was read.
    mines, topology
        If given, they replace what the headers say.

    Raises
    ------
    FormatError
        With line and column.

    Examples
    --------
    >>> read("mines: 2\n1??\n12?\n_1?")
    Position(Grid(3, 3), ['1??', '12?', '_1?'], mines=2)
    """

    def position(sheet: _Sheet) -> Position:
        return _position(sheet, mines, topology)

    try:
        return position(_cut(content))
    except FormatError:
        board = pasted(content)
        if board is None:
            raise
    return board.read(lambda chosen: position(_sheet(chosen)))


def _position(sheet: _Sheet, mines: int | None, topology: str | Topology | None) -> Position:
    codes, width = _codes(sheet)
    place = _topology(sheet, width, topology)
    wrong = next(place.too_large(codes), None)
    if wrong is not None:
        row, column = divmod(wrong, width)
        raise sheet.fail(
            row,
            sheet.column(row, column),
            neighbourhood(codes[wrong], len(place.neighbours_at(wrong))),
        )
    return Position.from_codes(place, codes.tobytes(), _total(sheet, codes, mines), trusted=True)


def _sheet(board: Pasted) -> _Sheet:
    """Return a pasted board as if it had been written in our characters."""
    sheet = _Sheet()
    for number, line in board.headers:
        _header(sheet, line, number)
    sheet.rows, sheet.lines = board.rows, board.lines
    sheet.layers, sheet.columns = board.layers, board.columns
    return sheet


def _cut(text: str) -> _Sheet:
    sheet = _Sheet()
    rows, lines = sheet.rows, sheet.lines
    blank = False
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.split("\n"), start=1):
        start = line.lstrip()
        if not start:
            blank = True
        elif start[0] == "%":
            continue
        elif ":" in line and not rows:
            _header(sheet, line, number)
        else:
            if blank or not rows:
                sheet.layers.append(len(rows))
            blank = False
            rows.append(line)
            lines.append(number)
    if not rows:
        empty = not sheet.headers and not text.strip()
        raise FormatError(
            "the input is empty" if empty else "there are no rows",
            line=max(1, text.rstrip().count("\n") + 1),
            column=1,
        )
    return sheet


def _header(sheet: _Sheet, line: str, number: int) -> None:
    name, _, rest = line.partition(":")
    key = name.strip().lower()
    column = len(name) - len(name.lstrip()) + 1
    if key not in _KEYS:
        raise FormatError(
            f"unknown header {quoted(name.strip())}: use {', '.join(_KEYS)}",
            line=number,
            column=column,
        )
    if key in sheet.headers:
        raise FormatError(f"the header {key!r} is given twice", line=number, column=column)
    value = rest.strip()
    at = len(name) + 2 + (len(rest) - len(rest.lstrip()) if value else 0)
    sheet.headers[key] = _Header(value, number, at)


def _codes(sheet: _Sheet) -> tuple[array[int], int]:
    """Return the codes of all rows and their common width."""
    dense = ["".join(row.split()) for row in sheet.rows]
    width = len(dense[0])
    if all(len(row) == width for row in dense):
        codes = encode_plain("".join(dense).encode("utf-8", "surrogatepass"))
        if codes is not None:
            return codes, width
    # Something is wrong, or a number has several digits: go row by row to know the place.
    codes = array("i")
    width = -1
    for row, line in enumerate(sheet.rows):
        try:
            encoded = encode_row(line)
        except LabelError as error:
            raise sheet.fail(row, error.column or 1, str(error)) from None
        if width < 0:
            width = len(encoded)
        if len(encoded) != width:
            cells = "cell" if len(encoded) == 1 else "cells"
            raise sheet.fail(
                row,
                sheet.column(row, min(width, len(encoded))),
                f"this row has {len(encoded)} {cells}, the first one has {width}",
            )
        codes.extend(encoded)
    return codes, width


def _topology(sheet: _Sheet, width: int, wanted: object) -> Topology:
    height = len(sheet.rows)
    if wanted is not None and not isinstance(wanted, str):
        given = as_topology(wanted)
        if len(given.shape) < 2 or given.shape[-1] != width or len(given) != height * width:
            raise FormatError(f"the board has {height} rows of {width} cells, not {given}")
        return given
    name, offsets = sheet.headers.get("topology"), sheet.headers.get("offsets")
    spec: object = wanted or (name.value if name else "grid")
    if offsets and wanted is None:
        spec = {"kind": name.value.lower() if name else "grid", "offsets": offsets.value}
    try:
        return topology_from_spec(spec, _shape(sheet, width, len(kind_of(spec).axes)))
    except PositionError as error:
        header = offsets if "offsets" in error.path and offsets else name
        if header is None or wanted is not None:
            raise FormatError(str(error)) from None
        raise header.fail(str(error)) from None


def _shape(sheet: _Sheet, width: int, axes: int) -> tuple[int, ...]:
    """Return the sides of the board: rows, or layers of rows."""
    if axes == 2:
        if len(sheet.layers) > 1:
            raise FormatError(
                "a blank line inside the board; only the layers of a box are separated so",
                line=sheet.lines[sheet.layers[1]] - 1,
                column=1,
            )
        return len(sheet.rows), width
    if axes != 3:
        raise PositionError("this topology is not made of rows, or layers of rows: use json")
    ends = [*sheet.layers[1:], len(sheet.rows)]
    height = ends[0]
    for start, end in zip(sheet.layers, ends, strict=True):
        if end - start != height:
            raise sheet.fail(
                start, 1, f"this layer has {end - start} rows, the first one has {height}"
            )
    return len(sheet.layers), height, width


def _total(sheet: _Sheet, codes: Sequence[int], mines: int | None) -> int | None:
    header = sheet.headers.get("mines")
    if mines is None:
        if header is None:
            return None
        mines = _whole(header)
    else:
        header = None
    problem = total_mismatch(mines, known=codes.count(MINE), covered=codes.count(COVERED))
    if problem is not None:
        raise header.fail(problem.message) if header else FormatError(problem.message)
    return mines


def _whole(header: _Header) -> int:
    if not _WHOLE.fullmatch(header.value):
        raise header.fail(f"the mine total must be a whole number, not {quoted(header.value)}")
    if header.value.startswith("-"):
        raise header.fail(f"the mine total cannot be negative: {header.value[:60]}")
    # Far above any board, and Python refuses to convert very long digit strings.
    if len(header.value) > 4000:
        raise header.fail(f"the mine total has {len(header.value):,} digits")
    return int(header.value)


def write(puzzle: Position) -> str:
    """Return a position as text that `read` reads back.

    Raises
    ------
    FormatError
        If the field is a graph, which has no rows.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> print(write(Position(Torus(2, 3), ["1??", "?*_"], mines=2)), end="")
    mines: 2
    topology: torus
    1??
    ?*_
    """
    if len(puzzle.topology.shape) not in (2, 3):
        raise FormatError(f"text has rows, and {puzzle.topology} has none: use json")
    return f"{puzzle}\n"
