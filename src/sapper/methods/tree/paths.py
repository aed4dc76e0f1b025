"""Counting on a forest along heavy paths, in integers or in polynomials.

Each vertex has a pair (Golan, Section 4). For a cell: P□ and P*, its subtree with the cell free and
with it mined. For a number: P and P₋, its subtree with the parent free and with it mined. The pair
of a vertex is linear in the pair of any one child, so along a path of vertices it is a product of
2 × 2 matrices, and a product can be taken by halves. Paths that always step into the largest
subtree are at most log₂ n deep in each other: every value is multiplied up a few times only, and
mostly with values of its own size.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

from sapper.field import COVERED, FREE, MINE
from sapper.methods.tree.forest import LabelledForest
from sapper.methods.tree.hub import Element, Pair, middle, product
from sapper.questions import Budget

Matrix: TypeAlias = tuple[Element, Element, Element, Element]
"""The rows of a 2 × 2 matrix, one after the other."""

_BATCH: Final = 1024


def evaluate(forest: LabelledForest, one: Element, mine: Element, budget: Budget) -> Element:
    """Return the sum over all legal assignments of the product of `mine` over all mines.

    With 1 and 1 this is the number of legal assignments (Theorem 2.2), with 1 and x the polynomial
    P(T) (Theorem 2.3).

    Parameters
    ----------
    forest
        The forest with its labels; a total is ignored.
    one, mine
        The 1 of the algebra, and what each mine multiplies by.
    budget
        Each vertex counts as a node.
    """
    labels, parents = forest.labels, forest.parents
    sizes, heavy = _heavy(parents)
    light: dict[int, list[int]] = {}
    pairs: dict[int, Pair] = {}
    trees: list[Element] = []
    batch = 0
    # A vertex stands behind its parent, so that all paths that hang from one are done before it.
    for top in range(len(labels) - 1, -1, -1):
        parent = parents[top]
        if parent >= 0 and heavy[parent] == top:
            continue
        path = [top]
        while heavy[path[-1]] >= 0:
            path.append(heavy[path[-1]])
        batch += len(path)
        if batch >= _BATCH:
            budget.spend(nodes=batch)
            batch = 0
        value = _path_pair(path, labels, light, pairs, sizes, one, mine, budget)
        if parent >= 0:
            light.setdefault(parent, []).append(top)
            pairs[top] = value
        else:
            tree = value[0] if labels[top] >= 0 else value[0] + value[1]
            if tree == 0:
                return tree
            trees.append(tree)
    budget.spend(nodes=batch)
    return product(trees, one)


def _heavy(parents: list[int]) -> tuple[list[int], list[int]]:
    """Return the size of each subtree and the child of each vertex with the largest, or -1."""
    sizes = [1] * len(parents)
    heavy = [-1] * len(parents)
    for place in range(len(parents) - 1, -1, -1):
        parent = parents[place]
        if parent >= 0:
            sizes[parent] += sizes[place]
            if heavy[parent] < 0 or sizes[place] > sizes[heavy[parent]]:
                heavy[parent] = place
    return sizes, heavy


def _path_pair(
    path: list[int],
    labels: list[int],
    light: dict[int, list[int]],
    pairs: dict[int, Pair],
    sizes: list[int],
    one: Element,
    mine: Element,
    budget: Budget,
) -> Pair:
    """Return the pair of the first vertex of a path, given those of all that hangs from it."""
    matrices = []
    for vertex, below in pairwise(path):
        hanging = light.pop(vertex, ())
        label = labels[vertex]
        if label >= 0:
            step = _number_step(label, hanging, labels, pairs, labels[below] >= 0, one)
        else:
            step = _cell_step(label, hanging, labels, pairs, labels[below] >= 0, one, mine)
        matrices.append(step)
        for child in hanging:
            del pairs[child]
    steps = (sizes[v] - sizes[below] for v, below in pairwise(path))
    weights = [0, *accumulate(steps)]
    return _applied(matrices, weights, 0, len(matrices), leaf(labels[path[-1]], one, mine), budget)


def leaf(label: int, one: Element, mine: Element) -> Pair:
    """Return the pair of a leaf (Golan, Table 1)."""
    zero = one - one
    match label:
        case _ if label == COVERED:
            return one, mine
        case _ if label == MINE:
            return zero, mine
        case _ if label == FREE or label == 0:
            return one, zero
        case 1:
            return zero, one
        case _:
            return zero, zero


def _cell_step(
    label: int,
    hanging: Sequence[int],
    labels: list[int],
    pairs: dict[int, Pair],
    below_is_number: bool,
    one: Element,
    mine: Element,
) -> Matrix:
    """Cases i to iii: a cell tells its numbers whether it is mined, and other cells nothing."""
    zero = one - one
    free, mined = (one if label != MINE else zero), (mine if label != FREE else zero)
    if hanging:
        cells = [pairs[c][0] + pairs[c][1] for c in hanging if labels[c] < 0]
        numbers = [pairs[c] for c in hanging if labels[c] >= 0]
        common = product(cells, one)
        if label != MINE:
            free = common * product((pair[0] for pair in numbers), one)
        if label != FREE:
            mined = mine * common * product((pair[1] for pair in numbers), one)
    if below_is_number:
        return free, zero, zero, mined
    return free, free, mined, mined


def _number_step(
    label: int,
    hanging: Sequence[int],
    labels: list[int],
    pairs: dict[int, Pair],
    below_is_number: bool,
    one: Element,
) -> Matrix:
    """Case iv: the mined cells around a number, among them the parent, are counted out."""
    zero = one - one
    numbers = product((pairs[c][0] for c in hanging if labels[c] >= 0), one)
    exact, less, least = middle([pairs[c] for c in hanging if labels[c] < 0], label, one)
    if numbers != 1:
        exact, less, least = exact * numbers, less * numbers, least * numbers
    if below_is_number:
        return exact, zero, less, zero
    return exact, less, less, least


def _applied(
    matrices: list[Matrix], weights: list[int], first: int, last: int, pair: Pair, budget: Budget
) -> Pair:
    """Return the product of ``matrices[first:last]`` and a pair."""
    if last - first > 4:
        # The far part is applied first, and only the near one has to become a matrix.
        half = _half(weights, first, last)
        pair = _applied(matrices, weights, half, last, pair, budget)
        budget.spend()
        return _times_pair(_multiplied(matrices, weights, first, half, budget), pair)
    for place in range(last - 1, first - 1, -1):
        pair = _times_pair(matrices[place], pair)
    return pair


def _multiplied(
    matrices: list[Matrix], weights: list[int], first: int, last: int, budget: Budget
) -> Matrix:
    if last - first == 1:
        return matrices[first]
    half = _half(weights, first, last)
    left = _multiplied(matrices, weights, first, half, budget)
    right = _multiplied(matrices, weights, half, last, budget)
    if last - first > _BATCH:
        budget.spend()
    return _times(left, right)


def _half(weights: list[int], first: int, last: int) -> int:
    """Return where to cut so that both parts weigh about the same, and neither is empty."""
    cut = bisect_left(weights, (weights[first] + weights[last]) // 2, first + 1, last)
    return min(cut, last - 1)


def _times_pair(m: Matrix, pair: Pair) -> Pair:
    a, b, c, d = m
    p, q = pair
    return a * p + b * q, c * p + d * q


def _times(left: Matrix, right: Matrix) -> Matrix:
    a, b, c, d = left
    p, q, r, s = right
    # Two cells in a row make equal columns, and then half of the work is saved.
    if a is b and c is d:
        if p is q and r is s:
            both = p + r
            upper, lower = a * both, c * both
            return upper, upper, lower, lower
        return a * (p + r), a * (q + s), c * (p + r), c * (q + s)
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s
