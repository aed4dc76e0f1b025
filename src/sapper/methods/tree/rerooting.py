"""Every vertex as the root: one sweep up a forest and one sweep down.

The downward message of an edge is the pair that the parent would send if the child were its parent.
Together with the upward pairs it gives, for each vertex, the value of its whole tree with the cell
free and with it mined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sapper.field import FREE, MINE
from sapper.methods.tree.forest import LabelledForest
from sapper.questions import Budget

Element = Any
Pair = tuple[Element, Element]
_BATCH: Final = 64


@dataclass(frozen=True)
class Algebra:
    """What re-rooting needs to know of the values it computes with.

    Attributes
    ----------
    zero, one, mine
        No way, one way with no mine, and one way with one mine.
    middle
        The coefficients of yʷ, yʷ⁻¹, yʷ⁻² in a product of a + b·y; see `tree_hub.middle`.
    key
        What makes two pairs equal, as something that can be hashed.
    """

    zero: Element
    one: Element
    mine: Element
    middle: Callable[[Sequence[Pair], int], tuple[Element, Element, Element]]
    key: Callable[[Pair], Any]


def trees_and_pairs(
    forest: LabelledForest, algebra: Algebra, budget: Budget, *, down: bool = True
) -> tuple[dict[int, Element], list[Pair]]:
    """Return the value of each tree by its root, and for each place its whole tree's pair.

    The pair of a cell is its tree with the cell free and with it mined; that of a number is of no
    use. Places are those of the breadth-first order. With ``down=False`` the pairs are those of
    the subtrees.
    """
    labels, parents, children = forest.labels, forest.parents, forest.children
    up: list[Pair] = [(algebra.zero, algebra.zero)] * len(labels)
    trees: dict[int, Element] = {}
    for place in range(len(labels) - 1, -1, -1):
        if place % _BATCH == 0:
            budget.spend(nodes=_BATCH)
        told = [(labels[c] >= 0, up[c]) for c in children[place]]
        up[place] = _pair(labels[place], told, algebra)
        if parents[place] < 0:
            free, mined = up[place]
            trees[place] = free if labels[place] >= 0 else free + mined
    if not down or not all(trees.values()):
        return trees, up
    whole: list[Pair] = list(up)
    heard: dict[int, tuple[bool, Pair]] = {}
    for place in range(len(labels)):
        if place % _BATCH == 0:
            budget.spend(nodes=_BATCH)
        around = [(labels[c] >= 0, up[c]) for c in children[place]]
        if place in heard:
            around.append(heard.pop(place))
        if labels[place] < 0:
            whole[place] = _pair(labels[place], around, algebra)
        messages = _leaving_one_out(labels[place], around, len(children[place]), algebra)
        for child, message in zip(children[place], messages, strict=True):
            heard[child] = (labels[place] >= 0, message)
    return trees, whole


def _pair(label: int, told: Sequence[tuple[bool, Pair]], algebra: Algebra) -> Pair:
    """Return the pair of a vertex from what its neighbours on one side tell it (Cases i to iv)."""
    if label >= 0:
        common = algebra.one
        for is_number, (free, _) in told:
            if is_number:
                common = common * free
        exact, less, _ = algebra.middle([p for is_number, p in told if not is_number], label)
        return exact * common, less * common
    free, mined = algebra.one, algebra.mine
    for is_number, (first, second) in told:
        if not is_number:
            first = second = first + second
        free, mined = free * first, mined * second
    return algebra.zero if label == MINE else free, algebra.zero if label == FREE else mined


def _leaving_one_out(
    label: int, around: list[tuple[bool, Pair]], count: int, algebra: Algebra
) -> list[Pair]:
    """Return the pair of a vertex with each of the first `count` neighbours left out in turn."""
    keys = [(is_number, algebra.key(pair)) for is_number, pair in around]
    kinds = Counter(keys[:count])
    if label >= 0 or len(kinds) <= 2:
        # Equal neighbours are left out with equal results, and most neighbours of a hub are equal.
        made: dict[Any, Pair] = {}
        for place in range(count):
            if keys[place] not in made:
                rest = around[:place] + around[place + 1 :]
                made[keys[place]] = _pair(label, rest, algebra)
        return [made[key] for key in keys[:count]]
    # For cells the pair is a plain product: prefixes times suffixes.
    one = algebra.one
    suffixes: list[Pair] = [(one, one)]
    for is_number, (first, second) in reversed(around[1:]):
        if not is_number:
            first = second = first + second
        suffixes.append((suffixes[-1][0] * first, suffixes[-1][1] * second))
    suffixes.reverse()
    free, mined = _pair(label, (), algebra)
    messages = []
    for (is_number, (first, second)), suffix in zip(around[:count], suffixes, strict=False):
        messages.append((free * suffix[0], mined * suffix[1]))
        if not is_number:
            first = second = first + second
        free, mined = free * first, mined * second
    return messages
