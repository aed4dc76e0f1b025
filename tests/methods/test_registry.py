"""Names, options and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

import sapper
from sapper.analysis import get, named, names, names_answering
from sapper.clues import Clue, Clues
from sapper.errors import LimitExceeded, MethodError
from sapper.limits import Limits
from sapper.questions import BaseMethod, Budget, Question

CLUES = Clues([Clue(1, "ab")])


class Mute(BaseMethod):
    name = "mute"
    answers: ClassVar[frozenset[Question]] = frozenset()


def test_names_and_instances() -> None:
    assert names()[:2] == ("auto", "engine")
    assert {"sat", "cpsat", "kset", "brute"} <= set(names())
    assert get("brute").name == "brute"
    assert get("brute") is get("brute")
    assert "brute" in names_answering("count")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(
        MethodError, match=r"no method 'magic'; there are 'auto', 'engine', .*'brute'"
    ):
        get("magic")


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(MethodError, match="'brute' does not take the option 'k'; it takes none"):
        get("brute", k=2)


@pytest.mark.parametrize(
    "ask",
    [
        sapper.is_consistent,
        sapper.count,
        sapper.count_by_mines,
        sapper.analyze,
        sapper.solutions,
        sapper.estimate,
    ],
)
def test_a_refusal_names_who_can(ask: Callable[..., object]) -> None:
    with pytest.raises(MethodError, match=r"'mute' does not answer .*'engine'.* can"):
        ask(CLUES, method=Mute())


def test_an_analysis_refuses_what_the_method_does() -> None:
    analysis = sapper.Analysis(Mute().findings(CLUES))
    for name in ("consistent", "count", "verdicts", "safe", "best", "exact_probabilities"):
        with pytest.raises(MethodError, match=r"'mute' does not answer .*'engine'.* can"):
            getattr(analysis, name)


def test_findings_refuse_what_the_method_does() -> None:
    findings = Mute().findings(CLUES)
    assert findings.cells == ("a", "b")
    for name in ("consistent", "count", "verdict_codes", "probabilities", "exact_probabilities"):
        with pytest.raises(MethodError):
            getattr(findings, name)


def test_options_are_read_from_text() -> None:
    assert repr(named("engine:grouping=false,order=path")) == (
        "EngineMethod(grouping=False, order='path')"
    )
    assert named("auto").name == "auto"
    for text, words in (
        ("engine:order", "option=value"),
        ("engine:order=zigzag", "order is one of 'auto', 'path'"),
        ("engine:grouping=2", "grouping is True or False"),
        ("auto:most_expected=x", "most_expected is a number"),
        ("kset:size=2", "does not take the option 'size'; it takes 'k', 'repeat' and 'total'"),
        ("magic:k=1", "no method 'magic'"),
    ):
        with pytest.raises(MethodError, match=words):
            named(text)


def test_wrong_types_are_told_in_a_sentence() -> None:
    ask: Any = sapper.count
    with pytest.raises(TypeError, match=r"sapper\.Limits"):
        ask(CLUES, limits=1)
    with pytest.raises(TypeError, match=r"a Position or Clues, not str; sapper.parse reads one"):
        ask("1?")
    with pytest.raises(TypeError, match="not NoneType"):
        ask(None)
    for method in (3, None, Mute):
        with pytest.raises(MethodError, match="a method is given by its name"):
            ask(CLUES, method=method)


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
