"""Boards that are too wide to count: `auto` leaves them to SAT, which answers with few calls."""

from __future__ import annotations

from collections import Counter

import pytest

import sapper
from sapper.clues import Clues
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
