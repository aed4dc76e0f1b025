"""Drawings of graphs and of bare clue systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sapper.clues import Clues
from sapper.field import Cell, Topology
from sapper.render.layout import Layout
from sapper.render.palette import EDGE, INK, PAPER
from sapper.render.placing import place
from sapper.render.scene import Scene
from sapper.render.shapes import circle, number, square, text
from sapper.render.wording import cell_name, digits

__all__ = ["clue_layout", "graph_layout"]

_UNIT: Final = 66.0
_RADIUS: Final = 17.0
_PAD: Final = 40.0
_NAMED: Final = 1500
_LONGEST: Final = 14


def graph_layout(scene: Scene, graph: Topology) -> Layout:
    """Lay out a graph: cells are circles, with their names below."""
    rows = [graph.neighbours_at(index) for index in range(len(graph))]
    layout, _ = _drawn(rows, len(graph))
    _name(layout, scene.cells)
    return layout


def clue_layout(scene: Scene, clues: Clues) -> Layout:
    """Lay out a clue system: clues are squares with their sums, tied to their circles."""
    cells = len(clues.cells)
    rows: list[list[int]] = [[] for _ in range(cells + len(clues.clues))]
    for at, clue in enumerate(clues.clues, start=cells):
        for cell in clue.cells:
            rows[at].append(clues.index[cell])
            rows[clues.index[cell]].append(at)
    layout, places = _drawn(rows, cells)
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
    _name(layout, clues.cells)
    return layout


def _drawn(rows: Sequence[Sequence[int]], cells: int) -> tuple[Layout, list[tuple[float, float]]]:
    places = [(_PAD + _UNIT * x, _PAD + _UNIT * y) for x, y in place(rows)]
    lines = [
        f"M{number(places[one][0])} {number(places[one][1])}"
        f"L{number(places[other][0])} {number(places[other][1])}"
        for one, row in enumerate(rows)
        for other in row
        if one < other
    ]
    width = max((x for x, _ in places), default=0.0) + _PAD
    height = max((y for _, y in places), default=0.0) + _PAD
    layout = Layout(width, height, places[:cells], _disc, _RADIUS * 0.9, zeros=True)
    if lines:
        layout.below.append(
            f'<path d="{"".join(lines)}" fill="none" stroke="{EDGE}" stroke-width="1.3"/>'
        )
    return layout, places


def _disc(x: float, y: float) -> str:
    return circle(x, y, _RADIUS)


def _name(layout: Layout, cells: Sequence[Cell]) -> None:
    if len(cells) > _NAMED:
        return
    style = (
        f'fill="{INK}" font-size="10" text-anchor="middle" stroke="#fff" stroke-width="3"'
        ' stroke-linejoin="round" paint-order="stroke"'
    )
    layout.above.append(f"<g {style}>")
    for (x, y), cell in zip(layout.centres, cells, strict=True):
        name = cell_name(cell)
        shown = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
        layout.above.append(text(x, y + _RADIUS + 11, shown))
    layout.above.append("</g>")
