"""Seeded instances of our own making, in the schema of the shared data files.

Two families, both deterministic in their arguments:

* :func:`generation_grid` makes an instance as in ``generation.jsonl`` (Suzuki, Hao and Minato,
  section 5): ``mines_percent`` of all cells are mines, ``visible_percent`` of the *free* cells show
  their number, and covered cells next to no number are left out.
* :func:`scattered_board` makes a position as in ``scattered_positions.jsonl``: free cells open
  at random places; a cell with no mine around it opens its neighbours as in the game.
"""

from __future__ import annotations

import random
from array import array
from typing import TypedDict

from sapper.clues import Clues
from sapper.field import COVERED, Grid
from sapper.game import Layout, uncover


class ClueRecord(TypedDict):
    """One exact sum."""

    count: int
    cells: list[int]


class GenerationRecord(TypedDict):
    """A line of ``generation.jsonl``; ``count`` is None where nobody has counted yet."""

    name: str
    cells: list[int]
    clues: list[ClueRecord]
    untouched: int
    count: int | None


class BoardRecord(TypedDict):
    """A line of ``scattered_positions.jsonl`` or ``expert_positions.jsonl``."""

    id: str
    mines: int
    rows: list[str]


def generation_grid(
    height: int, width: int, *, mines_percent: int, visible_percent: int, seed: int
) -> GenerationRecord:
    """Return one instance made as ``generation.jsonl`` was.

    The sizes in that file fix the recipe: 30 × 30 at 10 % and 20 % has 90 mines and
    162 = ⌊0.2 · 810⌋ visible numbers; at high visibility a few numbers have no covered neighbour
    and give no clue.

    >>> record = generation_grid(30, 30, mines_percent=10, visible_percent=20, seed=1)
    >>> len(record["clues"]), len(record["cells"]) + record["untouched"] + 162
    (162, 900)
    """
    cells = height * width
    name = f"grid{height}x{width}_m{mines_percent}_v{visible_percent}_s{seed}"
    rng = random.Random(name)
    layout, free = _layout(height, width, rng.sample(range(cells), cells * mines_percent // 100))
    shown = rng.sample(free, len(free) * visible_percent // 100)
    field = layout.topology
    clues = Clues.from_position(layout.position([field.cells[cell] for cell in shown], total=False))
    return {
        "name": name,
        "cells": [field.index(cell) for cell in clues.touched],
        "clues": [
            {"count": clue.count, "cells": [field.index(cell) for cell in clue.cells]}
            for clue in clues.clues
            if clue.cells
        ],
        "untouched": len(clues.cells) - len(clues.touched),
        "count": None,
    }


def _layout(height: int, width: int, mined: list[int]) -> tuple[Layout, list[int]]:
    """Return a grid with mines at these places, and the other places."""
    field = Grid(height, width)
    layout = Layout(field, [field.cells[place] for place in mined])
    return layout, [place for place, mine in enumerate(layout.mined) if not mine]


def scattered_board(
    height: int, width: int, *, mines: int, opened_percent: int, seed: int
) -> BoardRecord:
    """Return one position whose numbers stand at random places.

    ``opened_percent`` of the free cells, drawn without replacement, are opened one after the other;
    a zero opens its neighbours, and so on. On 30 × 16 with 99 mines, 10 % gives on average the
    numbers shown and the numbers standing alone of ``scattered_positions.jsonl``.

    >>> scattered_board(3, 4, mines=2, opened_percent=40, seed=1)["rows"]
    ['???1', '11??', '??1?']
    """
    cells = height * width
    name = f"scattered{height}x{width}_{mines}_o{opened_percent}_s{seed}"
    rng = random.Random(name)
    layout, free = _layout(height, width, rng.sample(range(cells), mines))
    seen = array("i", [COVERED]) * cells
    uncover(layout, seen, rng.sample(free, len(free) * opened_percent // 100))
    text = "".join("?" if code == COVERED else str(code) for code in seen)
    rows = [text[row * width : (row + 1) * width] for row in range(height)]
    return {"id": name, "mines": mines, "rows": rows}
