"""The cells of boxes of any dimension, made when asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import product
from operator import index as as_int
from operator import itemgetter
from typing import Final, overload

from sapper.errors import PositionError, quoted
from sapper.field.topology import Cell

__all__ = ["MAX_CELLS", "LatticeCells", "check_sides", "whole"]

# The core numbers cells with 32-bit integers.
MAX_CELLS: Final = 2**31 - 1
# Tuples for this many cells are kept; a larger field makes them when asked.
_KEPT_CELLS: Final = 1 << 16


class LatticeCells(Sequence[Cell]):
    """The cells of a box of given lengths in row-major order, made when asked for.

    Examples
    --------
    >>> cells = LatticeCells((2, 3))
    >>> cells[4], len(cells), cells.index((1, 2)), (2, 0) in cells
    ((1, 1), 6, 5, False)
    """

    __slots__ = ("_kept", "_length", "shape")

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        length = 1
        for side in shape:
            length *= side
        self._length = length
        self._kept: tuple[Cell, ...] | None = None

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Cell]:
        if self._kept is not None:
            return iter(self._kept)
        fresh = product(*map(range, self.shape))
        if self._length > _KEPT_CELLS:
            return fresh
        self._kept = tuple(fresh)
        return iter(self._kept)

    @overload
    def __getitem__(self, place: int) -> Cell: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Cell, ...]: ...
    def __getitem__(self, place: int | slice) -> Cell:
        if isinstance(place, slice):
            return tuple([self[i] for i in range(*place.indices(self._length))])
        if not -self._length <= place < self._length:
            raise IndexError(f"no cell number {place} among {self._length:,} cells")
        rest = place % self._length
        cell: tuple[int, ...] = ()
        for side in self.shape[:0:-1]:
            rest, coordinate = divmod(rest, side)
            cell = (coordinate, *cell)
        return (rest, *cell)

    def pick(self, places: Sequence[int]) -> tuple[Cell, ...]:
        """Return the cells at many places at once; much quicker than one by one.

        Examples
        --------
        >>> LatticeCells((2, 3)).pick([0, 4])
        ((0, 0), (1, 1))
        """
        if self._kept is None:
            iter(self)  # keeps the cells of a field that is not too large
        if self._kept is None:
            return self.pick_packed(array("i", places).tobytes())
        if len(places) < 2:
            return tuple([self._kept[place] for place in places])
        picked: tuple[Cell, ...] = itemgetter(*places)(self._kept)
        return picked

    def kept(self) -> tuple[Cell, ...] | None:
        """Return all cells if they can be kept."""
        if self._kept is None:
            iter(self)
        return self._kept

    def pick_packed(self, places: bytes) -> tuple[Cell, ...]:
        """Return the cells at many places, which come from the core."""
        from sapper._native import lattice_cells, picked

        cells = self.kept()
        return lattice_cells(self.shape, places) if cells is None else picked(cells, places)

    def find(self, cell: object) -> int | None:
        """Return the place of a cell, or None if it is not one of these."""
        if not isinstance(cell, tuple) or len(cell) != len(self.shape):
            return None
        place = 0
        for coordinate, side in zip(cell, self.shape, strict=True):
            try:
                number = as_int(coordinate)
            except TypeError:
                return None
            if not 0 <= number < side:
                return None
            place = place * side + number
        return place

    def __contains__(self, cell: object) -> bool:
        return self.find(cell) is not None

    def index(self, cell: object, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a cell; ValueError if it is not one of these."""
        place = self.find(cell)
        if place is None or place not in range(self._length)[start:stop]:
            raise ValueError(f"{quoted(cell)} is not a cell here")
        return place

    def __repr__(self) -> str:
        return f"LatticeCells({self.shape!r})"


def check_sides(names: tuple[str, ...], sides: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sides of a field as plain integers, or raise PositionError."""
    if len(sides) != len(names):
        raise PositionError(f"a field needs {' and '.join(names)}, not {len(sides)} sides")
    checked = []
    cells = 1
    for name, side in zip(names, sides, strict=True):
        number = whole(side, name)
        if number < 1:
            raise PositionError(f"{name} must be at least 1, not {quoted(number)}")
        cells *= number
        checked.append(number)
    if cells > MAX_CELLS:
        raise PositionError(f"the field is too large: at most {MAX_CELLS:,} cells")
    return tuple(checked)


def article(number: int) -> str:
    """Return the article of a number: an eight, an eleven, an eighteen, an eighty."""
    first = f"{number:,}".split(",")[0]
    return "an" if first in ("11", "18") or first.startswith("8") else "a"


def whole(value: object, what: str) -> int:
    """Return a value as a plain integer; booleans and what is no integer raise PositionError."""
    # bool is an int to Python, but never a number that somebody meant.
    if not isinstance(value, bool):
        try:
            return as_int(value)  # type: ignore[arg-type]  # the TypeError is the test
        except TypeError:
            pass
    raise PositionError(f"{what} must be a whole number, not {quoted(value)}")
