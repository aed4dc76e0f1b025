"""Suzuki, Hao and Minato, section 4: a minefield as a degree-constrained subgraph problem."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sapper._native import EdgeDiagram, frontier_search, run_under
from sapper.clues import Clues, Solution
from sapper.errors import MethodError
from sapper.field import Cell
from sapper.limits import Budget, Limits
from sapper.methods.orders import CellOrder, ordered
from sapper.zdd import BOTTOM, TOP, Zdd

if TYPE_CHECKING:
    import networkx as nx


class Edge(NamedTuple):
    """An edge of MG: a covered cell and the number of a clue that counts it."""

    cell: Cell
    hint: int


EdgeOrder: TypeAlias = CellOrder | Literal["row-major"] | Sequence[Edge]
"""How the edges are ordered: cell by cell in an order of cells, hint by hint, or as listed."""


@dataclass(frozen=True)
class SearchStatistics:
    """What the frontier-based search met.

    Attributes
    ----------
    visited : int
        States before reduction, over all edges.
    widest : int
        The most states of one edge.
    frontier : int
        The most vertices remembered at once.
    states : tuple of int
        States per edge.
    """

    visited: int
    widest: int
    frontier: int
    states: tuple[int, ...]


class SubgraphModel:
    """The graph MG of a clue system, its degree constraints, and the diagram of its subgraphs.

    MG is bipartite: a vertex for every cell in a clue, one for every clue, an edge wherever a clue
    counts a cell. A legal subgraph keeps, at each cell, none or all of its edges (1) and, at each
    clue, as many as the clue says (2). Subgraphs and solutions correspond one to one (theorem 1):
    the mined cells are those that keep their edges.

    Parameters
    ----------
    clues : Clues
        The clue system; its mine total is left aside. Clues with weights have no such graph.
    order : str, sequence of cells or sequence of Edge
        The order of the edges. ``"frontier"`` (default) and ``"given"`` order the cells and take
        all edges of a cell at once, so that no covered vertex stays half decided; ``"row-major"``
        goes hint by hint.

    Raises
    ------
    MethodError
        If a clue has weights, or an order of edges does not name each edge once.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> model = SubgraphModel(Clues([Clue(1, "ab"), Clue(1, "bc")]), order="given")
    >>> model.edges
    (Edge(cell='a', hint=0), Edge(cell='b', hint=0), Edge(cell='b', hint=1), Edge(cell='c', hint=1))
    >>> model.cell_degrees["b"], model.hint_degrees[1]
    ((0, 2), (1,))
    >>> [sorted(model.assignment(subgraph)) for subgraph in model.subgraphs()]
    [['b'], ['a', 'c']]
    """

    def __init__(
        self,
        clues: Clues,
        *,
        order: EdgeOrder = "frontier",
        limits: Limits | Budget | None = None,
    ) -> None:
        self._limits = limits
        budget = Budget.of(limits)
        for clue in budget.watched(clues.clues):
            if clue.weights is not None:
                raise MethodError(
                    f"the method 'subgraph' counts edges, and {clue!r} has weights; "
                    "'engine' and 'zdd' take weights"
                )
        self.clues = clues
        self.edges = self._ordered_edges(order, budget)

    def _ordered_edges(self, order: EdgeOrder, budget: Budget) -> tuple[Edge, ...]:
        clues = self.clues
        hints = enumerate(budget.watched(clues.clues))
        by_hint = [Edge(cell, hint) for hint, clue in hints for cell in clue.cells]
        if order == "row-major":
            return tuple(by_hint)
        listed = tuple(edge for edge in order if isinstance(edge, Edge))
        if listed and len(listed) == len(order):
            if len(listed) != len(by_hint) or set(listed) != set(by_hint):
                raise MethodError("an order of edges must name every edge of the graph once")
            return listed
        of_cell: dict[Cell, list[Edge]] = {}
        for edge in budget.watched(by_hint):
            of_cell.setdefault(edge.cell, []).append(edge)
        cells = ordered(clues, order, budget)
        return tuple(edge for cell in budget.watched(cells) for edge in of_cell[cell])

    @cached_property
    def cell_degrees(self) -> dict[Cell, tuple[int, ...]]:
        """Constraint (1): the degrees that each covered vertex may have."""
        degree = dict.fromkeys(self.clues.touched, 0)
        for edge in self.edges:
            degree[edge.cell] += 1
        return {cell: (0, number) for cell, number in degree.items()}

    @cached_property
    def hint_degrees(self) -> tuple[tuple[int, ...], ...]:
        """Constraint (2): the degrees that each hint vertex may have."""
        return tuple((clue.count,) for clue in self.clues.clues)

    def graph(self) -> nx.Graph[Any]:
        """Return MG for networkx: nodes ``("cell", cell)`` and ``("hint", number)``.

        Nodes have the attribute ``degrees``, edges their ``place`` in the order.
        """
        import networkx

        graph: nx.Graph[Any] = networkx.Graph()
        for cell, degrees in self.cell_degrees.items():
            graph.add_node(("cell", cell), degrees=degrees, bipartite=0)
        for hint, degrees in enumerate(self.hint_degrees):
            graph.add_node(("hint", hint), degrees=degrees, bipartite=1)
        for place, edge in enumerate(self.edges):
            graph.add_edge(("cell", edge.cell), ("hint", edge.hint), place=place)
        return graph

    @cached_property
    def _found(self) -> EdgeDiagram:
        index, budget = self.clues.index, Budget.of(self._limits)
        cell, hint = array("i"), array("i")
        for edge in budget.watched(self.edges):
            cell.append(index[edge.cell])
            hint.append(edge.hint)
        # A count outside 64 bits is as impossible as one that is a little too large.
        limit = len(self.edges) + 1
        targets = array("q", (max(-1, min(c.count, limit)) for c in self.clues.clues))
        data = cell.tobytes(), hint.tobytes(), targets.tobytes()
        try:
            with budget.step() as left:
                return frontier_search(len(index), *data, run_under(left))
        except ValueError as error:  # the frontier does not fit into the core's states
            raise MethodError(f"{error}; another order of edges may fit") from None

    def subgraphs(self) -> Zdd:
        """Return the diagram of all legal subgraphs, over the edges in their order."""
        nodes = np.stack(self._columns, axis=1)
        return Zdd(self.edges, nodes, root=self._found.root, is_reduced=True)

    @property
    def _columns(self) -> list[npt.NDArray[np.int32]]:
        found = self._found
        return [np.frombuffer(data, np.int32) for data in (found.variable, found.low, found.high)]

    @property
    def statistics(self) -> SearchStatistics:
        """What the search met, for comparing orders."""
        found = self._found
        return SearchStatistics(found.visited, found.widest, found.frontier, tuple(found.states))

    def assignments(self) -> Zdd:
        """Return the diagram of all solutions, over the cells in clues.

        A cell stands where its first edge did. On a path that keeps that edge all its other edges
        are kept, so their nodes have nothing on the low side and are stepped over.
        """
        variable, low, high = (column.astype(np.int64) for column in self._columns)
        budget = Budget.of(self._limits)
        cells = tuple(dict.fromkeys(edge.cell for edge in self.edges))
        place = {cell: number for number, cell in enumerate(cells)}
        seen: set[Cell] = set()
        first = np.full(len(self.edges), -1, dtype=np.int64)
        for number, edge in enumerate(budget.watched(self.edges)):
            if edge.cell not in seen:
                seen.add(edge.cell)
                first[number] = place[edge.cell]
        target = np.arange(len(variable) + 2)
        target[BOTTOM], target[TOP] = BOTTOM, TOP
        # Children come first and levels are runs, so one pass per run finds where each node leads.
        skipped = first[variable] < 0
        ends = [0, *(np.flatnonzero(np.diff(variable)) + 1).tolist(), len(variable)]
        for begin, end in budget.watched(pairwise(ends), every=64):
            if end > begin and skipped[begin]:
                target[begin:end] = target[high[begin:end]]
        keep = np.flatnonzero(~skipped)
        number_of = np.full(len(variable) + 2, -3, dtype=np.int64)
        number_of[keep] = np.arange(len(keep))
        number_of[BOTTOM], number_of[TOP] = BOTTOM, TOP
        rows = np.stack(
            [first[variable[keep]], number_of[target[low[keep]]], number_of[target[high[keep]]]],
            axis=1,
        )
        # With the edges of each cell side by side, what was reduced over edges stays so.
        runs = 1 + sum(a.cell != b.cell for a, b in pairwise(self.edges))
        root = int(number_of[target[self._found.root]])
        return Zdd(cells, rows, root=root, is_reduced=runs == len(cells))

    def assignment(self, subgraph: Iterable[Edge]) -> Solution:
        """Return the solution that a legal subgraph stands for."""
        return frozenset(edge.cell for edge in subgraph)

    def subgraph(self, solution: Iterable[Cell]) -> frozenset[Edge]:
        """Return the subgraph that a solution stands for."""
        mined = frozenset(solution)
        return frozenset(edge for edge in self.edges if edge.cell in mined)

    def is_legal(self, subgraph: Iterable[Edge]) -> bool:
        """Tell whether a set of edges satisfies the degree constraints (1) and (2)."""
        kept = frozenset(subgraph)
        if not kept <= set(self.edges):
            return False
        at_cell = dict.fromkeys(self.cell_degrees, 0)
        at_hint = [0] * len(self.hint_degrees)
        for edge in kept:
            at_cell[edge.cell] += 1
            at_hint[edge.hint] += 1
        return all(at_cell[cell] in degrees for cell, degrees in self.cell_degrees.items()) and all(
            degree in degrees for degree, degrees in zip(at_hint, self.hint_degrees, strict=True)
        )

    def __repr__(self) -> str:
        hints, cells = len(self.hint_degrees), len(self.cell_degrees)
        return f"<SubgraphModel of {cells} cells, {hints} hints and {len(self.edges)} edges>"
