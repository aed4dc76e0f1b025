"""Fields on any graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from sapper.errors import PositionError, UnknownCellError, quoted
from sapper.field.specs import cell_from_json, cell_to_json
from sapper.field.topology import Cell, Topology, adjacency_of
from sapper.limits import load

if TYPE_CHECKING:
    from sapper._native import Adjacency

__all__ = ["Graph", "graph_from_spec"]


class Graph(Topology):
    """Any simple undirected graph: its nodes are the cells, its edges say who touches whom.

    Cells keep the order of the graph's nodes. Two such fields are equal if they have the same
    nodes in the same order and the same edges.

    Parameters
    ----------
    graph
        A networkx graph. Attributes are ignored, and later changes to it have no effect here.

    Raises
    ------
    PositionError
        If the graph is directed, or has a self-loop or parallel edges; the edge is named.

    Examples
    --------
    >>> import networkx
    >>> field = Graph(networkx.path_graph(4))
    >>> field.neighbours(1)
    (0, 2)
    """

    __slots__ = ("_adjacency", "_hash", "_lists", "_names", "_places", "_size")
    kind: ClassVar[str] = "graph"

    # A graph from arrays makes its Python objects when they are asked for.
    _size: int
    _names: tuple[Cell, ...] | None
    _places: dict[Cell, int] | None
    _lists: list[list[int]] | None
    _hash: int | None
    _adjacency: Adjacency | None

    def __init__(self, graph: Any) -> None:
        try:
            directed = graph.is_directed()
            nodes, edges = tuple(graph.nodes), [(edge[0], edge[1]) for edge in graph.edges]
        except AttributeError:
            raise PositionError(
                f"a networkx graph is needed, not {type(graph).__name__};"
                " Graph.from_edges takes a list of edges"
            ) from None
        if directed:
            raise PositionError("the graph is directed; graph.to_undirected() makes it undirected")
        try:
            self._fill(nodes, edges)
        except PositionError as error:
            remedy = "a field is a simple graph: give networkx.Graph(graph) without its self-loops"
            raise PositionError(f"{error}; {remedy}") from None

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[Cell, Cell]], *, nodes: Iterable[Cell] = ()) -> Graph:
        """Make a field from its edges.

        Parameters
        ----------
        edges
            Pairs of cells.
        nodes
            Cells that come first, in this order; here one can name cells with no edge.

        Raises
        ------
        PositionError
            If an edge is no pair, is a self-loop or is given twice, or a node is given twice.

        Examples
        --------
        >>> Graph.from_edges([("a", "b"), ("b", "c")], nodes=["d"]).cells
        ('d', 'a', 'b', 'c')
        >>> Graph.from_edges([("a", "b"), ("b", "a")])
        Traceback (most recent call last):
        ...
        sapper.errors.PositionError: edge ('b', 'a') is given twice
        """
        field = cls.__new__(cls)
        field._fill(nodes, edges)
        return field

    def _fill(self, nodes: Iterable[Cell], edges: Iterable[tuple[Cell, Cell]]) -> None:
        index: dict[Cell, int] = {}
        for place, node in enumerate(nodes):
            if _hashable(node) in index:
                raise PositionError(f"node {quoted(node)} is given twice", ("nodes", place))
            index[node] = len(index)
        rows: list[set[int]] = [set() for _ in index]
        for number, edge in enumerate(edges):
            where = ("edges", number)
            try:
                one, other = edge
            except (TypeError, ValueError):
                raise PositionError(f"edge {quoted(edge)} is not a pair of cells", where) from None
            ends = []
            for node in (one, other):
                place = index.setdefault(_hashable(node), len(index))
                if place == len(rows):
                    rows.append(set())
                ends.append(place)
            if ends[0] == ends[1]:
                raise PositionError(f"edge {quoted((one, other))} is a self-loop", where)
            if ends[1] in rows[ends[0]]:
                raise PositionError(f"edge {quoted((one, other))} is given twice", where)
            rows[ends[0]].add(ends[1])
            rows[ends[1]].add(ends[0])
        self._set(len(index), tuple(index), index, [sorted(row) for row in rows], None)

    def _set(
        self,
        size: int,
        names: tuple[Cell, ...] | None,
        places: dict[Cell, int] | None,
        lists: list[list[int]] | None,
        adjacency: Adjacency | None,
    ) -> None:
        put = object.__setattr__
        put(self, "_size", size)
        put(self, "_names", names)
        put(self, "_places", places)
        put(self, "_lists", lists)
        put(self, "_hash", None)
        put(self, "_adjacency", adjacency)

    @classmethod
    def from_arrays(cls, size: int, edges: Any) -> Graph:
        """Make a field on the cells ``0 … size - 1`` from an array of edges.

        The quick way in for large graphs: no Python object per edge is made.

        Parameters
        ----------
        size
            The number of cells.
        edges
            An integer array of shape ``(m, 2)``, one edge a row.

        Raises
        ------
        PositionError
            If the shape is another, an end is no cell, an edge is a self-loop or is given twice.

        Examples
        --------
        >>> import numpy
        >>> Graph.from_arrays(4, numpy.array([[0, 1], [3, 1]])).neighbours(1)
        (0, 3)
        """
        load("numpy")
        from sapper.field.arrays import edge_rows

        return cls._from_rows(None, *edge_rows(size, edges))

    @classmethod
    def _from_rows(cls, names: tuple[Cell, ...] | None, starts: bytes, targets: bytes) -> Graph:
        from sapper._native import Adjacency

        adjacency = Adjacency.csr(starts, targets)
        field = cls.__new__(cls)
        field._set(len(adjacency), names, None, None, adjacency)
        return field

    @property
    def _rows(self) -> list[list[int]]:
        """The indices of the neighbours of each cell, ascending."""
        if self._lists is None:
            starts = memoryview(self.adjacency.offsets).cast("i")
            targets = memoryview(self.adjacency.targets).cast("i").tolist()
            made = [targets[start:end] for start, end in pairwise(starts)]
            object.__setattr__(self, "_lists", made)
            return made
        return self._lists

    @property
    def nodes(self) -> tuple[Cell, ...]:
        """All nodes in the order of the graph."""
        if self._names is None:
            made = tuple(range(self._size))
            object.__setattr__(self, "_names", made)
            return made
        return self._names

    @property
    def _index(self) -> dict[Cell, int]:
        """The place of each node."""
        if self._places is None:
            made = {node: place for place, node in enumerate(self.nodes)}
            object.__setattr__(self, "_places", made)
            return made
        return self._places

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All nodes in the order of the graph."""
        return self.nodes

    @property
    def shape(self) -> tuple[int, ...]:
        """`(number of nodes,)`."""
        return (self._size,)

    @property
    def edges(self) -> tuple[tuple[Cell, Cell], ...]:
        """Each edge once, in canonical order."""
        return tuple(
            [
                (self.nodes[i], self.nodes[j])
                for i, row in enumerate(self._rows)
                for j in row
                if i < j
            ]
        )

    @property
    def adjacency(self) -> Adjacency:
        """The neighbourhoods as the compiled core wants them; built once and kept."""
        if self._adjacency is None:
            made = adjacency_of(self._rows)
            object.__setattr__(self, "_adjacency", made)
            return made
        return self._adjacency

    def spec(self) -> dict[str, Any]:
        """Return the field as JSON has it: its nodes and its edges."""
        return {
            "kind": self.kind,
            "nodes": [cell_to_json(cell) for cell in self.nodes],
            "edges": [[cell_to_json(one), cell_to_json(other)] for one, other in self.edges],
        }

    def __len__(self) -> int:
        return self._size

    def index(self, cell: Cell) -> int:
        """Return the place of a node; UnknownCellError if the graph has no such node."""
        try:
            return self._index[cell]
        except (KeyError, TypeError):
            raise UnknownCellError(cell, str(self)) from None

    def neighbours_at(self, index: int) -> Sequence[int]:
        """Return the indices of the neighbours of the cell with this index, ascending."""
        return self._rows[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self is other or (self.nodes == other.nodes and self._rows == other._rows)

    def __hash__(self) -> int:
        if self._hash is None:
            made = hash((Graph, self.nodes, tuple(map(tuple, self._rows))))
            object.__setattr__(self, "_hash", made)
            return made
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        rows = self.adjacency
        return Graph._from_rows, (self._names, rows.offsets, rows.targets)

    def __repr__(self) -> str:
        return f"Graph.from_edges({list(self.edges)!r}, nodes={list(self.nodes)!r})"

    def __str__(self) -> str:
        return f"a graph with {self._size:,} nodes"


def graph_from_spec(*, nodes: object = (), edges: object = ()) -> Graph:
    """Return the graph of nodes and edges as JSON has them.

    Raises
    ------
    PositionError
        If they are none, or not those of a simple graph.
    """
    made: list[list[Any]] = []
    for name, values in (("nodes", nodes), ("edges", edges)):
        if not isinstance(values, list | tuple):
            raise PositionError(f"{name} must be a list, not {quoted(values)}", (name,))
        made.append([cell_from_json(value, (name, i)) for i, value in enumerate(values)])
    for i, edge in enumerate(made[1]):
        if not isinstance(edge, tuple) or len(edge) != 2:
            raise PositionError(f"edge {quoted(edge)} is not a pair of cells", ("edges", i))
    return Graph.from_edges(made[1], nodes=made[0])


def _hashable(node: Cell) -> Cell:
    try:
        hash(node)
    except TypeError:
        raise PositionError(f"node {quoted(node)} cannot be a cell: it is not hashable") from None
    return node
