"""Read a puzzle from text, bytes or a file, whatever its format."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sapper.errors import FormatError
from sapper.field import Position, Topology, checked_mines
from sapper.formats.text import parse_text

if TYPE_CHECKING:
    from sapper.clues import Clues

__all__ = ["READABLE", "parse", "read"]

READABLE: Final = ("text", "json", "numpy")

_MAGIC: Final = b"\x93NUMPY"
# An object; or a list, which no document is, so that the error is about JSON. [12] is a label.
_JSON: Final = re.compile(r"\s*(?:\{|\[\s*(?:[\[\]{\"-]|[0-9]+\s*,))")
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
        ``"text"``, ``"json"`` or ``"numpy"``; by default the content decides.
    mines
        Total number of mines; replaces what the file says.
    topology
        ``"grid"``, ``"torus"``, ``"hex"``, ``"knight"``, ``"box"``, offsets such as
        ``"(1,2) (-1,-2)"``, or a topology; replaces what the file says.

    Raises
    ------
    FormatError
        With the name of the file, line and column.
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

    Examples
    --------
    >>> parse("mines: 2\n1??\n12?\n_1?")
    Position(Grid(3, 3), ['1??', '12?', '_1?'], mines=2)
    >>> parse("1??\n12")
    Traceback (most recent call last):
    ...
    sapper.errors.FormatError: line 2, column 3: this row has 2 cells, the first one has 3
    """
    mines = checked_mines(mines)
    if format is not None and format not in READABLE:
        raise FormatError(f"cannot read the format {format!r}: use {', '.join(READABLE)}")
    if isinstance(text, bytes):
        if format == "numpy" or (format is None and text.startswith(_MAGIC)):
            from sapper.formats.npy import parse_npy

            return parse_npy(text, mines=mines, topology=topology)
        text = _decoded(text)
    elif format == "numpy":
        raise FormatError("a .npy file is bytes, not text")
    text = text.removeprefix(_BOM)
    if format == "json" or (format is None and _JSON.match(text)):
        from sapper.formats.jsonread import parse_json

        return parse_json(text, mines=mines, topology=topology)
    return parse_text(text, mines=mines, topology=topology)


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
