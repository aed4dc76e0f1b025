"""Flat fields with a neighbourhood that looks the same everywhere: grid, torus, hex, offsets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from operator import index as as_int
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from sapper.errors import PositionError, UnknownCellError
from sapper.field.cells import MAX_CELLS, LatticeCells, check_sides
from sapper.field.topology import Cell, Topology

if TYPE_CHECKING:
    from sapper._native import Adjacency

__all__ = ["KNIGHT", "Grid", "Hex", "Lattice", "Offsets", "Torus"]

Offset: TypeAlias = tuple[int, int]

KING: Final[tuple[Offset, ...]] = tuple(
    (row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)
)
HEXAGON: Final[tuple[Offset, ...]] = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
KNIGHT: Final[tuple[Offset, ...]] = tuple(
    sorted(
        (row, column) for row, column in product((-2, -1, 1, 2), repeat=2) if row**2 != column**2
    )
)


class _Geometry:
    """What equal lattices share: the cells, the degrees, the compiled adjacency."""

    __slots__ = (
        "_adjacency",
        "_border",
        "cells",
        "full_degree",
        "height",
        "offsets",
        "width",
        "wrap",
    )

    def __init__(self, height: int, width: int, offsets: tuple[Offset, ...], wrap: bool) -> None:
        self.height = height
        self.width = width
        self.offsets = offsets
        self.wrap = wrap
        self.cells = LatticeCells((height, width))
        self._adjacency: Adjacency | None = None
        self._border: list[tuple[int, int]] | None = None
        self.full_degree = len(self.neighbours_at(0)) if wrap else len(offsets)

    def neighbours_at(self, index: int) -> list[int]:
        height, width = self.height, self.width
        row, column = divmod(index, width)
        if self.wrap:
            # On a tiny torus two offsets can meet in one cell, or come back to the start.
            around = {
                (row + down) % height * width + (column + right) % width
                for down, right in self.offsets
            }
            around.discard(index)
            return sorted(around)
        # Offsets are sorted, so these indices ascend.
        return [
            (row + down) * width + column + right
            for down, right in self.offsets
            if 0 <= row + down < height and 0 <= column + right < width
        ]

    @property
    def border(self) -> list[tuple[int, int]]:
        """Cells that may have fewer neighbours than the inner ones, as (index, degree)."""
        if self._border is None:
            tall = 0 if self.wrap else max(abs(down) for down, _ in self.offsets)
            wide = 0 if self.wrap else max(abs(right) for _, right in self.offsets)
            self._border = [
                (index, len(self.neighbours_at(index)))
                for row in range(self.height)
                for column in _edge(self.width, wide, tall <= row < self.height - tall)
                for index in (row * self.width + column,)
            ]
        return self._border

    @property
    def adjacency(self) -> Adjacency:
        if self._adjacency is None:
            from sapper._native import Adjacency

            flat = [number for offset in self.offsets for number in offset]
            self._adjacency = Adjacency.lattice(self.height, self.width, flat, self.wrap)
        return self._adjacency


def _edge(width: int, margin: int, inner_row: bool) -> Iterable[int]:
    if not inner_row or 2 * margin >= width:
        return range(width)
    return (*range(margin), *range(width - margin, width))


# Parsing many boards of one size must build its adjacency once.
@lru_cache(maxsize=32)
def _geometry(height: int, width: int, offsets: tuple[Offset, ...], wrap: bool) -> _Geometry:
    return _Geometry(height, width, offsets, wrap)


class Lattice(Topology):
    """Cells `(row, column)` from the top left, zero-based, with one set of offsets for all.

    This is the common part of `Grid`, `Torus`, `Hex` and `Offsets`; use those.
    """

    __slots__ = ("_geometry", "height", "offsets", "width", "wrap")

    height: int
    width: int
    offsets: tuple[Offset, ...]
    wrap: bool
    _geometry: _Geometry

    def __init__(
        self, height: int, width: int, offsets: tuple[Offset, ...], *, wrap: bool = False
    ) -> None:
        height, width = check_sides(height=height, width=width)
        put = object.__setattr__
        put(self, "height", height)
        put(self, "width", width)
        put(self, "offsets", offsets)
        put(self, "wrap", wrap)
        put(self, "_geometry", _geometry(height, width, offsets, wrap))

    @property
    def cells(self) -> LatticeCells:
        """All cells, row by row; made when asked for."""
        return self._geometry.cells

    @property
    def shape(self) -> tuple[int, ...]:
        """`(height, width)`."""
        return (self.height, self.width)

    @property
    def adjacency(self) -> Adjacency:
        """The neighbourhoods as the compiled core wants them, shared by equal lattices."""
        return self._geometry.adjacency

    @property
    def adjacency_bytes(self) -> int:
        """What `adjacency` takes: an integer a cell and one for every neighbour."""
        return 4 * len(self) * (len(self._geometry.offsets) + 1)

    def index(self, cell: Cell) -> int:
        """Return `row * width + column`; UnknownCellError if the cell is not on the field."""
        place = self._geometry.cells.find(cell)
        if place is None:
            raise UnknownCellError(cell, str(self))
        return place

    def neighbours_at(self, index: int) -> Sequence[int]:
        """Return the indices of the neighbours of the cell with this index, ascending."""
        return self._geometry.neighbours_at(index)

    def too_large(self, codes: Sequence[int]) -> Iterator[int]:
        """Yield the indices of the numbers that are above the size of their neighbourhood."""
        geometry = self._geometry
        if max(codes) > geometry.full_degree:
            for index, code in enumerate(codes):
                if code >= 0 and code > len(geometry.neighbours_at(index)):
                    yield index
        else:
            # Inner cells have all neighbours, so only the border can be at fault.
            for index, degree in geometry.border:
                if codes[index] > degree:
                    yield index

    def __len__(self) -> int:
        return self.height * self.width

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Lattice)
        return self._geometry is other._geometry or (
            self.shape == other.shape and self.offsets == other.offsets and self.wrap == other.wrap
        )

    def __hash__(self) -> int:
        return hash((type(self), self.height, self.width, self.offsets, self.wrap))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.height, self.width)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.height}, {self.width})"

    def __str__(self) -> str:
        return f"a {self.height}×{self.width} {self.kind}"


class Grid(Lattice):
    """The board everybody knows: up to eight neighbours, edges and corners included.

    Examples
    --------
    >>> Grid(16, 30).neighbours((0, 0))
    ((0, 1), (1, 0), (1, 1))
    """

    __slots__ = ()
    kind: ClassVar[str] = "grid"

    def __init__(self, height: int, width: int) -> None:
        super().__init__(height, width, KING)


class Torus(Lattice):
    """A grid whose left meets its right and whose top meets its bottom.

    On a torus with a side below three, some of the eight directions lead to one and the same cell;
    it is one neighbour, and a cell is never its own.

    Examples
    --------
    >>> Torus(9, 9).degree((0, 0)), Torus(2, 2).degree((0, 0))
    (8, 3)
    """

    __slots__ = ()
    kind: ClassVar[str] = "torus"

    def __init__(self, height: int, width: int) -> None:
        super().__init__(height, width, KING, wrap=True)


class Hex(Lattice):
    """Hexagons in axial rows: six neighbours, those by (0, ±1), (±1, 0), (1, -1) and (-1, 1).

    Drawn, each row is shifted by half a cell to the right of the row above it.

    Examples
    --------
    >>> Hex(3, 3).neighbours((1, 1))
    ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
    """

    __slots__ = ()
    kind: ClassVar[str] = "hex"

    def __init__(self, height: int, width: int) -> None:
        super().__init__(height, width, HEXAGON)


class Offsets(Lattice):
    """A lattice with a neighbourhood of your own, such as the moves of a knight.

    Parameters
    ----------
    height, width
        Size of the field.
    offsets
        Pairs (rows down, columns to the right). Being a neighbour is mutual, so with an offset its
        opposite must be there too; nothing is added silently.
    wrap
        Whether opposite borders meet, as on a torus.

    Raises
    ------
    PositionError
        If there is none, or one is zero, given twice, or lacks its opposite.

    Examples
    --------
    >>> Offsets(3, 3, [(0, 1), (0, -1)]).neighbours((1, 1))
    ((1, 0), (1, 2))
    >>> Offsets(3, 3, [(0, 1)])
    Traceback (most recent call last):
    ...
    sapper.errors.PositionError: offset (0, 1) lacks its opposite (0, -1)
    """

    __slots__ = ()
    kind: ClassVar[str] = "offsets"

    def __init__(
        self, height: int, width: int, offsets: Iterable[Offset] = KNIGHT, *, wrap: bool = False
    ) -> None:
        super().__init__(height, width, _checked_offsets(offsets), wrap=bool(wrap))

    def __reduce__(self) -> tuple[object, ...]:
        return _offsets, (self.height, self.width, self.offsets, self.wrap)

    def __repr__(self) -> str:
        wrap = ", wrap=True" if self.wrap else ""
        return f"Offsets({self.height}, {self.width}, {list(self.offsets)!r}{wrap})"

    def __str__(self) -> str:
        return f"a {self.height}×{self.width} field with {len(self.offsets)} offsets"


def _offsets(height: int, width: int, offsets: tuple[Offset, ...], wrap: bool) -> Offsets:
    return Offsets(height, width, offsets, wrap=wrap)


def _checked_offsets(offsets: Iterable[Offset]) -> tuple[Offset, ...]:
    seen: set[Offset] = set()
    for offset in offsets:
        try:
            down, right = map(as_int, offset)
        except (TypeError, ValueError):
            raise PositionError(
                f"offset {offset!r} is not a pair (rows, columns) of whole numbers"
            ) from None
        if (down, right) == (0, 0):
            raise PositionError("offset (0, 0) would make every cell its own neighbour")
        # Longer steps leave any field that fits in memory, and overflow the core's integers.
        if max(abs(down), abs(right)) > MAX_CELLS:
            raise PositionError(f"an offset is longer than {MAX_CELLS:,}")
        if (down, right) in seen:
            raise PositionError(f"offset {(down, right)} is given twice")
        seen.add((down, right))
    if not seen:
        raise PositionError("there are no offsets; give pairs such as (1, 2) and (-1, -2)")
    for down, right in sorted(seen, reverse=True):
        if (-down, -right) not in seen:
            raise PositionError(f"offset {(down, right)} lacks its opposite {(-down, -right)}")
    return tuple(sorted(seen))
