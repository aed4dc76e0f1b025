"""Boards as scalable pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Final

from sapper.clues import Clues
from sapper.field import Position
from sapper.render.layout import PAGE as PAGE_WIDTH
from sapper.render.layout import Layout, arrange
from sapper.render.palette import (
    ACCENT,
    COVERED,
    EDGE,
    FREE,
    INK,
    KNOWN_MINE,
    LINE,
    MINE,
    MUTED,
    PAGE,
    PAPER,
    SAFE,
    WHITE,
    ramp,
)
from sapper.render.scene import Scene, Tile
from sapper.render.shapes import check, circle, clean, mine, number, text

__all__ = ["draw", "draw_all", "frame", "parts_of", "sheet", "too_large"]

# Larger boards are drawn as one dot a cell, larger networks not at all.
MAX_TILES: Final = 10_000
MAX_NODES: Final = 20_000
# Hovering over a cell tells about it, as long as that does not bloat the file.
_TITLED: Final = 2_500
_CAPTION: Final = 24.0
_LETTER: Final = 6.1
_HEADING: Final = 22.0
_NARROWEST: Final = 260.0
_FRAMES: Final = {
    "spoken": (SAFE, 1.8),
    "best": (ACCENT, 2.4),
    "wrong": (MINE, 2.8),
    "clue": (ACCENT, 3.2),
    "asked": (ACCENT, 3.2),
}
_FONT: Final = "font-family=\"system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif\""


def draw(scene: Scene) -> str:
    """Return the picture of a scene."""
    kind = too_large(scene)
    if kind == "board":
        from sapper.render.overview import overview

        return overview(scene)
    if kind:
        note = f"too large to draw: more than {MAX_NODES:,} nodes"
        return frame(scene, 420, 24, [text(12, 26, note, f'fill="{MUTED}" font-size="13"')])
    layout = arrange(scene)
    return frame(scene, layout.width, layout.height, parts_of(scene, layout))


def draw_all(whole: Scene, scenes: Sequence[Scene]) -> str:
    """Return several scenes side by side in one picture, with the caption of the whole."""
    if not scenes or too_large(scenes[0]):
        return draw(whole)
    parts: list[str] = []
    left = top = right = deep = 0.0
    for scene in scenes:
        layout = arrange(scene)
        if left and left + layout.width > PAGE_WIDTH:
            left, top, deep = 0.0, top + deep, 0.0
        parts.append(f'<g transform="translate({number(left)} {number(top + _HEADING)})">')
        words = f'fill="{INK}" font-size="13" font-weight="600"'
        parts += [text(12, 4, scene.finding, words), *parts_of(scene, layout), "</g>"]
        left += layout.width
        right, deep = max(right, left), max(deep, layout.height + _HEADING)
    return frame(whole, right, top + deep, parts)


def too_large(scene: Scene) -> str:
    """Return what is too large to draw cell by cell, a board or a network; nothing if it fits."""
    puzzle, cells = scene.puzzle, len(scene.cells)
    if isinstance(puzzle, Position) and puzzle.topology.geometry is not None:
        return "board" if cells > MAX_TILES else ""
    things = cells + (len(puzzle.clues) if isinstance(puzzle, Clues) else 0)
    return "network" if things > MAX_NODES else ""


def parts_of(scene: Scene, layout: Layout) -> list[str]:
    """Return the elements of a scene: tiles with their signs, and frames above them."""
    tiles = [scene.tile(index) for index in range(len(layout.centres))]
    drawn = [*layout.below, *_tiles(scene, tiles, layout), *layout.above]
    return [*drawn, *_frames(tiles, layout)]


def frame(scene: Scene, width: float, height: float, parts: Iterable[str]) -> str:
    """Return a whole picture: page, title, parts and caption."""
    width = max(width, _NARROWEST)
    words = [*scene.title.split(" · "), *scene.finding.split(" · ")]
    lines = _wrapped(words, int((width - 16) / _LETTER))
    tall = ceil(height + _CAPTION + 15 * (len(lines) - 1))
    wide = ceil(width)
    caption = [
        text(10, height + 10 + 15 * place, line, f'fill="{MUTED}" font-size="11"')
        for place, line in enumerate(lines)
    ]
    title = " · ".join(part for part in (scene.title, scene.finding) if part)
    return sheet(wide, tall, [*parts, *caption], title)


def sheet(wide: int, tall: int, parts: Iterable[str], title: str) -> str:
    """Return a picture: its parts on a page, with a title for those who hover or listen."""
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}"'
            f' width="{wide}" height="{tall}" role="img"'
            f" {_FONT}><title>{clean(title)}</title>",
            f'<rect width="{wide}" height="{tall}" rx="8" fill="{PAGE}"/>',
            *parts,
            "</svg>",
        ]
    )


def _wrapped(words: list[str], letters: int) -> list[str]:
    """Join captions by dots into lines that fit, and break those that do not at spaces."""
    lines: list[str] = []
    for word in filter(None, words):
        if lines and len(lines[-1]) + 3 + len(word) <= letters:
            lines[-1] += " · " + word
        else:
            lines += textwrap.wrap(word, letters)
    return lines


def _fill(tile: Tile) -> tuple[str, str]:
    """Return the colours of a tile and of its border."""
    match tile.kind:
        case "number":
            return PAPER, LINE
        case "free":
            return FREE, LINE
        case "empty":
            return FREE, EDGE
        case "known":
            return KNOWN_MINE, KNOWN_MINE
        case "safe":
            return SAFE, SAFE
        case "mine":
            return MINE, MINE
        case "unknown" if tile.chance is not None:
            return ramp(tile.chance), EDGE
        case _:
            return COVERED, EDGE


def _tiles(scene: Scene, tiles: list[Tile], layout: Layout) -> Iterator[str]:
    """Draw the tiles, equal ones in one element, then their signs."""
    by_fill: dict[tuple[str, str], list[int]] = {}
    for index, tile in enumerate(tiles):
        by_fill.setdefault(_fill(tile), []).append(index)
    titled = len(tiles) <= _TITLED
    for (fill, border), members in by_fill.items():
        yield f'<g fill="{fill}" stroke="{border}">'
        outlines = [layout.outline(*layout.centres[index]) for index in members]
        if titled:
            for index, outline in zip(members, outlines, strict=True):
                yield f'<path d="{outline}"><title>{clean(scene.describe(index))}</title></path>'
        else:
            yield f'<path d="{"".join(outlines)}"/>'
        yield "</g>"
    # Signs are not in the way of the pointer: the tile below tells its title.
    yield '<g pointer-events="none" text-anchor="middle">'
    yield from _signs(tiles, layout)
    yield "</g>"


def _signs(tiles: list[Tile], layout: Layout) -> Iterator[str]:
    inside = layout.inside
    mines, known, ticks, free, rings = [], [], [], [], []
    numbers, chances, notes = [], [], []
    for tile, (x, y) in zip(tiles, layout.centres, strict=True):
        match tile.kind:
            case "number" if tile.number or layout.zeros:
                small = tile.number > 99
                size = f'font-size="{number(2.1 * inside / len(tile.text))}"' if small else ""
                numbers.append(text(x, y + (inside * 0.1 if small else 5.6), tile.text, size))
            case "mine":
                mines.append(mine(x, y, inside * 0.52))
            case "known":
                known.append(mine(x, y, inside * 0.52))
            case "safe":
                ticks.append(check(x, y, inside * 0.45))
            case "free":
                half = inside * 0.24
                free.append(
                    f"M{number(x - half)} {number(y - half)}h{number(2 * half)}v{number(2 * half)}"
                    f"h{number(-2 * half)}z"
                )
            case "empty":
                rings.append(circle(x, y, inside * 0.26))
            case "unknown":
                chances.append(text(x, y + 3.7, tile.text))
        if tile.note:
            notes.append(text(x + inside * 0.66, y - inside * 0.38, tile.note))
    if numbers:
        yield f'<g fill="{INK}" font-size="16" font-weight="600">{"".join(numbers)}</g>'
    if chances:
        size = number(min(10.5, inside * 0.66))
        yield f'<g fill="{INK}" font-size="{size}">{"".join(chances)}</g>'
    if mines or known:
        d = "".join([*mines, *known])
        yield f'<path d="{d}" fill="{WHITE}" stroke="{WHITE}" stroke-width="1.8"'
        yield ' stroke-linecap="round"/>'
    if ticks:
        yield f'<path d="{"".join(ticks)}" fill="none" stroke="{WHITE}" stroke-width="3.2"'
        yield ' stroke-linecap="round" stroke-linejoin="round"/>'
    if free or rings:
        d = "".join([*free, *rings])
        yield f'<path d="{d}" fill="none" stroke="{MUTED}" stroke-width="1.2"/>'
    if notes:
        yield f'<g fill="{ACCENT}" font-size="8" font-weight="700">{"".join(notes)}</g>'


def _frames(tiles: list[Tile], layout: Layout) -> Iterator[str]:
    """Frame the cells that one should look at."""
    for kind, (colour, width) in _FRAMES.items():
        outlines = [
            layout.outline(*centre)
            for tile, centre in zip(tiles, layout.centres, strict=True)
            if tile.frame == kind
        ]
        if outlines:
            yield f'<path d="{"".join(outlines)}" fill="none" stroke="{colour}"'
            yield f' stroke-width="{width}" pointer-events="none"/>'
