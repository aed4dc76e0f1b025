"""Set algebra of two diagrams over the same variables, and diagrams under a changed order.

Pairs of nodes are met level by level from the root, all pairs of a level at once; what they form
is reduced afterwards. The number of pairs is at most the product of the two sizes.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal, TypeAlias

import numpy as np

from sapper.limits import Budget
from sapper.zdd.nodes import BOTTOM, TOP, Integers, Nodes, reduced, sorted_nodes

Operation: TypeAlias = Literal["or", "and", "minus", "xor"]


def combine(a: Nodes, b: Nodes, operation: Operation, variables: int, budget: Budget) -> Nodes:
    """Return the reduced diagram of the union, intersection, difference or symmetric difference."""
    depths = a.depth(variables), b.depth(variables)
    factor = len(b.variable) + 2
    waiting: dict[int, list[Integers]] = defaultdict(list)
    # Pairs are numbered as they are met, parents first; keys name a pair in one integer.
    met: list[tuple[Integers, Integers, Integers, Integers]] = []

    def enter(pairs: tuple[Integers, Integers]) -> Integers:
        """Return the keys of pairs, or their terminal, and let the open ones wait."""
        keys = _settled(*pairs, operation)
        open_ = keys > 0
        keys[open_] = (pairs[0][open_] + 2) * factor + pairs[1][open_] + 2 + 1
        depth = np.minimum(depths[0][pairs[0][open_]], depths[1][pairs[1][open_]])
        wanted = keys[open_]
        for level in np.unique(depth).tolist():
            waiting[level].append(np.unique(wanted[depth == level]))
        return keys

    root = enter((np.array([a.root]), np.array([b.root])))
    for level in range(variables):
        if level not in waiting:
            continue
        budget.look()
        keys = np.unique(np.concatenate(waiting.pop(level)))
        pair = (keys - 1) // factor - 2, (keys - 1) % factor - 2
        low = enter(_children(pair, (a, b), depths, level, high=False))
        high = enter(_children(pair, (a, b), depths, level, high=True))
        met.append((np.full(len(keys), level), keys, low, high))
    return _assembled(met, root, budget)


def _assembled(
    met: list[tuple[Integers, Integers, Integers, Integers]], root: Integers, budget: Budget
) -> Nodes:
    """Return the reduced diagram of levels whose children are keys or terminals."""
    if not met:
        empty = np.zeros(0, dtype=np.int64)
        return Nodes(empty, empty, empty, int(root[0]))
    variable, keys, low, high = (np.concatenate(column) for column in zip(*met, strict=True))
    order = np.argsort(keys)
    low, high, root = (_number(child, keys, order) for child in (low, high, root))
    budget.look()
    return reduced(sorted_nodes(variable, low, high, int(root[0])), budget)


def _settled(a: Integers, b: Integers, operation: Operation) -> Integers:
    """Return ⊥ or ⊤ for the pairs that need no look below, and 1 for the others."""
    found = np.ones(len(a), dtype=np.int64)
    ends = (a < 0) & (b < 0)
    if operation == "or":
        found[ends] = np.where((a[ends] == TOP) | (b[ends] == TOP), TOP, BOTTOM)
    elif operation == "and":
        found[ends] = np.where((a[ends] == TOP) & (b[ends] == TOP), TOP, BOTTOM)
        found[(a == BOTTOM) | (b == BOTTOM)] = BOTTOM
    elif operation == "minus":
        found[ends] = np.where((a[ends] == TOP) & (b[ends] == BOTTOM), TOP, BOTTOM)
        found[a == BOTTOM] = BOTTOM
    else:
        found[ends] = np.where(a[ends] != b[ends], TOP, BOTTOM)
    return found


def _children(
    pair: tuple[Integers, Integers],
    diagrams: tuple[Nodes, Nodes],
    depths: tuple[Integers, Integers],
    level: int,
    *,
    high: bool,
) -> tuple[Integers, Integers]:
    first, second = (
        _child(node, nodes, depth, level, high=high)
        for node, nodes, depth in zip(pair, diagrams, depths, strict=True)
    )
    return first, second


def _child(node: Integers, nodes: Nodes, depth: Integers, level: int, *, high: bool) -> Integers:
    # A node that skips the variable has no set with it.
    child = np.full(len(node), BOTTOM) if high else node.copy()
    here = depth[node] == level
    child[here] = (nodes.high if high else nodes.low)[node[here]]
    return child


def _number(child: Integers, keys: Integers, order: Integers) -> Integers:
    """Return children as numbers of nodes instead of keys; terminals stay."""
    found = child.copy()
    open_ = child > 0
    found[open_] = order[np.searchsorted(keys, child[open_], sorter=order)]
    return found


def satisfying(nodes: Nodes, weights: Integers, count: int, budget: Budget) -> Nodes:
    """Return the diagram of the sets whose weights add up to `count`.

    A node is met once for every sum that paths to it can have, as far as `count` stays in reach.
    """
    variables = len(weights)
    # What the variables from each on can still add, at least and at most.
    least = np.append(np.cumsum(np.minimum(weights, 0)[::-1])[::-1], 0)
    most = np.append(np.cumsum(np.maximum(weights, 0)[::-1])[::-1], 0)
    lowest = int(least[0])
    span = int(most[0]) - lowest + 1
    if span * (len(nodes.variable) + 1) >= 1 << 62:
        raise ValueError("the weights are too large to add up in 64 bits")
    depth = nodes.depth(variables)
    waiting: dict[int, list[Integers]] = defaultdict(list)
    met: list[tuple[Integers, Integers, Integers, Integers]] = []

    def enter(node: Integers, total: Integers) -> Integers:
        """Return keys of (node, sum), or terminals, and let the open ones wait."""
        at = depth[node]
        hopeless = (node == BOTTOM) | (total + least[at] > count) | (total + most[at] < count)
        keys = np.where(node == TOP, TOP, node * span + (total - lowest) + 1)
        keys[hopeless] = BOTTOM
        at, wanted = at[keys > 0], keys[keys > 0]
        for level in np.unique(at).tolist():
            waiting[level].append(np.unique(wanted[at == level]))
        return keys

    root = enter(np.array([nodes.root]), np.zeros(1, dtype=np.int64))
    for level in range(variables):
        if level not in waiting:
            continue
        budget.look()
        keys = np.unique(np.concatenate(waiting.pop(level)))
        node, total = (keys - 1) // span, (keys - 1) % span + lowest
        low = enter(nodes.low[node], total)
        high = enter(nodes.high[node], total + weights[level])
        met.append((np.full(len(keys), level), keys, low, high))
    return _assembled(met, root, budget)


def freed(nodes: Nodes, first: int, number: int) -> Nodes:
    """Return the diagram with `number` variables from `first` on that may be in a set or not.

    All variables of the diagram must come before `first`.
    """
    if not number or nodes.root == BOTTOM:
        return nodes
    chain = np.arange(number) - 1
    chain[0] = TOP

    def moved_up(child: Integers) -> Integers:
        return np.where(child == TOP, number - 1, np.where(child == BOTTOM, BOTTOM, child + number))

    return Nodes(
        np.concatenate([np.arange(first + number - 1, first - 1, -1), nodes.variable]),
        np.concatenate([chain, moved_up(nodes.low)]),
        np.concatenate([chain, moved_up(nodes.high)]),
        int(moved_up(np.array([nodes.root]))[0]),
    )


def fixed(nodes: Nodes, variable: int, variables: int, budget: Budget, *, mined: bool) -> Nodes:
    """Return the diagram of the sets that have, or do not have, a variable."""
    depth = nodes.depth(variables)
    low, high = nodes.low.copy(), nodes.high.copy()
    here = nodes.variable == variable
    root = nodes.root
    if mined:
        # Whatever jumps over the variable says that it is absent.
        before = nodes.variable < variable
        low[before & (depth[low] > variable)] = BOTTOM
        high[before & (depth[high] > variable)] = BOTTOM
        low[here] = BOTTOM
        if depth[root] > variable:
            root = BOTTOM
    else:
        high[here] = BOTTOM
    return reduced(Nodes(nodes.variable, low, high, root), budget)


def moved(nodes: Nodes, places: list[int], budget: Budget) -> Nodes:
    """Return the diagram with variable `v` at place `places[v]` of another order.

    While the places ascend along the old order this is a renaming. Else the diagram is taken apart
    by the new variables, first to last, which may grow without bound.
    """
    new = np.array(places, dtype=np.int64)
    used = np.unique(nodes.variable)
    if np.all(np.diff(new[used]) > 0):
        variable = new[nodes.variable] if len(used) else nodes.variable
        return Nodes(variable, nodes.low, nodes.high, nodes.root)
    from sapper.zdd.reorder import rebuilt

    return rebuilt(nodes, {int(new[v]): int(v) for v in used}, budget)
