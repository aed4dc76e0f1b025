"""Explanations: minimal, smallest, verified, readable."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sapper
from sapper._native import CoreFinder, run_under
from sapper.analysis import Explanation, VerificationError
from sapper.analysis.difficulty import easiest
from sapper.analysis.facts import derive
from sapper.analysis.refute import refute
from sapper.analysis.verify import can_be_met, check_core
from sapper.clues import Clue, Clues, Puzzle
from sapper.engine.board import system_of
from sapper.errors import LimitExceeded, MethodError, PositionError, UnknownCellError
from sapper.field import Cell, Grid, Position
from sapper.limits import Limits
from sapper.methods.brute import Brute
from sapper.questions import Budget
from tests.engine.boards import minefield
from tests.support.exhaustive import all_truthful_positions
from tests.support.strategies import arbitrary_positions, clue_systems, puzzles, truthful_positions

many = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def forced(clues: list[Clue], cell: Cell, verdict: str) -> bool:
    """Tell, by brute force, whether clues decide a cell (and can be met)."""
    return Brute().findings(Clues(clues, [cell])).verdicts.get(cell) == verdict


def groups(puzzle: Puzzle) -> list[Clue]:
    """Return all clues, with the mine total as one more."""
    clues = Clues.of(puzzle)
    total = [] if clues.free_mines is None else [Clue(clues.free_mines, clues.cells)]
    return [*clues.clues, *total]


def assert_minimal(explanation: Explanation) -> None:
    core = list(explanation.clues)
    assert forced(core, explanation.cell, explanation.verdict)
    for dropped in range(len(core)):
        assert not forced(
            core[:dropped] + core[dropped + 1 :], explanation.cell, explanation.verdict
        )


def assert_explained(puzzle: Puzzle, *, smallest: bool = False, method: str = "auto") -> None:
    verdicts = Brute().findings(puzzle).verdicts
    everything = groups(puzzle)
    for cell in Clues.of(puzzle).cells:
        explanation = sapper.explain(puzzle, cell, smallest=smallest, method=method)
        assert explanation.text
        assert all("\n" not in step.text for step in explanation.steps)
        if not verdicts:
            assert explanation.verdict == "inconsistent"
            core = list(explanation.clues)
            assert not Brute().findings(Clues(core)).consistent
            for dropped in range(len(core)):
                assert Brute().findings(Clues(core[:dropped] + core[dropped + 1 :])).consistent
            return
        assert explanation.verdict == verdicts[cell]
        if explanation.verdict == "unknown":
            with_mine, without = explanation.solutions
            assert cell in with_mine
            assert cell not in without
            assert Clues.of(puzzle).is_solution(with_mine)
            assert Clues.of(puzzle).is_solution(without)
            if method == "auto":
                assert (
                    explanation.probability
                    == sapper.analyze(puzzle, method=Brute()).exact_probabilities[cell]
                )
            continue
        assert_minimal(explanation)
        assert all(clue in everything for clue in explanation.clues)
        assert_steps_hold(explanation)
        if smallest:
            for size in range(explanation.size):
                for fewer in combinations(everything, size):
                    assert not forced(list(fewer), cell, explanation.verdict)


def assert_steps_hold(explanation: Explanation) -> None:
    """Check every claim that is not made under an assumption against the core."""
    assert explanation.steps
    for step in explanation.steps:
        if step.assumed or not step.cells:
            continue
        for mines in Brute().solutions(Clues(explanation.clues, step.cells)):
            inside = len(mines.intersection(step.cells))
            assert step.least <= inside <= step.most, step
    last = explanation.steps[-1]
    assert explanation.cell in last.cells


@given(puzzle=puzzles())
@many
def test_every_cell_is_explained(puzzle: Puzzle) -> None:
    assert_explained(puzzle)


@given(position=truthful_positions())
@many
def test_truthful_positions(position: Position) -> None:
    assert_explained(position)


@given(position=arbitrary_positions())
@settings(many, max_examples=40)
def test_positions_that_contradict_themselves(position: Position) -> None:
    assert_explained(position)


@given(puzzle=st.one_of(truthful_positions(), clue_systems(9)))
@settings(many, max_examples=40)
def test_smallest_cores_are_smallest(puzzle: Puzzle) -> None:
    assert_explained(puzzle, smallest=True)


@given(puzzle=puzzles())
@settings(many, max_examples=30)
def test_cores_by_sat(puzzle: Puzzle) -> None:
    assert_explained(puzzle, method="sat")


def test_every_small_board() -> None:
    for position in list(all_truthful_positions(Grid(2, 4)))[::9]:
        assert_explained(position, smallest=True)


@given(clues=clue_systems())
@many
def test_the_check_of_cores_is_right(clues: Clues) -> None:
    assert can_be_met(groups(clues)) is Brute().findings(clues).consistent


@given(clues=clue_systems(8))
@many
def test_refutation_is_complete(clues: Clues) -> None:
    """What brute force refutes is refuted in steps, unless that takes too many."""
    for cell, verdict in Brute().findings(clues.with_mines(None)).verdicts.items():
        for value in (0, 1):
            found = refute(clues.clues, cell, value)
            possible = verdict == "unknown" or value == int(verdict == "mine")
            assert not (possible and found is not None)


@pytest.mark.parametrize(
    ("clues", "cell", "mine", "witnesses"),
    [
        # Does not force anything.
        ([Clue(1, "ab")], "a", True, [{"b"}]),
        # Forces it, with a clue too many: no honest witness against the second exists.
        ([Clue(0, "a"), Clue(1, "bc")], "a", True, [{"a", "b"}, {"b"}]),
        # A witness that breaks another clue, one with the wrong value, and one too few.
        ([Clue(1, "ab"), Clue(1, "b")], "a", True, [{"a"}, {"a"}]),
        ([Clue(1, "ab"), Clue(1, "b")], "a", True, [{"b"}, {"a"}]),
        ([Clue(1, "ab"), Clue(1, "b")], "a", True, [{"a", "b"}]),
    ],
)
def test_the_check_of_cores_refuses(
    clues: list[Clue], cell: str, mine: bool, witnesses: list[set[Cell]]
) -> None:
    with pytest.raises(VerificationError):
        check_core(clues, cell, mine, witnesses)


def test_the_check_of_cores_accepts() -> None:
    check_core([Clue(1, "ab"), Clue(1, "b")], "a", True, [{"a", "b"}, {"a"}])
    check_core([Clue(1, "ab"), Clue(0, "ab")], None, False, [set(), {"a"}])


def test_a_finder_is_asked_again_after_a_limit() -> None:
    """F13: what a search had numbered stayed numbered when a limit ended it."""
    board = minefield(Grid(8, 8), mines=0.2, visible=0.5, seed=1)
    system = system_of(board, run_under(None))
    finder, again = CoreFinder(system, run_under(None)), CoreFinder(system, run_under(None))
    hit = 0
    for variable in range(len(board.covered)):
        for allowed in range(4000, 40000, 2000):
            try:
                again.core(variable, True, False, 0, run_under(Limits(bytes=allowed)))
            except LimitExceeded:
                hit += 1
        without_limit = run_under(None)
        expected = finder.core(variable, True, False, 0, without_limit)
        assert again.core(variable, True, False, 0, without_limit) == expected
    assert hit > 100, "the limits are too large to test anything"


def test_the_total_is_a_clue_where_it_is_needed() -> None:
    position = sapper.parse("1??\n???", mines=1)
    explanation = sapper.explain(position, (1, 2))
    assert explanation.verdict == "safe"
    assert explanation.total in explanation.clues
    assert explanation.size == 2
    assert "the mine total" in explanation.text
    without = sapper.explain(position.with_mines(None), (1, 2))
    assert without.verdict == "unknown"


def test_a_smallest_core_may_need_the_total_where_others_do_not() -> None:
    clues = [Clue(1, ["c0"]), Clue(0, ["c1", "c2", "c0", "c3"], weights=(0, 0, 1, -1))]
    explanation = sapper.explain(Clues(clues, mines=4), "c3", smallest=True)
    assert explanation.size == 1


def test_bad_cells() -> None:
    position = sapper.parse("1??\n12?\n_*?", mines=3)
    with pytest.raises(UnknownCellError, match=r"no cell \(7, 7\)"):
        sapper.explain(position, (7, 7))
    with pytest.raises(PositionError, match="uncovered and shows 1"):
        sapper.explain(position, (0, 0))
    with pytest.raises(PositionError, match="marked as free"):
        sapper.explain(position, (2, 0))
    with pytest.raises(PositionError, match="marked as a mine"):
        sapper.explain(position, (2, 1))
    with pytest.raises(UnknownCellError, match="no cell 'z'"):
        sapper.explain(Clues([Clue(1, "ab")]), "z")
    with pytest.raises(MethodError, match="does not find every verdict"):
        sapper.explain(position, (0, 1), method="kset")


def test_a_flag_that_contradicts_the_clues() -> None:
    """The numbers force (0, 1) to be free, and somebody has put a flag there."""
    wrong = sapper.explain(sapper.parse("?*?\n121"), (0, 0))
    assert wrong.verdict == "inconsistent"
    assert wrong.wrong == ((0, 1),)
    assert wrong.summary == (
        "There is no legal assignment: the mark at (0, 1) contradicts the numbers."
    )


def test_words() -> None:
    explanation = sapper.explain(sapper.parse("???\n121"), (0, 1), smallest=True)
    assert explanation.summary == "(0, 1) is safe: 3 clues force it; no fewer do."
    assert str(explanation) == explanation.text
    assert explanation.places == ((1, 0), (1, 1), (1, 2))
    assert "Explanation" in repr(explanation)
    assert hash(explanation.clues)


def test_difficulty() -> None:
    unique = sapper.read("examples/unique.txt")
    difficulty = sapper.analyze(unique).difficulty
    assert difficulty is not None
    assert difficulty.size == 4
    undecided = sapper.analyze(sapper.parse("1??\n???"))
    assert undecided.difficulty is None


@given(puzzle=puzzles())
@settings(many, max_examples=40)
def test_difficulty_is_the_least_of_the_smallest_cores(puzzle: Puzzle) -> None:
    analysis = sapper.analyze(puzzle)
    sizes = [
        sapper.explain(puzzle, cell, smallest=True).size
        for cell, verdict in analysis.verdicts.items()
        if verdict != "unknown"
    ]
    found = easiest(puzzle, analysis.findings.verdict_codes, Budget())
    assert (found.size if found else None) == min(sizes, default=None)


@pytest.mark.parametrize("cell", [(0, 0), (0, 2), (4, 4)])
def test_pictures(cell: Cell) -> None:
    picture = sapper.explain(sapper.read("examples/unique.txt"), cell).svg()
    assert picture.startswith("<svg")
    assert picture.count('stroke-width="3.2"') >= 1
    bare = sapper.explain(Clues([Clue(1, "ab"), Clue(0, "a")]), "b").svg()
    assert "b is a mine" in bare


def test_a_lower_bound_says_why() -> None:
    position = sapper.read(Path(__file__).parents[2] / "examples" / "intermediate.txt")
    assert sapper.explain(position, (3, 9)).steps[-1].text == (
        "The 4 at (4, 7) needs 4 mines, and only three of them fit elsewhere: at least 1 mine is "
        "among (3, 7) and (3, 8). The 1 at (4, 8) has no more than that, so (3, 9) is safe."
    )


def test_cells_that_are_called_numbers_do_not_look_like_factors() -> None:
    clues = sapper.Clues([sapper.Clue(3, [1, 2], weights=[1, 2]), sapper.Clue(1, [1])])
    text = sapper.explain(clues, 2).text
    assert "2·2" not in text


def test_a_contradiction_about_sets_needs_no_cases() -> None:
    position = sapper.parse("topology: hex\nmines: 4\n1??\n?2?\n???")
    found = sapper.explain(position, (0, 1))
    assert found.verdict == "inconsistent"
    assert len(found.steps) == 3
    assert found.steps[-1].text.endswith("The 2 at (1, 1) has 2 mines at most there: impossible.")


@many
@given(clue_systems())
def test_arguments_about_sets_find_only_true_contradictions(system: Clues) -> None:
    clues = list(system.clues)
    if derive(clues, None, mine=False) is not None:
        assert not Brute().findings(Clues(clues)).consistent


def test_most_small_contradictions_are_found_by_sets() -> None:
    """Every pair of numbers over two sets of at most three cells that overlap."""
    sets = [c for size in (1, 2, 3) for c in combinations("abcd", size)]
    for one, two in combinations(sets, 2):
        if not set(one) & set(two):
            continue
        for first in range(len(one) + 1):
            for second in range(len(two) + 1):
                clues = [Clue(first, one), Clue(second, two)]
                consistent = Brute().findings(Clues(clues)).consistent
                assert (derive(clues, None, mine=False) is None) == consistent
