"""A played game as a picture: where it was risked, and how the luck went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sapper.answers import cell_name
from sapper.field import Cell
from sapper.render.layout import arrange
from sapper.render.palette import INK, LINE, MINE, MUTED, SAFE, WHITE
from sapper.render.picture import draw, frame, parts_of, too_large
from sapper.render.scene import Frame, Scene, Tile
from sapper.render.shapes import circle, clean, number, text
from sapper.render.wording import plural, precise, short

if TYPE_CHECKING:
    from sapper.play import Review, ReviewedMove

__all__ = ["Reviewed", "picture"]

_TALL: Final = 108.0
_LEFT: Final = 46.0
_RIGHT: Final = 16.0
_SIGNS: Final = {"guess": (SAFE, "guess"), "mistake": (MINE, "mistake")}


class Reviewed(Scene):
    """The end of a game: its guesses have a dark frame, its mistakes an orange one."""

    def __init__(self, review: Review) -> None:
        super().__init__(review.position)
        self.review = review

    @cached_property
    def risks(self) -> list[tuple[int, ReviewedMove]]:
        """The moves that were not certain, each with its number in the game."""
        moves = enumerate(self.review.moves, start=1)
        return [(place, move) for place, move in moves if move.judgement in _SIGNS]

    @cached_property
    def risked(self) -> Mapping[Cell, tuple[int, int, ReviewedMove]]:
        """The cells that were dug without certainty: the how-manieth risk, and the move."""
        risked: dict[Cell, tuple[int, int, ReviewedMove]] = {}
        for order, (place, move) in enumerate(self.risks, start=1):
            for cell in move.dug:
                risked.setdefault(cell, (order, place, move))
        return risked

    @cached_property
    def frames(self) -> Mapping[Cell, Frame]:
        """Guesses and mistakes."""
        return {
            cell: "wrong" if move.judgement == "mistake" else "asked"
            for cell, (_, _, move) in self.risked.items()
        }

    def tile(self, index: int) -> Tile:
        """Return the sign of a cell; mines that stayed covered are shown in the end."""
        tile, cell = super().tile(index), self.cells[index]
        layout = self.review.layout
        if tile.kind == "known":  # it was dug
            tile = tile._replace(kind="mine")
        elif tile.kind == "covered" and self.review.status != "playing":
            mined = layout is not None and layout.mined[index]
            tile = tile._replace(kind="known" if mined else "covered")
        note = str(self.risked[cell][0]) if cell in self.risked else ""
        return tile._replace(note=note)

    def describe(self, index: int) -> str:
        """Return one line about a cell: how it was dug, if that was a risk."""
        cell = self.cells[index]
        if cell not in self.risked:
            return super().describe(index)
        _, place, move = self.risked[cell]
        risk = f"survived with {precise(move.survival)}"
        return f"{cell_name(cell)}: move {place}, a {move.judgement}, {risk}"

    @property
    def finding(self) -> str:
        """How it ended, and how lucky it was."""
        found = self.review
        luck = found.luck
        words = "certain" if luck == 1 else precise(luck) if luck else "0%"
        parts = [found.status, plural(len(found.moves), "move"), f"luck {words}"]
        parts.append(f"{found.guesses} guess{'' if found.guesses == 1 else 'es'}")
        return " · ".join([*parts, plural(found.mistakes, "mistake")])


def picture(review: Review) -> str:
    """Return the picture of a review: the board in the end, and below it the luck so far."""
    scene = Reviewed(review)
    if too_large(scene):
        return draw(scene)
    layout = arrange(scene)
    width = max(layout.width, 320.0)
    chart = _chart(scene, width - _LEFT - _RIGHT)
    place = f'<g transform="translate({number(_LEFT)} {number(layout.height + 14)})">'
    parts = [*parts_of(scene, layout), place, *chart, "</g>"]
    return frame(scene, width, layout.height + _TALL + 18, parts)


def _chart(scene: Reviewed, width: float) -> Iterator[str]:
    """Draw the chance of surviving all digs so far, move by move, as steps."""
    tall, moves = _TALL - 30, len(scene.review.moves)
    step = width / max(moves, 1)
    for share in (0.0, 0.5, 1.0):
        y = tall * (1 - share)
        yield f'<path d="M0 {number(y)}h{number(width)}" stroke="{LINE}" stroke-width="1"/>'
        words = f'fill="{MUTED}" font-size="10" text-anchor="end"'
        yield text(-6, y + 3.5, f"{100 * share:.0f}%", words)
    luck, path, dots = 1.0, "M0 0", []
    for order, (place, move) in enumerate(scene.risks, start=1):
        x = (place - 0.5) * step
        luck *= float(move.survival)
        y = tall * (1 - luck)
        path += f"H{number(x)}V{number(y)}"
        colour, word = _SIGNS[move.judgement]
        title = f"move {place}, a {word} at {cell_name(move.move.cell)}: {short(move.survival)}"
        dots.append(
            f'<path d="{circle(x, y, 4.2)}" fill="{colour}" stroke="{WHITE}" stroke-width="1.2">'
            f"<title>{clean(title)}</title></path>"
        )
        dots.append(text(x + 6, y - 4, str(order), f'fill="{INK}" font-size="9" font-weight="700"'))
    path += f"H{number(width)}"
    yield f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="1.6"/>'
    yield from dots
    words = f'fill="{MUTED}" font-size="10"'
    yield text(0, tall + 15, "luck: the chance of surviving every dig so far", words)
    yield text(width, tall + 15, f"move {moves:,}", f'{words} text-anchor="end"')
