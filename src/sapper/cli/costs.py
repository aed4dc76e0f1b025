"""Costs from a JSON file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sapper.clues import Clues, Cost, Puzzle
from sapper.errors import FormatError, quoted
from sapper.field import Cell, Position
from sapper.field import Path as Place

if TYPE_CHECKING:
    from sapper.formats import Document

__all__ = ["read_costs"]


def read_costs(path: Path, puzzle: Puzzle) -> dict[Cell, Cost]:
    """Return the cost of each cell that a file names.

    Parameters
    ----------
    path
        A JSON file: an object from cells to numbers, a list of pairs, or rows of numbers.
    puzzle
        What the cells belong to. Cells that are not covered may only stand in rows of numbers,
        where their cost means nothing.

    Raises
    ------
    FormatError
        With line and column: not JSON, an unknown cell, or a cost that is no finite number.
    """
    from sapper.formats import Document

    try:
        text = path.read_bytes().decode("utf-8")
        document = Document(text)
        return _Reader(document, puzzle).costs()
    except UnicodeDecodeError as error:
        raise FormatError(f"byte {error.start} is not text in UTF-8", source=str(path)) from None
    except FormatError as error:
        raise FormatError(
            error.message, line=error.line, column=error.column, source=str(path)
        ) from None


class _Reader:
    def __init__(self, document: Document, puzzle: Puzzle) -> None:
        self.document = document
        self.puzzle = puzzle
        cells = puzzle.cells if isinstance(puzzle, Clues) else puzzle.covered
        self.covered = frozenset(cells)

    def costs(self) -> dict[Cell, Cost]:
        value = self.document.value
        if isinstance(value, dict):
            return {
                self._covered(_named(name, self.covered), (name,)): self._cost(cost, (name,))
                for name, cost in value.items()
            }
        self.document.expect(value, list, (), "an object from cells to costs, or a list")
        if value and all(isinstance(row, list) for row in value) and self._is_board(value):
            return self._rows(value)
        return self._pairs(value)

    def _is_board(self, value: list[list[Any]]) -> bool:
        puzzle = self.puzzle
        if not isinstance(puzzle, Position) or len(puzzle.topology.shape) != 2:
            return False
        height, width = puzzle.topology.shape
        return len(value) == height and all(len(row) == width for row in value)

    def _rows(self, value: list[list[Any]]) -> dict[Cell, Cost]:
        return {
            (y, x): self._cost(cost, (y, x))
            for y, row in enumerate(value)
            for x, cost in enumerate(row)
            if (y, x) in self.covered
        }

    def _pairs(self, value: list[Any]) -> dict[Cell, Cost]:
        costs: dict[Cell, Cost] = {}
        for i, pair in enumerate(value):
            if not isinstance(pair, list) or len(pair) != 2:
                self._fail((i,), f"{quoted(pair)} is not a pair of a cell and its cost")
            cell = self._covered(self.document.cell(pair[0], (i, 0)), (i, 0))
            if cell in costs:
                self._fail((i, 0), f"the cell {quoted(pair[0])} has two costs")
            costs[cell] = self._cost(pair[1], (i, 1))
        return costs

    def _covered(self, cell: Cell, path: Place) -> Cell:
        if cell not in self.covered:
            self._fail(path, f"there is no covered cell {quoted(cell)}")
        return cell

    def _cost(self, value: object, path: Place) -> Cost:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._fail(path, f"a cost must be a number, not {quoted(value)}")
        if isinstance(value, float) and not math.isfinite(value):
            self._fail(path, "this cost is too large for a number")
        return value

    def _fail(self, path: Place, message: str) -> NoReturn:
        self.document.fail(path, message)


def _named(name: str, covered: frozenset[Cell]) -> Cell:
    """Return the cell that a key names: itself, a number, or numbers with commas."""
    if name in covered:
        return name
    try:
        parts = [int(part) for part in name.strip("()[] ").split(",")]
    except ValueError:
        return name
    return parts[0] if len(parts) == 1 else tuple(parts)
