"""Fields without rows as tables: one line a cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sapper.answers import cell_name, digits
from sapper.clues import Clue
from sapper.errors import expect
from sapper.field import Position, Topology
from sapper.render.scene import Scene
from sapper.render.wording import precise

__all__ = ["Table", "equation", "table"]

_SHOWN_NEIGHBOURS = 8


@dataclass(frozen=True, slots=True)
class Table:
    """Headings, and rows of as many entries."""

    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]
    hidden: int = 0

    def lines(self) -> Iterator[str]:
        """Yield the table as plain text, in columns."""
        every = [self.headings, *self.rows]
        widths = [max(map(len, column)) for column in zip(*every, strict=True)]
        for row in every:
            cells = zip(row, widths, strict=True)
            yield "  ".join(entry.ljust(width) for entry, width in cells).rstrip()


def table(scene: Scene, *, limit: int | None = None) -> Table:
    """Return the cells of a puzzle with what is known and what was found.

    Parameters
    ----------
    scene
        What to show.
    limit
        How many rows a reader can take in; the covered cells come first then.
    """
    puzzle = scene.puzzle
    graph = puzzle.topology if isinstance(puzzle, Position) else None
    places: list[int] | range = range(len(scene.cells))
    hidden = 0
    if limit is not None and len(places) > limit:
        shown = [index for index in places if scene.tile(index).chance is not None]
        if len(shown) < limit:
            taken = set(shown)
            shown += [index for index in places if index not in taken][: limit - len(shown)]
        places, hidden = shown[:limit], len(scene.cells) - limit
    headings = ["cell"]
    if graph is not None:
        headings.append("label")
    if scene.verdicts:
        headings += ["verdict", "chance"] if scene.chances else ["verdict"]
    if graph is not None:
        headings.append("neighbours")
    rows = [tuple(_entries(scene, index, graph)) for index in places]
    return Table(tuple(headings), rows, hidden)


def _entries(scene: Scene, index: int, graph: Topology | None) -> Iterator[str]:
    tile = scene.tile(index)
    yield cell_name(scene.cells[index])
    known = tile.kind in ("number", "free", "known")
    if graph is not None:
        yield {"number": str(tile.number), "free": "_", "known": "*"}.get(tile.kind, "?")
    if scene.verdicts:
        yield "" if known else tile.kind
        if scene.chances:
            unknown = tile.kind == "unknown" and tile.chance is not None
            yield precise(tile.chance or 0.0) if unknown else ""
    if graph is not None:
        around = graph.neighbours_at(index)
        names = [cell_name(graph.cells[place]) for place in around[:_SHOWN_NEIGHBOURS]]
        more = len(around) - len(names)
        yield " ".join([*names, f"(+{more})"] if more else names)


def equation(clue: Clue) -> str:
    """Return a clue as an equation; cells that are called numbers stand in brackets.

    Examples
    --------
    >>> equation(Clue(2, "vwx")), equation(Clue(0, "ab", weights=[3, -1]))
    ('v + w + x = 2', '3·a - b = 0')
    >>> equation(Clue(5, [1, 2], weights=[1, 2]))
    '[1] + 2·[2] = 5'
    """
    expect(clue, Clue, "a Clue is written")
    out = ""
    for cell, weight in clue.terms:
        sign = ("-" if weight < 0 else "") if not out else (" - " if weight < 0 else " + ")
        factor = "" if abs(weight) == 1 else f"{digits(abs(weight))}·"
        name = cell_name(cell)
        out += f"{sign}{factor}{name if not name[:1].isdigit() else f'[{name}]'}"
    return f"{out or '0'} = {digits(clue.count)}"
