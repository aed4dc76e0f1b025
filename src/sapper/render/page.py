"""Boards as a piece of a web page, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sapper.answers import cell_name
from sapper.render.palette import ACCENT, INK, MINE, MUTED, PAGE, SAFE, WHITE, ramp
from sapper.render.scene import Scene
from sapper.render.shapes import clean
from sapper.render.wording import precise

__all__ = ["framed", "page"]

_LISTED: Final = 8


def page(scene: Scene, picture: str, steps: Sequence[str] = ()) -> str:
    """Return a picture with what its signs mean, where to dig, and the reasons if any."""
    below = _legend(scene) + _advice(scene) if scene.known is not None else ""
    if steps:
        items = "".join(f"<li>{clean(step)}</li>" for step in steps)
        below = (
            f'<div style="margin:4px 10px;max-width:44em"><b>{clean(scene.finding)}</b>'
            f'<ol style="margin:4px 0;padding-left:1.6em">{items}</ol></div>'
        )
    return framed(picture + below)


def framed(content: str) -> str:
    """Return a piece of a page on the ground that pictures are made for."""
    return (
        f'<div style="display:inline-block;max-width:96vw;overflow-x:auto;background:{PAGE};'
        f"color:{INK};border-radius:8px;"
        f'padding:4px 4px 8px;font:13px system-ui,sans-serif">{content}</div>'
    )


def _legend(scene: Scene) -> str:
    if not scene.verdicts:
        return ""
    signs = [_swatch(SAFE, WHITE, "✓", "safe"), _swatch(MINE, WHITE, "✹", "mine")]
    if scene.chances:
        signs.append(_swatch(ramp(0.3), INK, "30%", "chance of a mine"))
    if scene.best:
        signs.append(_swatch(PAGE, INK, "", "best guess", f"box-shadow:inset 0 0 0 2px {ACCENT};"))
    row = "".join(signs)
    return f'<div style="margin:4px 10px;color:{MUTED};font-size:12px">{row}</div>'


def _swatch(fill: str, ink: str, sign: str, meaning: str, style: str = "") -> str:
    return (
        f'<span style="display:inline-block;min-width:20px;line-height:18px;text-align:center;'
        f"padding:0 3px;margin-right:5px;border-radius:4px;background:{fill};color:{ink};"
        f'{style}font-size:11px">{sign or "&nbsp;"}</span>'
        f'<span style="margin-right:14px">{meaning}</span>'
    )


def _advice(scene: Scene) -> str:
    """Say which cells to dig."""
    safe = [cell for cell, verdict in scene.verdicts.items() if verdict == "safe"]
    if safe:
        words = "Safe to dig: " + _some([cell_name(cell) for cell in safe])
    elif scene.best:
        chance = precise(scene.chances[scene.best[0]])
        words = f"Best guess ({chance}): " + _some([cell_name(cell) for cell in scene.best])
    else:
        return ""
    return f'<div style="margin:4px 10px">{clean(words)}</div>'


def _some(names: list[str]) -> str:
    more = len(names) - _LISTED
    shown = " · ".join(names[:_LISTED])
    return f"{shown} and {more:,} more" if more > 0 else shown
