"""The oracle against the definition."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import sapper
from sapper.clues import Clue, Clues, Puzzle
from sapper.errors import LimitExceeded, MethodError
from sapper.field import Grid, Hex, Position, Torus
from sapper.limits import Limits
from sapper.methods.brute import MAX_TOUCHED, Brute
from tests.support.agreement import assert_agree
from tests.support.exhaustive import all_positions
from tests.support.laws import assert_laws
from tests.support.naive import Naive
from tests.support.strategies import clue_systems, positions, puzzles


@given(positions())
@settings(max_examples=60, deadline=None)
def test_agrees_with_the_definition_on_positions(position: Position) -> None:
    assert_agree(Brute(), Naive(), position)


@given(clue_systems(max_cells=8))
@settings(max_examples=60, deadline=None)
def test_agrees_with_the_definition_on_clue_systems(clues: Clues) -> None:
    assert_agree(Brute(), Naive(), clues)


@given(puzzles())
@settings(max_examples=60, deadline=None)
def test_obeys_the_laws(puzzle: Puzzle) -> None:
    assert_laws(Brute(), puzzle)


@pytest.mark.parametrize("topology", [Grid(1, 3), Grid(2, 2), Torus(2, 2), Hex(2, 2)])
def test_every_position_of_a_tiny_field(topology: Grid) -> None:
    for position in all_positions(topology):
        assert Brute().findings(position).by_mines == Naive().findings(position).by_mines


def test_cells_in_no_clue_are_counted_not_listed() -> None:
    clues = Clues([Clue(1, "ab")], cells=["a", "b", *range(200)])
    assert Brute().findings(clues).count == 2 * 2**200
    assert sapper.analyze(clues, method=Brute()).exact_probabilities[7].limit_denominator() == 1 / 2
    solution = Brute().solutions(clues.with_mines(100)).sample(1, seed=3)[0]
    assert len(solution) == 100
    assert clues.is_solution(solution)


def test_counts_of_equal_sums_of_powers() -> None:
    # Dividing {1..n} into two sets of equal sum, OEIS A063865: signs of ±1±2±…±n that give 0.
    expected = {3: 2, 4: 2, 5: 0, 7: 8, 8: 14, 11: 70, 12: 124}
    for n, count in expected.items():
        total = n * (n + 1) // 2
        numbers = range(1, n + 1)
        clue = Clue(0, ["all", *numbers], weights=[-total, *(2 * number for number in numbers)])
        divisions = Clues([clue, Clue(1, ["all"])])
        assert Brute().findings(divisions).count == count


def test_too_many_cells_name_a_method_that_can() -> None:
    clues = Clues([Clue(3, range(MAX_TOUCHED + 1))])
    with pytest.raises(MethodError, match="'engine'"):
        _ = Brute().findings(clues).count


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        (Limits(nodes=1000), "nodes"),
        (Limits(seconds=1e-6), "seconds"),
        (Limits(bytes=1000), "bytes"),
    ],
)
def test_limits_are_kept(limits: Limits, limit: str) -> None:
    clues = Clues([Clue(9, range(18))])
    with pytest.raises(LimitExceeded) as caught:
        _ = Brute().findings(clues, limits).count
    assert caught.value.limit == limit
    assert caught.value.spent > caught.value.allowed


def test_a_diagram_of_more_solutions_than_can_be_listed() -> None:
    view = Brute().solutions(Clues([Clue(1, (0, 1))], cells=range(40), mines=20))
    assert view.zdd().count() == view.count() > 10**10
    assert view.excluding(30).including(3).zdd().count() == view.excluding(30).including(3).count()


def test_what_is_no_set_of_cells_is_no_solution() -> None:
    view = Brute().solutions(Clues([Clue(1, "ab")]))
    assert {"a"} in view
    assert ["a"] in view
    assert 5 not in view
    assert [[]] not in view
