"""Explanations as pictures: the cell, the numbers of its core and the cells they speak of."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from sapper.clues import Clues
from sapper.field import COVERED, FREE, MINE, Cell
from sapper.render.layout import Layout, arrange
from sapper.render.palette import ACCENT, SAFE
from sapper.render.palette import MINE as RED
from sapper.render.picture import MAX_NODES, MAX_TILES, _tiles, draw, frame
from sapper.render.scene import Scene, Tile

if TYPE_CHECKING:
    from sapper.analysis import Explanation

__all__ = ["explanation_svg"]

_THICK: Final = 3.2
_THIN: Final = 1.8


class _Explained(Scene):
    """A board on which only the explained cell carries a verdict."""

    def __init__(self, explanation: Explanation) -> None:
        super().__init__(explanation.puzzle)
        self.explanation = explanation

    def tile(self, index: int) -> Tile:
        """Return the sign of the cell with this index."""
        code = COVERED if self._codes is None else self._codes[index]
        if code >= 0:
            return Tile("number", code)
        if code in (MINE, FREE):
            return Tile("known" if code == MINE else "free")
        explanation, cell = self.explanation, self.cells[index]
        if cell != explanation.cell or explanation.verdict == "inconsistent":
            return Tile("covered")
        chance = explanation.probability
        return Tile(explanation.verdict, 0, None if chance is None else float(chance))

    @property
    def finding(self) -> str:
        """The verdict in one line."""
        return self.explanation.summary


def explanation_svg(explanation: Explanation) -> str:
    r"""Draw an explanation as SVG.

    The numbers of the core have a thick frame and the covered cells they speak of a thin one;
    where clues contradict each other the frames are orange. For a cell that cannot be decided,
    the cells in which the two solutions differ are framed.

    Examples
    --------
    >>> import sapper
    >>> picture = explanation_svg(sapper.explain(sapper.parse("???\n121"), (0, 1)))
    >>> picture.startswith("<svg") and "2 clues" not in picture and "3 clues" in picture
    True
    """
    scene = _Explained(explanation)
    puzzle = scene.puzzle
    on_graph = isinstance(puzzle, Clues) or puzzle.topology.geometry is None
    if len(scene.cells) > (MAX_NODES if on_graph else MAX_TILES):
        return draw(scene)
    layout = arrange(scene)
    parts = [*layout.below, *_tiles(scene, layout), *layout.above]
    wrong = explanation.verdict == "inconsistent"
    spoken = {
        cell for clue in explanation.clues if clue is not explanation.total for cell in clue.cells
    }
    if explanation.solutions:
        with_mine, without = explanation.solutions
        spoken = set(with_mine ^ without)
    parts += _framed(scene, layout, spoken, RED if wrong else SAFE, _THIN)
    parts += _framed(scene, layout, explanation.places, RED if wrong else ACCENT, _THICK)
    return frame(scene, layout.width, layout.height, parts)


def _framed(
    scene: Scene, layout: Layout, cells: Collection[Cell], colour: str, width: float
) -> Iterator[str]:
    wanted = set(cells)
    outlines = [
        layout.outline(*layout.centres[index])
        for index, cell in enumerate(scene.cells)
        if cell in wanted
    ]
    if outlines:
        yield f'<path d="{"".join(outlines)}" fill="none" stroke="{colour}"'
        yield f' stroke-width="{width}" pointer-events="none"/>'
