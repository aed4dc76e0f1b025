"""Places for the nodes of any graph: deterministic, and without a solver to install."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sapper.limits import load

if TYPE_CHECKING:
    import numpy

    Plane: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.complex128]]

__all__ = ["Point", "apart", "place"]

Point: TypeAlias = tuple[float, float]
Rows: TypeAlias = Sequence[Sequence[int]]

_STRESSED: Final = 600
_ROUNDS: Final = 120
_APART: Final = 0.78


def place(rows: Rows) -> list[Point]:
    """Return a place for every node; neighbours are about one unit apart.

    Components are drawn on their own and packed into lines. Up to a few hundred nodes the
    distances on paper follow those in the graph (stress majorization, Gansner, Koren and North
    2004), started from networkx's spectral layout; larger components grow as rings around a
    central node.

    Parameters
    ----------
    rows
        The neighbours of each node, by index.

    Examples
    --------
    >>> [(x, y)] = place([[]])
    >>> len(place([[1], [0, 2], [1]]))
    3
    """
    places: list[Point] = [(0.0, 0.0)] * len(rows)
    parts = []
    for part in _components(rows):
        points = _stressed(rows, part) if 2 < len(part) <= _STRESSED else _rings(rows, part)
        parts.append((part, *_boxed(points)))
    # Tall ones first, so that a line wastes little of its height.
    parts.sort(key=lambda entry: (-entry[3], -entry[2], entry[0][0]))
    page = 1.3 * sqrt(sum((wide + 1) * (high + 1) for _, _, wide, high in parts))
    page = max(page, max((wide for _, _, wide, _ in parts), default=0.0))
    left = top = deep = 0.0
    for part, points, wide, high in parts:
        if left and left + wide > page:
            left, top, deep = 0.0, top + deep + 1.2, 0.0
        for node, (x, y) in zip(part, points, strict=True):
            places[node] = (left + x, top + y)
        left, deep = left + wide + 1.2, max(deep, high)
    return places


def _components(rows: Rows) -> list[list[int]]:
    seen = [False] * len(rows)
    parts = []
    for start in range(len(rows)):
        if not seen[start]:
            parts.append(sorted(_around(rows, start)))
            for node in parts[-1]:
                seen[node] = True
    return parts


def _around(rows: Rows, start: int) -> dict[int, int]:
    """Return the distance of every node that can be reached, nearest first."""
    distance = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in rows[node]:
            if other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance


def _boxed(points: list[Point]) -> tuple[list[Point], float, float]:
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide, high = max(x for x, _ in points) - left, max(y for _, y in points) - top
    return [(x - left, y - top) for x, y in points], wide, high


def _stressed(rows: Rows, part: list[int]) -> list[Point]:
    load("numpy")
    import networkx
    import numpy

    index = {node: place for place, node in enumerate(part)}
    count = len(part)
    wanted = numpy.zeros((count, count))
    for node in part:
        for other, steps in _around(rows, node).items():
            wanted[index[node], index[other]] = steps
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    # Symmetric graphs have planes of eigenvectors, and of each the sign is free: which ones are
    # found depends on the processor. Edges that weigh a little differently leave lines, and the
    # farthest node their direction.
    graph.add_weighted_edges_from(
        (index[a], index[b], 1 + 0.05 * cos(index[a] + 2.7 * index[b]))
        for a in part
        for b in rows[a]
        if a < b
    )
    spectral = networkx.spectral_layout(graph, scale=wanted.max() / 2)
    axes = numpy.array([spectral[node] for node in range(count)])
    axes *= numpy.sign(axes[numpy.abs(axes).argmax(axis=0), range(2)] + 1e-300)
    # The plane as complex numbers: a place is one number, a distance one absolute value.
    places = axes[:, 0] + 1j * axes[:, 1]
    # Equal nodes share a spectral place; a small spiral parts them.
    steps_out = numpy.arange(count)
    places += 0.05 * numpy.sqrt(steps_out + 1) * numpy.exp(2.399963j * steps_out)
    weights = 1 / numpy.maximum(wanted, 1) ** 2
    numpy.fill_diagonal(weights, 0)
    laplacian = numpy.diag(weights.sum(axis=1)) - weights
    # The inverse up to shifts, which a drawing does not mind.
    inverse = numpy.linalg.inv(laplacian + 1 / count) - 1 / count
    strength = weights * wanted
    for _ in range(min(_ROUNDS, 40 + 6000 // count)):
        between = places[:, None] - places[None]
        pull = strength / numpy.maximum(numpy.abs(between), 1e-9)
        moved = inverse @ (pull * between).sum(axis=1)
        settled = numpy.abs(moved - places).max() < 1e-3
        places = moved
        if settled:
            break
    return [(float(place.real), float(place.imag)) for place in _lying(_parted(places))]


def _parted(places: Plane) -> Plane:
    """Push nodes apart that would cover each other."""
    import numpy

    spread = numpy.ptp(places.real) * numpy.ptp(places.imag)
    # Make room first where nodes are crowded; a line has no area and needs none.
    if spread > 1:
        places = places * max(1.0, (1.6 * len(places) * _APART**2 / spread) ** 0.5)
    for _ in range(40):
        between = places[:, None] - places[None]
        gaps = numpy.abs(between)
        numpy.fill_diagonal(gaps, numpy.inf)
        if gaps.min() >= 0.97 * _APART:
            break
        push = numpy.maximum(_APART - gaps, 0) / numpy.maximum(gaps, 1e-6)
        places = places + 0.5 * (push * between).sum(axis=1)
    return places


def apart(points: Sequence[Point], wide: Sequence[float], high: float) -> list[Point]:
    """Push boxes of given widths and one height apart until none overlaps.

    Each round moves every pair that overlaps along the axis on which it takes less.

    Examples
    --------
    >>> (_, high), (_, low) = apart([(0, 0), (2, 1)], [10, 10], 5)
    >>> round(low - high, 1) >= 4.9
    True
    """
    import numpy

    at = numpy.array(points, dtype=float)
    # Equal places have no direction: a small spiral gives them one.
    turns = numpy.arange(len(at))
    at += 1e-3 * numpy.column_stack((numpy.cos(turns), numpy.sin(turns)))
    sizes = (numpy.add.outer(numpy.array(wide), numpy.array(wide)) / 2, high)
    for _ in range(200):
        gaps = [at[:, None, axis] - at[None, :, axis] for axis in (0, 1)]
        over = [size - abs(gap) for size, gap in zip(sizes, gaps, strict=True)]
        hit = (over[0] > 0.1) & (over[1] > 0.1)
        numpy.fill_diagonal(hit, False)
        if not hit.any():
            break
        sideways = over[0] < over[1]
        for axis, chosen in ((0, hit & sideways), (1, hit & ~sideways)):
            push = numpy.where(chosen, over[axis] * numpy.sign(gaps[axis]), 0)
            at[:, axis] += 0.5 * push.sum(axis=1) / numpy.maximum(chosen.sum(axis=1), 1)
    return [(float(x), float(y)) for x, y in at]


def _lying(places: Plane) -> Plane:
    """Turn the longest side to the horizontal, as pages are."""
    import numpy

    centred = places - places.mean()
    # Twice the angle of the main axis is the angle of the sum of squares.
    turned = centred * numpy.exp(-0.5j * numpy.angle((centred**2).sum()))
    # Let the first node stand at the upper left; of one in the middle rounding decides where it is.
    axes = []
    for axis in (turned.real, turned.imag):
        away = axis[abs(axis) > 1e-6 * abs(turned).max()]
        axes.append(-axis if len(away) and away[0] > 0 else axis)
    flipped: Plane = axes[0] + 1j * axes[1]
    return flipped


def _rings(rows: Rows, part: list[int]) -> list[Point]:
    """Put nodes on rings by their distance from the middle, children near their parents."""
    if len(part) == 1:
        return [(0.0, 0.0)]
    far = next(reversed(_around(rows, part[0])))
    distance = _around(rows, far)
    # Walk back half of a long path to stand about in the middle.
    middle = next(reversed(distance))
    for _ in range(distance[middle] // 2):
        middle = next(other for other in rows[middle] if distance[other] < distance[middle])
    distance = _around(rows, middle)
    parent = {middle: middle}
    for node in distance:
        for other in rows[node]:
            parent.setdefault(other, node)
    leaves = dict.fromkeys(distance, 0)
    for node in reversed(distance):
        leaves[node] = leaves[node] or 1
        if node != middle:
            leaves[parent[node]] += leaves[node]
    spread = max(1.0, leaves[middle] / (2 * pi * max(distance.values())))
    start = {middle: 0.0}
    used: dict[int, float] = {}
    places = {middle: (0.0, 0.0)}
    for node in distance:
        if node == middle:
            continue
        above = parent[node]
        begin = used.get(above, start[above])
        share = 2 * pi * leaves[node] / leaves[middle]
        start[node], used[above] = begin, begin + share
        angle, radius = begin + share / 2, distance[node] * spread
        places[node] = (radius * cos(angle), radius * sin(angle))
    return [places[node] for node in part]
