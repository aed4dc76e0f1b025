"""Limits hold and Ctrl-C works: a part of the table here, all of it by ``make limits``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.matrix.questions import Case, cases
from tests.matrix.run import LIMITS, run, warm
from tests.support.wrong_types import ROOMS

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"
TABLE = list(cases())
# One cell in seven, so that every method, question and limit is met.
SOME = [(case, LIMITS[place // 7 % 4]) for place, case in enumerate(TABLE) if place % 7 == 0]
ELSEWHERE = {
    "Budget": "holds limits",
    "Budget.of": "holds limits",
    "machine_limits": "holds limits",
    "findings": "asked by way of the functions of the package, for every method",
    "solutions": "asked by way of the functions of the package, for every method",
    "estimate": "asked by way of the functions of the package, for every method",
    "SubgraphMethod.model": "makes its diagram when that is read, as SubgraphMethod.diagram does",
    "NiceDecomposition.of": "is TreeDecomposition.nice",
    "inferred": "is play_by_inference",
    "Run.execute": "a run is limited by job, in processes of its own: tests/lab/test_pool.py",
    "Session": "Session.count and others",
    "analyze": "its attributes",
    "Minesweeper": "gym.Minesweeper",
    "MinesweeperVector": "gym.MinesweeperVector",
}
"""Public names that take limits and are no row of their own, and why."""


@pytest.mark.parametrize(("case", "limit"), SOME, ids=str)
def test_limits_hold(case: Case, limit: str) -> None:
    warm(case)
    found, wrong = run(case, limit)
    assert wrong is None, found


def test_the_page_has_every_row() -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [c for c in TABLE if f"| {c.question} | {c.method} | {c.puzzle} |" not in text]
    assert not missing, "make limits fills the table again"


def takes_limits(value: object) -> bool:
    try:
        return callable(value) and "limits" in inspect.signature(value).parameters
    except ValueError:
        return False


def limited() -> Iterator[str]:
    """Yield the names of all public callables that take limits, methods with their class."""
    for room in ROOMS:
        door = import_module(room)
        for name in door.__all__:
            value = getattr(door, name)
            if takes_limits(value):
                yield name
            if inspect.isclass(value):
                public = (each for each in dir(value) if not each.startswith("_"))
                yield from (
                    f"{name}.{each}" for each in public if takes_limits(getattr(value, each))
                )


def test_every_public_question_is_in_the_table() -> None:
    asked = {case.question.partition(",")[0] for case in TABLE}
    asked |= {question.rpartition(".")[2] for question in asked}
    names = set(limited())
    assert len(names) > 60
    left = {n for n in names - asked if not {n, n.rpartition(".")[2]} & ELSEWHERE.keys()}
    assert not left
