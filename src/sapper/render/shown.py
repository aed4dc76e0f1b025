"""Whatever can be shown, as a picture, as a piece of a web page, or in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sapper.clues import Clues
from sapper.errors import FormatError, MethodError, quoted
from sapper.field import Cell, Position
from sapper.render.diagram import MAX_DRAWN, diagram
from sapper.render.page import framed, page
from sapper.render.picture import draw_all
from sapper.render.reviewed import picture
from sapper.render.scene import Explained, Scene, World, worlds_of
from sapper.render.wording import amount, plural

if TYPE_CHECKING:
    from sapper.analysis import Analysis

__all__ = ["html", "save", "svg"]

_WORLDS: Final = 4


class _Show(NamedTuple):
    """What is drawn: a scene, or several side by side under its caption; and what is written."""

    whole: Scene
    several: Sequence[Scene] = ()
    steps: Sequence[str] = ()


class _Solutions(Scene):
    """The caption of some solutions."""

    def __init__(self, view: Any, shown: int) -> None:
        super().__init__(getattr(view, "puzzle", view.clues))
        try:
            number = view.count()
        except MethodError:  # those that go through solutions one by one
            self._finding = f"{plural(shown, 'solution')} of these"
        else:
            some = f"{shown} of " if number > shown else ""
            self._finding = f"{some}{amount(number)} solution{'' if number == 1 else 's'}"

    @property
    def finding(self) -> str:
        """How many there are."""
        return self._finding


def _show(shown: Any, analysis: Analysis | None, places: Mapping[Any, Any] | None) -> _Show:
    if isinstance(shown, Position | Clues):
        return _Show(Scene(shown, analysis, places))
    from sapper.analysis import Analysis, Explanation, Session

    if isinstance(shown, Session):
        shown = shown.analyze()
    if isinstance(shown, Analysis):
        return _Show(Scene(shown.puzzle, shown, places))
    if isinstance(shown, Explanation):
        texts = [step.text for step in shown.steps]
        return _Show(Explained(shown, places), worlds_of(shown, places), texts)
    if hasattr(shown, "sample") and hasattr(shown, "clues"):
        found = list(islice(shown, _WORLDS))
        puzzle = getattr(shown, "puzzle", shown.clues)
        return _Show(_Solutions(shown, len(found)), [World(puzzle, one) for one in found])
    raise FormatError(f"there is no picture of {quoted(shown)}")


def _is_diagram(shown: Any) -> bool:
    return hasattr(shown, "nodes") and hasattr(shown, "to_dot")


def _is_review(shown: Any) -> bool:
    return hasattr(shown, "luck") and hasattr(shown, "moves")


def svg(
    shown: Any,
    analysis: Analysis | None = None,
    *,
    places: Mapping[Cell, tuple[float, float]] | None = None,
) -> str:
    r"""Draw a position, clues, an analysis, an explanation, solutions, a ZDD or a review as SVG.

    Blue cells with a tick are safe, orange ones with a mine are mines, and the rest say how likely
    they are mines: nothing uncertain is ever shown as 0 % or 100 %. Where no cell is safe, the
    best guesses have a dark frame. In an explanation the numbers that force the verdict have a
    thick frame and the number of the step that first uses them, the cells they speak of a thin
    one; a cell that cannot be decided shows both worlds. A review shows the end of the game, its
    guesses in a dark frame and its mistakes in an orange one, and how the luck went. The picture
    scales to any size, needs no colour vision and contains no script. Boards of more than 10,000
    cells become one dot a cell.

    Parameters
    ----------
    shown
        What to draw.
    analysis : Analysis, optional
        What `sapper.analyze` found of a position or a clue system.
    places : mapping, optional
        Where the vertices of a graph stand: a pair of numbers for each, x to the right and y down,
        in any unit.

    Examples
    --------
    >>> import sapper
    >>> position = sapper.parse("1??\n12?\n_1?", mines=2)
    >>> picture = svg(position, sapper.analyze(position, method="brute"))
    >>> picture.startswith("<svg") and picture.endswith("</svg>")
    True
    """
    if _is_diagram(shown):
        return diagram(shown)
    if _is_review(shown):
        return picture(shown)
    show = _show(shown, analysis, places)
    return draw_all(show.whole, show.several)


def html(
    shown: Any,
    analysis: Analysis | None = None,
    *,
    places: Mapping[Cell, tuple[float, float]] | None = None,
) -> str:
    r"""Draw as HTML: the picture, what its signs mean, where to dig, and the reasons if any.

    Parameters are those of `svg`.

    Examples
    --------
    >>> import sapper
    >>> page = html(sapper.parse("1?\n??"))
    >>> page.startswith("<div") and "<svg" in page
    True
    """
    if _is_diagram(shown):
        drawn = len(shown) <= MAX_DRAWN
        return framed(diagram(shown) if drawn else f"ZDD of {plural(len(shown), 'node')}")
    if _is_review(shown):
        return framed(picture(shown))
    show = _show(shown, analysis, places)
    return page(show.whole, draw_all(show.whole, show.several), show.steps)


def save(
    shown: Any,
    path: str | Path,
    analysis: Analysis | None = None,
    *,
    places: Mapping[Cell, tuple[float, float]] | None = None,
) -> None:
    """Write a picture to a file whose name ends in ``.svg`` or ``.html``; without ending, SVG.

    Parameters are those of `svg`.

    Raises
    ------
    FormatError
        If the name ends otherwise.
    """
    target = Path(path)
    make = {".svg": svg, "": svg, ".html": html}.get(target.suffix.lower())
    if make is None:
        raise FormatError(f"a picture is .svg or .html, not {quoted(target.name)}")
    target.write_text(make(shown, analysis, places=places) + "\n", encoding="utf-8")
