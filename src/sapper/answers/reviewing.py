"""The document of a played game that was gone through."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from sapper.answers.documents import Name
from sapper.field import cell_to_json

if TYPE_CHECKING:
    from fractions import Fraction

    from sapper.play import Review, ReviewedMove

__all__ = ["ChanceAnswer", "MoveAnswer", "ReviewAnswer", "chance", "review"]


class ChanceAnswer(TypedDict):
    """A chance: as a number, and exactly."""

    probability: float
    exact: str


class MoveAnswer(TypedDict):
    """A move; `survival`, `best` and `best_survival` are null for flags."""

    number: int
    kind: str
    cell: Name
    dug: list[Name]
    judgement: str
    survival: ChanceAnswer | None
    best: Name | None
    best_survival: ChanceAnswer | None


class ReviewAnswer(TypedDict):
    """A played game: `luck` is the chance of surviving all its digs."""

    format: str
    board: str
    rule: str | None
    status: str
    luck: ChanceAnswer
    guesses: int
    mistakes: int
    regret: float
    clicks: int
    three_bv: int | None
    solved: int
    efficiency: float
    moves: list[MoveAnswer]
    seconds: float


def review(
    found: Review,
    *,
    format: str,  # noqa: A002 - the word users know
    rule: str | None,
    seconds: float,
) -> ReviewAnswer:
    """Return the document of a review."""
    metrics = found.metrics
    board = found.position
    return {
        "format": format,
        "board": str(board),
        "rule": rule,
        "status": found.status,
        "luck": chance(found.luck),
        "guesses": found.guesses,
        "mistakes": found.mistakes,
        "regret": float(found.regret),
        "clicks": found.clicks,
        "three_bv": None if metrics is None else metrics.three_bv,
        "solved": found.solved,
        "efficiency": found.efficiency,
        "moves": [_move(number, move) for number, move in enumerate(found.moves, start=1)],
        "seconds": seconds,
    }


def _move(number: int, done: ReviewedMove) -> MoveAnswer:
    flag = done.move.kind == "flag"
    return {
        "number": number,
        "kind": done.move.kind,
        "cell": cell_to_json(done.move.cell),
        "dug": sorted((cell_to_json(cell) for cell in done.dug), key=str),
        "judgement": done.judgement,
        "survival": None if flag else chance(done.survival),
        "best": None if done.best is None else cell_to_json(done.best),
        "best_survival": None if flag or done.best is None else chance(done.best_survival),
    }


def chance(value: Fraction) -> ChanceAnswer:
    """Return a chance as a number and exactly."""
    return {"probability": float(value), "exact": str(value)}
