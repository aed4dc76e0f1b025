"""What an analysis shows, made from findings by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Event

import pytest
from hypothesis import given, settings

import sapper
from sapper.analysis import Analysis
from sapper.clues import Clue, Clues, Puzzle
from sapper.limits import Limits
from sapper.methods.brute import Brute
from sapper.questions import Budget, Findings
from tests.support.strategies import puzzles

CLUES = Clues([], cells="abcd")
CODES = {"safe": 0, "mine": 1, "unknown": 2}


class Given(Findings):
    """Findings as written down."""

    def __init__(self, **found: object) -> None:
        super().__init__(Brute(), CLUES)
        self.__dict__.update({"cells": tuple("abcd"), "verdict_codes": b"", **found})


def analysis_of(verdicts: str, *probabilities: float) -> Analysis:
    codes = bytes(CODES[verdict] for verdict in verdicts.split())
    exact = tuple(map(Fraction, probabilities))
    return Analysis(
        Given(verdict_codes=codes, probabilities=probabilities, exact_probabilities=exact)
    )


def test_safe_cells_are_best_and_nothing_else() -> None:
    analysis = analysis_of("unknown safe mine safe", 0.5, 0.0, 1.0, 0.0)
    assert analysis.best == ("b", "d")
    assert analysis.safe == {"b", "d"}
    assert analysis.mines == {"c"}
    assert analysis.verdicts == {"a": "unknown", "b": "safe", "c": "mine", "d": "safe"}
    assert analysis.probabilities == {"a": 0.5, "b": 0.0, "c": 1.0, "d": 0.0}
    assert analysis.exact_probabilities["a"] == Fraction(1, 2)
    assert repr(analysis) == "Analysis(consistent=True, safe=2, mines=1, unknown=1)"


def test_without_safe_cells_the_least_likely_mine_is_best() -> None:
    analysis = analysis_of("unknown unknown mine unknown", 0.5, 0.25, 1.0, 0.25)
    assert analysis.best == ("b", "d", "a")


def test_certainty_is_never_read_off_a_float() -> None:
    # So unlikely that the float is 0, so likely that it is 1: neither is certain.
    analysis = analysis_of("unknown unknown mine unknown", 1.0, 0.0, 1.0, 0.5)
    assert analysis.best == ("b", "d", "a")
    assert analysis.safe == frozenset()
    assert analysis.mines == {"c"}


def test_nothing_is_said_of_the_cells_of_an_inconsistent_position() -> None:
    analysis = Analysis(Given(consistent=False, count=0))
    assert not analysis.consistent
    assert analysis.count == 0
    assert analysis.verdicts == {}
    assert analysis.probabilities == {}
    assert analysis.exact_probabilities == {}
    assert analysis.safe == analysis.mines == frozenset()
    assert analysis.best == ()
    assert repr(analysis) == "Analysis(consistent=False, safe=0, mines=0, unknown=0)"


def test_nothing_covered_is_nothing_to_dig() -> None:
    analysis = Analysis(Brute().findings(Clues([])))
    assert analysis.consistent
    assert analysis.count == 1
    assert analysis.best == ()


def test_an_analysis_is_frozen() -> None:
    analysis = analysis_of("safe safe safe safe", 0, 0, 0, 0)
    with pytest.raises(AttributeError, match="frozen"):
        analysis.best = ()  # type: ignore[misc]
    assert analysis.verdicts is analysis.verdicts


def test_it_remembers_what_was_analysed() -> None:
    assert analysis_of("safe safe safe safe", 0, 0, 0, 0).puzzle is CLUES


@given(puzzles())
@settings(max_examples=60, deadline=None)
def test_best_is_best(puzzle: Puzzle) -> None:
    analysis = Analysis(Brute().findings(puzzle))
    chances = [analysis.exact_probabilities[cell] for cell in analysis.best]
    assert chances == sorted(chances)
    if analysis.safe:
        assert frozenset(analysis.best) == analysis.safe
    else:
        assert frozenset(analysis.best) == frozenset(analysis.verdicts) - analysis.mines


def test_an_incomplete_clue_system_is_analysed_too() -> None:
    analysis = Analysis(Brute().findings(Clues([Clue(2, "ab")], cells="abc", mines=2)))
    assert analysis.verdicts == {"a": "mine", "b": "mine", "c": "safe"}


def test_a_question_does_not_wait_for_that_of_another_thread() -> None:
    asked, go_on = Event(), Event()

    class Waiting(Findings):
        def find_count(self, budget: Budget) -> int:
            asked.set()
            assert go_on.wait(20)
            return 1

    class Slow(Brute):
        def findings(  # type: ignore[override]
            self, puzzle: Puzzle, limits: Limits | None = None
        ) -> Findings:
            return Waiting(self, puzzle, limits)

    clues = Clues([Clue(1, "ab")])
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(sapper.count, clues, method=Slow())
        assert asked.wait(20)
        try:
            quick = pool.submit(sapper.count, clues, method="brute")
            assert quick.result(timeout=10) == 2
        finally:
            go_on.set()
        assert slow.result(timeout=20) == 1
