"""Flat fields by their names, as in file headers and on the command line."""

from __future__ import annotations

import re
from typing import Final

from sapper.errors import PositionError
from sapper.field.lattice import KNIGHT, Grid, Hex, Lattice, Offset, Offsets, Torus

__all__ = ["NAMES", "by_name", "parse_offsets"]

NAMES: Final = ("grid", "torus", "hex", "knight")

_PAIR: Final = re.compile(r"[\s,;]*\(\s*([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})\s*\)")
_END: Final = re.compile(r"[\s,;]*\Z")


def by_name(name: str, height: int, width: int) -> Lattice:
    """Return a flat field of a given size by name, or by offsets in parentheses.

    Raises
    ------
    PositionError
        If there is no field of that name.

    Examples
    --------
    >>> by_name("torus", 9, 9)
    Torus(9, 9)
    >>> by_name("(0,1) (0,-1)", 2, 5)
    Offsets(2, 5, [(0, -1), (0, 1)])
    """
    match name.strip().lower():
        case "grid":
            return Grid(height, width)
        case "torus":
            return Torus(height, width)
        case "hex":
            return Hex(height, width)
        case "knight":
            return Offsets(height, width, KNIGHT)
        case text if text.startswith("("):
            return Offsets(height, width, parse_offsets(text))
        case "box":
            raise PositionError("a box has layers of rows, and this is one board of rows")
    raise PositionError(
        f"unknown topology {name[:40]!a}: use {', '.join(NAMES)}, box or offsets such as"
        " (1,2) (-1,-2)"
    )


def parse_offsets(text: str) -> list[Offset]:
    """Return offsets written as pairs in parentheses.

    Raises
    ------
    PositionError
        If something else stands there.

    Examples
    --------
    >>> parse_offsets("(1,2) (-1, -2)")
    [(1, 2), (-1, -2)]
    """
    offsets: list[Offset] = []
    at = 0
    while not _END.match(text, at):
        pair = _PAIR.match(text, at)
        if pair is None:
            raise PositionError(
                f"offsets must be pairs such as (1,2) (-1,-2), not {text[at:][:40]!a}"
            )
        offsets.append((int(pair[1]), int(pair[2])))
        at = pair.end()
    return offsets
