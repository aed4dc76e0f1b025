"""Where the cells of a field stand on a drawing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from typing import Final

from sapper.clues import Clues
from sapper.field import Geometry
from sapper.render.palette import EDGE, INK, MUTED
from sapper.render.scene import Scene
from sapper.render.shapes import hexagon, number, square, text

__all__ = ["CELL", "PAGE", "Layout", "arrange"]

CELL: Final = 34.0
MARGIN: Final = 30.0
_HALF: Final = CELL / 2 - 1
_CORNER: Final = 4.0
_HEX: Final = 21.0
PAGE: Final = 1400.0


@dataclass
class Layout:
    """Centres and outlines of the cells, and what is drawn around them."""

    width: float
    height: float
    centres: list[tuple[float, float]]
    outline: Callable[[float, float], str]
    inside: float
    """How far the signs may reach from the centre."""
    below: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    zeros: bool = False
    """Whether a 0 is written; on a board it is an empty tile."""


def arrange(scene: Scene) -> Layout:
    """Return the layout of a puzzle: lattices by their rows, everything else as a network."""
    puzzle = scene.puzzle
    if isinstance(puzzle, Clues):
        from sapper.render.network import clue_layout

        return clue_layout(scene, puzzle)
    geometry = puzzle.topology.geometry
    if geometry is None:
        from sapper.render.network import graph_layout

        return graph_layout(scene, puzzle.topology)
    if geometry.hexagonal:
        return _hex(geometry)
    return _flat(geometry) if len(puzzle.topology.shape) == 2 else _box(geometry)


def _flat(lattice: Geometry) -> Layout:
    height, width = lattice.height, lattice.width
    centres = list(_block(height, width, MARGIN, MARGIN))
    right, bottom = MARGIN + width * CELL, MARGIN + height * CELL
    pad = 18.0 if lattice.wraps else 10.0
    layout = Layout(right + pad, bottom + pad, centres, _tile, CELL / 2)
    layout.below += _axes(height, width, MARGIN, MARGIN)
    if lattice.wraps:
        layout.above.append(_seams(right, bottom))
    return layout


def _tile(x: float, y: float) -> str:
    return square(x, y, _HALF, _CORNER)


def _block(height: int, width: int, left: float, top: float) -> list[tuple[float, float]]:
    return [
        (left + (column + 0.5) * CELL, top + (row + 0.5) * CELL)
        for row, column in product(range(height), range(width))
    ]


def _axes(height: int, width: int, left: float, top: float) -> list[str]:
    """Return the numbers of rows and columns."""
    columns = [
        text(left + (column + 0.5) * CELL, top - 10, str(column)) for column in _ticks(width)
    ]
    rows = [
        text(left - 8, top + (row + 0.5) * CELL + 3.5, str(row), 'text-anchor="end"')
        for row in _ticks(height)
    ]
    return [f'<g fill="{MUTED}" font-size="10" text-anchor="middle">', *columns, *rows, "</g>"]


def _ticks(length: int) -> range:
    return range(0, length, 1 if length <= 60 else 5)


def _seams(right: float, bottom: float) -> str:
    """Return the marks that say which borders meet: the way topologists draw a torus."""
    left = top = MARGIN - 3
    right, bottom = right + 3, bottom + 3
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    edges = f"M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"
    marks = [f"M{number(x - 4)} {number(middle_y + 4)}l4-8l4 8z" for x in (left, right)]
    for y in (top, bottom):
        marks += [f"M{number(middle_x + shift)} {number(y - 4)}l8 4l-8 4z" for shift in (-9, 0)]
    return (
        f'<path d="{edges}" fill="none" stroke="{EDGE}" stroke-dasharray="5 4"/>'
        f'<path d="{"".join(marks)}" fill="{INK}"/>'
    )


def _hex(lattice: Geometry) -> Layout:
    height, width = lattice.height, lattice.width
    step, drop = _HEX * sqrt(3), _HEX * 1.5
    top, left = MARGIN + _HEX, MARGIN + step / 2
    centres = [
        (left + (column + row / 2) * step, top + row * drop)
        for row, column in product(range(height), range(width))
    ]
    layout = Layout(
        left + (width - 1 + (height - 1) / 2) * step + step / 2 + 12,
        top + (height - 1) * drop + _HEX + 12,
        centres,
        _comb,
        _HEX * 0.78,
    )
    columns = [text(left + column * step, MARGIN - 9, str(column)) for column in _ticks(width)]
    rows = [
        text(
            left + row / 2 * step - step / 2 - 6,
            top + row * drop + 3.5,
            str(row),
            'text-anchor="end"',
        )
        for row in _ticks(height)
    ]
    layout.below += [f'<g fill="{MUTED}" font-size="10" text-anchor="middle">']
    layout.below += [*columns, *rows, "</g>"]
    return layout


def _comb(x: float, y: float) -> str:
    return hexagon(x, y, _HEX - 1.2)


def _box(box: Geometry) -> Layout:
    """Lay the layers side by side, and go on below where the page ends."""
    across = box.width * CELL + MARGIN + 12
    down = box.height * CELL + MARGIN + 30
    per_row = max(1, min(box.layers, int((PAGE - 10) // across)))
    centres: list[tuple[float, float]] = []
    below: list[str] = []
    for layer in range(box.layers):
        line, place = divmod(layer, per_row)
        left, top = place * across + MARGIN, line * down + MARGIN + 20
        centres += _block(box.height, box.width, left, top)
        below += _axes(box.height, box.width, left, top)
        below.append(text(left, top - 25, f"layer {layer}", f'fill="{MUTED}" font-size="12"'))
    lines = -(-box.layers // per_row)
    return Layout(per_row * across, lines * down, centres, _tile, CELL / 2, below)
