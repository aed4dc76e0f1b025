"""The nodes of a diagram as flat arrays, level by level.

A child is the number of a node, or -1 for ⊥ and -2 for ⊤. Arrays with a value per node have two
more entries at the end, so that a child indexes them whatever it is: entry -1 belongs to ⊥ and
entry -2 to ⊤.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sapper.limits import Budget

BOTTOM: Final = -1
"""The child that stands for no set at all."""

TOP: Final = -2
"""The child that stands for the empty set."""

Integers: TypeAlias = NDArray[np.int64]


class Nodes(NamedTuple):
    """Nodes sorted by variable, the deepest first; so each comes after its children."""

    variable: Integers
    low: Integers
    high: Integers
    root: int

    @property
    def levels(self) -> list[slice]:
        """The runs of nodes with the same variable, from the deepest to the root's."""
        ends = np.flatnonzero(np.diff(self.variable)) + 1
        if not len(self.variable):
            return []
        bounds = [0, *ends.tolist(), len(self.variable)]
        return [slice(a, b) for a, b in pairwise(bounds)]

    def per_node(self, bottom: Any, top: Any, dtype: Any) -> NDArray[Any]:
        """Return an array for a value per node, with those of ⊥ and ⊤ filled in."""
        values = np.zeros(len(self.variable) + 2, dtype=dtype)
        values[BOTTOM], values[TOP] = bottom, top
        return values

    def depth(self, terminal: int) -> Integers:
        """Return the variable of every child, with `terminal` for ⊥ and ⊤."""
        return np.append(self.variable, [terminal, terminal])


def sorted_nodes(variable: Integers, low: Integers, high: Integers, root: int) -> Nodes:
    """Return the nodes in descending order of variables, renumbered."""
    if not len(variable) or not np.any(np.diff(variable) > 0):
        return Nodes(variable, low, high, root)
    order = np.argsort(-variable, kind="stable")
    place = np.empty(len(order) + 2, dtype=np.int64)
    place[order] = np.arange(len(order))
    place[BOTTOM], place[TOP] = BOTTOM, TOP
    return Nodes(variable[order], place[low[order]], place[high[order]], int(place[root]))


def reduced(nodes: Nodes, budget: Budget) -> Nodes:
    """Return the one reduced diagram of the same sets in canonical numbering.

    Nodes whose high child is ⊥ go, equal nodes become one, and what the root does not reach goes.
    Nodes are numbered by level and, within one, by their children, so equal families over equal
    variables have equal arrays.
    """
    place = np.arange(len(nodes.variable) + 2)
    place[BOTTOM], place[TOP] = BOTTOM, TOP
    factor = len(nodes.variable) + 3
    kept: list[tuple[Integers, Integers, Integers]] = []
    size = 0
    for level in budget.watched(nodes.levels, every=16):
        low, high = place[nodes.low[level]], place[nodes.high[level]]
        branching = high != BOTTOM
        new = low.copy()
        keys, inverse = np.unique(
            (low[branching] + 2) * factor + (high[branching] + 2), return_inverse=True
        )
        new[branching] = size + inverse.reshape(-1)
        place[level] = new
        variable = np.full(len(keys), nodes.variable[level.start])
        kept.append((variable, keys // factor - 2, keys % factor - 2))
        size += len(keys)
    if not size:
        empty = np.zeros(0, dtype=np.int64)
        return Nodes(empty, empty, empty, int(place[nodes.root]))
    variable, low, high = (np.concatenate(column) for column in zip(*kept, strict=True))
    return _reachable(Nodes(variable, low, high, int(place[nodes.root])))


def _reachable(nodes: Nodes) -> Nodes:
    seen = nodes.per_node(True, True, np.bool_)
    seen[nodes.root] = True
    for level in reversed(nodes.levels):
        live = seen[level]
        seen[nodes.low[level][live]] = True
        seen[nodes.high[level][live]] = True
    keep = seen[:-2]
    place = nodes.per_node(BOTTOM, TOP, np.int64)
    place[:-2] = np.cumsum(keep) - 1
    return Nodes(
        nodes.variable[keep],
        place[nodes.low[keep]],
        place[nodes.high[keep]],
        int(place[nodes.root]),
    )


def checked(nodes: Nodes, variables: int) -> Nodes:
    """Return `nodes` if they form a diagram over so many variables.

    Raises
    ------
    ValueError
        If a variable or a child does not exist, or a child's variable does not come later.
    """
    size = len(nodes.variable)
    if not TOP <= nodes.root < size:
        raise ValueError(f"the root {nodes.root} is no node of a diagram of {size}")
    if size:
        if nodes.variable.min() < 0 or nodes.variable.max() >= variables:
            raise ValueError(f"a node branches on a variable outside 0..{variables - 1}")
        children = np.concatenate([nodes.low, nodes.high])
        if children.min() < TOP or children.max() >= size:
            raise ValueError("a child is no node of the diagram")
        depth = nodes.depth(variables)
        if np.any(np.minimum(depth[nodes.low], depth[nodes.high]) <= nodes.variable):
            raise ValueError("a child must branch on a later variable than its parent")
    return nodes


def branched(
    family: set[tuple[int, ...]], variables: int, budget: Budget
) -> tuple[list[tuple[int, int, int]], int]:
    """Return nodes and root of listed sets of variables: a trie, made from the deepest up."""
    tails: dict[tuple[int, ...], int] = dict.fromkeys(family, TOP)
    ending: list[list[tuple[int, ...]]] = [[] for _ in range(variables)]
    for mines in filter(None, family):
        ending[mines[-1]].append(mines)
    rows: list[tuple[int, int, int]] = []
    for variable in range(variables - 1, -1, -1):
        for mines in budget.watched(ending[variable]):
            high, head = tails.pop(mines), mines[:-1]
            rows.append((variable, tails.get(head, BOTTOM), high))
            if head and head not in tails:
                ending[head[-1]].append(head)
            tails[head] = len(rows) - 1
    return rows, tails.get((), BOTTOM)


def walk(nodes: Nodes) -> Iterator[tuple[int, int, int]]:
    """Yield (variable, low, high) of each node."""
    yield from zip(nodes.variable.tolist(), nodes.low.tolist(), nodes.high.tolist(), strict=True)
