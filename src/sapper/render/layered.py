"""Layered drawings of acyclic graphs, as Sugiyama, Tagawa and Toda (1981) draw them.

Edges that pass other layers get a point on each; points are ordered by medians until no round
brings fewer crossings, and then move towards their neighbours as far as the order allows.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

__all__ = ["Layered", "layered"]

_ROUNDS: Final = 24
# Long edges are followed most easily where they are straight.
_STIFFNESS: Final = {0: 1.0, 1: 2.0, 2: 8.0}


Edge: TypeAlias = tuple[int, int, int]


class Layered(NamedTuple):
    """Where the nodes stand across, and the points that each edge passes on its layers."""

    across: list[float]
    routes: list[list[tuple[float, int]]]


def layered(
    layers: Sequence[int],
    widths: Sequence[float],
    edges: Sequence[Edge],
    gap: float,
) -> Layered:
    """Place the nodes of a graph whose edges go from smaller to larger layers.

    Parameters
    ----------
    layers, widths
        The layer and the width of each node.
    edges
        Triples of a node, a node below it, and a kind. Long edges of one kind to one node share
        their way, which keeps them few and says no less.
    gap
        The room between neighbours.

    Examples
    --------
    >>> layered([0, 1, 1, 2], [10] * 4, [(0, 1, 0), (0, 2, 1), (1, 3, 0), (2, 3, 0)], 5).across
    [7.5, 0.0, 15.0, 7.5]
    """
    return _Drawing(layers, widths, edges, gap).made()


class _Drawing:
    def __init__(
        self,
        layers: Sequence[int],
        widths: Sequence[float],
        edges: Sequence[Edge],
        gap: float,
    ) -> None:
        self.real = len(layers)
        self.layer = list(layers)
        self.width = list(widths)
        self.gap = gap
        self.ways: list[list[int]] = []
        self.up: list[list[int]] = [[] for _ in layers]
        self.down: list[list[int]] = [[] for _ in layers]
        self._route(edges)
        self.rows: list[list[int]] = [[] for _ in range(max(self.layer, default=-1) + 1)]
        for node, layer in enumerate(self.layer):
            self.rows[layer].append(node)

    def _route(self, edges: Sequence[Edge]) -> None:
        """Put a point on every layer that an edge passes, and tie the points together."""
        points: dict[tuple[int, int, int], int] = {}
        tied: set[tuple[int, int]] = set()
        for start, end, kind in edges:
            way = [start]
            for layer in range(self.layer[start] + 1, self.layer[end]):
                key = (end, kind, layer)
                if key not in points:
                    points[key] = len(self.layer)
                    self.layer.append(layer)
                    self.width.append(0.0)
                    self.up.append([])
                    self.down.append([])
                way.append(points[key])
            way.append(end)
            self.ways.append(way)
            for one, other in itertools.pairwise(way):
                if (one, other) not in tied:
                    tied.add((one, other))
                    self.down[one].append(other)
                    self.up[other].append(one)

    def made(self) -> Layered:
        self._order()
        x = self._across()
        left = min((x[node] for node in range(self.real)), default=0.0)
        routes = [[(x[point] - left, self.layer[point]) for point in way] for way in self.ways]
        return Layered([round(x[node] - left, 2) for node in range(self.real)], routes)

    def _order(self) -> None:
        best = [row[:] for row in self.rows]
        least = self._crossings()
        for turn in range(_ROUNDS):
            if not least:
                break
            downwards = turn % 2 == 0
            near = self.up if downwards else self.down
            rows = self.rows[1:] if downwards else self.rows[-2::-1]
            place = {node: at for row in self.rows for at, node in enumerate(row)}
            for row in rows:
                middle = {
                    node: _median([place[other] for other in near[node]], at)
                    for at, node in enumerate(row)
                }
                row.sort(key=middle.__getitem__)
                place.update((node, at) for at, node in enumerate(row))
            self._swap()
            found = self._crossings()
            if found < least:
                least, best = found, [row[:] for row in self.rows]
        self.rows = best

    def _swap(self) -> None:
        """Exchange neighbours while that takes crossings away."""
        for _ in range(4):
            changed = False
            place = {node: at for row in self.rows for at, node in enumerate(row)}
            for row in self.rows:
                for at in range(len(row) - 1):
                    one, other = row[at], row[at + 1]
                    gain = 0
                    for near in (self.up, self.down):
                        ours = [place[node] for node in near[one]]
                        theirs = [place[node] for node in near[other]]
                        gain += sum((a > b) - (a < b) for a in ours for b in theirs)
                    if gain > 0:
                        row[at], row[at + 1] = other, one
                        place[one], place[other] = at + 1, at
                        changed = True
            if not changed:
                return

    def _crossings(self) -> int:
        place = {node: at for row in self.rows for at, node in enumerate(row)}
        total = 0
        for row in self.rows:
            seen: list[int] = []
            for node in row:
                ends = sorted(place[other] for other in self.down[node])
                total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
                for end in ends:
                    insort(seen, end)
        return total

    def _across(self) -> list[float]:
        x = [0.0] * len(self.layer)
        for row in self.rows:
            at = 0.0
            for node in row:
                x[node] = at + self.width[node] / 2
                at += self.width[node] + self.gap
            for node in row:
                x[node] -= (at - self.gap) / 2
        for turn in range(3 * _ROUNDS):
            rows = self.rows if turn % 2 == 0 else self.rows[::-1]
            for row in rows:
                wanted, weights = [], []
                for node in row:
                    pull = [
                        (x[other], _STIFFNESS[(node >= self.real) + (other >= self.real)])
                        for other in (*self.up[node], *self.down[node])
                    ]
                    weight = sum(one for _, one in pull)
                    weights.append(weight or 0.1)
                    wanted.append(sum(a * b for a, b in pull) / weight if weight else x[node])
                for node, place in zip(row, self._settled(row, wanted, weights), strict=True):
                    x[node] = place
        return x

    def _settled(self, row: list[int], wanted: list[float], weights: list[float]) -> list[float]:
        """Return the places nearest to the wanted ones that keep order and room.

        Less the room that they need, places must ascend: neighbours that would not are pooled at
        their mean.
        """
        need = [0.0]
        for one, other in itertools.pairwise(row):
            need.append(need[-1] + (self.width[one] + self.width[other]) / 2 + self.gap)
        pools: list[list[float]] = []  # mean, weight, size
        for place, room, weight in zip(wanted, need, weights, strict=True):
            pools.append([place - room, weight, 1])
            while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
                mean, mass, size = pools.pop()
                last = pools[-1]
                last[0] = (last[0] * last[1] + mean * mass) / (last[1] + mass)
                last[1] += mass
                last[2] += size
        means = [mean for mean, _, size in pools for _ in range(int(size))]
        return [mean + room for mean, room in zip(means, need, strict=True)]


def _median(places: list[int], default: int) -> float:
    """Return the middle of some places; those without neighbours stay where they are."""
    if not places:
        return default
    places = sorted(places)
    middle = len(places) // 2
    return places[middle] if len(places) % 2 else (places[middle - 1] + places[middle]) / 2
