"""Hold one view of solutions, and one diagram, to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Final

import pytest

from sapper.clues import Cost, Solution, checked_costs, total_cost
from sapper.errors import CostError, InconsistentError, UnknownCellError
from sapper.field import Cell
from sapper.questions import Solutions, Zdd
from tests.support.brute_zdd import BruteZdd

VIEW_PARTS: Final = frozenset({"count", "contains", "decide", "sample", "cheapest", "zdd"})
"""What a view offers beyond truth and iteration; some methods offer less."""

LISTED: Final = 600
"""With more solutions than this, only excerpts are compared."""


class Stranger:
    """A cell of no field."""


def assert_same_view(
    view: Solutions,
    oracle: Solutions,
    cells: Sequence[Cell],
    *,
    parts: frozenset[str] = VIEW_PARTS,
) -> None:
    """Compare two views over the same covered cells in all `parts`."""
    assert bool(view) is bool(oracle)
    _assert_same_solutions(view, oracle)
    if "count" in parts:
        assert view.count() == oracle.count()
    if "contains" in parts:
        _assert_same_members(view, oracle, cells)
    if "sample" in parts:
        _assert_fair_samples(view, oracle)
    if "cheapest" in parts:
        _assert_same_cheapest(view, oracle, cells)
    if "zdd" in parts and oracle.count() <= LISTED:
        assert_diagram_of(view.zdd(), oracle, cells)
    if "decide" in parts:
        _assert_same_decided(view, oracle, cells)


def _assert_same_solutions(view: Solutions, oracle: Solutions) -> None:
    listed = list(islice(view, LISTED + 1))
    assert all(isinstance(solution, frozenset) for solution in listed)
    assert len(set(listed)) == len(listed), "a solution is listed twice"
    assert listed == list(islice(view, LISTED + 1)), "the order is not fixed"
    if oracle.count() <= LISTED:
        assert set(listed) == set(oracle)
    else:
        assert len(listed) == LISTED + 1
        assert all(solution in oracle for solution in listed)


def _assert_same_members(view: Solutions, oracle: Solutions, cells: Sequence[Cell]) -> None:
    for solution in islice(oracle, 12):
        assert solution in view
        for cell in cells:
            toggled = solution ^ {cell}
            assert (toggled in view) is (toggled in oracle)
        assert solution | {Stranger()} not in view
    for extreme in (frozenset[Cell](), frozenset(cells)):
        assert (extreme in view) is (extreme in oracle)


def _assert_fair_samples(view: Solutions, oracle: Solutions) -> None:
    if not oracle:
        _assert_raises(InconsistentError, lambda: view.sample(1, seed=1))
        return
    drawn = view.sample(5, seed=1)
    assert len(drawn) == 5
    assert all(solution in oracle for solution in drawn)
    assert drawn == view.sample(5, seed=1), "a seed gives different samples"
    assert view.sample(0, seed=1) == []


def _assert_same_cheapest(view: Solutions, oracle: Solutions, cells: Sequence[Cell]) -> None:
    for costs in _cost_tables(cells):
        if not oracle:
            _assert_raises(InconsistentError, partial(view.cheapest, costs))
            continue
        found, expected = view.cheapest(costs), oracle.cheapest(costs)
        assert found.solution in oracle
        paid = total_cost(checked_costs(costs, cells), found.solution)
        assert type(found.cost) is type(paid)
        assert found.cost == pytest.approx(paid, rel=1e-12, abs=1e-12)
        assert found.cost == pytest.approx(expected.cost, rel=1e-12, abs=1e-12)
    _assert_raises(UnknownCellError, lambda: view.cheapest({Stranger(): 1}))
    for bad in (float("nan"), float("inf"), float("-inf")):
        if cells:
            _assert_raises(CostError, partial(view.cheapest, {cells[0]: bad}))


def _cost_tables(cells: Sequence[Cell]) -> Iterator[dict[Cell, Cost]]:
    yield {}
    yield dict.fromkeys(cells, 1)
    yield {cell: (-1) ** place * (place * place + 1) for place, cell in enumerate(cells)}
    yield {cell: 0.5 - (place * 0.37) % 1 for place, cell in enumerate(cells)}
    yield {cell: Fraction(place - 3, 7) for place, cell in enumerate(cells[::2])}


def _assert_same_decided(view: Solutions, oracle: Solutions, cells: Sequence[Cell]) -> None:
    for cell, other in zip(cells, [*cells[1:], *cells[:1]], strict=True):
        for mine, rest in (
            (view.including(cell), oracle.including(cell)),
            (view.excluding(cell), oracle.excluding(cell)),
            (view.including(cell).excluding(other), oracle.including(cell).excluding(other)),
            (view.including(cell).excluding(cell), oracle.including(cell).excluding(cell)),
            (view.excluding(cell).excluding(cell), oracle.excluding(cell)),
        ):
            assert mine.count() == rest.count()
            assert bool(mine) is bool(rest)
            assert all(solution in rest for solution in islice(mine, 3))
    assert view.count() == oracle.count(), "deciding a cell changed the view itself"
    for decide in (view.including, view.excluding):
        _assert_raises(UnknownCellError, partial(decide, Stranger()))


def _assert_raises(kind: type[Exception], call: Callable[[], object]) -> None:
    # pytest.raises does not fail with an AssertionError, and `assert_agree` adds to those.
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} is not raised")


def assert_diagram_of(zdd: Zdd, oracle: Solutions, cells: Sequence[Cell]) -> None:
    """Check that a diagram is the reduced one of the oracle's solutions, in its own order."""
    assert frozenset(zdd.cells) == frozenset(cells)
    assert len(zdd.cells) == len(cells)
    # The reduced diagram of an order is unique, so one node more or less is a mistake.
    expected = BruteZdd(zdd.cells, oracle)
    assert zdd.count() == expected.count() == oracle.count()
    assert len(zdd) == len(zdd.nodes) == len(expected)
    listed = list(zdd)
    assert len(listed) == zdd.count()
    assert set(listed) == set(oracle)
    assert _solutions_of_dump(zdd.dumps(), zdd.cells) == set(oracle)
    place = {cell: number for number, cell in enumerate(zdd.cells)}
    for number, (cell, low, high) in enumerate(zdd.nodes):
        for child in (low, high):
            assert -2 <= child < number
            assert child < 0 or place[zdd.nodes[child][0]] > place[cell]
    dot = zdd.to_dot()
    assert dot.startswith("digraph")
    assert dot.count("->") == 2 * len(zdd)
    assert dot.count("dashed") == len(zdd)


def _solutions_of_dump(text: str, cells: Sequence[Cell]) -> set[Solution]:
    *lines, stop = text.splitlines()
    assert stop == "."
    family: dict[str, set[Solution]] = {"B": set(), "T": {frozenset()}}
    root = lines[-1].split()[0]
    for line in lines:
        if line not in family:
            name, variable, low, high = line.split()
            cell = cells[int(variable) - 1]
            family[name] = family[low] | {mines | {cell} for mines in family[high]}
    return family[root]
