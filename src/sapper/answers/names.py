"""How cells are written where people and programs name them: ``3,4``, ``hut``, ``7``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import PositionError, UnknownCellError, quoted

if TYPE_CHECKING:
    from sapper.clues import Puzzle
    from sapper.field import Cell

__all__ = ["cell_name", "cell_named"]


def cell_name(cell: Cell) -> str:
    """Return a cell as the command line writes and reads it.

    Examples
    --------
    >>> cell_name((2, 3)), cell_name("hut"), cell_name(7)
    ('2,3', 'hut', '7')
    """
    if isinstance(cell, tuple):
        return ",".join(map(cell_name, cell))
    return str(cell)


def cell_named(puzzle: Puzzle, text: str) -> Cell:
    r"""Return the cell of a puzzle that a text names: numbers with commas, or a name.

    Raises
    ------
    UnknownCellError, PositionError
        If there is no such cell.

    Examples
    --------
    >>> import sapper
    >>> cell_named(sapper.parse("1?\n??"), "0,1")
    (0, 1)
    >>> cell_named(sapper.parse("1?\n??"), "0")
    Traceback (most recent call last):
    sapper.errors.PositionError: '0' is not a cell of a 2×2 grid, such as 1,1
    """
    from sapper.clues import Clues

    cells = puzzle.cells if isinstance(puzzle, Clues) else puzzle.topology.cells
    where = "these clues" if isinstance(puzzle, Clues) else str(puzzle.topology)
    try:
        numbers = tuple(int(part) for part in text.strip("()[] ").split(","))
    except ValueError:
        numbers = ()
    candidates: list[Cell] = [numbers, *numbers[:1]] if len(numbers) == 1 else [numbers]
    for cell in [text, *candidates]:
        if cell in cells:
            return cell
    axes = 1 if isinstance(puzzle, Clues) else len(puzzle.topology.shape)
    if len(numbers) == axes > 1:
        raise UnknownCellError(numbers, where)
    example = f", such as {cell_name(cells[-1])}" if len(cells) else ""
    raise PositionError(f"{quoted(text)} is not a cell of {where}{example}")
