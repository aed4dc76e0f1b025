"""Replays of minesweeper.online as JSMinesweeper opens them, ``.msor``: JSON, step by step.

``header`` has ``width``, ``height`` and ``mines``. A step of ``replay`` has a ``type`` (0 is a dig,
1 a flag, 3 a chord), ``x`` and ``y``, and ``touchCells``, five numbers for each cell that changed:
its column, its row, what is seen there and two that are passed over. Seen are 0 to 8, and 10 for a
mine that is flagged or shown, 11 for one that exploded, 12 for a flag that was wrong. So says how
JSMinesweeper reads them (its ``main.js``, commit d8ff392); there is no other description.

Nowhere does it say where the mines are. A game that is over shows it; the moves are then played by
our own rules, and a file that does not fit them is refused.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from sapper.errors import quoted
from sapper.field import COVERED, Cell, Grid, Topology
from sapper.formats.boards import checked_sides, position_of
from sapper.formats.document import Document, Path, place
from sapper.formats.reading import Reading
from sapper.game import Game, Layout

__all__ = ["read", "recognises"]

_HEADER: Final = re.compile(r'"header"\s*:\s*\{')
_REPLAY: Final = re.compile(r'"replay"\s*:\s*\[')
_KINDS: Final = {0: "dig", 1: "flag", 3: "chord"}
_FLAG, _EXPLODED, _WRONG = 10, 11, 12
_MOST: Final = 10**9


def recognises(content: str) -> bool:
    """Tell whether a text is such a replay: an object with a header and a replay."""
    return (
        re.match(r"\s*\{", content) is not None
        and _REPLAY.search(content) is not None
        and _HEADER.search(content) is not None
    )


@dataclass(slots=True)
class _Seen:
    """What a replay shows of the board, all its steps together."""

    numbers: dict[Cell, int] = field(default_factory=dict)
    flags: set[Cell] = field(default_factory=set)
    mines: set[Cell] = field(default_factory=set)
    lost: bool = False


def read(
    content: str, *, mines: int | None = None, topology: str | Topology | None = None
) -> Game | Reading:
    r"""Read a game that is over, or the position in which one was left.

    Raises
    ------
    FormatError
        With line and column.

    Examples
    --------
    >>> game = read(
    ...     '{"header": {"width": 3, "height": 1, "mines": 1}, "replay": ['
    ...     '{"type": 1, "x": 2, "y": 0, "time": 80},'
    ...     '{"type": 0, "x": 0, "y": 0, "time": 95, "touchCells": [0,0,0,0,0, 1,0,1,0,0]}]}'
    ... )
    >>> game.status, game.moves
    ('won', (Move(kind='flag', cell=(0, 2)), Move(kind='dig', cell=(0, 0))))
    """
    document = Document(content)
    value = document.value
    document.expect(value, dict, (), "an object with 'header' and 'replay'")
    width, height, total = (_header(document, value, key) for key in ("width", "height", "mines"))
    line, column = place(content, content.find('"header"'))
    checked_sides(width, height, line=line, column=column)
    document.expect(value.get("replay"), list, _inside(value, "replay"), "a list of steps")
    grid = Grid(height, width)
    seen = _Seen()
    steps = [_step(document, i, grid, seen) for i in range(len(value["replay"]))]
    if len(seen.numbers) == width * height - total:
        mined = set(grid.cells).difference(seen.numbers)
    elif seen.lost:
        mined = seen.mines | seen.flags
    else:
        codes = array("i", [seen.numbers.get(cell, COVERED) for cell in grid.cells])
        position = position_of(codes, (height, width), total, replaced=mines, topology=topology)
        return Reading(
            position, notes=("this game was left before its end: here is the last of it",)
        )
    if len(mined) != total or mined & seen.numbers.keys():
        message = f"the end of the game shows {len(mined)} mines, and the header says {total}"
        document.fail(("header", "mines"), message)
    return _played(document, Layout(grid, mined), steps)


def _inside(value: dict[str, Any], key: str) -> Path:
    """Return the path of a key, or of the object that lacks it."""
    return (key,) if key in value else ()


def _header(document: Document, value: dict[str, Any], key: str) -> int:
    document.expect(value.get("header"), dict, _inside(value, "header"), "an object 'header'")
    header = value["header"]
    path = ("header", *_inside(header, key))
    document.expect(header.get(key), int, path, f"a whole number '{key}'")
    if not 0 <= header[key] <= _MOST:
        document.fail(path, f"'{key}' is from 0 to {_MOST:,}, not {quoted(header[key])}")
    return int(header[key])


_Step = tuple[str, tuple[int, int], dict[Cell, int]]
"""The kind of move, its cell, and the numbers that it opened."""


def _step(document: Document, i: int, grid: Grid, seen: _Seen) -> _Step:
    path: Path = ("replay", i)
    step = document.value["replay"][i]
    document.expect(step, dict, path, "a step, an object")
    kind = _KINDS.get(step["type"], "") if type(step.get("type")) is int else ""
    cell = _cell(document, grid, (step.get("x"), step.get("y")), path)
    opened: dict[Cell, int] = {}
    if kind == "flag":
        seen.flags ^= {cell}
    elif kind:
        for changed, sign in _touched(document, i, grid):
            if sign < 9:
                opened[changed] = sign
            elif sign == _WRONG:
                seen.flags.discard(changed)
            elif sign in (_FLAG, _EXPLODED):
                seen.mines.add(changed)
                seen.lost |= sign == _EXPLODED
    seen.numbers.update(opened)
    return kind, cell, opened


def _touched(document: Document, i: int, grid: Grid) -> Iterator[tuple[tuple[int, int], int]]:
    path: Path = ("replay", i, "touchCells")
    touched = document.value["replay"][i].get("touchCells", [])
    document.expect(touched, list, path, "a list of numbers")
    if len(touched) % 5:
        document.fail(path, f"a cell is five numbers, and there are {len(touched)}")
    for at in range(0, len(touched), 5):
        cell = _cell(document, grid, (touched[at], touched[at + 1]), (*path, at))
        sign = touched[at + 2]
        document.expect(sign, int, (*path, at + 2), "a number from 0 to 12")
        if not 0 <= sign <= _WRONG or sign == 9:
            document.fail((*path, at + 2), f"{quoted(sign)} is nothing seen: use 0-8, 10-12")
        yield cell, sign


def _cell(document: Document, grid: Grid, at: tuple[Any, Any], path: Path) -> tuple[int, int]:
    for side in at:
        document.expect(side, int, path, "at a column and a row")
    cell = (at[1], at[0])
    if cell not in grid:
        document.fail(path, f"column {quoted(at[0])}, row {quoted(at[1])} is outside of {grid}")
    return cell


def _played(document: Document, layout: Layout, steps: list[_Step]) -> Game:
    """Return the game, after each move has been compared with what the file shows of it."""
    game = Game(layout)
    numbers = layout.numbers
    for i, (kind, cell, opened) in enumerate(steps):
        if game.status != "playing":
            break
        if not kind:
            continue  # what JSMinesweeper passes over as well
        found = getattr(game, kind)(cell)
        if not found.isdisjoint(layout.mines):
            continue  # lost: what else a chord opened then is not always told
        if found != opened.keys():
            message = f"step {i + 1}, a {kind}, opens {len(found)} cells by the rules"
            document.fail(("replay", i), f"{message}, and shows {len(opened)}")
        wrong = next((one for one in opened if opened[one] != numbers[one]), None)
        if wrong is not None:
            message = f"step {i + 1} shows {opened[wrong]} at {wrong}"
            document.fail(("replay", i), f"{message}, and there is {numbers[wrong]}")
    return game
