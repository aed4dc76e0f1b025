"""Boards that are too wide to count: `auto` leaves them to SAT, which answers with few calls."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import islice

import pytest

import sapper
from sapper.clues import Clues
from sapper.errors import TooWide
from sapper.limits import Limits
from tests.engine.boards import random_tree
from tests.support.hard import lattice

WIDE = lattice(40, 40)


def test_sat_meets_the_total_of_a_wide_board_with_few_calls() -> None:
    """Each call of the solver is a node; without nudging, most of the total took one a cell."""
    assert sapper.is_consistent(WIDE, method="sat", limits=Limits(nodes=600))
    found = sapper.analyze(WIDE, method="sat", limits=Limits(nodes=6000))
    assert Counter(found.verdicts.values())["unknown"] > 1000


def test_auto_gives_up_the_engine_soon() -> None:
    """It once went on for ever: dead ends of the search looked like a diagram that grows."""
    assert sapper.is_consistent(WIDE, limits=Limits(seconds=60))
    assert sapper.analyze(WIDE, limits=Limits(seconds=60)).method == "sat"


def test_solutions_of_a_wide_board_are_listed_though_nobody_can_count_them() -> None:
    """The engine's view went on for ever, where SAT has the first solution at once."""
    view = sapper.solutions(WIDE, limits=Limits(seconds=60))
    assert view
    first = next(iter(view))
    assert first in view
    cell = next(iter(first))
    assert cell not in next(iter(view.excluding(cell)))
    for hopeless in (view.count, view.sample, view.zdd, lambda: view.cheapest({})):
        with pytest.raises(TooWide, match="method='sat' finds verdicts and solutions one by one"):
            hopeless()


def test_views_of_auto_are_those_of_the_engine_while_it_fits() -> None:
    small = lattice(6, 8)
    auto, engine = (sapper.solutions(small, method=method) for method in ("auto", "engine"))
    assert list(islice(auto, 100)) == list(islice(engine, 100))
    cell = small.covered[3]
    assert auto.including(cell).count() == engine.including(cell).count()
    assert auto.sample(3, seed=5) == engine.sample(3, seed=5)
    assert (
        pickle.loads(pickle.dumps(auto.excluding(cell))).count() == engine.excluding(cell).count()
    )


def test_solutions_listed_by_sat_are_those_of_the_engine() -> None:
    small = sapper.parse("?1??\n?2?2\n????", mines=4)
    listed = list(sapper.solutions(small, most_expected=0))
    assert len(listed) == len(set(listed))
    assert set(listed) == set(sapper.solutions(small, method="engine"))


def test_explaining_one_cell_asks_about_that_cell_only() -> None:
    cell = WIDE.covered[100]
    found = sapper.explain(WIDE, cell, method="sat", limits=Limits(nodes=1200))
    assert found.verdict == "unknown"
    clues = Clues.of(WIDE)
    assert all(map(clues.is_solution, found.solutions))


@pytest.mark.parametrize("method", ["tree", "treewidth", "sat", "auto"])
def test_methods_without_solutions_show_two_worlds_all_the_same(method: str) -> None:
    position = random_tree(60, seed=3)
    verdicts = sapper.analyze(position).verdicts
    for cell in position.covered:
        found = sapper.explain(position, cell, method=method)
        assert found.verdict == verdicts[cell]
        if found.verdict == "unknown":
            with_mine, without = found.solutions
            assert cell in with_mine
            assert cell not in without


def test_a_hopeless_total_is_refused_by_sat_as_by_the_engine() -> None:
    small = lattice(8, 8)
    counts = sapper.count_by_mines(small)
    for total in (min(counts) - 1, min(counts), max(counts), max(counts) + 1):
        under = small.with_mines(total)
        assert sapper.is_consistent(under, method="sat") is (total in counts)
        expected = sapper.analyze(under, method="engine").verdicts
        assert sapper.analyze(under, method="sat").verdicts == expected
