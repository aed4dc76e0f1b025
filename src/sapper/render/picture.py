"""Boards as scalable pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import TYPE_CHECKING, Final

from sapper.clues import Clues, Puzzle
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
from sapper.render.shapes import check, clean, mine, number, text

if TYPE_CHECKING:
    from sapper.analysis import Analysis

__all__ = ["draw", "frame", "svg"]

# Larger boards are drawn as one dot a cell, larger networks not at all.
MAX_TILES: Final = 10_000
MAX_NODES: Final = 20_000
# Hovering over a cell tells about it, as long as that does not bloat the file.
_TITLED: Final = 2_500
_CAPTION: Final = 24.0
_LETTER: Final = 6.1
_FONT: Final = "font-family=\"system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif\""


def svg(puzzle: Puzzle, analysis: Analysis | None = None) -> str:
    r"""Draw a position, or a clue system, as SVG.

    Blue cells with a tick are safe, orange ones with a mine are mines, and the rest say how likely
    they are mines: nothing uncertain is ever shown as 0 % or 100 %. Where no cell is safe, the
    best guesses have a dark frame. The picture scales to any size, needs no colour vision and
    contains no script. Boards of more than 10,000 cells become one dot a cell.

    Parameters
    ----------
    puzzle : Position or Clues
        What to draw.
    analysis : Analysis, optional
        What `sapper.analyze` found; without it the board is drawn as it is.

    Examples
    --------
    >>> import sapper
    >>> position = sapper.parse("1??\n12?\n_1?", mines=2)
    >>> picture = svg(position, sapper.analyze(position, method="brute"))
    >>> picture.startswith("<svg") and picture.endswith("</svg>")
    True
    """
    return draw(Scene(puzzle, analysis))


def draw(scene: Scene) -> str:
    """Return the picture of a scene."""
    puzzle = scene.puzzle
    if isinstance(puzzle, Clues) or puzzle.topology.geometry is None:
        things = len(scene.cells) + (len(puzzle.clues) if isinstance(puzzle, Clues) else 0)
        if things > MAX_NODES:
            note = f"too large to draw: more than {MAX_NODES:,} nodes"
            return frame(scene, 420, 24, [text(12, 26, note, f'fill="{MUTED}" font-size="13"')])
    elif len(scene.cells) > MAX_TILES:
        from sapper.render.overview import overview

        return overview(scene)
    layout = arrange(scene)
    parts = [*layout.below, *_tiles(scene, layout), *layout.above, *_rings(scene, layout)]
    return frame(scene, layout.width, layout.height, parts)


def frame(scene: Scene, width: float, height: float, parts: Iterable[str]) -> str:
    """Return a whole picture: page, title, parts and caption."""
    words = [*scene.title.split(" · "), *scene.finding.split(" · ")]
    width = max(width, 20 + _LETTER * max(map(len, words)))
    lines = _wrapped(words, width - 16)
    tall = ceil(height + _CAPTION + 15 * (len(lines) - 1))
    wide = ceil(width)
    caption = [
        text(10, height + 10 + 15 * place, line, f'fill="{MUTED}" font-size="11"')
        for place, line in enumerate(lines)
    ]
    title = " · ".join(part for part in (scene.title, scene.finding) if part)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}"'
            f' width="{wide}" height="{tall}" role="img"'
            f" {_FONT}><title>{clean(title)}</title>",
            f'<rect width="{wide}" height="{tall}" rx="8" fill="{PAGE}"/>',
            *parts,
            *caption,
            "</svg>",
        ]
    )


def _wrapped(words: list[str], width: float) -> list[str]:
    """Join captions by dots into lines that fit."""
    lines: list[str] = []
    for word in words:
        if not word:
            continue
        if lines and _LETTER * (len(lines[-1]) + 3 + len(word)) <= width:
            lines[-1] += " · " + word
        else:
            lines.append(word)
    return lines


def _fill(tile: Tile) -> tuple[str, str]:
    """Return the colours of a tile and of its border."""
    match tile.kind:
        case "number":
            return PAPER, LINE
        case "free":
            return FREE, LINE
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


def _tiles(scene: Scene, layout: Layout) -> Iterator[str]:
    """Draw the tiles, equal ones in one element, then their signs."""
    tiles = [scene.tile(index) for index in range(len(layout.centres))]
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
    mines, known, ticks, free = [], [], [], []
    numbers, chances = [], []
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
            case "unknown":
                chances.append(text(x, y + 3.7, tile.text))
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
    if free:
        yield f'<path d="{"".join(free)}" fill="none" stroke="{MUTED}" stroke-width="1.2"/>'


def _rings(scene: Scene, layout: Layout) -> Iterator[str]:
    """Frame the best guesses, and the numbers that are plainly wrong."""
    for cells, colour in ((scene.best, ACCENT), (scene.wrong, MINE)):
        if cells:
            wanted = set(cells)
            outlines = [
                layout.outline(*layout.centres[index])
                for index, cell in enumerate(scene.cells)
                if cell in wanted
            ]
            yield f'<path d="{"".join(outlines)}" fill="none" stroke="{colour}"'
            yield ' stroke-width="2.4" pointer-events="none"/>'
