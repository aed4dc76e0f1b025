"""Limits hold and Ctrl-C works: a part of the table here, all of it by ``make limits``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.matrix.questions import Case, cases
from tests.matrix.run import LIMITS, run, warm

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"
TABLE = list(cases())
# One cell in seven, so that every method, question and limit is met.
SOME = [(case, LIMITS[place // 7 % 4]) for place, case in enumerate(TABLE) if place % 7 == 0]


@pytest.mark.parametrize(("case", "limit"), SOME, ids=str)
def test_limits_hold(case: Case, limit: str) -> None:
    warm(case)
    found, wrong = run(case, limit)
    assert wrong is None, found


def test_the_page_has_every_row() -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [c for c in TABLE if f"| {c.question} | {c.method} | {c.puzzle} |" not in text]
    assert not missing, "make limits fills the table again"
