"""Minesweeper board files, ``.mbf`` and ``.abf``: Minesweeper Clone, Arbiter, JSMinesweeper.

A byte each for width and height, two for the number of mines, then column and row of each mine, all
from zero. The same is met as a text of hexadecimal digits.
"""

from __future__ import annotations

from sapper.errors import FormatError
from sapper.field import Grid
from sapper.formats.boards import sides_of
from sapper.game import Layout

__all__ = ["read", "recognises", "write"]


def recognises(content: bytes) -> bool:
    r"""Tell whether bytes are such a file: all of it must fit, as happens to no other by chance.

    Examples
    --------
    >>> recognises(bytes.fromhex("0302000201000200")), recognises(b"1??\n12?\n")
    (True, False)
    """
    try:
        read(content)
    except FormatError:
        return False
    return True


def read(content: bytes) -> Layout:
    """Read a full board.

    Raises
    ------
    FormatError
        With the byte at which it goes wrong.

    Examples
    --------
    >>> read(bytes.fromhex("0302000201000200"))
    Layout(Grid(2, 3), mines=[(0, 1), (0, 2)])
    """
    if len(content) < 4:
        raise FormatError(f"a board file has at least 4 bytes, and this has {len(content)}")
    width, height, mines = content[0], content[1], int.from_bytes(content[2:4])
    if not width or not height:
        raise FormatError(f"a board of {width}×{height} has no cells")
    if mines > width * height:
        raise FormatError(f"{mines} mines have no room in {width}×{height} cells")
    if len(content) != 4 + 2 * mines:
        raise FormatError(
            f"a board with {mines} mines takes {4 + 2 * mines} bytes, and this has {len(content)}"
        )
    mined = bytearray(width * height)
    for at in range(4, len(content), 2):
        column, row = content[at], content[at + 1]
        if column >= width or row >= height:
            raise FormatError(f"byte {at + 1}: no cell ({row}, {column}) in {width}×{height}")
        if mined[row * width + column]:
            raise FormatError(f"byte {at + 1}: a second mine at ({row}, {column})")
        mined[row * width + column] = 1
    return Layout.from_bytes(Grid(height, width), bytes(mined))


def write(layout: Layout) -> bytes:
    """Return a full board as the bytes of a file.

    Raises
    ------
    FormatError
        If it is no grid, or has more than 255 rows or columns.

    Examples
    --------
    >>> write(Layout(Grid(2, 3), [(0, 1), (0, 2)])).hex()
    '0302000201000200'
    """
    width, height = sides_of(layout.topology, "mbf")
    if max(width, height) > 255:
        raise FormatError(f"the format mbf has boards up to 255×255, not {width}×{height}")
    places = [place for place, mined in enumerate(layout.mined) if mined]
    cells = [byte for place in places for byte in (place % width, place // width)]
    return bytes([width, height]) + len(places).to_bytes(2) + bytes(cells)
