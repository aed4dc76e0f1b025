"""Links of JSMinesweeper, ``?analysis=…``: what is seen, packed in letters and digits.

Two characters for the width, two for the height, four for the mines, all of base 62, then runs of
cells row by row. Every kind of cell owns some of the 62 characters: its *digits*, in which the
length of a run is written; a kind with one digit repeats it. A number is written without the mines
that are plain to see beside it: flags, and covered cells that must be mines.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from sapper.errors import FormatError, quoted
from sapper.field import COVERED, MINE, Grid, Position, Topology
from sapper.formats.boards import checked_sides, codes_of, position_of, sides_of, wrong_at
from sapper.formats.reading import Reading

__all__ = ["read", "write"]

_BASE62: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
# I: a covered cell that must be a mine. O: a flag that is not taken off the numbers around it.
_KINDS: Final = dict(zip("012345678IHFO", (10, 7, 5, 5, 4, 3, 3, 1, 1, 4, 10, 8, 1), strict=True))
_MOST_SIDE: Final = 62**2 - 1
_LINK: Final = re.compile(r"(?:^|[?&\s])analysis=([^&#\s]*)")


def _digits() -> dict[str, str]:
    owned, at = {}, 0
    for kind, size in _KINDS.items():
        owned[kind], at = _BASE62[at : at + size], at + size
    return owned


_DIGITS: Final = _digits()
_OWNER: Final = {digit: kind for kind, digits in _DIGITS.items() for digit in digits}


def read(
    content: str, *, mines: int | None = None, topology: str | Topology | None = None
) -> Reading:
    """Read a position from a link, or from what follows its question mark.

    Raises
    ------
    FormatError
        With the column.

    Examples
    --------
    >>> read("?analysis=adacaaabb2ScS").value
    Position(Grid(2, 3), ['1*?', '11?'], mines=1)
    """
    link = _LINK.search(content)
    if link is None:
        raise FormatError("a link of JSMinesweeper has ?analysis=…", line=1, column=1)
    text = link[1]
    for at, sign in enumerate(text):
        if sign not in _OWNER:
            raise wrong_at(f"{quoted(sign)} is no letter and no digit", link, at)
    if len(text) < 9:
        raise wrong_at("the board needs at least 9 characters", link, len(text))
    width, height, total = (_number(text[at]) for at in (slice(2), slice(2, 4), slice(4, 8)))
    checked_sides(width, height, line=1, column=link.start(1) + 1)
    kinds = "".join(_runs(text, width * height, link))
    if len(kinds) != width * height:
        message = f"{width}×{height} has {width * height:,} cells, and here are {len(kinds):,}"
        raise wrong_at(message, link, len(text))
    codes = array("i", [_CODES.get(kind) or int(kind) for kind in kinds])
    grid = Grid(height, width)
    for place, kind in enumerate(kinds):
        if kind in "FI":
            for other in grid.neighbours_at(place):
                codes[other] += codes[other] >= 0
    position = position_of(codes, (height, width), total, replaced=mines, topology=topology)
    believed = any(kind in "FO" for kind in kinds)
    return Reading(position, notes=("a flag is read as a known mine",) if believed else ())


_CODES: Final = {"H": COVERED, "I": COVERED, "F": MINE, "O": MINE}


def _runs(text: str, cells: int, link: re.Match[str]) -> Iterator[str]:
    """Yield runs of cells of a kind; never more than the board has."""
    at = 8
    for kind, digits in groupby(text[8:], _OWNER.__getitem__):
        run, owned = 0, _DIGITS[kind]
        for digit in digits:
            run = run * len(owned) + owned.index(digit) if len(owned) > 1 else run + 1
            if run > cells:
                raise wrong_at(f"a run of more cells than the board's {cells:,}", link, at)
            at += 1
        cells -= run
        yield kind * run


def _number(text: str) -> int:
    number = 0
    for digit in text:
        number = 62 * number + _BASE62.index(digit)
    return number


def write(puzzle: Position) -> str:
    """Return a position as what follows the address of JSMinesweeper.

    Raises
    ------
    FormatError
        If it is no grid, is too large, has no total, or has a cell that is free without a number.

    Examples
    --------
    >>> print(write(Position(Grid(2, 3), ["1*?", "11?"], mines=1)), end="")
    ?analysis=adacaaabb2ScS
    """
    width, height = sides_of(puzzle.topology, "jsm")
    if max(width, height) > _MOST_SIDE:
        raise FormatError(f"the format jsm has boards up to {_MOST_SIDE:,} a side")
    codes, around = codes_of(puzzle, "jsm"), puzzle.topology.neighbours_at
    kinds = {place: "F" if code == MINE else "H" for place, code in enumerate(codes) if code < 0}
    for place in [place for place in kinds if codes[place] == MINE]:
        beside = [other for other in around(place) if codes[other] >= 0]
        # A flag beside a number that has none left is wrong; the numbers keep what they say.
        if any(codes[other] == 0 for other in beside):
            kinds[place] = "O"
            continue
        for other in beside:
            codes[other] -= 1
    signs = (kinds.get(place) or str(code) for place, code in enumerate(codes))
    runs = ((kind, len(list(run))) for kind, run in groupby(signs))
    assert puzzle.mines is not None
    numbers = _written(width, 2) + _written(height, 2) + _written(puzzle.mines, 4)
    return f"?analysis={numbers}{''.join(_run(kind, length) for kind, length in runs)}\n"


def _written(number: int, size: int) -> str:
    text = ""
    for _ in range(size):
        number, digit = divmod(number, 62)
        text = _BASE62[digit] + text
    return text


def _run(kind: str, length: int) -> str:
    owned, text = _DIGITS[kind], ""
    if len(owned) == 1:
        return owned * length
    while length:
        length, digit = divmod(length, len(owned))
        text = owned[digit] + text
    return text
