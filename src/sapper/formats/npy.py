"""Positions as numpy files (.npy) of label codes; the mine total is not part of them."""

from __future__ import annotations

import re
from io import BytesIO
from math import prod
from typing import Any, Final

from sapper.errors import FormatError, PositionError, quoted
from sapper.field import COVERED, MINE, Position, Topology, neighbourhood, total_mismatch
from sapper.limits import load

__all__ = ["read", "write"]

_MAGIC: Final = b"\x93NUMPY"
_LONGEST_HEADER: Final = 10_000
_KEYS: Final = {
    "descr": re.compile(r"'descr'\s*:\s*'([<>|=]?[biufcSUO?][0-9]{0,9})'"),
    "fortran_order": re.compile(r"'fortran_order'\s*:\s*(True|False)"),
    "shape": re.compile(r"'shape'\s*:\s*\((\s*(?:[0-9]{1,20}\s*,\s*)*(?:[0-9]{1,20}\s*)?)\)"),
}


def read(
    content: bytes, *, mines: int | None = None, topology: str | Topology | None = None
) -> Position:
    """Read a position from the bytes of a .npy file; see `Position.from_array` for the codes.

    Raises
    ------
    FormatError
        If it is no such file, an entry is no label, or a number does not fit.
    """
    try:
        position = Position.from_array(_array(content), mines=mines, topology=topology)
    except PositionError as error:
        raise FormatError(str(error)) from None
    place, codes = position.topology, memoryview(position.codes).cast("i")
    wrong = next(place.too_large(codes), None)
    if wrong is not None:
        message = neighbourhood(codes[wrong], len(place.neighbours_at(wrong)))
        raise FormatError(f"entry {place.cells[wrong]}: {message}")
    if mines is not None:
        listed = codes.tolist()
        problem = total_mismatch(mines, known=listed.count(MINE), covered=listed.count(COVERED))
        if problem is not None:
            raise FormatError(problem.message)
    return position


def _array(content: bytes) -> Any:
    """Return the array in a file, a view of its bytes.

    numpy's own reader runs headers through Python's parser, with all its errors and warnings, and
    takes the memory that a header asks for before it looks whether the file has as much.
    """
    load("numpy")
    import numpy

    header, start = _header(content)
    found = {key: pattern.search(header) for key, pattern in _KEYS.items()}
    for key, value in found.items():
        if value is None:
            raise _unreadable(f"its header has no plain {key!r}")
    descr, order, sides = (value[1] for value in found.values() if value)
    try:
        kind = numpy.dtype(descr)
    except (TypeError, ValueError):
        raise _unreadable(f"there is no type {quoted(descr)}") from None
    if kind.hasobject or not kind.itemsize:
        raise _unreadable(f"values of the type {quoted(descr)} are no labels")
    shape = tuple([int(side) for side in sides.split(",") if side.strip()])
    size = prod(shape) * kind.itemsize
    if len(content) - start < size:
        raise _unreadable(f"{quoted(size)} bytes are needed, and it has {len(content) - start:,}")
    flat = numpy.frombuffer(content, kind, prod(shape), start)
    return flat.reshape(shape, order="F" if order == "True" else "C")


def _header(content: bytes) -> tuple[str, int]:
    """Return the header of a file, and where its values start."""
    if not content.startswith(_MAGIC) or len(content) < 12:
        raise _unreadable("it does not begin as one")
    wide = 2 if content[6] == 1 else 4
    start = 8 + wide
    length = int.from_bytes(content[8:start], "little")
    if content[6] not in (1, 2, 3) or length > min(_LONGEST_HEADER, len(content) - start):
        raise _unreadable("its header is damaged")
    return content[start : start + length].decode("latin-1"), start + length


def _unreadable(why: str) -> FormatError:
    return FormatError(f"not a readable .npy file: {why}")


def write(puzzle: Position) -> bytes:
    """Return the bytes of a .npy file with the codes of a position."""
    load("numpy")
    import numpy

    out = BytesIO()
    numpy.save(out, puzzle.to_array(), allow_pickle=False)
    return out.getvalue()
