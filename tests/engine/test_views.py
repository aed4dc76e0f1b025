"""Views of solutions: walks, cheapest solutions, decided cells, diagrams."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper.clues import Clue, Clues, Cost, Puzzle
from sapper.engine import EngineMethod
from sapper.errors import CostError, InconsistentError
from sapper.field import Cell, Graph, Grid, Position
from sapper.methods.brute import Brute
from tests.engine.boards import chain, minefield, random_graph
from tests.support.naive import Listed
from tests.support.strategies import clue_systems, graphs, positions, puzzles
from tests.support.views import assert_diagram_of

quick = settings(max_examples=120, deadline=None)


def costs() -> st.SearchStrategy[Cost]:
    """Draw costs of every type: small, negative, equal, fractions, floats of many sizes."""
    return st.one_of(
        st.integers(-3, 3),
        st.integers(-(10**15), 10**15),
        st.fractions(min_value=-5, max_value=5, max_denominator=12),
        # Smaller ones need more than the 120 bits in which costs are compared.
        st.floats(-1e3, 1e3, width=32).filter(lambda cost: cost == 0 or abs(cost) > 1e-6),
    )


@given(puzzle=puzzles(), data=st.data())
@quick
def test_cheapest(puzzle: Puzzle, data: st.DataObject) -> None:
    cells = Clues.of(puzzle).cells
    priced = data.draw(st.dictionaries(st.sampled_from(cells), costs())) if cells else {}
    legal = list(Brute().solutions(puzzle))
    view = EngineMethod().solutions(puzzle)
    if not legal:
        with pytest.raises(InconsistentError):
            view.cheapest(priced)
        return

    def exact(solution: frozenset[Cell]) -> Fraction:
        return sum((Fraction(priced.get(cell, 0)) for cell in solution), Fraction(0))

    found = view.cheapest(priced)
    assert found.solution in legal
    assert exact(found.solution) == min(map(exact, legal))


def test_cheapest_of_a_long_chain() -> None:
    """Aᵢ + bᵢ + aᵢ₊₁ = 1 with mines of cost 1: every second clue shares one, so half as many."""
    clues = chain(1000)
    ones = dict.fromkeys(clues.cells, 1)
    assert EngineMethod().solutions(clues).cheapest(ones).cost == 500
    assert EngineMethod().solutions(clues).cheapest(dict.fromkeys(ones, -1)).cost == -1000
    assert EngineMethod(order="tree").solutions(clues).cheapest(ones).cost == 500
    assert EngineMethod().solutions(clues.with_mines(600)).cheapest(ones).cost == 600


def test_costs_that_are_too_different() -> None:
    view = EngineMethod().solutions(Clues([Clue(1, "ab")]))
    with pytest.raises(CostError, match="120 bits"):
        view.cheapest({"a": 1e30, "b": 1e-30})
    assert view.cheapest({"a": 1e5, "b": 1e-9}).solution == {"b"}
    assert view.cheapest({"a": 2**100, "b": 2**100 + 1}).solution == {"a"}


@given(puzzle=puzzles())
@quick
def test_walk_is_the_set_of_solutions(puzzle: Puzzle) -> None:
    for method in (EngineMethod(), EngineMethod(order="tree", grouping=False, certainty=False)):
        view = method.solutions(puzzle)
        walked = list(view)
        assert len(walked) == len(set(walked)) == view.count()
        assert set(walked) == set(Brute().solutions(puzzle))
        assert walked == list(method.solutions(puzzle)), "the order depends on more than the puzzle"


def test_walks_do_not_disturb_each_other() -> None:
    view = EngineMethod().solutions(Clues([Clue(2, "abcd"), Clue(1, "def")], "abcdefg"))
    alone = list(view)

    def woven() -> Iterator[frozenset[Cell]]:
        first, second = iter(view), iter(view)
        next(second)
        for solution in first:
            yield solution
            view.count()
            next(second, None)

    assert list(woven()) == alone


def test_first_solutions_of_very_many() -> None:
    position = minefield(Grid(40, 40), mines=0.2, visible=0.3, seed=2, total=True)
    clues = Clues.of(position)
    view = EngineMethod().solutions(position)
    assert view.count() > 10**50
    first = list(islice(view, 2000))
    assert len(set(first)) == 2000
    assert all(clues.is_solution(solution) for solution in first)


@given(puzzle=puzzles(), data=st.data())
@quick
def test_deciding_cells(puzzle: Puzzle, data: st.DataObject) -> None:
    cells = Clues.of(puzzle).cells
    if not cells:
        return
    view = EngineMethod().solutions(puzzle)
    expected = set(Brute().solutions(puzzle))
    for cell, mined in data.draw(
        st.lists(st.tuples(st.sampled_from(cells), st.booleans()), max_size=4)
    ):
        view = view.including(cell) if mined else view.excluding(cell)
        expected = {mines for mines in expected if (cell in mines) is mined}
    assert set(view) == expected
    assert view.count() == len(expected)
    assert bool(view) is bool(expected)
    assert_diagram_of(view.zdd(), Listed(cells, list(expected)), cells)


@given(clues=clue_systems())
@quick
def test_reduced_diagram(clues: Clues) -> None:
    view = EngineMethod().solutions(clues)
    assert_diagram_of(view.zdd(), Brute().solutions(clues), clues.cells)


@pytest.mark.parametrize("seed", range(5))
def test_diagram_of_boards_beyond_brute_force(seed: int) -> None:
    for position in (
        minefield(Grid(12, 12), mines=0.25, visible=0.35, seed=seed),
        minefield(Grid(6, 9), mines=0.25, visible=0.35, seed=seed, total=True),
        random_graph(60, 90, seed=seed, total=True),
    ):
        zdd = EngineMethod().solutions(position).zdd()
        assert zdd.count() == sapper.count(position)
        assert len({(cell, low, high) for cell, low, high in zdd.nodes}) == len(zdd)
        assert all(high != -1 for _, _, high in zdd.nodes)


@given(position=positions(graphs()), seed=st.integers(0, 2**32))
@quick
def test_renaming_vertices(position: Position, seed: int) -> None:
    """A graph with other names in another order: the same answers under the new names."""
    from random import Random

    import networkx

    topology = position.topology
    cells = list(topology.cells)
    names = dict(zip(cells, Random(seed).sample(range(len(cells)), len(cells)), strict=True))
    graph = networkx.Graph()
    graph.add_nodes_from(sorted(names.values()))
    graph.add_edges_from(
        (names[cell], names[other]) for cell in cells for other in topology.neighbours(cell)
    )
    renamed = Position(
        Graph(graph), {names[cell]: label for cell, label in position.items()}, position.mines
    )
    engine = EngineMethod()
    assert engine.findings(renamed).by_mines == engine.findings(position).by_mines
    assert sapper.analyze(renamed, method=engine).exact_probabilities == {
        names[cell]: chance
        for cell, chance in sapper.analyze(position, method=engine).exact_probabilities.items()
    }


def test_weights_of_equal_power_sums() -> None:
    """Divide {1..n} into two sets with equal sums of powers up to k: OEIS A019568's first cases.

    Prouhet, Tarry and Escott: {1..8} splits for k = 2 as 1+4+6+7 = 2+3+5+8 with equal squares.
    """
    for n, k, expected in ((3, 1, 2), (7, 1, 8), (8, 2, 2), (16, 3, 2), (12, 2, 2)):
        cells = list(range(1, n + 1))
        clues = [
            Clue(sum(x**p for x in cells) // 2, cells, weights=[x**p for x in cells])
            for p in range(1, k + 1)
        ]
        system = Clues(clues)
        found = EngineMethod().findings(system).count
        assert found == sum(1 for _ in EngineMethod().solutions(system))
        if n <= 12:
            assert found == Brute().findings(system).count
        assert found >= expected
