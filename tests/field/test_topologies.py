"""Fields: neighbourhoods, order, equality, and the compiled adjacency against the plain one."""

from __future__ import annotations

import copy
import pickle
from array import array
from typing import Any

import networkx
import pytest
from hypothesis import given, settings

from sapper import field as field_module
from sapper.errors import PositionError, UnknownCellError
from sapper.field import KNIGHT, Box, Cell, Graph, Grid, Hex, Offsets, Topology, Torus
from tests.field.fields import fields

NAMES = {name: getattr(field_module, name) for name in field_module.__all__}

SAMPLES: list[Topology] = [
    Grid(1, 1),
    Grid(3, 4),
    Torus(1, 1),
    Torus(1, 2),
    Torus(2, 2),
    Torus(2, 5),
    Torus(3, 3),
    Torus(5, 4),
    Hex(1, 4),
    Hex(4, 4),
    Offsets(5, 6, KNIGHT),
    Offsets(3, 3, KNIGHT, wrap=True),
    Offsets(2, 2, [(1, 1), (-1, -1)]),
    Box(1, 1, 1),
    Box(2, 3, 4),
    Graph(networkx.petersen_graph()),
    Graph.from_edges([], nodes=["a"]),
    Graph.from_edges([]),
]


@settings(deadline=None)
@given(fields())
def test_neighbourhoods_are_mutual_and_sorted(field: Topology) -> None:
    for cell in field.cells:
        around = field.neighbours(cell)
        assert cell not in around
        assert len(around) == len(set(around)) == field.degree(cell)
        assert [field.index(other) for other in around] == sorted(map(field.index, around))
        assert all(cell in field.neighbours(other) for other in around)


@settings(deadline=None)
@given(fields())
def test_cells_and_indices_are_inverse(field: Topology) -> None:
    cells = list(field.cells)
    assert len(cells) == len(field) == len(field.cells) == len(set(cells))
    assert [field.index(cell) for cell in cells] == list(range(len(cells)))
    assert [field.cells[i] for i in range(len(cells))] == cells
    assert list(field) == cells
    assert all(cell in field and cell in field.cells for cell in cells)
    assert tuple(field.cells[1:]) == tuple(cells[1:])


@settings(deadline=None)
@given(fields())
def test_a_field_equals_its_copies(field: Topology) -> None:
    for other in (
        pickle.loads(pickle.dumps(field)),
        copy.copy(field),
        copy.deepcopy(field),
        eval(repr(field), dict(NAMES)),
    ):
        assert other == field
        assert hash(other) == hash(field)


@settings(deadline=None)
@given(fields())
def test_the_core_agrees_on_neighbourhoods(field: Topology) -> None:
    check_adjacency(field)


@pytest.mark.parametrize("field", SAMPLES, ids=repr)
def test_the_core_agrees_on_small_fields(field: Topology) -> None:
    check_adjacency(field)


def check_adjacency(field: Topology) -> None:
    adjacency = field.adjacency
    assert field.adjacency is adjacency
    starts, targets = array("i"), array("i")
    starts.frombytes(adjacency.offsets)
    targets.frombytes(adjacency.targets)
    assert len(starts) == len(field) + 1
    for index in range(len(field)):
        assert list(targets[starts[index] : starts[index + 1]]) == field.neighbours_at(index)


def test_equal_lattices_share_their_adjacency() -> None:
    assert Grid(16, 30).adjacency is Grid(16, 30).adjacency
    assert Box(2, 3, 4).adjacency is Box(2, 3, 4).adjacency


@settings(deadline=None)
@given(fields())
def test_numbers_above_their_neighbourhood_are_found(field: Topology) -> None:
    if len(field):
        for extra in (0, 1, 5):
            codes = [field.degree(cell) + extra for cell in field.cells]
            found = list(field.too_large(codes))
            assert found == (list(range(len(field))) if extra else [])


@pytest.mark.parametrize(
    ("field", "cell", "expected"),
    [
        (Grid(3, 3), (0, 1), {(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)}),
        (Torus(3, 3), (0, 0), {(r, c) for r in range(3) for c in range(3)} - {(0, 0)}),
        (Torus(1, 4), (0, 0), {(0, 1), (0, 3)}),
        (Torus(1, 2), (0, 0), {(0, 1)}),
        (Torus(1, 1), (0, 0), set()),
        (Hex(3, 3), (0, 0), {(0, 1), (1, 0)}),
        (Hex(3, 3), (2, 0), {(1, 0), (1, 1), (2, 1)}),
        (Offsets(3, 3, KNIGHT), (0, 0), {(1, 2), (2, 1)}),
        (Offsets(3, 3, KNIGHT), (1, 1), set()),
        (Box(2, 2, 2), (0, 0, 0), {(0, 0, 1), (0, 1, 0), (0, 1, 1)} | {(1, 0, 0), (1, 0, 1)}
         | {(1, 1, 0), (1, 1, 1)}),
    ],
)  # fmt: skip
def test_neighbourhoods_by_hand(field: Topology, cell: Cell, expected: set[Cell]) -> None:
    assert set(field.neighbours(cell)) == expected


def test_different_fields_differ() -> None:
    assert len({*SAMPLES}) == len(SAMPLES)
    assert Grid(2, 3) != Grid(3, 2)
    assert Grid(2, 2) != Torus(2, 2)
    assert Grid(2, 2) != "grid"
    assert Graph.from_edges([], nodes="ab") != Graph.from_edges([], nodes="ba")


def test_a_graph_keeps_the_order_of_its_nodes_and_forgets_the_original() -> None:
    graph = networkx.Graph([("z", "a"), ("a", "m")])
    field = Graph(graph)
    graph.add_edge("z", "m")
    assert field.cells == ("z", "a", "m")
    assert field.edges == (("z", "a"), ("a", "m"))
    assert field.neighbours("z") == ("a",)


@pytest.mark.parametrize(
    "cell", [(3, 0), (0, 3), (-1, 0), (0,), (0, 0, 0), 0, "a", None, (0.5, 0), [0, 0]]
)
def test_cells_off_the_field_are_unknown(cell: Any) -> None:
    field = Grid(3, 3)
    assert cell not in field
    with pytest.raises(UnknownCellError, match=r"no cell .* in a 3×3 grid"):
        field.index(cell)
    with pytest.raises(KeyError):
        field.neighbours(cell)
    with pytest.raises(ValueError, match="not a cell"):
        field.cells.index(cell)


def test_unknown_nodes() -> None:
    field = Graph.from_edges([("a", "b")])
    assert "c" not in field
    assert [] not in field
    with pytest.raises(UnknownCellError, match="no cell 'c' in a graph with 2 nodes"):
        field.neighbours("c")


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (networkx.DiGraph([(1, 2)]), "directed"),
        (networkx.Graph([(1, 2), (3, 3)]), r"edge \(3, 3\) is a self-loop"),
        (networkx.MultiGraph([(1, 2), (1, 2)]), r"edge \(1, 2\) is given twice"),
        ([(1, 2)], "networkx graph is needed, not list"),
    ],
)
def test_graphs_that_are_not_simple(graph: Any, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Graph(graph)


def test_a_multigraph_without_parallel_edges_is_simple() -> None:
    assert Graph(networkx.MultiGraph([(1, 2), (2, 3)])).edges == ((1, 2), (2, 3))


@pytest.mark.parametrize(
    ("edges", "nodes", "message"),
    [
        ([("a", "b"), ("b", "a")], (), r"edge \('b', 'a'\) is given twice"),
        ([("a", "a")], (), "self-loop"),
        ([("a", "b", "c")], (), "not a pair"),
        ([3], (), "not a pair"),
        ([([], "a")], (), "not hashable"),
        ([], ["a", "a"], "node 'a' is given twice"),
    ],
)
def test_edges_that_make_no_graph(edges: Any, nodes: Any, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Graph.from_edges(edges, nodes=nodes)


@pytest.mark.parametrize(
    ("height", "width", "message"),
    [
        (0, 3, "height must be at least 1, not 0"),
        (3, -1, "width must be at least 1"),
        (2.5, 3, "height must be a whole number, not 2.5"),
        (True, 3, "height must be a whole number"),
        (10**6, 10**6, "too large"),
    ],
)
@pytest.mark.parametrize("kind", [Grid, Torus, Hex, Offsets])
def test_impossible_sizes(kind: Any, height: Any, width: Any, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        kind(height, width)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([(1, 2)], r"offset \(1, 2\) lacks its opposite \(-1, -2\)"),
        ([], "there are no offsets"),
        ([(0, 0)], "its own neighbour"),
        ([(0, 1), (0, 1), (0, -1)], r"offset \(0, 1\) is given twice"),
        ([(1,)], "not a pair"),
        ([(0.5, 1)], "not a pair"),
        ([3], "not a pair"),
        ([(0, 2**40), (0, -(2**40))], "longer than"),
    ],
)
def test_impossible_offsets(offsets: Any, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Offsets(3, 3, offsets)


@pytest.mark.parametrize("field", SAMPLES, ids=repr)
def test_fields_are_frozen(field: Topology) -> None:
    name = "nodes" if isinstance(field, Graph) else "width"
    with pytest.raises(AttributeError, match="frozen"):
        setattr(field, name, 7)
    with pytest.raises(AttributeError, match="frozen"):
        delattr(field, name)


def test_a_million_cells_cost_nothing_until_asked_for() -> None:
    field = Grid(1000, 1000)
    assert field.cells[999_999] == (999, 999)
    assert field.index((1, 0)) == 1000
    assert field.degree((999, 999)) == 3
    with pytest.raises(IndexError):
        field.cells[1_000_000]


@pytest.mark.parametrize(
    ("field", "said"),
    [
        (Torus(8, 8), "an 8×8 torus"),
        (Grid(11, 2), "an 11×2 grid"),
        (Hex(80, 1), "an 80×1 hex"),
        (Grid(110, 3), "a 110×3 grid"),
        (Grid(1800, 3), "a 1800×3 grid"),
    ],
)
def test_fields_have_the_right_article(field: Topology, said: str) -> None:
    assert str(field) == said
