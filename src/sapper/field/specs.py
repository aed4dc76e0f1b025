"""Fields as plain values, as JSON has them: where a value is wrong, and cells in lists."""

from __future__ import annotations

from typing import Any, TypeAlias

from sapper.errors import PositionError, quoted
from sapper.field.topology import Cell

__all__ = ["Path", "cell_from_json", "cell_to_json"]

Path: TypeAlias = tuple[str | int, ...]
"""The way to a value inside others: keys and places."""


def cell_to_json(cell: Cell) -> Any:
    """Return a cell as JSON has it: a string, a number, or a list for a tuple.

    Raises
    ------
    PositionError
        If it is none of these.

    Examples
    --------
    >>> cell_to_json((0, "a"))
    [0, 'a']
    """
    if isinstance(cell, tuple):
        return [cell_to_json(part) for part in cell]
    if isinstance(cell, bool) or not isinstance(cell, int | str):
        raise PositionError(
            f"JSON cannot name the cell {quoted(cell)}: cells must be strings, whole numbers or"
            " tuples"
        )
    return cell


def cell_from_json(value: object, path: Path = ()) -> Cell:
    """Return the cell that a JSON value names: lists become tuples.

    Raises
    ------
    PositionError
        If it is no string, number or list of these.
    """
    if isinstance(value, list):
        return tuple(cell_from_json(part, (*path, i)) for i, part in enumerate(value))
    if isinstance(value, bool) or not isinstance(value, int | str):
        wanted = "a cell must be a string, a number or a list"
        raise PositionError(f"{wanted}, not {quoted(value)}", path)
    return value
