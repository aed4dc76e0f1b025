"""Positions as numpy files (.npy) of label codes; the mine total is not part of them."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from sapper.errors import FormatError, PositionError
from sapper.field import COVERED, MINE, Position, Topology, neighbourhood, total_mismatch

__all__ = ["MAGIC", "dump_npy", "parse_npy"]

MAGIC: Final = b"\x93NUMPY"


def parse_npy(
    data: bytes, *, mines: int | None = None, topology: str | Topology | None = None
) -> Position:
    """Read a position from the bytes of a .npy file; see `Position.from_array` for the codes.

    Raises
    ------
    FormatError
        If it is no such file, an entry is no label, or a number does not fit.
    """
    import numpy

    try:
        # Pickled arrays could run code, so they are refused.
        values = numpy.load(BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError, SyntaxError, TypeError, MemoryError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FormatError(f"not a readable .npy file: {reason[:80]}") from None
    try:
        position = Position.from_array(values, mines=mines, topology=topology)
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


def dump_npy(position: Position) -> bytes:
    """Return the bytes of a .npy file with the codes of a position."""
    import numpy

    out = BytesIO()
    numpy.save(out, position.to_array(), allow_pickle=False)
    return out.getvalue()
