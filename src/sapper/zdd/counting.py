"""Passes over a diagram that count, and what follows from counts: shares and samples."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.limits import Budget
from sapper.zdd.nodes import Nodes

_BITS = 62
# How many sets are drawn between two looks at the limits.
_BATCH = 1 << 14


def counts(nodes: Nodes, budget: Budget) -> NDArray[Any]:
    """Return the number of sets below every node, as Python integers."""
    below = nodes.per_node(0, 1, object)
    for level in budget.watched(nodes.levels, every=1):
        below[level] = below[nodes.low[level]] + below[nodes.high[level]]
    return below


def counts_by_size(nodes: Nodes, budget: Budget) -> list[int]:
    """Return how many sets have 0, 1, 2, … elements.

    A polynomial per node is packed into one long integer, a field per power, wide enough for the
    largest count; adding and shifting such integers is all it takes.
    """
    field = int(counts(nodes, budget)[nodes.root]).bit_length() + 1
    below = nodes.per_node(0, 1, object)
    for level in budget.watched(nodes.levels, every=1):
        below[level] = below[nodes.low[level]] + (below[nodes.high[level]] << field)
    packed, found = int(below[nodes.root]), []
    # Halve the long number again and again: taking fields off one end would be quadratic.
    size = -(-packed.bit_length() // field)
    pending = [(packed, size)] if size else []
    while pending:
        number, fields = pending.pop()
        if fields == 1:
            found.append(number)
            continue
        half = fields // 2
        pending.append((number >> (half * field), fields - half))
        pending.append((number & ((1 << (half * field)) - 1), half))
    return found


def counts_with(nodes: Nodes, variables: int, budget: Budget) -> list[int]:
    """Return, for each variable, the number of sets that have it."""
    below = counts(nodes, budget)
    above = nodes.per_node(0, 0, object)
    above[nodes.root] = 1
    found = [0] * variables
    for level in budget.watched(reversed(nodes.levels), every=1):
        ways = above[level]
        np.add.at(above, nodes.low[level], ways)
        np.add.at(above, nodes.high[level], ways)
        found[int(nodes.variable[level.start])] = int((ways * below[nodes.high[level]]).sum())
    return found


def sampled(
    nodes: Nodes, variables: int, number: int, seed: int | None, budget: Budget
) -> Iterator[NDArray[np.bool_]]:
    """Yield sets, drawn uniformly and independently, as rows of booleans, in batches.

    Each branch compares 62 random bits with the exact share of the high child; the one case in
    2⁶² that those bits leave open is settled by exact integers, so no rounding enters.
    """
    below = counts(nodes, budget)
    shares = nodes.per_node(0, 0, np.int64)
    # numpy takes no negative seeds.
    random = np.random.default_rng(seed if seed is None or seed >= 0 else [-seed, 1])
    exact = Random(seed)
    for level in budget.watched(nodes.levels, every=1):
        shares[level] = [
            (high << _BITS) // (low + high)
            for low, high in zip(below[nodes.low[level]], below[nodes.high[level]], strict=True)
        ]
    depth = nodes.depth(variables)
    levels = nodes.levels[::-1]
    for start in range(0, number, _BATCH):
        size = min(_BATCH, number - start)
        rows = np.zeros((size, variables), dtype=np.bool_)
        at = np.full(size, nodes.root, dtype=np.int64)
        for level in budget.watched(levels, every=16):
            variable = int(nodes.variable[level.start])
            here = np.flatnonzero(depth[at] == variable)
            node = at[here]
            drawn = random.integers(0, 1 << _BITS, size=len(here))
            share = shares[node]
            mined = drawn < share
            for tie in np.flatnonzero(drawn == share).tolist():
                low, high = below[nodes.low[node[tie]]], below[nodes.high[node[tie]]]
                mined[tie] = exact.randrange(low + high) < (high << _BITS) % (low + high)
            rows[here, variable] = mined
            at[here] = np.where(mined, nodes.high[node], nodes.low[node])
        yield rows
