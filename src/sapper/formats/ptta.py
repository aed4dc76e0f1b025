"""Links with a full board, ``?b=3&m=…``: PTTA's ZiNi calculator, LlamaSweeper, JSMinesweeper.

`b` is 1, 2 or 3 for 9×9, 16×16 and 30×16, else width and height as decimals of equal length; `m`
has a digit of base 32 for each five cells, row by row, the first cell in the highest bit.
"""

from __future__ import annotations

import re
from typing import Final

from sapper.errors import FormatError, quoted
from sapper.formats.boards import checked_sides, layout_of_bits, sides_of, wrong_at
from sapper.game import Layout

__all__ = ["read", "write"]

_KNOWN: Final = {"1": (9, 9), "2": (16, 16), "3": (30, 16)}
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuv"
_SIZE: Final = re.compile(r"(?:^|[?&\s])b=([^&#\s]*)")
_MINES: Final = re.compile(r"(?:^|[?&\s])m=([^&#\s]*)")


def read(content: str) -> Layout:
    """Read a full board from a link, or from what follows its question mark.

    Raises
    ------
    FormatError
        With the column.

    Examples
    --------
    >>> read("?b=32&m=a0")
    Layout(Grid(2, 3), mines=[(0, 1), (1, 0)])
    """
    size, mines = _SIZE.search(content), _MINES.search(content)
    if size is None or mines is None:
        missing = "b=" if size is None else "m="
        raise FormatError(f"a link with a board has ?b=…&m=…, and this has no {missing}", line=1)
    width, height = _sides(size)
    digits = mines[1].lower()
    strange = next((at for at, digit in enumerate(digits) if digit not in _DIGITS), None)
    if strange is not None:
        raise wrong_at(f"{quoted(mines[1][strange])} is no digit 0-9 or a-v", mines, strange)
    cells = width * height
    needed = (cells + 4) // 5
    if len(digits) != needed:
        message = f"{width}×{height} cells take {needed} digits, not {len(digits)}"
        raise wrong_at(message, mines, min(needed, len(digits)))
    bits = "".join(f"{_DIGITS.index(digit):05b}" for digit in digits)
    if "1" in bits[cells:]:
        raise wrong_at("the last digit has a mine behind the last cell", mines, len(digits) - 1)
    return layout_of_bits(width, height, bits)


def _sides(size: re.Match[str]) -> tuple[int, int]:
    text = size[1]
    if text in _KNOWN:
        return _KNOWN[text]
    half = len(text) // 2
    if not text.isascii() or not text.isdigit() or len(text) % 2 or half > 5:
        message = f"b is 1, 2, 3, or width and height in as many digits each, not {quoted(text)}"
        raise wrong_at(message, size, 0)
    width, height = int(text[:half]), int(text[half:])
    checked_sides(width, height, line=1, column=size.start(1) + 1)
    return width, height


def write(layout: Layout) -> str:
    """Return a full board as what follows the address of such a page.

    Raises
    ------
    FormatError
        If it is no grid.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Layout(Grid(2, 3), [(0, 1), (1, 0)])), end="")
    ?b=32&m=a0
    """
    width, height = sides_of(layout.topology, "ptta")
    wide = max(len(str(width)), len(str(height)))
    known = {sides: name for name, sides in _KNOWN.items()}
    size = known.get((width, height), f"{width:0{wide}}{height:0{wide}}")
    mined = layout.mined.ljust((len(layout.mined) + 4) // 5 * 5, b"\0")
    fives = (mined[at : at + 5] for at in range(0, len(mined), 5))
    digits = (_DIGITS[int("".join(map(str, five)), 2)] for five in fives)
    return f"?b={size}&m={''.join(digits)}\n"
