"""A drawing of a small diagram."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from sapper.field import Cell
from sapper.zdd.nodes import BOTTOM, TOP, Nodes, walk

MAX_DRAWN: Final = 300
"""The most nodes that are drawn; beyond, nobody can read the picture."""

_STEP_X: Final = 64
_STEP_Y: Final = 60
_RADIUS: Final = 20
_MARGIN: Final = 24


def svg(nodes: Nodes, cells: Sequence[Cell]) -> str:
    """Return the diagram as SVG: a row per variable, low edges dashed, high edges solid.

    Raises
    ------
    ValueError
        If there are more than `MAX_DRAWN` nodes.
    """
    size = len(nodes.variable)
    if size > MAX_DRAWN:
        raise ValueError(f"{size} nodes are too many for a picture; at most {MAX_DRAWN} are drawn")
    place = _places(nodes)
    width = max(x for x, _ in place.values()) + _STEP_X / 2 + 2 * _MARGIN
    height = max(y for _, y in place.values()) + _STEP_Y / 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_MARGIN} 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="12" '
        'text-anchor="middle" stroke="#333" fill="#fff">',
        f'<rect x="{-_MARGIN}" width="{width:g}" height="{height:g}" stroke="none"/>',
    ]
    for number, (_, low, high) in enumerate(walk(nodes)):
        for child, style in ((low, ' stroke-dasharray="4 3"'), (high, "")):
            (x1, y1), (x2, y2) = place[number], place[child]
            middle = (y1 + y2) / 2
            # An edge past other levels goes round what stands straight below.
            levels = (y2 - y1) / _STEP_Y
            straight = abs(x2 - x1) < _STEP_X / 2 and levels > 1
            bend = (8 if style else -8) * (2 + levels if straight else 1)
            lines.append(
                f'<path d="M{x1:g} {y1 + _RADIUS:g} C{x1 - bend:g} {middle:g} '
                f'{x2 - bend:g} {middle:g} {x2:g} {y2 - _RADIUS:g}" fill="none"{style}/>'
            )
    for number, (variable, _, _) in enumerate(walk(nodes)):
        x, y = place[number]
        label = escape(str(cells[variable]))
        lines.append(f'<ellipse cx="{x:g}" cy="{y:g}" rx="{_RADIUS + 6}" ry="{_RADIUS}"/>')
        lines.append(f'<text x="{x:g}" y="{y + 4:g}" stroke="none" fill="#111">{label}</text>')
    for terminal, sign in ((BOTTOM, "⊥"), (TOP, "⊤")):
        if terminal in place:
            x, y = place[terminal]
            corner = f'x="{x - _RADIUS:g}" y="{y - _RADIUS:g}"'
            lines.append(f'<rect {corner} width="{2 * _RADIUS}" height="{2 * _RADIUS}"/>')
            lines.append(f'<text x="{x:g}" y="{y + 4:g}" stroke="none" fill="#111">{sign}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _places(nodes: Nodes) -> dict[int, tuple[float, float]]:
    """Return where each node stands: rows in order of variables, each sorted by its parents."""
    rows = [list(range(level.start, level.stop)) for level in reversed(nodes.levels)]
    ends = {child for _, low, high in walk(nodes) for child in (low, high) if child < 0}
    rows.append(sorted(ends or {nodes.root}))
    pull: dict[int, list[float]] = {}
    place: dict[int, tuple[float, float]] = {}
    widest = max(len(row) for row in rows)
    for depth, row in enumerate(rows):
        row.sort(key=lambda node: sum(pull.get(node, [0])) / len(pull.get(node, [0])))
        start = (widest - len(row)) / 2
        for column, node in enumerate(row):
            x = (start + column + 0.5) * _STEP_X + 8
            place[node] = (x, (depth + 0.5) * _STEP_Y)
            if node >= 0:
                pull.setdefault(int(nodes.low[node]), []).append(x - 1)
                pull.setdefault(int(nodes.high[node]), []).append(x + 1)
    return place
