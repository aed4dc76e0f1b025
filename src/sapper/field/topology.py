"""What every field says of itself: its cells, who touches whom, its name, how it is drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

if TYPE_CHECKING:
    from sapper._native import Adjacency, Keys

__all__ = ["Cell", "Geometry", "Topology"]

Cell: TypeAlias = Hashable


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """How a field with rows is drawn; its cells come layer by layer and row by row.

    Frozen: threads can share one.

    Parameters
    ----------
    height, width
        Rows, and cells in each.
    layers
        How many such boards stand side by side.
    hexagonal
        Whether cells are hexagons and each row is half a cell to the right of the one above it;
        squares under each other if not.
    wraps
        Whether opposite borders meet.
    """

    height: int
    width: int
    layers: int = 1
    hexagonal: bool = False
    wraps: bool = False


class Topology(ABC):
    """A field without its labels: cells and their neighbourhoods.

    Topologies are frozen, hashable and equal when they have the same kind, the same cells in the
    same order and the same neighbourhoods. Being a neighbour is mutual, and no cell is its own.
    Threads can share one: what is made late is the same whoever makes it.

    A new kind of field is a subclass (see `Rows` for one with rows) and a row of the table
    `TOPOLOGIES`; readers, writers, drawings and solvers know no more than what stands here.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """Its name in `TOPOLOGIES`."""

    @property
    @abstractmethod
    def cells(self) -> Sequence[Cell]:
        """All cells in canonical order; the place of a cell in it is its index."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Lengths of the field along its axes; one that has no rows has one axis."""

    @abstractmethod
    def index(self, cell: Cell) -> int:
        """Return the place of a cell in `cells`.

        Raises
        ------
        UnknownCellError
            If the field has no such cell.
        """

    @abstractmethod
    def neighbours_at(self, index: int) -> Sequence[int]:
        """Return the indices of the neighbours of the cell with this index, ascending."""

    @property
    @abstractmethod
    def adjacency(self) -> Adjacency:
        """The neighbourhoods as the compiled core wants them; built once and kept."""

    @property
    def adjacency_bytes(self) -> int:
        """What `adjacency` takes beyond what the field holds already; 0 if that is little."""
        return 0

    @property
    def name(self) -> str:
        """The field in one line, without its size, as in files and on the command line."""
        return self.kind

    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """Return the field as JSON has it: its kind, its sides and what else makes it.

        Raises
        ------
        PositionError
            If a cell is neither a string nor a whole number nor a tuple of these.
        """

    @property
    def geometry(self) -> Geometry | None:
        """How the field is drawn; None if it has no rows and is drawn as a network."""
        return None

    def too_large(self, codes: Sequence[int]) -> Iterator[int]:
        """Yield the indices of the numbers that are above the size of their neighbourhood."""
        for index, code in enumerate(codes):
            if code > 0 and code > len(self.neighbours_at(index)):
                yield index

    def pick(self, indices: Sequence[int]) -> tuple[Cell, ...]:
        """Return the cells at many indices at once."""
        cells = self.cells
        return tuple([cells[index] for index in indices])

    @property
    def cell_keys(self) -> Keys | None:
        """All cells as keys of dictionaries, if they are kept: where the field is small."""
        return None

    def pick_packed(self, indices: bytes) -> tuple[Cell, ...]:
        """Return the cells at many indices, 32-bit integers as the core has them."""
        return self.pick(memoryview(indices).cast("i"))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the neighbours of a cell in canonical order.

        Raises
        ------
        UnknownCellError
            If the field has no such cell.
        """
        return self.pick(self.neighbours_at(self.index(cell)))

    def degree(self, cell: Cell) -> int:
        """Return how many neighbours a cell has.

        Raises
        ------
        UnknownCellError
            If the field has no such cell.
        """
        return len(self.neighbours_at(self.index(cell)))

    def __len__(self) -> int:
        return len(self.cells)

    # A field without cells is still a field.
    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __contains__(self, cell: object) -> bool:
        try:
            self.index(cell)
        except (KeyError, TypeError):
            return False
        return True

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot delete {name!r}")


def adjacency_of(rows: Iterable[Sequence[int]]) -> Adjacency:
    """Return neighbour lists as the compiled core wants them."""
    from sapper._native import Adjacency

    starts, targets = array("i", [0]), array("i")
    for row in rows:
        targets.extend(row)
        starts.append(len(targets))
    return Adjacency.csr(starts.tobytes(), targets.tobytes())
