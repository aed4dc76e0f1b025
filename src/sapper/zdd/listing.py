"""All sets of a diagram, one by one and fast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sapper.clues import Solution
from sapper.field import Cell
from sapper.limits import Budget
from sapper.zdd.counting import counts
from sapper.zdd.nodes import BOTTOM, TOP, Nodes

_TAILS = 1 << 12


def listed(nodes: Nodes, cells: Sequence[Cell], budget: Budget) -> Iterator[Solution]:
    """Yield every set: those without a node's cell before those with it.

    Below a node with few sets these are kept as a list, so that most steps are a union of two
    ready sets; memory stays within some thousand sets per level.
    """
    if nodes.root == BOTTOM:
        return
    below = counts(nodes, budget)
    variable, low, high = nodes.variable.tolist(), nodes.low.tolist(), nodes.high.tolist()
    tails: dict[int, list[Solution]] = {BOTTOM: [], TOP: [frozenset()]}

    def tail(node: int) -> list[Solution]:
        pending = [node]
        while pending:
            at = pending[-1]
            missing = [child for child in (low[at], high[at]) if child not in tails]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if at not in tails:
                mined = frozenset((cells[variable[at]],))
                tails[at] = tails[low[at]] + [mined | rest for rest in tails[high[at]]]
        return tails[node]

    stack: list[tuple[int, Solution]] = [(nodes.root, frozenset())]
    kept = 0
    while stack:
        node, mined = stack.pop()
        if node == BOTTOM:
            continue
        if node < 0 or below[node] <= _TAILS:
            if node not in tails:
                if kept > 64 * _TAILS:
                    tails, kept = {BOTTOM: [], TOP: [frozenset()]}, 0
                kept += 2 * below[node]
                tail(node)
            for rest in budget.watched(tails[node]):
                yield mined | rest
        else:
            stack.append((high[node], mined | {cells[variable[node]]}))
            stack.append((low[node], mined))
