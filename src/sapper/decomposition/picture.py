"""Pictures of graphs and their decompositions, as SVG text with no dependency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import cos, hypot, pi, sin
from typing import Any, Final

from sapper.decomposition.nice import _rooted
from sapper.decomposition.tree_decomposition import TreeDecomposition, sorted_cells, topology_of
from sapper.field import Cell, Position

_CHARACTER: Final = 8.0
_HEIGHT: Final = 30.0
_GAP: Final = 18.0
_STEP: Final = 62.0
_STYLE: Final = (
    'font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" text-anchor="middle"'
)


def decomposition_svg(
    decomposition: TreeDecomposition,
    *,
    root: int = 0,
    highlight: Cell | None = None,
    captions: Sequence[str] | None = None,
) -> str:
    """Return the tree of a decomposition, root on top, one box per bag.

    Parameters
    ----------
    decomposition
        What to draw; its nodes must form a tree.
    root
        The node on top.
    highlight
        A vertex whose bags are shaded: by condition (3) they hang together.
    captions
        A word for each node, written above its box.
    """
    if not decomposition.bags:
        return _svg(40, 40, [])
    order, children = _rooted(decomposition, root)
    texts = [", ".join(map(str, sorted_cells(bag))) or "∅" for bag in decomposition.bags]
    widths = [max(len(text) * _CHARACTER + 16, 44.0) for text in texts]
    # A subtree is as wide as its children side by side, or as its own box if that is wider.
    spans = list(widths)
    for node in reversed(order):
        below = sum(spans[child] + _GAP for child in children[node]) - _GAP
        spans[node] = max(widths[node], below)
    left, depth = {root: _GAP}, {root: 0}
    for node in order:
        below = sum(spans[child] + _GAP for child in children[node]) - _GAP
        at = left[node] + (spans[node] - below) / 2
        for child in children[node]:
            left[child], depth[child] = at, depth[node] + 1
            at += spans[child] + _GAP
    middle = {
        node: (left[node] + spans[node] / 2, _GAP + 20 + depth[node] * _STEP) for node in order
    }
    parts = [_line(middle[node], middle[child]) for node in order for child in children[node]]
    for node in order:
        x, y = middle[node]
        fill = (
            "#fde68a" if highlight is not None and highlight in decomposition.bags[node] else "#fff"
        )
        parts.append(
            f'<rect x="{x - widths[node] / 2:.1f}" y="{y - _HEIGHT / 2:.1f}"'
            f' width="{widths[node]:.1f}" height="{_HEIGHT}" rx="8" fill="{fill}"'
            ' stroke="#475569"/>'
        )
        parts.append(_text(x, y, texts[node]))
        caption = captions[node] if captions is not None else str(node + 1)
        side = x - widths[node] / 2 + len(caption) * 3
        parts.append(_text(side, y - _HEIGHT / 2 - 7, caption, small=True))
    height = 2 * _GAP + 20 + max(depth.values()) * _STEP + _HEIGHT
    return _svg(spans[root] + 2 * _GAP, height, parts)


def graph_svg(graph: Any, *, places: Mapping[Cell, tuple[float, float]] | None = None) -> str:
    """Return a graph with its names and, for a position, its labels.

    Parameters
    ----------
    graph
        A field, a position or a networkx graph.
    places
        Where to draw each vertex, in any units; by default on a circle for few vertices, and by a
        spring layout for many.
    """
    field = topology_of(graph)
    points = dict(places) if places is not None else _layout(field)
    if not points:
        return _svg(40, 40, [])
    xs, ys = [p[0] for p in points.values()], [p[1] for p in points.values()]
    spread = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    nearest = _nearest(list(points.values())) or spread
    scale = min(max(70.0 / nearest, 240.0 / spread), 2400.0 / spread)
    at = {
        cell: (30 + (x - min(xs)) * scale, 30 + (y - min(ys)) * scale)
        for cell, (x, y) in points.items()
    }
    parts = [
        _line(at[cell], at[other])
        for cell in field.cells
        for other in field.neighbours(cell)
        if field.index(cell) < field.index(other)
    ]
    for cell in field.cells:
        x, y = at[cell]
        label = str(graph.label(cell)) if isinstance(graph, Position) else ""
        fill = {"": "#fff", "?": "#cbd5e1", "*": "#fca5a5", "_": "#fff"}.get(label, "#dbeafe")
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="16" fill="{fill}" stroke="#475569"/>')
        parts.append(_text(x, y, label or str(cell)))
        if label:
            parts.append(_text(x, y - 22, str(cell), small=True))
    return _svg(60 + (max(xs) - min(xs)) * scale, 60 + (max(ys) - min(ys)) * scale, parts)


def _layout(field: Any) -> dict[Cell, tuple[float, float]]:
    size = len(field)
    if len(field.shape) == 2:
        return {cell: (float(cell[1]), float(cell[0])) for cell in field.cells}
    if size <= 8:
        return {
            cell: (sin(2 * pi * place / size), -cos(2 * pi * place / size))
            for place, cell in enumerate(field.cells)
        }
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((i, j) for i in range(size) for j in field.neighbours_at(i))
    found = networkx.spring_layout(graph, seed=1)
    return {field.cells[i]: (float(x), float(y)) for i, (x, y) in found.items()}


def _nearest(points: list[tuple[float, float]]) -> float:
    if len(points) > 400:
        return 0.0
    gaps = (hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(points) for b in points[i + 1 :])
    return min(gaps, default=0.0)


def _line(one: tuple[float, float], two: tuple[float, float]) -> str:
    return (
        f'<line x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{two[0]:.1f}" y2="{two[1]:.1f}"'
        ' stroke="#94a3b8" stroke-width="1.5"/>'
    )


def _text(x: float, y: float, text: str, *, small: bool = False) -> str:
    # Small text may stand on a line; a rim in the colour of the ground keeps it readable.
    rim = ' paint-order="stroke" stroke="#f8fafc" stroke-width="4"'
    size = ' font-size="10" fill="#64748b"' + rim if small else ' fill="#0f172a"'
    return f'<text x="{x:.1f}" y="{y + 4.5:.1f}"{size}>{escape(text)}</text>'


def _svg(width: float, height: float, parts: list[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
            f' viewBox="0 0 {width:.0f} {height:.0f}" {_STYLE}>',
            '<rect width="100%" height="100%" fill="#f8fafc"/>',
            *parts,
            "</svg>",
            "",
        ]
    )
