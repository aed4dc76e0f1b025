"""The documents of boards that were made or graded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

from sapper.answers.documents import Name
from sapper.field import cell_to_json

if TYPE_CHECKING:
    from sapper.field import Cell
    from sapper.play import Generated, Grade
    from sapper.puzzles import UniquePosition

__all__ = [
    "BoardAnswer",
    "BoardsAnswer",
    "GradeAnswer",
    "GradesAnswer",
    "boards",
    "grade",
    "grades",
    "unique_positions",
]


class GradeAnswer(TypedDict):
    """How hard a board is from a start; `guessed` are the cells that had to be given away."""

    guesses: int
    hardest_core: int
    k: int | None
    uses_total: bool
    level: str
    steps: dict[int, int]
    guessed: list[Name]
    start: Name


class GradesAnswer(TypedDict):
    """How hard the boards of a file are, in order."""

    grades: Iterable[GradeAnswer]


class BoardAnswer(TypedDict):
    """A full board as a position, and how it was made; `seed` makes it again."""

    seed: int
    layout: dict[str, Any]
    grade: GradeAnswer | None
    start: Name
    rule: str
    method: str
    tries: int


class BoardsAnswer(TypedDict):
    """Boards that were made to order."""

    boards: Iterable[BoardAnswer]


class UniquePositionAnswer(TypedDict):
    """A position with one legal assignment; its easiest deduction takes `core` clues."""

    position: dict[str, Any]
    core: int


class UniquePositionsAnswer(TypedDict):
    """Positions that were made to order."""

    positions: list[UniquePositionAnswer]
    seconds: float


def boards(made: Iterable[tuple[Generated, Grade | None]]) -> BoardsAnswer:
    """Return the document of boards with their grades, written while they are made."""
    return {"boards": (_board(layout, found) for layout, found in made)}


def _board(layout: Generated, found: Grade | None) -> BoardAnswer:
    from sapper.formats import dump

    return {
        "seed": layout.seed,
        "layout": json.loads(dump(layout.position(), "json")),
        "grade": None if found is None else grade(found, layout.start),
        "start": cell_to_json(layout.start),
        "rule": layout.rule,
        "method": layout.method,
        "tries": layout.tries,
    }


def unique_positions(made: Iterable[UniquePosition], *, seconds: float) -> UniquePositionsAnswer:
    """Return the document of positions that have one legal assignment each."""
    from sapper.formats import dump

    documents: list[UniquePositionAnswer] = [
        {"position": json.loads(dump(one.position, "json")), "core": one.core} for one in made
    ]
    return {"positions": documents, "seconds": round(seconds, 6)}


def grades(found: Iterable[tuple[Grade, Cell]]) -> GradesAnswer:
    """Return the document of several grades."""
    return {"grades": (grade(one, start) for one, start in found)}


def grade(found: Grade, start: Cell) -> GradeAnswer:
    """Return the document of a grade."""
    return {
        "guesses": found.guesses,
        "hardest_core": found.hardest_core,
        "k": found.k,
        "uses_total": found.uses_total,
        "level": found.level,
        "steps": dict(found.steps),
        "guessed": [cell_to_json(cell) for cell in found.guessed],
        "start": cell_to_json(start),
    }
