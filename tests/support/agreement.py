"""Hold a method to an oracle on every question that both answer.

`assert_agree` is the one comparison behind the tests of all methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Final

import sapper
from sapper.analysis import Analysis
from sapper.clues import Puzzle
from sapper.limits import Limits
from sapper.questions import QUESTIONS, Method, Question
from tests.support.naive import covered
from tests.support.views import VIEW_PARTS, assert_same_view


@dataclass(frozen=True)
class Case:
    """One comparison: a method against a complete and exact oracle on one puzzle."""

    method: Method
    oracle: Method
    puzzle: Puzzle
    view_parts: frozenset[str] = VIEW_PARTS
    limits: Limits | None = None

    @cached_property
    def expected(self) -> Analysis:
        """What the oracle says: asked once, while the method is asked anew for each question."""
        return Analysis(self.oracle.findings(self.puzzle))

    def both_answer(self, question: Question) -> bool:
        return question in self.method.answers & self.oracle.answers


def assert_agree(
    method: Method,
    oracle: Method,
    puzzle: Puzzle,
    *,
    questions: Iterable[Question] = QUESTIONS,
    view_parts: frozenset[str] = VIEW_PARTS,
    limits: Limits | None = None,
) -> None:
    """Compare all answers that both give, one question at a time and then as an analysis.

    Parameters
    ----------
    method, oracle : Method
        What is tested, and what is believed. An incomplete method only has to be sound.
    puzzle : Position or Clues
        What they are asked about.
    questions : iterable of questions
        Which questions to ask, for tests that need to be quick.
    view_parts : frozenset of str
        What the method's view of solutions offers beyond iteration; see `VIEW_PARTS`.

    Raises
    ------
    AssertionError
        Naming the methods, the question and the puzzle.
    """
    case = Case(method, oracle, puzzle, view_parts, limits)
    asked = [question for question in questions if case.both_answer(question)]
    for question in asked:
        _check(case, question, _CHECKS[question])
    _check(case, "analyze", lambda case: assert_same_analysis(case, asked))


def _check(case: Case, what: str, check: Callable[[Case], None]) -> None:
    try:
        check(case)
    except AssertionError as error:
        raise AssertionError(
            f"{case.method!r} and {case.oracle!r} disagree on {what!r} of\n{case.puzzle!r}\n{error}"
        ) from error


def _consistent(case: Case) -> None:
    found = case.method.findings(case.puzzle, case.limits).consistent
    assert found is case.expected.consistent


def _count(case: Case) -> None:
    found = case.method.findings(case.puzzle, case.limits).count
    assert type(found) is int
    assert found == case.expected.count


def _by_mines(case: Case) -> None:
    found = case.method.findings(case.puzzle, case.limits).by_mines
    assert list(found.items()) == list(case.oracle.findings(case.puzzle).by_mines.items())


def _verdicts(case: Case) -> None:
    found = case.method.findings(case.puzzle, case.limits).verdicts
    expected = case.expected.verdicts
    if case.method.complete:
        assert list(found.items()) == list(expected.items())
    elif expected:  # from an inconsistent position anything follows
        assert list(found) == list(expected)
        for cell, verdict in found.items():
            assert verdict in ("unknown", expected[cell]), cell


def _probabilities(case: Case) -> None:
    found = sapper.analyze(case.puzzle, method=case.method, limits=case.limits).exact_probabilities
    assert all(isinstance(chance, Fraction) for chance in found.values())
    assert list(found.items()) == list(case.expected.exact_probabilities.items())


def _solutions(case: Case) -> None:
    assert_same_view(
        case.method.solutions(case.puzzle, case.limits),
        case.oracle.solutions(case.puzzle),
        covered(case.puzzle),
        parts=case.view_parts,
    )


_CHECKS: Final[dict[Question, Callable[[Case], None]]] = {
    "consistent": _consistent,
    "count": _count,
    "by_mines": _by_mines,
    "verdicts": _verdicts,
    "probabilities": _probabilities,
    "solutions": _solutions,
}


def assert_same_analysis(case: Case, asked: Iterable[Question]) -> None:
    """Compare what an `Analysis` shows for the questions asked, read in an awkward order."""
    found = Analysis(case.method.findings(case.puzzle, case.limits))
    oracle = case.expected
    asked = frozenset(asked)
    if "probabilities" in asked:
        assert list(found.exact_probabilities.items()) == list(oracle.exact_probabilities.items())
        assert list(found.probabilities) == list(oracle.probabilities)
        for cell, chance in found.probabilities.items():
            exact = oracle.exact_probabilities[cell]
            assert type(chance) is float
            assert abs(Fraction(chance) - exact) <= Fraction(1, 10**12), cell
            assert 0 <= chance <= 1, cell
        if "verdicts" in asked and found.best:
            _assert_best(found, oracle)
    if "verdicts" in asked and case.method.complete:
        assert list(found.verdicts.items()) == list(oracle.verdicts.items())
        assert found.safe == oracle.safe
        assert found.mines == oracle.mines
    if "count" in asked:
        assert found.count == oracle.count
    if "consistent" in asked:
        assert found.consistent is oracle.consistent


def _assert_best(found: Analysis, oracle: Analysis) -> None:
    # Two floats of one probability may differ in the last bit, so ranks are compared by value.
    assert frozenset(found.best) == frozenset(oracle.best)
    chances = [oracle.exact_probabilities[cell] for cell in found.best]
    for earlier, later in pairwise(chances):
        assert earlier <= later + Fraction(1, 10**12)
