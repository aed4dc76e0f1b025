"""Cheapest sets of a diagram, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from math import inf, lcm
from typing import TypeAlias

import numpy as np

from sapper.clues import Cheapest, Cost, checked_costs, total_cost
from sapper.field import Cell
from sapper.limits import Budget
from sapper.zdd.nodes import TOP, Nodes

_Path: TypeAlias = "tuple[int, _Path] | None"


def cheapest_first(
    nodes: Nodes, cells: Sequence[Cell], costs: Mapping[Cell, Cost], budget: Budget
) -> Iterator[Cheapest]:
    """Yield the sets of a diagram in order of cost, ties in an order fixed by the diagram.

    One pass finds the least cost below every node, in exact integers. A best-first search that
    knows these costs never turns into a branch in vain: each set takes at most one queued branch
    per variable.
    """
    checked = checked_costs(costs, cells)
    exact = [Fraction(checked[cell]) for cell in cells]
    scale = lcm(*(cost.denominator for cost in exact))
    price = np.array([int(cost * scale) for cost in exact], dtype=object)
    below = nodes.per_node(inf, 0, object)
    for level in budget.watched(nodes.levels, every=1):
        high = below[nodes.high[level]] + price[nodes.variable[level]]
        below[level] = np.minimum(below[nodes.low[level]], high)
    if below[nodes.root] == inf:
        return
    tick = count()
    queue: list[tuple[int, int, int, int, _Path]] = []
    heappush(queue, (below[nodes.root], next(tick), 0, nodes.root, None))
    while queue:
        budget.look()
        _, _, paid, node, path = heappop(queue)
        while node != TOP:
            variable = int(nodes.variable[node])
            low, high = int(nodes.low[node]), int(nodes.high[node])
            with_it = paid + price[variable]
            if below[low] <= below[high] + price[variable]:
                heappush(
                    queue, (with_it + below[high], next(tick), with_it, high, (variable, path))
                )
                node = low
            else:
                if below[low] != inf:
                    heappush(queue, (paid + below[low], next(tick), paid, low, path))
                paid, node, path = with_it, high, (variable, path)
        solution = frozenset(cells[variable] for variable in _variables(path))
        yield Cheapest(solution, total_cost(checked, solution))


def _variables(path: _Path) -> Iterator[int]:
    while path is not None:
        variable, path = path
        yield variable
