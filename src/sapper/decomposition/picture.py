"""Pictures of tree decompositions, as SVG text with no dependency."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from sapper.decomposition.nice import _rooted
from sapper.decomposition.tree_decomposition import TreeDecomposition, sorted_cells
from sapper.field import Cell

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
