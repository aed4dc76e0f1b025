"""Game IDs of Mines in Simon Tatham's Portable Puzzle Collection: ``9x9:4,4,m1f4e…``.

Width and height, perhaps the first dig as column and row, then the mines as a bitmap in hexadecimal
digits, row by row. After an ``m`` the bitmap is masked, so that nobody reads it by accident: its
halves are changed in turn by the SHA-1 of each other. An ID that names only parameters or a random
seed stands for a board that is not made before its first dig, and holds none.
"""

from __future__ import annotations

import re
from hashlib import sha1
from typing import Final

from sapper.errors import FormatError, quoted
from sapper.field import Cell
from sapper.formats.boards import checked_sides, layout_of_bits, sides_of
from sapper.formats.reading import Reading
from sapper.game import Layout

__all__ = ["read", "write"]

_PARAMETERS: Final = re.compile(r"([0-9]{1,5})(?:x([0-9]{1,5}))?([^:#\s]{0,99})")
_BOARD: Final = re.compile(r"(?:([0-9]{1,5}),([0-9]{1,5}),)?([mu]?)")
_NOT_YET: Final = (
    "this ID holds no board yet: the mines are placed at the first dig; make that dig and copy the"
    " 'specific' ID"
)


def read(content: str) -> Reading:
    """Read a full board from a game ID.

    Raises
    ------
    FormatError
        With the column; also if the ID holds no board yet.

    Examples
    --------
    >>> read("3x3:0,0,u04")
    Traceback (most recent call last):
    ...
    sapper.errors.FormatError: line 1, column 12: 3×3 cells take 3 hexadecimal digits, not 2
    >>> read("3x3:0,0,u010").value
    Layout(Grid(3, 3), mines=[(2, 1)])
    """
    text = content.strip()
    indent = content.find(text) if text else 0
    line = content.count("\n", 0, indent) + 1
    indent -= content.rfind("\n", 0, indent) + 1

    def wrong(message: str, at: int) -> FormatError:
        return FormatError(message, line=line, column=indent + at + 1)

    parameters = _PARAMETERS.match(text)
    if parameters is None:
        raise wrong("a game ID begins with its width and height, as in 9x9:", 0)
    width, height = int(parameters[1]), int(parameters[2] or parameters[1])
    checked_sides(width, height, line=line, column=indent + 1)
    at = parameters.end()
    if text[at : at + 1] != ":":
        if at == len(text) or text[at] == "#":
            raise wrong(_NOT_YET, at)
        raise wrong(f"unknown {quoted(text[at])}: a colon and the board should follow", at)
    at += 1
    if text[at : at + 1] == "r":
        raise wrong(_NOT_YET, at)
    head = _BOARD.match(text, at)
    assert head is not None
    start = None if head[1] is None else (int(head[2]), int(head[1]))
    if start is not None and not (start[0] < height and start[1] < width):
        raise wrong(f"the first dig {start[1]},{start[0]} is outside {width}×{height}", at)
    at = head.end()
    digits, cells = text[at:], width * height
    strange = _STRANGE.search(digits)
    if strange is not None:
        message = f"unknown {quoted(strange[0])}: the board is written in hexadecimal digits"
        raise wrong(message, at + strange.start())
    if len(digits) != (cells + 3) // 4:
        needed = (cells + 3) // 4
        message = f"{width}×{height} cells take {needed} hexadecimal digits, not {len(digits)}"
        raise wrong(message, min(at + needed, len(text)))
    data = bytearray.fromhex(digits + "0" * (len(digits) % 2))
    if head[3] == "m":
        _mask(data, cells, second_first=True)
    bits = f"{int.from_bytes(data):0{8 * len(data)}b}"
    return Reading(layout_of_bits(width, height, bits), start=start)


def write(layout: Layout, *, start: Cell | None = None, masked: bool = True) -> str:
    """Return a full board as a game ID.

    Parameters
    ----------
    layout
        The board, a grid.
    start
        The first dig; with it the program begins the game.
    masked
        Whether to mask the mines, as the program does.

    Raises
    ------
    FormatError
        If it is no grid.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Layout(Grid(3, 3), [(2, 1)]), start=(0, 0), masked=False), end="")
    3x3:0,0,u010
    """
    width, height = sides_of(layout.topology, "tatham")
    dig = ""
    if start is not None:
        row, column = divmod(layout.topology.index(start), width)
        dig = f"{column},{row},"
    cells = len(layout.mined)
    bits = layout.mined.translate(_DIGITS).decode().ljust((cells + 7) // 8 * 8, "0")
    data = bytearray(int(bits, 2).to_bytes(len(bits) // 8))
    if masked:
        _mask(data, cells, second_first=False)
    return f"{width}x{height}:{dig}{'m' if masked else 'u'}{data.hex()[: (cells + 3) // 4]}\n"


_DIGITS: Final = bytes.maketrans(b"\0\1", b"01")
_STRANGE: Final = re.compile(r"[^0-9a-fA-F]")


def _mask(data: bytearray, cells: int, *, second_first: bool) -> None:
    """Change each half of a bitmap by the hash of the other; in the other order that undoes it."""
    half = len(data) // 2
    halves = [slice(0, half), slice(half, len(data))]
    for target in reversed(halves) if second_first else halves:
        seed = bytes(data[halves[0] if target is halves[1] else halves[1]])
        length = len(data[target])
        blocks = [sha1(seed + str(block).encode()).digest() for block in range(length // 20 + 1)]
        mask = b"".join(blocks)[:length]
        data[target] = bytes(a ^ b for a, b in zip(data[target], mask, strict=True))
        if cells % 8:
            data[-1] &= 0xFF00 >> cells % 8
