"""Positions as text: header lines, then one line per row."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sapper.errors import FormatError, PositionError
from sapper.field import COVERED, KNIGHT, MINE, Box, Lattice, Offsets, Position, Topology
from sapper.field.labels import LabelError, column_of_cell, encode_plain, encode_row
from sapper.field.named import NAMES, by_name, parse_offsets
from sapper.field.status import neighbourhood, total_mismatch

__all__ = ["dump_text", "parse_text"]

_KEYS: Final = ("mines", "topology", "offsets")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_TAKES_OFFSETS: Final = ("grid", "torus", "knight", "offsets")


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

    def fail(self, row: int, column: int, message: str) -> FormatError:
        return FormatError(message, line=self.lines[row], column=column)


def parse_text(
    text: str, *, mines: int | None = None, topology: str | Topology | None = None
) -> Position:
    r"""Read a position from text.

    Parameters
    ----------
    text
        Headers `mines`, `topology` and `offsets`, then rows; ``%`` starts a comment line. The
        layers of a box are separated by blank lines.
    mines, topology
        If given, they replace what the headers say.

    Raises
    ------
    FormatError
        With line and column.

    Examples
    --------
    >>> parse_text("mines: 2\n1??\n12?\n_1?")
    Position(Grid(3, 3), ['1??', '12?', '_1?'], mines=2)
    """
    sheet = _cut(text)
    codes, width = _codes(sheet)
    place = _topology(sheet, width, topology)
    wrong = next(place.too_large(codes), None)
    if wrong is not None:
        row, column = divmod(wrong, width)
        raise sheet.fail(
            row,
            column_of_cell(sheet.rows[row], column),
            neighbourhood(codes[wrong], len(place.neighbours_at(wrong))),
        )
    return Position._from_codes(place, codes.tobytes(), _total(sheet, codes, mines))


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
            f"unknown header {name.strip()[:40]!a}: use {', '.join(_KEYS)}",
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
                column_of_cell(line, min(width, len(encoded))),
                f"this row has {len(encoded)} {cells}, the first one has {width}",
            )
        codes.extend(encoded)
    return codes, width


def _topology(sheet: _Sheet, width: int, wanted: str | Topology | None) -> Topology:
    height = len(sheet.rows)
    if isinstance(wanted, Topology):
        shape = wanted.shape
        if len(shape) < 2 or shape[-1] != width or len(wanted) != height * width:
            raise FormatError(f"the board has {height} rows of {width} cells, not {wanted}")
        return wanted
    name = sheet.headers.get("topology")
    kind = name.value if name and wanted is None else wanted
    if kind is not None and kind.strip().lower() == "box":
        return _box(sheet, width)
    if len(sheet.layers) > 1:
        raise FormatError(
            "a blank line inside the board; only the layers of a box are separated so",
            line=sheet.lines[sheet.layers[1]] - 1,
            column=1,
        )
    if wanted is not None:
        try:
            return by_name(wanted, height, width)
        except PositionError as error:
            raise FormatError(str(error)) from None
    return _flat(name, sheet.headers.get("offsets"), height, width)


def _flat(name: _Header | None, offsets: _Header | None, height: int, width: int) -> Lattice:
    kind = name.value.lower() if name else "grid"
    if offsets is None:
        if name and kind == "offsets":
            raise name.fail("a header 'offsets' with pairs such as (1,2) (-1,-2) is missing")
        try:
            return by_name(kind, height, width)
        except PositionError as error:
            raise (name.fail(str(error)) if name else FormatError(str(error))) from None
    if name and kind not in _TAKES_OFFSETS:
        if kind in NAMES:
            raise name.fail(f"the topology {kind!r} takes no offsets")
        raise name.fail(f"unknown topology {name.value[:40]!a}: use {', '.join(_TAKES_OFFSETS)}")
    try:
        return Offsets(height, width, parse_offsets(offsets.value), wrap=kind == "torus")
    except PositionError as error:
        raise offsets.fail(str(error)) from None


def _box(sheet: _Sheet, width: int) -> Box:
    if "offsets" in sheet.headers:
        raise sheet.headers["offsets"].fail("the topology 'box' takes no offsets")
    ends = [*sheet.layers[1:], len(sheet.rows)]
    height = ends[0]
    for start, end in zip(sheet.layers, ends, strict=True):
        if end - start != height:
            raise sheet.fail(
                start, 1, f"this layer has {end - start} rows, the first one has {height}"
            )
    return Box(len(sheet.layers), height, width)


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
        raise header.fail(f"the mine total must be a whole number, not {header.value[:40]!a}")
    if header.value.startswith("-"):
        raise header.fail(f"the mine total cannot be negative: {header.value[:40]}")
    # Far above any board, and Python refuses to convert very long digit strings.
    if len(header.value) > 4000:
        raise header.fail(f"the mine total has {len(header.value):,} digits")
    return int(header.value)


def dump_text(position: Position) -> str:
    """Return a position as text that `parse_text` reads back.

    Raises
    ------
    FormatError
        If the field is a graph, which has no rows.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> print(dump_text(Position(Torus(2, 3), ["1??", "?*_"], mines=2)), end="")
    mines: 2
    topology: torus
    1??
    ?*_
    """
    topology = position.topology
    lines = [] if position.mines is None else [f"mines: {position.mines}"]
    rows = position.rows() if len(topology.shape) > 1 else []
    if isinstance(topology, Box):
        lines.append("topology: box")
        for start in range(len(rows) - topology.height, 0, -topology.height):
            rows.insert(start, "")
    elif isinstance(topology, Offsets):
        if topology.offsets == KNIGHT and not topology.wrap:
            lines.append("topology: knight")
        else:
            lines.append(f"topology: {'torus' if topology.wrap else 'offsets'}")
            pairs = " ".join(f"({down},{right})" for down, right in topology.offsets)
            lines.append(f"offsets: {pairs}")
    elif isinstance(topology, Lattice):
        if topology.kind != "grid":
            lines.append(f"topology: {topology.kind}")
    else:
        raise FormatError(f"text has rows, and {topology} has none: use json")
    return "\n".join([*lines, *rows]) + "\n"
