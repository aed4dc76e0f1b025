"""Section 4 of Suzuki, Hao and Minato: the graph, its subgraphs, and theorem 1."""

from __future__ import annotations

from itertools import chain, combinations
from random import Random
from typing import Any

import pytest
from graphillion import GraphSet
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.analysis import get
from sapper.clues import Clue, Clues
from sapper.errors import LimitExceeded, MethodError, UnknownCellError
from sapper.limits import Budget, Limits
from sapper.methods.brute import Brute
from sapper.methods.orders import ordered
from sapper.methods.subgraph import Edge, SubgraphMethod, SubgraphModel
from tests.support.strategies import boards, clue_systems, positions
from tests.support.strategies import graphs as graph_fields

quick = settings(max_examples=100, deadline=None)


def solutions_by_brute_force(clues: Clues) -> set[frozenset[Any]]:
    return set(Brute().solutions(Clues(clues.clues, clues.touched)))


@given(st.one_of(positions(boards()), positions(graph_fields())), st.integers(0, 2**32))
@quick
def test_theorem_1(position: Any, seed: int) -> None:
    """Legal subgraphs and legal assignments correspond one to one, under any order of edges."""
    clues = Clues.of(position)
    edges: list[Any] = list(SubgraphModel(clues).edges)
    Random(seed).shuffle(edges)
    for order in ("frontier", "given", "row-major", edges):
        if not edges and order is edges:
            continue
        model = SubgraphModel(clues, order=order)
        subgraphs: set[Any] = set(model.subgraphs())
        expected = solutions_by_brute_force(clues)
        assert {model.assignment(subgraph) for subgraph in subgraphs} == expected
        assert {model.subgraph(solution) for solution in expected} == subgraphs
        assert len(subgraphs) == len(expected)
        assert all(model.is_legal(subgraph) for subgraph in subgraphs)
        assert set(model.assignments()) == expected


def test_the_subgraphs_are_those_that_the_constraints_allow() -> None:
    clues = Clues([Clue(1, "ab"), Clue(2, "bcd"), Clue(1, "ad")])
    model = SubgraphModel(clues)
    some = chain.from_iterable(combinations(model.edges, k) for k in range(len(model.edges) + 1))
    assert set(model.subgraphs()) == {frozenset(edges) for edges in some if model.is_legal(edges)}
    assert not model.is_legal([Edge("z", 0)])


@given(clue_systems(max_cells=7, weighted=False))
@settings(max_examples=40, deadline=None)
def test_graphillion_finds_the_same_subgraphs(clues: Clues) -> None:
    model = SubgraphModel(clues, order="row-major")
    if not model.edges or any(count < 0 for (count,) in model.hint_degrees):
        return
    edges = [(("cell", edge.cell), ("hint", edge.hint)) for edge in model.edges]
    GraphSet.set_universe(edges, traversal="as-is")
    degrees: dict[Any, Any] = {("cell", c): list(d) for c, d in model.cell_degrees.items()}
    touched = {edge.hint for edge in model.edges}
    if any(clue.count for hint, clue in enumerate(clues.clues) if hint not in touched):
        return
    degrees |= {("hint", hint): model.hint_degrees[hint][0] for hint in touched}
    theirs = GraphSet.graphs(degree_constraints=degrees)
    assert theirs.len() == model.subgraphs().count()
    ours = GraphSet.loads(model.subgraphs().dumps())
    assert ours == theirs


def test_the_graph_is_visible() -> None:
    clues = Clues([Clue(1, "ab"), Clue(1, "bc")], cells="abcz")
    model = SubgraphMethod(order="given").model(clues)
    graph = model.graph()
    assert graph.nodes["cell", "b"]["degrees"] == (0, 2)
    assert graph.nodes["hint", 1]["degrees"] == (1,)
    assert graph.edges[("cell", "c"), ("hint", 1)]["place"] == 3
    assert ("cell", "z") not in graph
    statistics = model.statistics
    assert statistics.visited == sum(statistics.states)
    assert len(statistics.states) == len(model.edges)
    assert statistics.frontier == 2
    assert repr(model) == "<SubgraphModel of 3 cells, 2 hints and 4 edges>"


def test_weights_are_refused() -> None:
    with pytest.raises(MethodError, match=r"weights.*'engine'"):
        _ = SubgraphMethod().findings(Clues([Clue(2, "ab", weights=[2, 1])])).count


@pytest.mark.parametrize("name", ["subgraph", "zdd"])
def test_orders_are_checked(name: str) -> None:
    clues = Clues([Clue(1, "ab")], cells="abc")
    assert get(name, order=list("cba")).findings(clues).count == 4
    with pytest.raises(MethodError, match="no order 'random'"):
        _ = get(name, order="random").findings(clues).count
    with pytest.raises(MethodError, match="every cell"):
        _ = get(name, order=["a"]).findings(clues).count
    with pytest.raises(UnknownCellError):
        _ = get(name, order=["a", "b", "z"]).findings(clues).count
    with pytest.raises(MethodError, match="every edge"):
        _ = get("subgraph", order=[Edge("a", 0)]).findings(clues).count
    with pytest.raises(MethodError, match="intersection"):
        get("zdd", intersection="sideways")


@pytest.mark.parametrize("intersection", ["bottom-up", "top-down", "given"])
@pytest.mark.parametrize("order", ["frontier", "given"])
def test_orders_change_no_answer(intersection: str, order: str) -> None:
    random = Random(4)
    cells = range(12)
    for _ in range(20):
        clues = Clues(
            [Clue(random.randint(0, 3), random.sample(cells, 4)) for _ in range(4)], cells
        )
        expected = Brute().findings(clues).by_mines
        assert (
            get("zdd", intersection=intersection, order=order).findings(clues).by_mines == expected
        )


@pytest.mark.parametrize("name", ["subgraph", "zdd"])
@pytest.mark.parametrize("limits", [Limits(nodes=10), Limits(seconds=1e-7), Limits(bytes=1000)])
def test_limits_are_kept(name: str, limits: Limits) -> None:
    cells = range(200)
    clues = Clues([Clue(4, cells[start : start + 8]) for start in range(0, 192, 3)])
    with pytest.raises(LimitExceeded):
        _ = get(name).findings(clues, limits).count


def test_the_order_of_a_cell_in_many_clues_takes_little_memory() -> None:
    """Hints that share a cell were listed for each of them: 36 MB."""
    clues = Clues([Clue(1, ["hub", number]) for number in range(3000)])
    order = ordered(clues, "frontier", Budget(Limits(bytes=8_000_000)))
    assert sorted(map(str, order)) == sorted(map(str, clues.touched))


def test_a_frontier_beyond_all_states_says_so() -> None:
    pairs = [Clue(1, [f"a{number}", f"b{number}"]) for number in range(1200)]
    first = [Edge(f"a{number}", number) for number in range(1200)]
    second = [Edge(f"b{number}", number) for number in range(1200)]
    with pytest.raises(MethodError, match="another order"):
        _ = SubgraphMethod(order=[*first, *second]).findings(Clues(pairs)).count
