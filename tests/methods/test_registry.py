"""Names, options and refusals."""

from __future__ import annotations

from typing import ClassVar

import pytest

from sapper.analysis import get, names, names_answering
from sapper.clues import Clue, Clues
from sapper.errors import LimitExceeded, MethodError
from sapper.limits import Limits
from sapper.questions import BaseMethod, Budget, Question

CLUES = Clues([Clue(1, "ab")])


class Mute(BaseMethod):
    name = "mute"
    answers: ClassVar[frozenset[Question]] = frozenset()


def test_names_and_instances() -> None:
    assert names()[0] == "engine"
    assert {"sat", "cpsat", "kset", "brute"} <= set(names())
    assert get("brute").name == "brute"
    assert get("brute") is get("brute")
    assert "brute" in names_answering("count")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(MethodError, match=r"no method 'magic'; there are 'engine', .*'brute'"):
        get("magic")


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(MethodError, match="'brute' does not take the option 'k'"):
        get("brute", k=2)


@pytest.mark.parametrize(
    "question",
    [
        "is_consistent",
        "count",
        "count_by_mines",
        "verdicts",
        "probabilities",
        "solutions",
        "estimate",
    ],
)
def test_a_refusal_names_who_can(question: str) -> None:
    with pytest.raises(MethodError, match=r"'mute' does not answer .*'engine'"):
        getattr(Mute(), question)(CLUES)


def test_findings_refuse_what_the_method_does() -> None:
    findings = Mute().analyze(CLUES)
    assert findings.cells == ("a", "b")
    for name in ("consistent", "count", "verdict_codes", "probabilities", "exact_probabilities"):
        with pytest.raises(MethodError):
            getattr(findings, name)


def test_a_budget_shares_limits_between_steps() -> None:
    budget = Budget(Limits(seconds=60, nodes=100, bytes=5))
    budget.spend(nodes=40, held=5)
    left = budget.left()
    assert left.nodes == 60
    assert left.bytes == 5
    assert left.seconds is not None
    assert 0 < left.seconds <= 60
    with pytest.raises(LimitExceeded):
        budget.spend(held=6)


def test_a_budget_without_limits_never_ends() -> None:
    budget = Budget()
    budget.spend(nodes=10**30, held=10**30)
    assert budget.left() == Limits()
