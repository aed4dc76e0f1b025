"""The documents of boards that were made or graded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

from sapper.answers.documents import Name
from sapper.field import cell_to_json

if TYPE_CHECKING:
    from sapper.play import Generated

__all__ = ["BoardAnswer", "BoardsAnswer", "boards"]


class BoardAnswer(TypedDict):
    """A full board as a position, and how it was made; `seed` makes it again."""

    seed: int
    layout: dict[str, Any]
    start: Name
    rule: str
    grade: dict[str, Any] | None
    method: str
    tries: int


class BoardsAnswer(TypedDict):
    """Boards that were made to order."""

    boards: Iterable[BoardAnswer]


def boards(made: Iterable[Generated]) -> BoardsAnswer:
    """Return the document of boards, written while they are made."""
    return {"boards": map(_board, made)}


def _board(layout: Generated) -> BoardAnswer:
    from sapper.formats import dump

    return {
        "seed": layout.seed,
        "layout": json.loads(dump(layout.position(), "json")),
        "start": cell_to_json(layout.start),
        "rule": layout.rule,
        "grade": None,
        "method": layout.method,
        "tries": layout.tries,
    }
