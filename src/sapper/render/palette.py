"""Colours for every face: blue for free, orange for mines, told apart by all kinds of eyesight.

The strong colours are those of Okabe and Ito (2008), chosen for colour-blind readers. No meaning
hangs on colour alone: certain cells carry a sign, and uncertain ones a number.
"""

from __future__ import annotations

from functools import cache
from typing import Final

__all__ = [
    "ACCENT",
    "COVERED",
    "EDGE",
    "FREE",
    "INK",
    "KNOWN_MINE",
    "LINE",
    "MINE",
    "MUTED",
    "PAGE",
    "PAPER",
    "SAFE",
    "WHITE",
    "ramp",
    "shaded",
]

SAFE: Final = "#0072b2"
MINE: Final = "#d55e00"
KNOWN_MINE: Final = "#3e4c59"
COVERED: Final = "#b4c0cc"
PAPER: Final = "#f4f5f3"
FREE: Final = "#e9edf0"
PAGE: Final = "#ffffff"
INK: Final = "#1f2933"
MUTED: Final = "#6b7883"
LINE: Final = "#cfd6dc"
EDGE: Final = "#9aa7b2"
ACCENT: Final = "#1f2933"
WHITE: Final = "#ffffff"

# Uncertain cells run from pale blue over cream to pale orange: dark text stays readable on all.
_STOPS: Final = ((0, (184, 219, 242)), (50, (250, 243, 224)), (100, (246, 178, 107)))


def ramp(chance: float) -> str:
    """Return the colour of a cell that is a mine with this probability.

    Examples
    --------
    >>> ramp(0.0), ramp(0.5), ramp(1.0)
    ('#b8dbf2', '#faf3e0', '#f6b26b')
    """
    # A hundred steps are more than an eye can tell, and let equal colours share one element.
    return _mixed(round(100 * min(max(chance, 0.0), 1.0)))


@cache
def _mixed(percent: int) -> str:
    (low, one), (high, other) = _STOPS[:2] if percent <= 50 else _STOPS[1:]
    share = (percent - low) / (high - low)
    mixed = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def shaded(colour: str) -> str:
    """Return a colour a little darker, to tell neighbours of the same colour apart.

    Examples
    --------
    >>> shaded("#ffffff")
    '#e0e0e0'
    """
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part * 0.88):02x}" for part in parts)
