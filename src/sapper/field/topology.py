"""What every field has: cells in a fixed order, and who touches whom."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeAlias

if TYPE_CHECKING:
    from sapper._native import Adjacency

__all__ = ["Cell", "Topology"]

Cell: TypeAlias = Hashable


class Topology(ABC):
    """A field without its labels: cells and their neighbourhoods.

    Topologies are frozen, hashable and equal when they have the same kind, the same cells in the
    same order and the same neighbourhoods. Being a neighbour is mutual, and no cell is its own.
    """

    __slots__ = ()

    kind: ClassVar[str]

    @property
    @abstractmethod
    def cells(self) -> Sequence[Cell]:
        """All cells in canonical order; the place of a cell in it is its index."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Lengths of the field along its axes; a graph has one axis."""

    @property
    @abstractmethod
    def adjacency(self) -> Adjacency:
        """The neighbourhoods as the compiled core wants them; built once and kept."""

    @property
    def adjacency_bytes(self) -> int:
        """What `adjacency` takes beyond what the field holds already; 0 if that is little."""
        return 0

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

    @abstractmethod
    def too_large(self, codes: Sequence[int]) -> Iterator[int]:
        """Yield the indices of the numbers that are above the size of their neighbourhood."""

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the neighbours of a cell in canonical order.

        Raises
        ------
        UnknownCellError
            If the field has no such cell.
        """
        cells = self.cells
        return tuple([cells[i] for i in self.neighbours_at(self.index(cell))])

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
