"""Three-dimensional fields."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, product
from typing import TYPE_CHECKING, ClassVar

from sapper.errors import UnknownCellError
from sapper.field.cells import LatticeCells, check_sides
from sapper.field.topology import Cell, Topology

if TYPE_CHECKING:
    from sapper._native import Adjacency

__all__ = ["Box"]


class Box(Topology):
    """A box of cells `(layer, row, column)` with up to 26 neighbours each.

    Examples
    --------
    >>> box = Box(3, 3, 3)
    >>> box.degree((1, 1, 1)), box.degree((0, 0, 0))
    (26, 7)
    """

    __slots__ = ("_cells", "depth", "height", "width")
    kind: ClassVar[str] = "box"

    depth: int
    height: int
    width: int
    _cells: LatticeCells

    def __init__(self, depth: int, height: int, width: int) -> None:
        depth, height, width = check_sides(depth=depth, height=height, width=width)
        put = object.__setattr__
        put(self, "depth", depth)
        put(self, "height", height)
        put(self, "width", width)
        put(self, "_cells", LatticeCells((depth, height, width)))

    @property
    def cells(self) -> LatticeCells:
        """All cells, layer by layer and row by row; made when asked for."""
        return self._cells

    @property
    def shape(self) -> tuple[int, ...]:
        """`(depth, height, width)`."""
        return (self.depth, self.height, self.width)

    @property
    def adjacency(self) -> Adjacency:
        """The neighbourhoods as the compiled core wants them, shared by equal boxes."""
        return _adjacency(self)

    @property
    def adjacency_bytes(self) -> int:
        """What `adjacency` takes: an integer a cell and one for each of up to 26 neighbours."""
        return 4 * len(self) * 27

    def index(self, cell: Cell) -> int:
        """Return the place of a cell; UnknownCellError if it is not in the box."""
        place = self._cells.find(cell)
        if place is None:
            raise UnknownCellError(cell, str(self))
        return place

    def neighbours_at(self, index: int) -> Sequence[int]:
        """Return the indices of the neighbours of the cell with this index, ascending."""
        rest, column = divmod(index, self.width)
        layer, row = divmod(rest, self.height)
        return [
            place
            for z, y, x in product(
                _around(layer, self.depth), _around(row, self.height), _around(column, self.width)
            )
            if (place := (z * self.height + y) * self.width + x) != index
        ]

    def too_large(self, codes: Sequence[int]) -> Iterator[int]:
        """Yield the indices of the numbers that are above the size of their neighbourhood."""
        # Any side of one cell or more spans at least that many cells around every cell.
        always = min(self.depth, 2) * min(self.height, 2) * min(self.width, 2) - 1
        for index, code in enumerate(codes):
            if code > always and code > len(self.neighbours_at(index)):
                yield index

    def __len__(self) -> int:
        return len(self._cells)

    def __eq__(self, other: object) -> bool:
        return self.shape == other.shape if isinstance(other, Box) else NotImplemented

    def __hash__(self) -> int:
        return hash((Box, self.shape))

    def __reduce__(self) -> tuple[object, ...]:
        return Box, self.shape

    def __repr__(self) -> str:
        return f"Box({self.depth}, {self.height}, {self.width})"

    def __str__(self) -> str:
        return f"a {self.depth}×{self.height}×{self.width} box"


def _around(coordinate: int, side: int) -> range:
    return range(max(coordinate - 1, 0), min(coordinate + 2, side))


@lru_cache(maxsize=16)
def _adjacency(box: Box) -> Adjacency:
    from sapper._native import Adjacency

    rows = [box.neighbours_at(index) for index in range(len(box))]
    starts = array("i", accumulate(map(len, rows), initial=0))
    targets = array("i", chain.from_iterable(rows))
    return Adjacency.csr(starts.tobytes(), targets.tobytes())
