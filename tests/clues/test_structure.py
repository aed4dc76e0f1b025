"""Simplification, groups and components lose nothing."""

from __future__ import annotations

from itertools import chain, pairwise, product
from random import Random

import pytest
from hypothesis import given, settings

from sapper.clues import Clue, Clues
from sapper.errors import LimitExceeded, MethodError
from sapper.field import Position
from sapper.limits import Limits
from sapper.methods.brute import Brute
from tests.support.naive import legal
from tests.support.strategies import clue_systems, truthful_positions

lossless = settings(max_examples=150, deadline=None)


@given(clue_systems(max_cells=9))
@lossless
def test_simplifying_keeps_every_solution(clues: Clues) -> None:
    simple = clues.simplify()
    left, expected = legal(simple.clues), legal(clues)
    assert {simple.restore(mines) for mines in left} == set(expected)
    assert len(left) == len(expected)
    assert Brute().findings(simple.clues).by_mines == Brute().findings(clues).by_mines
    assert simple.consistent is bool(legal(clues, total=False))


@given(truthful_positions())
@lossless
def test_simplifying_finds_all_that_the_clues_decide(position: Position) -> None:
    clues = Clues.from_position(position)
    simple = clues.simplify()
    assert simple.consistent
    verdicts = Brute().findings(clues.with_mines(None)).verdicts
    assert simple.mines == {cell for cell, verdict in verdicts.items() if verdict == "mine"}
    assert simple.safe == {cell for cell, verdict in verdicts.items() if verdict == "safe"}
    assert set(simple.clues.cells) == set(clues.cells) - simple.mines - simple.safe


@given(clue_systems())
@lossless
def test_simplified_clues_know_where_they_come_from(clues: Clues) -> None:
    simple = clues.simplify()
    assert len(simple.sources) == len(simple.clues.clues)
    for source, clue in zip(simple.sources, simple.clues.clues, strict=True):
        origin = clues.clues[source]
        assert dict(clue.terms).items() <= dict(origin.terms).items()
        assert clue.cell == origin.cell
    if simple.consistent:
        assert simple.clues.simplify().clues == simple.clues


def test_a_contradiction_is_left_as_it_is() -> None:
    clues = Clues([Clue(1, "ab"), Clue(3, "abc")])
    simple = clues.simplify()
    assert not simple.consistent
    assert simple.clues is clues
    assert simple.sources == (0, 1)


def test_simplifying_keeps_to_limits() -> None:
    random = Random(1)
    mines = set(random.sample(range(2000), 800))
    around = [random.sample(range(2000), 6) for _ in range(1000)]
    clues = Clues([Clue(len(mines.intersection(cells)), cells) for cells in around])
    with pytest.raises(LimitExceeded) as caught:
        clues.simplify(Limits(seconds=1e-7))
    assert caught.value.limit == "seconds"


def test_weights_beyond_the_core_cannot_be_simplified() -> None:
    with pytest.raises(MethodError):
        Clues([Clue(1, "ab", weights=[1, 2**70])]).simplify()


@given(clue_systems(max_cells=9))
@lossless
def test_groups_are_a_partition_into_interchangeable_cells(clues: Clues) -> None:
    groups = clues.groups()
    assert sorted(chain(*groups), key=clues.cells.index) == list(clues.cells)
    assert [group[0] for group in groups] == sorted(
        (group[0] for group in groups), key=clues.cells.index
    )
    solutions = set(legal(clues))
    for group in groups:
        for one, other in pairwise(group):
            swap = {one: other, other: one}
            assert {frozenset(swap.get(c, c) for c in mines) for mines in solutions} == solutions


def test_groups_mind_weights() -> None:
    clues = Clues([Clue(1, "abcd", weights=[2, 2, 3, 0]), Clue(1, "ab")], "abcde")
    assert clues.groups() == (("a", "b"), ("c",), ("d", "e"))


@given(clue_systems(max_cells=9))
@lossless
def test_components_are_independent(clues: Clues) -> None:
    parts = clues.components()
    assert set(chain(*(part.cells for part in parts))) == set(clues.touched)
    assert sum(len(part.cells) for part in parts) == len(clues.touched)
    assert sorted(map(repr, chain(*(part.clues for part in parts)))) == sorted(
        map(repr, clues.clues)
    )
    free = Clues([], clues.untouched)
    combined = {frozenset(chain(*choice)) for choice in product(*map(legal, (*parts, free)))}
    assert combined == set(legal(clues.with_mines(None)))


def test_components_are_as_small_as_can_be() -> None:
    clues = Clues([Clue(1, "ab"), Clue(1, "de"), Clue(1, "bc"), Clue(0, [])], "fedcba")
    first, second, bare = clues.components()
    assert first == Clues([Clue(1, "de")], "ed")
    assert second == Clues([Clue(1, "ab"), Clue(1, "bc")], "cba")
    assert bare == Clues([Clue(0, [])])
