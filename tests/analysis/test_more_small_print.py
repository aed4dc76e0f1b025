"""What only a changed character would break, part two: who is asked, checks, arrays, sessions."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import sapper
from sapper._native import Cache
from sapper.analysis import (
    Session,
    auto,
    explaining,
    get,
    named,
)
from sapper.analysis.auto import HOPELESS, Auto
from sapper.analysis.cores import Cores
from sapper.analysis.explaining import _cores, _is_solution
from sapper.analysis.sat_cores import SatCores
from sapper.analysis.verify import VerificationError
from sapper.analysis.wording import Namer, some
from sapper.clues import Clue, Clues
from sapper.errors import LimitExceeded, MethodError, TooWide
from sapper.field import Grid, Position
from sapper.limits import Limits
from sapper.questions import Budget
from tests.engine.boards import minefield, random_graph

OPEN = Position(Grid(2, 3), ["1??", "???"])
TWO = Clues([Clue(1, "ab"), Clue(2, "abc")])


# --- the method that picks -----------------------------------------------------------------------


def test_auto_passes_on_what_it_is_given() -> None:
    found = Auto(most_expected=7, grouping=False, threads=2)
    assert found.plain.settings["certainty"] is False
    assert found.engine.settings["most_expected"] == float("inf")
    remembering = found.remembering()
    assert remembering.most_expected == 7
    assert remembering.engine.settings["grouping"] is False
    assert remembering.engine.memory is not None
    assert remembering.remembering() is remembering
    memory = Cache()
    assert Auto(memory=memory).remembering().engine.memory is memory


def test_how_long_auto_waits() -> None:
    findings = Auto().findings(OPEN)
    assert findings._patience(Budget(None)) == pytest.approx(0.1 + 6 * 2e-5)
    assert findings._patience(Budget(Limits(seconds=1000))) == pytest.approx(0.1 + 6 * 2e-5)
    left: Any = SimpleNamespace(seconds=0.1)
    assert findings._patience(left) == pytest.approx(0.03)
    assert Auto().findings(TWO)._patience(Budget(None)) == pytest.approx(0.1 + 3 * 2e-5)


class Looks:
    """Findings of `auto` whose clock and estimates are given."""

    def __init__(
        self, patch: pytest.MonkeyPatch, clock: list[float], plain: float, engine: float
    ) -> None:
        self.asked: list[tuple[str, float | None]] = []
        self.reports: list[int] = []
        times = iter(clock)
        patch.setattr(auto, "monotonic", lambda: next(times))
        method = Auto(progress=self.reports.append)
        for name, nodes in (("plain", plain), ("engine", engine)):
            patch.setattr(getattr(method, name), "estimate", self._estimate(name, nodes))
        self.findings = method.findings(OPEN)

    def _estimate(self, name: str, nodes: float) -> Callable[..., Any]:
        def estimate(*_: object, patience: float | None = None) -> Any:
            self.asked.append((name, patience))
            return SimpleNamespace(nodes=nodes)

        return estimate

    def compile(self, _: Budget, progress: Any) -> str:
        for nodes in (1, 2):
            progress(nodes)
        return "compiled"

    def watch(self, most: float) -> str:
        return self.findings.watched(self.compile, Budget(None), most)


def test_nobody_asks_how_wide_a_board_is_that_is_done_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Auto().findings(OPEN)._patience(Budget(None))
    looks = Looks(monkeypatch, [0.0, 0.05, patience], plain=9, engine=9)
    assert looks.watch(5) == "compiled"
    assert looks.asked == []
    assert looks.reports == [1, 2]


@pytest.mark.parametrize(
    ("plain", "engine", "asked", "reports"),
    [
        (5, 9, ["plain"], [1, 2]),
        (6, 5, ["plain", "engine"], [1, 1, 2]),
        (6, 6, ["plain", "engine"], None),
    ],
)
def test_who_is_asked_how_wide_a_board_is(
    plain: float,
    engine: float,
    asked: list[str],
    reports: list[int] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = Looks(monkeypatch, [0.0, 0.2, 0.3, 0.4], plain, engine)
    if reports is None:
        with pytest.raises(TooWide) as hit:
            looks.watch(5)
        assert hit.value.expected == engine
    else:
        assert looks.watch(5) == "compiled"
        assert looks.reports == reports
    assert [name for name, _ in looks.asked] == asked
    if "engine" in asked:
        assert looks.asked[-1][1] == pytest.approx(0.1 + 6 * 2e-5)


def test_hopeless_means_more_than_that() -> None:
    for expected, counts in ((HOPELESS, 6), (2 * HOPELESS, None)):
        findings = Auto(most_expected=0).findings(OPEN)
        findings.prepare()
        assert findings.method == "sat"
        findings._expected = expected
        if counts is None:
            with pytest.raises(TooWide):
                findings.find_count(Budget(None))
        else:
            assert findings.find_count(Budget(None)) == sapper.count(OPEN, method="brute")


def test_counting_asks_first_whether_it_is_hopeless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "HOPELESS", 0.5)
    with pytest.raises(TooWide):
        Auto(most_expected=0).findings(OPEN).find_count(Budget(None))
    assert Auto().findings(OPEN).find_count(Budget(None)) == sapper.count(OPEN, method="brute")


@pytest.mark.parametrize("limits", [None, Limits(seconds=60)], ids=str)
def test_preparing_is_finding_out_who_answers(limits: Limits | None) -> None:
    findings = Auto().findings(OPEN, limits)
    assert "_board" not in vars(findings)
    findings.prepare()
    assert vars(findings)["_board"] is not None
    assert vars(sapper.analyze(OPEN, limits=limits).findings)["_board"] is not None


def test_limits_hold_for_the_diagram_of_a_view() -> None:
    position = minefield(Grid(16, 16), mines=0.2, visible=0.4, seed=1)
    with pytest.raises(LimitExceeded):
        sapper.solutions(position, limits=Limits(nodes=1)).zdd()
    with pytest.raises(LimitExceeded):
        sapper.analyze(position, limits=Limits(nodes=1), method="engine")


# --- explanations --------------------------------------------------------------------------------


def test_sat_finds_its_cores_itself() -> None:
    assert type(_cores(get("sat").findings(TWO), Budget())) is SatCores
    assert type(_cores(get("engine").findings(TWO), Budget())) is Cores
    for smallest in (False, True):
        found = sapper.explain(TWO, "c", method="sat", smallest=smallest)
        assert (found.verdict, found.size, found.is_smallest) == ("mine", 2, smallest)
    wide = minefield(Grid(5, 5), mines=0.25, visible=0.5, seed=36)
    cell = next(iter(sapper.analyze(wide).safe | sapper.analyze(wide).mines))
    sizes = [
        sapper.explain(wide, cell, method=name, smallest=True).size for name in ("sat", "engine")
    ]
    assert sizes[0] == sizes[1]


def test_sat_lists_two_worlds_without_all_verdicts() -> None:
    findings = get("sat").findings(OPEN)
    found = explaining.explain(findings, (0, 1))
    assert found.verdict == "unknown"
    assert "verdict_codes" not in findings.__dict__
    assert [(0, 1) in one for one in found.solutions] == [True, False]


def test_the_total_counts_what_is_not_known() -> None:
    position = Position(Grid(1, 4), ["*2??"], mines=2)
    total = Cores(position, Budget()).total
    assert total is not None
    assert (total.count, total.cells) == (1, ((0, 2), (0, 3)))
    assert sapper.explain(position, (0, 3)).verdict == "safe"


@pytest.mark.parametrize("mines", [None, 3])
def test_two_worlds_meet_everything(mines: int | None) -> None:
    position = Position(Grid(3, 4), ["1???", "????", "???1"], mines=mines)
    clues = Clues.of(position)
    for variable, cell in enumerate(position.covered):
        pair = Cores(position, Budget()).worlds(variable)
        for world, mined in zip(pair, (True, False), strict=True):
            assert world is not None
            assert (cell in world) is mined
            assert clues.is_solution(world)


def test_two_worlds_are_much_alike() -> None:
    """Thirty parts that have nothing to do with each other: only one of them differs."""
    clues = Clues([Clue(2, [(part, k) for k in range(5)]) for part in range(30)])
    one, two = Cores(clues, Budget()).worlds(0)
    assert one is not None
    assert two is not None
    assert len(one ^ two) == 2


def test_what_is_shown_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def worlds(*pair: frozenset[str] | None) -> Callable[..., Any]:
        return lambda *_: pair

    both = Clues([Clue(1, "ab"), Clue(1, "bc")])
    right, other = frozenset("ac"), frozenset("b")
    for pair, words in (
        ((None, other), "no two solutions were found"),
        ((right, None), "no two solutions were found"),
        ((right, right), "do not differ in 'a'"),
        ((other, other), "do not differ in 'a'"),
        ((frozenset("a"), other), "a solution that is shown is none"),
        ((right, frozenset("bc")), "a solution that is shown is none"),
    ):
        monkeypatch.setattr(Cores, "worlds", worlds(*pair))
        with pytest.raises(VerificationError, match=words):
            sapper.explain(both, "a", method="treewidth")
    monkeypatch.setattr(Cores, "worlds", worlds(right, other))
    assert sapper.explain(both, "a", method="treewidth").solutions == (right, other)


def test_what_a_solution_is() -> None:
    clues = Clues([Clue(1, "ab")], "abc", mines=2)
    assert _is_solution(clues, frozenset("ac"), Budget())
    for wrong in ("a", "abc", "cd", "ad", "c"):
        assert not _is_solution(clues, frozenset(wrong), Budget())


def test_contradictions_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    clues = Clues([Clue(1, "a"), Clue(0, "a"), Clue(1, "bc")])
    assert sapper.explain(clues, "a").clues == clues.clues[:2]
    monkeypatch.setattr(Cores, "contradiction", lambda _: [0, 2])
    with pytest.raises(VerificationError):
        sapper.explain(clues, "a")


def test_half_of_the_time_goes_into_the_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits | None] = []

    class Noted(Budget):
        def __init__(self, limits: Limits | None = None) -> None:
            given.append(limits)
            super().__init__(limits)

    monkeypatch.setattr(explaining, "Budget", Noted)
    sapper.explain(OPEN, (0, 1), limits=Limits(seconds=1000))
    first, last = given
    assert first == Limits(seconds=1000)
    assert last is not None
    assert last.seconds is not None
    assert 400 < last.seconds <= 500


def test_marks_that_are_wrong() -> None:
    assert sapper.explain(Clues([Clue(1, "a"), Clue(0, "a")]), "a").wrong == ()
    assert sapper.explain(Position(Grid(1, 3), ["1?0"]), (0, 1)).wrong == ()
    numbers = Position(Grid(1, 5), ["1?0_?"])  # the mark has nothing to do with it
    assert sapper.explain(numbers, (0, 1)).wrong == ()
    # With the mark one mine does for both numbers; without it two are needed, and there is one.
    found = sapper.explain(Position(Grid(1, 5), ["?1_1?"], mines=1), (0, 0))
    assert found.wrong == ((0, 2),)
    assert found.summary.endswith("the mark at (0, 2) contradicts the numbers.")
    two = sapper.explain(Position(Grid(1, 4), ["_2_?"]), (0, 3))
    assert two.wrong == ((0, 0), (0, 2))
    assert two.summary.endswith("the marks at (0, 0) and (0, 2) contradict the numbers.")


def test_a_chance_in_words() -> None:
    found = sapper.explain(OPEN, (0, 1))
    assert found.is_smallest is False

    def share(top: int, bottom: int) -> str:
        chance = replace(found, probability=Fraction(top, bottom)).summary
        return chance.partition("probability ")[2]

    assert share(1, 10**21 + 1) == f"1/{10**21 + 1} (0.01 %)."  # 24 characters
    assert share(1, 10**22 + 1) == "about 0.01 %."
    assert share(10**22, 10**22 + 1) == "about 99.99 %."
    assert share(1, 2) == "1/2 (50 %)."


def test_a_core_of_two_is_not_called_smallest() -> None:
    assert sapper.explain(TWO, "c").is_smallest is False
    assert sapper.explain(TWO, "c", smallest=True).is_smallest is True
    assert explaining.explain(get("engine").findings(TWO), "c").is_smallest is False


# --- words ---------------------------------------------------------------------------------------


def test_a_clue_with_weights_in_words() -> None:
    clues = Clues([Clue(3, ["a", 7, -2, (0, 1)], [1, 2, -1, 3]), Clue(1, "ba", cell="x")])
    names = Namer(clues, clues.clues, None, clues.index.__getitem__)
    assert names.says(clues.clues[0]) == "clue 1 says a + 2·[7] + -1·[-2] + 3·(0, 1) = 3"
    assert names.needs(clues.clues[1]) == "the 1 at x needs 1 mine"
    signs = Clues([Clue(1, ["!7", "-7"], [1, 2])])
    names = Namer(signs, signs.clues, None, signs.index.__getitem__)
    assert names.says(signs.clues[0]) == "clue 1 says !7 + 2·[-7] = 1"
    assert names.says(Clue(0, (), cell="y")) == "the 0 at y needs 0 mines among no covered cell"


def test_cells_are_named_in_the_order_of_the_puzzle() -> None:
    clues = Clues([Clue(1, "ba")], "bca")
    names = Namer(clues, clues.clues, None, clues.index.__getitem__)
    assert names.cells("abc") == "b, c and a"
    assert sapper.explain(Clues([Clue(2, "ba")]), "a").steps[0].cells == ("b", "a")


def test_ten_cells_are_listed_and_eleven_are_not() -> None:
    assert some("abcdefghij") == "a, b, c, d, e, f, g, h, i and j"
    assert some("abcdefghijk") == "a, b, c, d, e, f, g, h and 3 more cells"


# --- arguments -----------------------------------------------------------------------------------


def test_wrong_arguments_of_a_question() -> None:
    with pytest.raises(TypeError, match=r"not str; sapper\.parse reads one$"):
        sapper.count("1?")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected a Position or Clues, not int$"):
        sapper.count(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"limits are given as sapper\.Limits\(seconds=…\), not as"):
        sapper.count(OPEN, limits=3)  # type: ignore[arg-type]


def test_wrong_options_of_a_method() -> None:
    with pytest.raises(MethodError, match="'grouping' is no option of a method; write option="):
        named("engine:grouping")
    with pytest.raises(MethodError, match=r"it takes none$"):
        get("brute", k=1)
    with pytest.raises(MethodError, match=r"it takes 'k', 'repeat' and 'total'$"):
        get("kset", size=2)


def test_what_an_analysis_shows() -> None:
    everything = Position(Grid(1, 2), ["1*"])
    wrong = Position(Grid(1, 2), ["0*"])
    assert repr(sapper.analyze(everything)).startswith("Analysis(consistent=True, safe=0, mines=0")
    assert repr(sapper.analyze(wrong)).startswith("Analysis(consistent=False")
    assert repr(sapper.analyze(everything, method="kset")).startswith("Analysis(consistent=True")
    assert repr(sapper.analyze(Position(Grid(1, 2), ["2?"]))).startswith("Analysis(consistent=Fa")


# --- sessions ------------------------------------------------------------------------------------


def test_a_session_tells_what_it_did() -> None:
    position = minefield(Grid(16, 16), mines=0.2, visible=0.4, seed=4)
    session = Session(position, limits=Limits(seconds=60))
    assert session.limits == Limits(seconds=60)
    assert repr(session) == f"Session({position!r})"
    session.count()
    assert (session.compiled, session.reused) == (7, 0)
    session.reveal(position.covered[0], "_")
    session.count()
    assert (session.compiled, session.reused) == (8, 6)  # one part has changed
    searching = Session(minefield(Grid(16, 16), mines=0.2, visible=0.4, seed=1))
    assert searching.is_consistent()
    assert searching.searched == 1
    copied = pickle.loads(pickle.dumps(session))
    assert copied.limits == session.limits


def test_a_session_explains_with_as_few_clues_as_can_be() -> None:
    position = minefield(Grid(5, 5), mines=0.25, visible=0.5, seed=36)
    cell = sapper.analyze(position).difficulty
    assert cell is not None
    session = Session(position)
    assert session.explain(cell.cell, smallest=True).size == cell.size == 2
    assert session.explain(cell.cell, smallest=True).is_smallest
    assert session.explain(cell.cell).size == 5


# --- arrays --------------------------------------------------------------------------------------


def test_totals_of_many_boards() -> None:
    boards = numpy.full((3, 1, 2), -1, dtype=numpy.int8)
    for mines in (0, 2, [0, 1, 2], numpy.array([2, 3, 0]), 3):
        totals = [mines] * 3 if isinstance(mines, int) else list(mines)
        found = sapper.analyze_many(boards, mines=mines)
        plain = [sapper.count(Position(Grid(1, 2), ["??"]), method="brute") for _ in totals]
        assert plain == [4, 4, 4]
        ways = {0: 1, 1: 2, 2: 1, 3: 0}
        assert [round(2**x) for x in found.log2_counts] == [ways[int(t)] for t in totals]
        assert found.consistent.tolist() == [int(total) <= 2 for total in totals]
    assert sapper.analyze_many([]).verdicts.shape == (0, 0)


def test_which_of_many_is_too_wide() -> None:
    wrong, right = Position(Grid(1, 2), ["2?"]), Position(Grid(1, 2), ["1?"])
    wide = random_graph(400, 2000, seed=1)
    with pytest.raises(TooWide, match=r"^position 3: too wide"):
        sapper.analyze_many([wrong, right, wrong, wide])
    # On one field: the first has no legal assignment, the second is all covered.
    field = wide.topology
    first = next(iter(field))
    no = Position(field, {first: len(field.neighbours(first)) + 1})
    all_covered = Position(field, {})
    with pytest.raises(TooWide, match=r"^position 2: too wide"):
        sapper.analyze_many([no, all_covered, wide])


def test_totals_of_many_positions() -> None:
    for total, ways in ((None, 4), (0, 1), (1, 2), (2, 1)):
        (found,) = sapper.analyze_many([Position(Grid(1, 2), ["??"], mines=total)]).log2_counts
        assert round(2**found) == ways
    with pytest.raises(TypeError, match=r"limits are given as sapper\.Limits"):
        sapper.analyze_many([OPEN], limits=3)  # type: ignore[arg-type]
    assert len(sapper.analyze_many([OPEN], limits=Limits(seconds=60))) == 1
