"""Decision diagrams as pictures: a row for each variable, ⊤ at the bottom, ⊥ left out."""

from __future__ import annotations

import itertools
from math import ceil
from typing import TYPE_CHECKING, Final

from sapper.answers import cell_name
from sapper.errors import FormatError
from sapper.render.layered import layered
from sapper.render.palette import EDGE, FREE, INK, LINE, MINE, MUTED, PAPER, SAFE
from sapper.render.picture import sheet
from sapper.render.shapes import number, text
from sapper.render.wording import plural

if TYPE_CHECKING:
    from sapper.zdd import Zdd

__all__ = ["MAX_DRAWN", "diagram"]

MAX_DRAWN: Final = 300
"""The most nodes that are drawn; beyond, nobody can read the picture."""

_DOWN: Final = 62.0
_HIGH: Final = 26.0
_LETTER: Final = 7.4
_GAP: Final = 18.0
_PAD: Final = 26.0
_LONGEST: Final = 16
_CAPTION: Final = ("solid: a mine here", "dashed: none", "what leads to no solution is left out")


def diagram(zdd: Zdd) -> str:
    """Draw a diagram as SVG.

    A solid orange edge leads on with a mine in the cell, a dashed blue one without; every path to
    ⊤ is a solution. Edges to ⊥ are left out.

    Raises
    ------
    FormatError
        If there are more than `MAX_DRAWN` nodes.
    """
    nodes = zdd.nodes
    if len(nodes) > MAX_DRAWN:
        raise FormatError(
            f"{len(nodes)} nodes are too many for a picture; at most {MAX_DRAWN} are drawn"
        )
    used = {cell for cell, _, _ in nodes}
    rows = {cell: row for row, cell in enumerate(c for c in zdd.cells if c in used)}
    names = [_shortened(cell_name(cell)) for cell, _, _ in nodes]
    top = len(nodes)
    edges = []
    for at, (_, low, high) in enumerate(nodes):
        for kind, child in enumerate((low, high)):
            if child != -1:  # ⊥
                edges.append((at, top if child < 0 else child, kind))
    layers = [rows[cell] for cell, _, _ in nodes] + [len(rows)]
    wide = [max(30.0, _LETTER * len(name) + 14) for name in names] + [30.0]
    made = layered(layers, wide, edges, _GAP)
    rims = [(x - w / 2, x + w / 2) for x, w in zip(made.across, wide, strict=True)]
    rims += [(x, x) for route in made.routes for x, _ in route]
    left, right = min(one for one, _ in rims), max(other for _, other in rims)
    parts = []
    for kind, style in ((0, f'stroke="{SAFE}" stroke-dasharray="5 3"'), (1, f'stroke="{MINE}"')):
        paths = {
            _curve(route, 4.0 if kind else -4.0, left)
            for route, (_, _, one) in zip(made.routes, edges, strict=True)
            if one == kind
        }
        parts.append(f'<path d="{"".join(sorted(paths))}" fill="none" {style} stroke-width="1.6"/>')
    parts.append(f'<g text-anchor="middle" font-size="12" fill="{INK}">')
    empty = not nodes and not zdd
    for at, (x, width) in enumerate(zip(made.across, wide, strict=True)):
        y = _PAD + layers[at] * _DOWN
        name = names[at] if at < top else ("⊥" if empty else "⊤")
        fill, line = (FREE, EDGE) if at < top else (PAPER, LINE)
        corner = _HIGH / 2 if at < top else 5
        parts.append(
            f'<rect x="{number(x - left + _PAD - width / 2)}" y="{number(y - _HIGH / 2)}"'
            f' width="{number(width)}" height="{number(_HIGH)}" rx="{number(corner)}"'
            f' fill="{fill}" stroke="{line}"/>'
        )
        parts.append(text(x - left + _PAD, y + 4.2, name))
    parts.append("</g>")
    title = f"ZDD of {plural(len(nodes), 'node')}"
    height = _PAD + len(rows) * _DOWN + _HIGH
    width = max(right - left + 2 * _PAD, 250.0)
    for line_, words in enumerate((title, *_CAPTION[: 3 if nodes else 0])):
        parts.append(text(10, height + 12 + 15 * line_, words, f'fill="{MUTED}" font-size="11"'))
    tall = height + 26 + 15 * (3 if nodes else 0)
    return sheet(ceil(width), ceil(tall), parts, title)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _curve(route: list[tuple[float, int]], shift: float, left: float) -> str:
    """Return an edge from the lower rim of a node to the upper rim of another, bent smoothly."""
    points = [(x - left + _PAD, _PAD + layer * _DOWN) for x, layer in route]
    (x, y), (u, v) = points[0], points[-1]
    points[0], points[-1] = (x + 1.6 * shift, y + _HIGH / 2), (u + shift, v - _HIGH / 2)
    d = f"M{number(points[0][0])} {number(points[0][1])}"
    for (x, y), (u, v) in itertools.pairwise(points):
        half = (v - y) / 2
        ways = ((x, y + half), (u, v - half), (u, v))
        d += "C" + " ".join(f"{number(a)} {number(b)}" for a, b in ways)
    return d
