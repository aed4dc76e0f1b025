"""What is so by default, and what an analysis refuses: found by `make mutants`."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import sapper
from sapper import analysis, render
from sapper._native import run_under
from sapper.analysis import (
    Analyses,
    Explanation,
    Session,
    Step,
    auto,
    get,
    many,
    named,
    registry,
    sat_cores,
    steps,
)
from sapper.analysis.analysis import _selector
from sapper.analysis.auto import Auto
from sapper.analysis.cores import Cores
from sapper.analysis.facts import Fact
from sapper.analysis.refute import Event, Refutation, _State
from sapper.analysis.sat_cores import SatCores
from sapper.analysis.verify import VerificationError
from sapper.analysis.wording import Namer
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod
from sapper.errors import LimitExceeded, MethodError, TooWide
from sapper.field import Grid, Position
from sapper.limits import Limits
from sapper.questions import Budget, Unanswered
from tests.engine.boards import minefield, random_graph

OPEN = Position(Grid(2, 3), ["1??", "???"])
TWO = Clues([Clue(1, "ab"), Clue(2, "abc")])
CASES = Clues([Clue(2, "abde"), Clue(2, "bcde"), Clue(2, "ace")])

# --- what is so by default -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "frozen", "eq", "slots"),
    [
        (Explanation, True, True, False),
        (Step, True, True, True),
        (Fact, True, False, True),
        (Event, True, False, True),
        (Refutation, True, True, True),
        (Analyses, True, False, True),
        (_State, False, True, True),
    ],
)
def test_values_that_threads_share_are_frozen(
    kind: Any, frozen: bool, eq: bool, slots: bool
) -> None:
    # All of them have a part in this.
    assert sapper.explain(CASES, "e").text.endswith("e is safe.")
    assert len(sapper.analyze_many([OPEN])) == 1
    made = kind.__dataclass_params__
    assert (made.frozen, made.eq) == (frozen, eq)
    assert ("__slots__" in vars(kind)) == slots


def test_values_show_themselves() -> None:
    assert repr(sapper.explain(TWO, "c")) == "<Explanation: c is a mine: 2 clues force it.>"
    found = sapper.analyze_many([OPEN])
    assert repr(found) == "<Analyses of 1 positions, 1 consistent>"
    assert found == found
    assert found != sapper.analyze_many([OPEN])
    assert Step("so") == Step("so", (), (), 0, 0, 0, False)
    one = Fact(frozenset("a"), 0, 1)
    assert one != Fact(frozenset("a"), 0, 1)


def test_what_auto_is_by_default() -> None:
    assert Auto().engine.settings == EngineMethod().settings
    assert (Auto().engine.threads, Auto.name, EngineMethod.name) == (1, "auto", "engine")
    assert Auto().capped.settings["most_expected"] == Auto().most_expected == auto.MOST_EXPECTED


def test_the_table_of_methods_says_what_they_answer() -> None:
    for name in registry.names():
        if name != "cpsat":  # it takes a second to import, and answers what `sat` does
            assert get(name).name == name
            assert get(name).answers == registry._TABLE[name].answers
    assert registry._TABLE["cpsat"].answers == get("sat").answers


def test_every_name_of_the_room_can_be_had() -> None:
    for name in analysis.__all__:
        assert getattr(analysis, name).__name__ == name
    for name in analysis._HOMES:
        assert analysis.__getattr__(name) is getattr(analysis, name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        analysis.__getattr__("nothing")
    assert set(analysis.__all__) <= set(dir(analysis))


def test_a_core_need_not_be_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    position = minefield(Grid(5, 5), mines=0.25, visible=0.5, seed=36)
    easiest = sapper.analyze(position).difficulty
    assert easiest is not None
    cores = Cores(position, Budget())
    core = cores.core(cores.variable(easiest.cell), easiest.verdict == "safe")
    assert core is not None
    assert len(core) == 5
    monkeypatch.setattr(sat_cores, "minimal_core", lambda *_: [7])
    assert SatCores(position, Budget()).core(0, False) == [7]


@pytest.mark.parametrize("method", ["sat", "engine", "treewidth"])
def test_every_verdict_is_explained_by_every_way(method: str) -> None:
    assert sapper.explain(TWO, "a", method=method).verdict == "unknown"
    assert sapper.explain(TWO, "c", method=method).verdict == "mine"
    none = Clues([Clue(0, "ab")])
    assert sapper.explain(none, "a", method=method).verdict == "safe"
    wrong = Clues([Clue(3, "ab")])
    assert sapper.explain(wrong, "a", method=method).verdict == "inconsistent"


@pytest.mark.parametrize(("a", "b"), [((3, 1), (0, 5)), ((1, 3), (4, 1))])
def test_two_worlds_are_alike_in_mines_that_go_and_mines_that_come(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    """With x either `a` or `b` is a mine: so many mines go then, and so many come."""
    clues = [Clue(1, "xp"), Clue(1, "pab")]
    for name, (gone, come) in (("a", a), ("b", b)):
        clues += [Clue(1, [name, f"{name} or {k}"]) for k in range(gone)]
        clues += [Clue(0, [name, f"{name} and {k}"], [1, -1]) for k in range(1, come)]
    one, two = sapper.explain(Clues(clues), "x").solutions
    assert "a" in one
    assert len(one ^ two) == len("xp") + sum(a) < len("xp") + sum(b)


def test_there_need_not_be_two_worlds() -> None:
    with_mine, without = Cores(TWO, Budget()).worlds(TWO.index["c"])
    assert with_mine is not None
    assert without is None
    none = Clues([Clue(0, "ab")])
    assert Cores(none, Budget()).worlds(0) == (None, frozenset())


def test_sat_looks_for_smaller_cores_only() -> None:
    cores = SatCores(TWO, Budget())
    core = cores.core(TWO.index["c"], False, smallest=True, below=3)
    assert core is not None
    assert sorted(core) == [0, 1]
    assert cores.core(TWO.index["c"], False, smallest=True, below=2) is None


@pytest.mark.parametrize("method", [Auto(), Auto(most_expected=0)], ids=["engine", "sat"])
def test_chances_before_anything_else_is_asked(method: Auto) -> None:
    plain = sapper.analyze(OPEN, method="brute").probabilities
    assert method.findings(OPEN).find_probabilities_by_cell(Budget(None)) == pytest.approx(plain)


def test_chances_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = sapper.analyze(OPEN)
    assert found.probabilities is found.probabilities
    monkeypatch.setattr(found.findings, "find_probabilities_by_cell", None)
    assert len(found.probabilities) == 5


@pytest.mark.parametrize("limits", [None, Limits(nodes=10**6)], ids=str)
def test_the_diagram_of_a_view_has_its_limits(
    limits: Limits | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Limits | None] = []

    def noted(left: Limits | None, progress: Any) -> Any:
        given.append(left)
        return run_under(left, progress)

    monkeypatch.setattr(auto, "run_under", noted)
    assert sapper.solutions(OPEN, limits=limits).zdd().count() == sapper.count(OPEN)
    assert [left and left.nodes for left in given] == [limits and limits.nodes]


def test_a_limit_is_told_as_one_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def hit(*_: object) -> None:
        raise LimitExceeded("nodes", allowed=3, spent=4)

    findings = Auto().findings(OPEN, Limits(nodes=10))
    monkeypatch.setattr(findings, "settle", hit)
    with pytest.raises(LimitExceeded) as told:
        findings.prepare()
    assert (told.value.allowed, told.value.spent) == (10, 11)


def test_which_of_many_was_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_of_them(*arguments: Any) -> None:
        arguments[6][:2] = (0, 1)  # the first is inconsistent, the second is not
        raise TooWide(expected=7.0)

    monkeypatch.setattr(many, "analyze_boards", two_of_them)
    with pytest.raises(TooWide, match=r"^position 2: ") as told:
        sapper.analyze_many(numpy.full((4, 1, 2), -1, dtype=numpy.int8))
    assert told.value.expected == 7


def test_many_are_not_compiled_if_too_wide() -> None:
    """It is known before a node is made, so that the limit is not met."""
    with pytest.raises(TooWide):
        sapper.analyze_many([random_graph(400, 2000, seed=1)], limits=Limits(nodes=10**5))


def test_what_each_cell_of_many_takes() -> None:
    codes = numpy.dtype(numpy.int32).itemsize
    found = sapper.analyze_many([OPEN])
    arrays = (found.verdicts, found.probabilities)
    assert codes + sum(array.itemsize for array in arrays) == many._BYTES_PER_CELL


# --- what is refused -----------------------------------------------------------------------------


def test_what_a_method_does_not_answer() -> None:
    found = sapper.analyze(OPEN, method="sat")
    for ask in ("count", "probabilities", "exact_probabilities", "best"):
        with pytest.raises(Unanswered, match=r"'sat' does not answer .*; 'auto', .* can$"):
            getattr(found, ask)
    assert sapper.analyze(TWO, method="sat").mines == {"c"}
    with pytest.raises(TypeError, match="limits are given as"):
        sapper.solutions(OPEN, limits=3)  # type: ignore[arg-type]
    assert sapper.analyze(Clues([Clue(0, "ab")]), method="sat").best == ("a", "b")


def test_an_analysis_as_text() -> None:
    found = sapper.analyze(OPEN)
    assert str(found) == render.text(OPEN, found)
    assert list(_selector(1)) == [0, 1, *[0] * 254]


def test_a_name_of_a_method_is_a_text() -> None:
    with pytest.raises(TypeError, match="a method is named by a text such as"):
        named(3)  # type: ignore[arg-type]
    for text in ("engine:=path", "engine:order=", "engine:order"):
        with pytest.raises(MethodError, match="is no option of a method; write option=value"):
            named(text)
    for text in ("engine:threads=2", "engine:threads=2,threads=3"):
        with pytest.raises(MethodError, match="the option 'threads' is given twice"):
            named(text, threads=3)


def test_a_session_passes_its_limits_on() -> None:
    session = Session(OPEN, limits=Limits(seconds=60))
    assert session.copy().limits == session.limits == Limits(seconds=60)


def test_a_core_that_is_wrong_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    clues = Clues([Clue(1, "ab"), Clue(2, "abc"), Clue(1, "de")])
    monkeypatch.setattr(Cores, "core", lambda *_, **__: [0, 1, 2])
    with pytest.raises(VerificationError, match=r"can be dropped|breaks"):
        sapper.explain(clues, "c")
    monkeypatch.setattr(Cores, "core", lambda *_, **__: [0])
    monkeypatch.setattr(Cores, "witness", lambda *_: bytes(5))
    with pytest.raises(VerificationError, match="do not decide 'c'"):
        sapper.explain(clues, "c")
    monkeypatch.setattr(Cores, "core", lambda *_, **__: None)
    with pytest.raises(VerificationError, match="no clues were found that make 'c' mine"):
        sapper.explain(clues, "c")
    monkeypatch.setattr(Cores, "contradiction", lambda *_: None)
    with pytest.raises(VerificationError, match="no clues were found that contradict each other"):
        sapper.explain(Clues([Clue(3, "ab")]), "a")


def test_words_when_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "derive", lambda *_: None)
    monkeypatch.setattr(steps, "refute", lambda *_: None)
    names = Namer(TWO, TWO.clues, None, TWO.index.__getitem__)
    for mine, what in ((True, "c is a mine; the cases"), (False, "c is free; the cases")):
        told = steps.steps_of(TWO.clues, "c", mine, names)
        assert [step.cells for step in told] == [("a", "b"), ("a", "b", "c"), ("c",)]
        assert what in told[-1].text
        assert (told[-1].least, told[-1].most) == (int(mine), int(mine))
    weighed = Clues([Clue(3, "ab", [1, 2])])
    names = Namer(weighed, weighed.clues, None, weighed.index.__getitem__)
    assert steps.steps_of(weighed.clues, None, False, names)[0].cells == ()


def test_words_for_a_clue_that_has_no_mine_left() -> None:
    found = sapper.explain(Clues([Clue(1, "ab"), Clue(0, "abc")]), "a")
    assert [step.text for step in found.steps] == [
        "Clue 2 has all its mines: a, b and c are free.",
        "Then clue 1 would have no mine instead of 1: impossible.",
    ]


def test_a_number_that_needs_more_mines() -> None:
    position = Position(Grid(1, 4), ["*2??"])
    clue = Clue(1, [(0, 2)], cell=(0, 1))
    names = Namer(position, (clue,), None, position.topology.index)
    assert names.needs(clue) == "the 2 at (0, 1) needs 1 more mine"
    assert names.needs(Clue(2, [(0, 2), (0, 3)], cell=(0, 1))) == "the 2 at (0, 1) needs 2 mines"
