"""Drawings of graphs and of bare clue systems."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isfinite
from typing import Final

from sapper.answers import cell_name, digits
from sapper.clues import Clues
from sapper.errors import PositionError, quoted
from sapper.field import Cell, Topology
from sapper.render.layout import Layout
from sapper.render.palette import EDGE, INK, PAPER
from sapper.render.placing import Point, apart, place
from sapper.render.scene import Scene
from sapper.render.shapes import circle, number, square, text

__all__ = ["clue_layout", "graph_layout"]

_UNIT: Final = 66.0
_RADIUS: Final = 17.0
_PAD: Final = 40.0
_NAMED: Final = 1500
_LONGEST: Final = 14
_LETTER: Final = 6.4
_WIDEST: Final = 40.0
_STRESSED: Final = 600


def graph_layout(scene: Scene, graph: Topology) -> Layout:
    """Lay out a graph: cells are circles, with their names below."""
    rows = [graph.neighbours_at(index) for index in range(len(graph))]
    names = [_shortened(cell) for cell in scene.cells]
    layout, _ = _drawn(rows, names, _chosen(scene))
    _name(layout, names)
    return layout


def clue_layout(scene: Scene, clues: Clues) -> Layout:
    """Lay out a clue system: clues are squares with their sums, tied to their circles."""
    cells = len(clues.cells)
    rows: list[list[int]] = [[] for _ in range(cells + len(clues.clues))]
    for at, clue in enumerate(clues.clues, start=cells):
        for cell in clue.cells:
            rows[at].append(clues.index[cell])
            rows[clues.index[cell]].append(at)
    names = [_shortened(cell) for cell in clues.cells]
    layout, places = _drawn(rows, names)
    boxes = "".join(square(x, y, _RADIUS - 2, 3) for x, y in places[cells:])
    layout.below.append(f'<path d="{boxes}" fill="{PAPER}" stroke="{INK}" stroke-width="1.4"/>')
    layout.below.append(f'<g fill="{INK}" font-size="14" font-weight="700" text-anchor="middle">')
    for (x, y), clue in zip(places[cells:], clues.clues, strict=True):
        count = digits(clue.count)
        small = "" if len(count) <= 3 else f'font-size="{number(max(3.0, 42 / len(count)))}"'
        layout.below.append(text(x, y + 5, count, small))
    layout.below.append("</g>")
    for at, clue in enumerate(clues.clues, start=cells):
        for cell, weight in clue.terms if clue.weights else ():
            (x, y), (u, v) = places[at], places[clues.index[cell]]
            layout.above.append(
                text(
                    x + (u - x) * 0.66,
                    y + (v - y) * 0.66 + 3,
                    digits(weight)[:8],
                    f'fill="{INK}" font-size="8" text-anchor="middle" stroke="#fff"'
                    ' stroke-width="2.5" paint-order="stroke"',
                )
            )
    _name(layout, names)
    return layout


def _shortened(cell: Cell) -> str:
    name = cell_name(cell)
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _chosen(scene: Scene) -> list[Point] | None:
    """Return the places that somebody chose, scaled so that circles do not cover each other."""
    if scene.places is None:
        return None
    try:
        points = [(float(x), float(y)) for x, y in (scene.places[c] for c in scene.cells)]
    except KeyError as error:
        raise PositionError(f"the cell {quoted(error.args[0])} has no place") from None
    except (TypeError, ValueError):
        raise PositionError("a place is a pair of numbers for each cell") from None
    if not all(isfinite(x) and isfinite(y) for x, y in points):
        raise PositionError("places must be finite")
    left, top = min(x for x, _ in points), min(y for _, y in points)
    spread = max(max(x - left, y - top) for x, y in points) or 1.0
    nearest = min(
        (hypot(x - u, y - v) for at, (x, y) in enumerate(points) for u, v in points[:at]),
        default=spread,
    )
    scale = min(1.1 / nearest if nearest else spread, _WIDEST / spread)
    return [((x - left) * scale, (y - top) * scale) for x, y in points]


def _drawn(
    rows: Sequence[Sequence[int]], names: Sequence[str], chosen: list[Point] | None = None
) -> tuple[Layout, list[Point]]:
    points = [(_UNIT * x, _UNIT * y) for x, y in chosen or place(rows)]
    wide = [max(2 * _RADIUS, _LETTER * len(name)) + 4 for name in names]
    wide += [2 * _RADIUS] * (len(rows) - len(names))
    if chosen is None and 2 < len(points) <= _STRESSED:
        points = apart(points, wide, 2 * _RADIUS + 14)
    left = min((x - w / 2 for (x, _), w in zip(points, wide, strict=True)), default=0.0)
    top = min((y for _, y in points), default=0.0) - _RADIUS
    places = [(x - left + _PAD / 2, y - top + _PAD / 2) for x, y in points]
    lines = [
        f"M{number(places[one][0])} {number(places[one][1])}"
        f"L{number(places[other][0])} {number(places[other][1])}"
        for one, row in enumerate(rows)
        for other in row
        if one < other
    ]
    width = max((x + w / 2 for (x, _), w in zip(places, wide, strict=True)), default=0.0)
    height = max((y for _, y in places), default=0.0) + _PAD
    cells = places[: len(names)]
    layout = Layout(width + _PAD / 2, height, cells, _disc, _RADIUS * 0.9, zeros=True)
    if lines:
        layout.below.append(
            f'<path d="{"".join(lines)}" fill="none" stroke="{EDGE}" stroke-width="1.3"/>'
        )
    return layout, places


def _disc(x: float, y: float) -> str:
    return circle(x, y, _RADIUS)


def _name(layout: Layout, names: Sequence[str]) -> None:
    if len(names) > _NAMED:
        return
    style = (
        f'fill="{INK}" font-size="10" text-anchor="middle" stroke="#fff" stroke-width="3"'
        ' stroke-linejoin="round" paint-order="stroke"'
    )
    layout.above.append(f"<g {style}>")
    for (x, y), name in zip(layout.centres, names, strict=True):
        layout.above.append(text(x, y + _RADIUS + 11, name))
    layout.above.append("</g>")
