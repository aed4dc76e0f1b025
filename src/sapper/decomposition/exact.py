"""Exact treewidth of small graphs.

Which width is enough is decided by trying elimination orders. The graph that is left depends on the
*set* of vertices eliminated, not on their order, so each set is looked at once; a vertex whose
neighbours are all joined, or all but one, can be eliminated at once (Bodlaender, Koster and van den
Eijkhof, *Preprocessing rules for triangulation of probabilistic networks*, 2005).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sapper.decomposition.elimination import min_fill
from sapper.decomposition.tree_decomposition import topology_of
from sapper.field import Cell, Topology
from sapper.limits import Budget, Limits

Masks = dict[int, int]
"""The neighbours of each vertex that is left, as bit masks."""


def treewidth(graph: Any, *, limits: Limits | None = None) -> int:
    """Return the treewidth of a small graph.

    Exponential in the number of vertices at worst: seconds for most graphs of 20 vertices, and for
    many sparse or dense ones of 30.

    Raises
    ------
    LimitExceeded
        If a limit is hit; each set of vertices that is looked at is a node.

    Examples
    --------
    >>> import networkx
    >>> treewidth(networkx.petersen_graph())
    4
    >>> treewidth(networkx.grid_2d_graph(4, 4))
    4
    """
    field, budget = topology_of(graph), Budget(limits)
    masks = _masks(field, budget)
    return _width(masks, map(field.index, _best_order(field, masks, budget)), budget)


def best_order(graph: Any, *, limits: Limits | None = None) -> tuple[Cell, ...]:
    """Return an elimination order of least width; see `treewidth`."""
    field, budget = topology_of(graph), Budget(limits)
    return _best_order(field, _masks(field, budget), budget)


def _best_order(field: Topology, masks: Masks, budget: Budget) -> tuple[Cell, ...]:
    with budget.step() as left:
        order = min_fill(field, limits=left)
    width_found = _width(masks, map(field.index, order), budget)
    search = _Search(budget)
    for width in range(_lower_bound(masks, budget), width_found):
        found = search.order(masks, width)
        if found is not None:
            return tuple(field.cells[vertex] for vertex in found)
    return order


def lower_bound(graph: Any, *, limits: Limits | None = None) -> int:
    """Return a width below which no decomposition can go, in polynomial time.

    The least degree of any minor bounds the treewidth; vertices of least degree are contracted
    into the neighbour with which they share the fewest (Gogate and Dechter, 2004).

    Examples
    --------
    >>> import networkx
    >>> lower_bound(networkx.complete_graph(5))
    4
    """
    budget = Budget(limits)
    return _lower_bound(_masks(topology_of(graph), budget), budget)


def _masks(field: Topology, budget: Budget) -> Masks:
    return {
        vertex: sum(1 << other for other in field.neighbours_at(vertex))
        for vertex in budget.watched(range(len(field)))
    }


def _width(masks: Masks, order: Iterable[int], budget: Budget) -> int:
    """Return the width of an elimination order."""
    masks, width = dict(masks), -1
    for vertex in budget.watched(order):
        around = masks.pop(vertex)
        width = max(width, around.bit_count())
        for other in bits(around):
            masks[other] = (masks[other] | around) & ~(1 << vertex | 1 << other)
    return width


def _lower_bound(masks: Masks, budget: Budget) -> int:
    masks = dict(masks)
    bound = -1 if not masks else 0
    while masks:
        budget.look(nodes=1)
        vertex = min(masks, key=lambda v: (masks[v].bit_count(), v))
        around = masks.pop(vertex)
        bound = max(bound, around.bit_count())
        if around:
            into = min(bits(around), key=lambda v: (masks[v] & around).bit_count())
            for other in bits(around):
                masks[other] &= ~(1 << vertex)
                if other != into:
                    masks[other] |= 1 << into
                    masks[into] |= 1 << other
    return bound


class _Search:
    """Looks for elimination orders of a given width, within limits."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._last = 0

    def order(self, masks: Masks, width: int) -> list[int] | None:
        """Return an elimination order of at most this width, or None if there is none."""
        # Some best order ends with any clique one likes, so a large one is not branched on.
        self._last = _clique(masks)
        hopeless: set[int] = set()
        # Each frame: what is left, the order so far, and the vertices still to be tried.
        frames = [self._frame(masks, [], width)]
        while frames:
            left, order, choices = frames[-1]
            if len(left) <= width + 1:
                return order + list(left)
            if not choices:
                hopeless.add(_set(left))
                frames.pop()
                continue
            vertex = choices.pop()
            rest = _without(left, vertex)
            if _set(rest) in hopeless:
                continue
            frame = self._frame(rest, [*order, vertex], width)
            if _set(frame[0]) not in hopeless:
                frames.append(frame)
        return None

    def _frame(
        self, masks: Masks, order: list[int], width: int
    ) -> tuple[Masks, list[int], list[int]]:
        """Eliminate what is safe, and list what is left to try, the best last."""
        self._budget.look(nodes=1)
        vertex = _safe(masks, width)
        while vertex is not None and len(masks) > width + 1:
            masks = _without(masks, vertex)
            order = [*order, vertex]
            vertex = _safe(masks, width)
        last = self._last
        choices = [
            v for v, around in masks.items() if not last >> v & 1 and around.bit_count() <= width
        ]
        choices.sort(key=lambda v: -_fill(masks, v))
        return masks, order, choices


def bits(mask: int) -> list[int]:
    """Return the places of the ones, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _set(masks: Masks) -> int:
    return sum(1 << vertex for vertex in masks)


def _without(masks: Masks, vertex: int) -> Masks:
    """Return the graph after a vertex is eliminated."""
    masks = dict(masks)
    around = masks.pop(vertex)
    for other in bits(around):
        masks[other] = (masks[other] | around) & ~(1 << vertex | 1 << other)
    return masks


def _clique(masks: Masks) -> int:
    """Return a clique that cannot be enlarged, the largest that a greedy search finds."""
    best = 0
    for start in masks:
        found, common = 1 << start, masks[start]
        while common:
            vertex = max(bits(common), key=lambda v: (masks[v] & common).bit_count())
            found |= 1 << vertex
            common &= masks[vertex]
        best = max(best, found, key=int.bit_count)
    return best


def _fill(masks: Masks, vertex: int) -> int:
    around = masks[vertex]
    return sum((around & ~masks[v]).bit_count() - 1 for v in bits(around))


def _safe(masks: Masks, width: int) -> int | None:
    """Return a vertex whose neighbours but at most one are joined, of degree at most `width`."""
    for vertex, around in masks.items():
        if around.bit_count() > width:
            continue
        # Pairs of neighbours that are not joined must all share one vertex.
        shared = around
        for other in bits(around):
            apart = around & ~masks[other] & ~(1 << other)
            if apart:
                shared &= 1 << other if apart.bit_count() > 1 else apart | 1 << other
        if shared or not around:
            return vertex
    return None
