"""Small pieces of SVG."""

from __future__ import annotations

import re
from html import escape
from typing import Final

__all__ = ["check", "circle", "clean", "hexagon", "mine", "number", "square", "text"]

# What XML 1.0 cannot hold, even escaped.
_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(content: str) -> str:
    r"""Return text as it may stand in a picture: escaped, and without what XML forbids.

    Examples
    --------
    >>> clean("a < b\x00") == "a &lt; b\N{REPLACEMENT CHARACTER}"
    True
    """
    return escape(_FORBIDDEN.sub("\ufffd", content), quote=False)


def number(value: float) -> str:
    """Return a coordinate with two decimals at most.

    Examples
    --------
    >>> number(3.0), number(2.3456), number(-0.001)
    ('3', '2.35', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def square(x: float, y: float, half: float, corner: float) -> str:
    """Return the path of a square around a point, its corners rounded."""
    side, c = number(2 * (half - corner)), number(corner)
    back = number(-2 * (half - corner))
    return (
        f"M{number(x - half + corner)} {number(y - half)}h{side}a{c} {c} 0 0 1 {c} {c}v{side}"
        f"a{c} {c} 0 0 1-{c} {c}h{back}a{c} {c} 0 0 1-{c}-{c}v{back}a{c} {c} 0 0 1 {c}-{c}z"
    )


def hexagon(x: float, y: float, radius: float) -> str:
    """Return the path of a hexagon that stands on a corner."""
    half, wide = radius / 2, radius * 0.8660254
    points = (
        (x, y - radius),
        (x + wide, y - half),
        (x + wide, y + half),
        (x, y + radius),
        (x - wide, y + half),
        (x - wide, y - half),
    )
    return "M" + "L".join(f"{number(px)} {number(py)}" for px, py in points) + "z"


def circle(x: float, y: float, radius: float) -> str:
    """Return the path of a circle."""
    r, across = number(radius), number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0z"


def mine(x: float, y: float, size: float) -> str:
    """Return the path of a mine, to be stroked and filled: a ball with eight spikes."""
    spikes = []
    for dx, dy in ((1.0, 0.0), (0.0, 1.0), (0.7071, 0.7071), (0.7071, -0.7071)):
        spikes.append(
            f"M{number(x - dx * size)} {number(y - dy * size)}"
            f"L{number(x + dx * size)} {number(y + dy * size)}"
        )
    return "".join(spikes) + circle(x, y, 0.58 * size)


def check(x: float, y: float, size: float) -> str:
    """Return the path of a tick, to be stroked."""
    return (
        f"M{number(x - 0.85 * size)} {number(y + 0.1 * size)}l{number(0.55 * size)} "
        f"{number(0.6 * size)}l{number(1.15 * size)}-{number(1.4 * size)}"
    )


def text(x: float, y: float, content: str, attributes: str = "") -> str:
    """Return a piece of text at a point."""
    space = " " if attributes else ""
    return f'<text x="{number(x)}" y="{number(y)}"{space}{attributes}>{clean(content)}</text>'
