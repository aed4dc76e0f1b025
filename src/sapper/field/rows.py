"""Fields whose cells stand in rows, and perhaps in layers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Final

from sapper.errors import UnknownCellError
from sapper.field.cells import LatticeCells, article, check_sides
from sapper.field.topology import Cell, Geometry, Topology, adjacency_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sapper._native import Adjacency, Keys

__all__ = ["Rows"]

# Equal fields up to this size share what is made late; a larger one keeps its own.
_MOST_SHARED: Final = 1 << 14


class Late:
    """What a field makes when it is first asked for."""

    __slots__ = ("adjacency", "border", "cells", "inner", "keys", "reach", "small")

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.cells = LatticeCells(shape)
        self.small = len(self.cells) <= _MOST_SHARED
        self.adjacency: Adjacency | None = None
        self.keys: Keys | None = None
        self.reach: list[int] | None = None
        self.inner: list[int] | None = None
        self.border: list[tuple[int, int]] | None = None


# Reading many boards of one size must build their neighbour lists once.
@lru_cache(maxsize=32)
def _shared(kind: type, shape: tuple[int, ...], options: Hashable) -> Late:
    return Late(shape)


class Rows(Topology):
    """Cells that are tuples of places along axes, zero-based, from the top left, row by row.

    A subclass says who touches whom: `neighbours_at` is all that it must have. `Grid`, `Torus`,
    `Hex`, `Offsets` and `Box` are such fields.

    Parameters
    ----------
    sides
        The lengths along `axes`.
    options
        What else makes the field: equal fields have the same.

    Raises
    ------
    PositionError
        If a side is not a positive whole number, or the field is too large.
    """

    __slots__ = ("_late", "_options", "shape")

    axes: ClassVar[tuple[str, ...]] = ("height", "width")
    """The names of the sides, outermost first."""

    shape: tuple[int, ...]
    _options: Hashable
    _late: Late

    def __init__(self, *sides: int, options: Hashable = None) -> None:
        shape = check_sides(self.axes, sides)
        small = prod(shape) <= _MOST_SHARED
        put = object.__setattr__
        put(self, "shape", shape)
        put(self, "_options", options)
        put(self, "_late", _shared(type(self), shape, options) if small else Late(shape))

    @property
    def height(self) -> int:
        """The number of rows, in a layer if there are any."""
        return self.shape[-2]

    @property
    def width(self) -> int:
        """The number of cells in a row."""
        return self.shape[-1]

    @property
    def cells(self) -> LatticeCells:
        """All cells, row by row; made when asked for."""
        return self._late.cells

    @property
    def adjacency(self) -> Adjacency:
        """The neighbourhoods as the compiled core wants them, shared by equal small fields."""
        made = self._late.adjacency
        if made is None:
            made = self._late.adjacency = self._adjacency()
        return made

    def _adjacency(self) -> Adjacency:
        return adjacency_of(map(self.neighbours_at, range(len(self))))

    @property
    def adjacency_bytes(self) -> int:
        """What `adjacency` takes, about: an integer a cell and one for every neighbour."""
        return 4 * len(self) * (len(self.neighbours_at(len(self) // 2)) + 1)

    @property
    def geometry(self) -> Geometry | None:
        """How the field is drawn: rows of squares, layer by layer."""
        *outer, height, width = self.shape
        return Geometry(height=height, width=width, layers=prod(outer))

    def spec(self) -> dict[str, Any]:
        """Return the field as JSON has it: its kind and its sides."""
        sides = zip(reversed(self.axes), reversed(self.shape), strict=True)
        return {"kind": self.kind, **dict(sides)}

    def index(self, cell: Cell) -> int:
        """Return the place of a cell in `cells`; UnknownCellError if it is not on the field."""
        place = self._late.cells.find(cell)
        if place is None:
            raise UnknownCellError(cell, str(self))
        return place

    def pick(self, indices: Sequence[int]) -> tuple[Cell, ...]:
        """Return the cells at many indices at once; much quicker than one by one."""
        return self._late.cells.pick(indices)

    @property
    def cell_keys(self) -> Keys | None:
        """All cells as keys of dictionaries, unless there are too many to keep."""
        made = self._late.keys
        if made is None and (cells := self._late.cells.kept()) is not None:
            from sapper._native import Keys

            made = self._late.keys = Keys(cells)
        return made

    def pick_packed(self, indices: bytes) -> tuple[Cell, ...]:
        """Return the cells at many indices, which come from the core."""
        return self._late.cells.pick_packed(indices)

    def __len__(self) -> int:
        return len(self._late.cells)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Rows)
        return self.shape == other.shape and self._options == other._options

    def __hash__(self) -> int:
        return hash((type(self), self.shape, self._options))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self.shape

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.shape))})"

    def __str__(self) -> str:
        return f"{article(self.shape[0])} {'×'.join(map(str, self.shape))} {self.kind}"
