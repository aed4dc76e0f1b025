"""Decompositions from elimination orders, and heuristics that find good orders.

Eliminating a vertex joins all its neighbours with each other. The vertex and its neighbours at that
moment form a bag, and every order gives a tree decomposition in this way; some order gives one of
least width.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Any, Final, Literal

from sapper.decomposition.tree_decomposition import TreeDecomposition, topology_of
from sapper.errors import DecompositionError, quoted
from sapper.field import Cell, Topology
from sapper.limits import Budget, Limits

Heuristic = Literal["auto", "min-fill", "min-degree", "exact"]

_EXACT_UP_TO: Final = 14
_FILL_UP_TO: Final = 4000
# A set without entries, and what an entry takes in tables that are half empty; a place in a heap.
_BYTES_PER_SET = 216
_BYTES_PER_ENTRY = 40
_BYTES_PER_PLACE = 100


def decompose(
    graph: Any, *, heuristic: Heuristic = "auto", limits: Limits | None = None
) -> TreeDecomposition:
    """Return a tree decomposition of a graph.

    Parameters
    ----------
    graph
        A field, a position or a networkx graph.
    heuristic : str
        ``"min-fill"`` eliminates the vertex that adds the fewest edges, ``"min-degree"`` the one
        with the fewest neighbours, which is quicker and usually a little wider. ``"exact"`` finds
        the least width, for small graphs. ``"auto"`` is exact up to 14 vertices, then min-fill, and
        min-degree from 4000 vertices on.
    limits : Limits, optional
        What it may cost; each vertex that is eliminated is a node, and each set of vertices that
        the exact search looks at.

    Raises
    ------
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> from sapper.field import Graph
    >>> cycle = Graph.from_edges([(i, (i + 1) % 6) for i in range(6)])
    >>> decompose(cycle).width
    2
    """
    field, budget = topology_of(graph), Budget(limits)
    if heuristic == "auto":
        size = len(field)
        if size <= _EXACT_UP_TO:
            heuristic = "exact"
        else:
            heuristic = "min-fill" if size <= _FILL_UP_TO else "min-degree"
    match heuristic:
        case "exact":
            from sapper.decomposition.exact import best_order

            with budget.step() as left:
                order = best_order(field, limits=left)
        case "min-fill":
            order = _min_fill(field, budget)
        case "min-degree":
            order = _min_degree(field, budget)
        case _:
            raise DecompositionError(
                f"there is no heuristic {quoted(heuristic)}; there are 'auto', 'min-fill', "
                "'min-degree' and 'exact'"
            )
    with budget.step() as left:
        return from_order(field, order, limits=left)


def from_order(
    graph: Any, order: Iterable[Cell], *, limits: Limits | None = None
) -> TreeDecomposition:
    """Return the tree decomposition of an elimination order.

    Raises
    ------
    DecompositionError
        If the order does not name every vertex once.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper.field import Graph
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> from_order(path, "acb").bags == (frozenset("ab"), frozenset("bc"))
    True
    """
    field, budget = topology_of(graph), Budget(limits)
    budget.spend(held=3 * _BYTES_PER_PLACE * len(field))
    order = list(order)
    if len(order) != len(field) or set(order) != set(field.cells):
        raise DecompositionError(f"an elimination order names each vertex of {field} once")
    places = [field.index(cell) for cell in order]
    rank = {vertex: number for number, vertex in enumerate(places)}
    rows = _rows(field, budget)
    bags: list[list[Cell]] = []
    edges: list[tuple[int, int]] = []
    held = _bytes_of(rows)
    for number, vertex in enumerate(places):
        around, grown = _eliminate(rows, vertex)
        bags.append([field.cells[vertex], *(field.cells[v] for v in around)])
        # The bag as a list here, and as a set in the decomposition.
        held += grown + _BYTES_PER_SET + (8 + _BYTES_PER_ENTRY) * (len(around) + 1)
        if number % 64 == 0:
            budget.spend(nodes=min(64, len(places) - number), held=held)
        if around:
            edges.append((number, min(rank[v] for v in around)))
        elif number + 1 < len(places):
            # The last vertex of its component: any edge keeps the whole a tree.
            edges.append((number, number + 1))
    with budget.step() as left:
        return TreeDecomposition(budget.watched(bags), edges).simplified(limits=left)


def min_degree(graph: Any, *, limits: Limits | None = None) -> tuple[Cell, ...]:
    """Return the order that always eliminates a vertex with the fewest neighbours.

    Ties go to the first vertex in canonical order. About O(n·w² log n) for width w.
    """
    return _min_degree(topology_of(graph), Budget(limits))


def _min_degree(field: Topology, budget: Budget) -> tuple[Cell, ...]:
    rows = _rows(field, budget)
    heap = [(len(row), vertex) for vertex, row in enumerate(rows)]
    heapify(heap)
    order: list[Cell] = []
    gone = bytearray(len(rows))
    held = _bytes_of(rows) + _BYTES_PER_PLACE * len(rows)
    while heap:
        degree, vertex = heappop(heap)
        if gone[vertex] or degree != len(rows[vertex]):
            continue
        if len(order) % 64 == 0:
            budget.spend(nodes=min(64, len(rows) - len(order)), held=held)
        gone[vertex] = 1
        order.append(field.cells[vertex])
        around, grown = _eliminate(rows, vertex)
        held += grown + _BYTES_PER_PLACE * len(around)
        for other in around:
            heappush(heap, (len(rows[other]), other))
    return tuple(order)


def min_fill(graph: Any, *, limits: Limits | None = None) -> tuple[Cell, ...]:
    """Return the order that always eliminates a vertex whose elimination adds the fewest edges.

    Ties go to the smaller degree and then to the first vertex in canonical order.
    """
    return _min_fill(topology_of(graph), Budget(limits))


def _min_fill(field: Topology, budget: Budget) -> tuple[Cell, ...]:
    rows = _rows(field, budget)
    vertices = budget.watched(range(len(rows)))
    current = [(_fill(rows, vertex), len(rows[vertex])) for vertex in vertices]
    heap = [(*current[vertex], vertex) for vertex in range(len(rows))]
    heapify(heap)
    order: list[Cell] = []
    gone = bytearray(len(rows))
    held = _bytes_of(rows) + 2 * _BYTES_PER_PLACE * len(rows)
    while heap:
        fill, degree, vertex = heappop(heap)
        if gone[vertex] or (fill, degree) != current[vertex]:
            continue
        if len(order) % 16 == 0:
            budget.spend(nodes=min(16, len(rows) - len(order)), held=held)
        gone[vertex] = 1
        order.append(field.cells[vertex])
        around, grown = _eliminate(rows, vertex)
        held += grown
        touched = set(around)
        if fill:
            # A new edge also changes the vertices that see both of its ends.
            for other in around:
                touched |= rows[other]
        for other in touched:
            fresh = (_fill(rows, other), len(rows[other]))
            if fresh != current[other]:
                current[other] = fresh
                heappush(heap, (*fresh, other))
                held += _BYTES_PER_PLACE
    return tuple(order)


def _rows(field: Topology, budget: Budget) -> list[set[int]]:
    return [set(field.neighbours_at(vertex)) for vertex in budget.watched(range(len(field)))]


def _bytes_of(rows: list[set[int]]) -> int:
    return sum(_BYTES_PER_SET + _BYTES_PER_ENTRY * len(row) for row in rows)


def _eliminate(rows: list[set[int]], vertex: int) -> tuple[set[int], int]:
    """Join the neighbours of a vertex with each other, and take it out.

    Return them, and by how many bytes the sets have grown.
    """
    around = rows[vertex]
    entries = -len(around)
    for other in around:
        row = rows[other]
        entries -= len(row)
        row |= around
        row.discard(other)
        row.discard(vertex)
        entries += len(row)
    rows[vertex] = set()
    return around, entries * _BYTES_PER_ENTRY


def _fill(rows: list[set[int]], vertex: int) -> int:
    around = rows[vertex]
    missing = sum(len(around) - 1 - len(around & rows[other]) for other in around)
    return missing // 2
