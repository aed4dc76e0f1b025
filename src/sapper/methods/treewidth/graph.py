"""The graph that Golan's Section 5 works on: covered cells, numbers, and who counts whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sapper.clues import Clues, Puzzle
from sapper.decomposition import TreeDecomposition
from sapper.field import Cell, Graph, Position
from sapper.limits import Budget

TOTAL: Final = "the mine total"
"""The vertex of Proposition 5.2: it touches every cell, and its number is the mine total."""


@dataclass(frozen=True)
class ClueGraph:
    """Covered cells and numbers, with an edge where a number counts a cell.

    Edges between two covered cells or between two numbers say nothing about assignments and are
    left out, and so are known cells: known mines are subtracted from the numbers around them. A
    decomposition of the whole field covers this graph as well.

    Attributes
    ----------
    cells : tuple of cells
        The covered cells in canonical order.
    counts : mapping
        What the cells around each number must add up to.
    weights : mapping
        For each number, what a mine in each cell adds.
    """

    cells: tuple[Cell, ...]
    counts: Mapping[Cell, int]
    weights: Mapping[Cell, Mapping[Cell, int]]
    mines: int | None
    offset: int

    @classmethod
    def of(cls, puzzle: Puzzle, budget: Budget) -> ClueGraph:
        """Return the graph of a puzzle.

        The number of a clue is the cell of its number on the board, or ``("clue", place)`` if it
        has none.
        """
        clues = Clues.of(puzzle, budget.look)
        places = [clue.cell for clue in clues.clues]
        named = (
            isinstance(puzzle, Position)
            or len({place for place in places if place is not None}) == len(places)
        ) and clues.index.keys().isdisjoint(places)
        counts: dict[Cell, int] = {}
        weights: dict[Cell, dict[Cell, int]] = {}
        for number, clue in enumerate(budget.watched(clues.clues)):
            vertex: Cell = clue.cell if named else ("clue", number)
            # A mine that subtracts is a free cell that adds: exponents are never negative.
            counts[vertex] = clue.count + sum(-weight for _, weight in clue.terms if weight < 0)
            weights[vertex] = dict(clue.terms)
        if isinstance(puzzle, Position):
            # A number with nothing covered around it is a vertex of the field all the same.
            for place in puzzle.numbers:
                counts.setdefault(place, 0)
                weights.setdefault(place, {})
        return cls(clues.cells, counts, weights, clues.mines, clues.known_mines)

    @property
    def free_mines(self) -> int | None:
        """How many of the cells are mined in all; `None` if not given."""
        return None if self.mines is None else self.mines - self.offset

    def with_total_vertex(self) -> ClueGraph:
        """Return the graph with the vertex of Proposition 5.2.

        Its count is the mine total; without one, it is what no number of mines exceeds.
        """
        total = len(self.cells) if self.free_mines is None else self.free_mines
        counts = {**self.counts, TOTAL: total}
        weights = {**self.weights, TOTAL: dict.fromkeys(self.cells, 1)}
        return ClueGraph(self.cells, counts, weights, None, self.offset)

    @property
    def graph(self) -> Graph:
        """The graph itself, as something to decompose."""
        edges = [(number, cell) for number, around in self.weights.items() for cell in around]
        return Graph.from_edges(edges, nodes=[*self.cells, *self.counts])


def with_total_everywhere(decomposition: TreeDecomposition) -> TreeDecomposition:
    """Return the decomposition with the vertex of Proposition 5.2 in every bag."""
    bags = [bag | {TOTAL} for bag in decomposition.bags] or [frozenset({TOTAL})]
    return TreeDecomposition(bags, decomposition.edges)
