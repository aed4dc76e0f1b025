"""A forest with labels: what both kinds of puzzle become before `tree` looks at them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, compress
from typing import TYPE_CHECKING, Final

from sapper.clues import Clues, Puzzle
from sapper.errors import MethodError
from sapper.field import COVERED, Cell, Position

if TYPE_CHECKING:
    from sapper._native import Adjacency, Forest

_SHOWN: Final = 12
"""How many vertices of a cycle a message spells out."""


@dataclass(frozen=True)
class LabelledForest:
    """Vertices in breadth-first order with the code of their label.

    A position keeps its own graph, and every cell is a vertex. A clue system becomes the graph in
    which each clue is a numbered vertex next to its cells.

    Attributes
    ----------
    puzzle : Position or Clues
        What the forest was made from.
    codes : bytes
        A 32-bit label code for each vertex, in the order of the graph.
    mines : int or None
        The mine total; it counts the mines of the graph and `offset`.
    offset : int
        Known mines that are no vertex.
    shape : Forest
        The graph in breadth-first order.
    """

    puzzle: Puzzle
    codes: bytes
    mines: int | None
    offset: int
    shape: Forest

    @classmethod
    def of(cls, puzzle: Puzzle) -> LabelledForest:
        """Return the forest of a puzzle.

        Raises
        ------
        MethodError
            If the graph has a cycle, which is shown, or a clue has weights.
        """
        from sapper._native import Forest

        if isinstance(puzzle, Position):
            shape = Forest.of(puzzle.topology.adjacency)
            if shape.cycle:
                cells = puzzle.topology.cells
                raise _has_cycle("the field", [str(cells[v]) for v in shape.cycle])
            return cls(puzzle, puzzle.codes, puzzle.mines, 0, shape)
        clues = Clues.of(puzzle)
        if clues.is_weighted:
            raise MethodError(
                "a clue has weights, and the method 'tree' takes none; 'engine' and 'brute' do"
            )
        shape = Forest.of(_incidence(clues))
        if shape.cycle:
            raise _has_cycle("the graph of cells and clues", _names(clues, shape.cycle))
        # A count that no sum reaches may be too long for a code; one that is too large will do.
        counts = (
            clue.count if 0 <= clue.count <= len(clue.cells) else len(clue.cells) + 1
            for clue in clues.clues
        )
        codes = array("i", chain([COVERED] * len(clues.cells), counts)).tobytes()
        return cls(clues, codes, clues.mines, clues.known_mines, shape)

    @cached_property
    def covered(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order."""
        return self.puzzle.covered if isinstance(self.puzzle, Position) else self.puzzle.cells

    @property
    def free_mines(self) -> int | None:
        """How many vertices are mines in all; `None` if not given."""
        return None if self.mines is None else self.mines - self.offset

    @cached_property
    def labels(self) -> list[int]:
        """The code of each vertex, in breadth-first order."""
        codes = memoryview(self.codes).cast("i").tolist()
        return [codes[vertex] for vertex in memoryview(self.shape.order).cast("i")]

    @cached_property
    def parents(self) -> list[int]:
        """The place of each vertex' parent in breadth-first order; -1 for a root."""
        return memoryview(self.shape.parent).cast("i").tolist()

    @cached_property
    def children(self) -> list[list[int]]:
        """The places of each vertex' children."""
        made: list[list[int]] = [[] for _ in self.parents]
        for place, parent in enumerate(self.parents):
            if parent >= 0:
                made[parent].append(place)
        return made

    def along_covered(self, by_place: Sequence[object]) -> list[object]:
        """Return what is known by place for the covered cells, in canonical order."""
        order = memoryview(self.shape.order).cast("i")
        by_vertex: list[object] = [None] * len(order)
        for place, vertex in enumerate(order):
            by_vertex[vertex] = by_place[place]
        codes = memoryview(self.codes).cast("i")
        return list(compress(by_vertex, map(COVERED.__eq__, codes)))


def _incidence(clues: Clues) -> Adjacency:
    """Return the graph on the cells and then the clues, with an edge where a cell is in a clue."""
    from sapper._native import Adjacency

    rows: list[list[int]] = [[] for _ in clues.cells]
    for place, clue in enumerate(clues.clues, start=len(clues.cells)):
        around = sorted(clues.index[cell] for cell in clue.cells)
        for cell in around:
            rows[cell].append(place)
        rows.append(around)
    starts = array("i", accumulate(map(len, rows), initial=0))
    targets = array("i", chain.from_iterable(rows))
    return Adjacency.csr(starts.tobytes(), targets.tobytes())


def _names(clues: Clues, vertices: Iterable[int]) -> list[str]:
    size = len(clues.cells)
    return [
        str(clues.cells[v])
        if v < size
        else f"clue {v - size} (count {clues.clues[v - size].count})"
        for v in vertices
    ]


def _has_cycle(what: str, names: list[str]) -> MethodError:
    shown = names if len(names) <= _SHOWN else [*names[:_SHOWN], f"… {len(names)} in all …"]
    cycle = " – ".join([*shown, names[0]])
    return MethodError(
        f"{what} has a cycle: {cycle}; the method 'tree' takes forests only; 'engine' takes"
        " any graph, and 'treewidth' narrow ones"
    )
