"""The same sets under another order of the variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from sapper.limits import Budget
from sapper.zdd.nodes import BOTTOM, Nodes, reduced, sorted_nodes, walk

_Triple: TypeAlias = tuple[int, int, int]


class _Table:
    """A unique table that grows: nodes as triples, shared as they are made."""

    def __init__(self, triples: list[_Triple], budget: Budget) -> None:
        self.nodes = triples
        self._budget = budget
        self._steps = 0
        self._number = {triple: number for number, triple in enumerate(triples)}

    def make(self, variable: int, low: int, high: int) -> int:
        if high == BOTTOM:
            return low
        triple = (variable, low, high)
        number = self._number.setdefault(triple, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(triple)
        return number

    def cofactors(self, node: int, variable: int, memo: dict[int, tuple[int, int]]) -> int:
        """Fill `memo[node]` with the sets without and with `variable`, the latter without it."""
        pending = [node]
        while pending:
            self._steps += 1
            if self._steps % 2048 == 0:
                self._budget.look()
            at = pending[-1]
            if at in memo:
                pending.pop()
                continue
            if at < 0 or self.nodes[at][0] > variable:
                memo[at] = (at, BOTTOM)
                continue
            top, low, high = self.nodes[at]
            if top == variable:
                memo[at] = (low, high)
                continue
            missing = [child for child in (low, high) if child not in memo]
            if missing:
                pending.extend(missing)
                continue
            memo[at] = (
                self.make(top, memo[low][0], memo[high][0]),
                self.make(top, memo[low][1], memo[high][1]),
            )
        return node


def rebuilt(nodes: Nodes, old: Mapping[int, int], budget: Budget) -> Nodes:
    """Return the diagram in which new variable ``n`` is the old variable ``old[n]``.

    Level by level: the families still to be told apart are split by the next variable. Equal
    families are equal nodes, so each is split once.
    """
    table = _Table(list(walk(nodes)), budget)
    level: dict[int, int] = {nodes.root: 0}
    rows: list[tuple[int, int, int]] = []
    made = 0
    for new in sorted(old):
        memo: dict[int, tuple[int, int]] = {}
        split = []
        following: dict[int, int] = {}
        for family in budget.watched(level, every=64):
            table.cofactors(family, old[new], memo)
            low, high = memo[family]
            split.append((low, high))
            following.setdefault(low, len(following))
            following.setdefault(high, len(following))
        base = made + len(level)
        for low, high in split:
            rows.append((new, base + following[low], base + following[high]))
        made = base
        level = following
    # What is left after the last variable is ⊥ or ⊤ and nothing else.
    ends = list(level)
    array = np.array(rows, dtype=np.int64).reshape(-1, 3)
    place = np.arange(made + len(ends))
    place[made:] = ends
    root = int(place[0])
    made_nodes = sorted_nodes(array[:, 0], place[array[:, 1]], place[array[:, 2]], root)
    return reduced(made_nodes, budget)
