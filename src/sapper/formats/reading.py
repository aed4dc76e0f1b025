"""Read a puzzle from text, bytes or a file, whatever its format."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from sapper.clues import Clues
from sapper.errors import FormatError
from sapper.field import Position, Topology, checked_mines
from sapper.formats.table import FORMATS, format_named, recognised

__all__ = ["parse", "read"]

_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    mines: int | None = None,
    topology: str | Topology | None = None,
) -> Position | Clues:
    """Read a position, or a bare clue system, from a file.

    Parameters
    ----------
    path
        The file, or ``"-"`` for standard input.
    format
        A name of the table of formats, such as ``"json"``; by default the content decides.
    mines
        Total number of mines; replaces what the file says.
    topology
        ``"grid"``, ``"torus"``, ``"hex"``, ``"knight"``, ``"box"``, offsets such as
        ``"(1,2) (-1,-2)"``, or a topology; replaces what the file says.

    Raises
    ------
    FormatError
        With the name of the file, line and column.
    PositionError
        If `mines` or `topology` makes no sense.
    OSError
        If the file cannot be opened.
    """
    name = os.fspath(path)
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return parse(data, format=format, mines=mines, topology=topology)
    except FormatError as error:
        source = "standard input" if name == "-" else name
        raise FormatError(
            error.message, line=error.line, column=error.column, source=source
        ) from None


def parse(
    text: str | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    mines: int | None = None,
    topology: str | Topology | None = None,
) -> Position | Clues:
    r"""Read a position, or a bare clue system, from a string.

    Parameters
    ----------
    text
        The content of a file of any readable format.
    format, mines, topology
        As for `read`.

    Returns
    -------
    Position or Clues
        A bare hypergraph in JSON gives clues, everything else a position.

    Raises
    ------
    FormatError
        With line and column: an unknown character, rows of unequal length, a number above its
        neighbourhood, an impossible mine total and so on.
    PositionError
        If `mines` or `topology` makes no sense.
    TypeError
        If it is neither text nor bytes.

    Examples
    --------
    >>> parse("mines: 2\n1??\n12?\n_1?")
    Position(Grid(3, 3), ['1??', '12?', '_1?'], mines=2)
    >>> parse("1??\n12")
    Traceback (most recent call last):
    ...
    sapper.errors.FormatError: line 2, column 3: this row has 2 cells, the first one has 3
    """
    text = _content(text)
    mines = checked_mines(mines)
    row = None if format is None else format_named(format, to="read")
    if isinstance(text, bytes):
        row = row or recognised(text)
        if row is not None and row.binary:
            return row.read(text, mines=mines, topology=topology)
        text = _decoded(text)
    if row is not None and row.binary:
        raise FormatError(f"a {row.endings[0]} file is bytes, not text")
    text = text.removeprefix(_BOM)
    row = row or recognised(text) or FORMATS["text"]
    return row.read(text, mines=mines, topology=topology)


def _content(value: object) -> str | bytes:
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if isinstance(value, str | bytes):
        return value
    kind = type(value).__name__
    raise TypeError(f"parse takes the text or the bytes of a puzzle, not {kind}; see read")


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        raise FormatError(
            f"byte 0x{data[error.start]:02x} is not text in UTF-8",
            line=data.count(b"\n", 0, error.start) + 1,
            column=len(data[start : error.start].decode("utf-8")) + 1,
        ) from None
