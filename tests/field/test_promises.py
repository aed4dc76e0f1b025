"""What fields, positions and clues promise: copies, threads, sentences, little memory."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import networkx
import numpy
import pytest

import sapper
from sapper.clues import Clue, Clues
from sapper.errors import PositionError, SapperError, quoted
from sapper.field import (
    TOPOLOGIES,
    Box,
    Geometry,
    Graph,
    Grid,
    Hex,
    Offsets,
    Position,
    Topology,
    Torus,
    as_topology,
    topology_from_spec,
)

FIELDS: list[Topology] = [
    Grid(3, 4),
    Torus(3, 4),
    Hex(2, 5),
    Offsets(3, 3),
    Offsets(3, 3, [(0, 1), (0, -1)], wrap=True),
    Box(2, 3, 4),
    Graph.from_edges([("a", 1), (1, ("b", 2))], nodes=["z"]),
    Graph.from_arrays(4, numpy.array([[0, 1], [3, 1]])),
]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_everything_copies(field: Topology) -> None:
    position = Position(field, {}, mines=1)
    things: list[Any] = [field, position, Clues.from_position(position), field.geometry]
    for thing in things:
        for other in (
            copy.copy(thing),
            copy.deepcopy(thing),
            *(pickle.loads(pickle.dumps(thing, protocol)) for protocol in range(2, 6)),
        ):
            assert other == thing
            assert hash(other) == hash(thing)
    again = pickle.loads(pickle.dumps(field))
    assert [again.neighbours(cell) for cell in again] == [field.neighbours(cell) for cell in field]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_specs_say_all(field: Topology) -> None:
    assert topology_from_spec(field.spec()) == field
    assert field.kind in TOPOLOGIES
    if len(field.shape) > 1:
        assert topology_from_spec(field.name, field.shape) == field


def test_errors_of_specs_tell_which_value_is_wrong() -> None:
    for spec, path in [
        ({"kind": "ball"}, ("kind",)),
        ({"kind": "grid", "height": 2}, ()),
        ({"kind": "grid", "height": 2, "width": "3"}, ("width",)),
        ({"kind": "grid", "height": 2, "width": 2, "depth": 1}, ("depth",)),
        ({"kind": "offsets", "height": 2, "width": 2, "offsets": [[0, 1], [0]]}, ("offsets", 1)),
        ({"kind": "offsets", "height": 2, "width": 2, "offsets": 5}, ("offsets",)),
        ({"kind": "knight", "height": 2, "width": 2, "wrap": 1}, ("wrap",)),
        ({"kind": "graph", "edges": [["a", "b"], ["b", None]]}, ("edges", 1, 1)),
        ({"kind": "graph", "edges": "ab"}, ("edges",)),
        (None, ()),
    ]:
        with pytest.raises(PositionError) as caught:
            topology_from_spec(spec)
        assert caught.value.path == path


def test_geometry() -> None:
    assert Torus(3, 4).geometry == Geometry(height=3, width=4, wraps=True)
    assert Hex(3, 4).geometry == Geometry(height=3, width=4, hexagonal=True)
    assert Box(2, 3, 4).geometry == Geometry(height=3, width=4, layers=2)
    assert FIELDS[-1].geometry is None


def test_a_networkx_graph_is_a_field() -> None:
    graph = networkx.path_graph(3)
    position = Position(graph, {1: 1}, mines=1)
    assert position == Position(Graph(graph), {1: 1}, mines=1)
    assert sapper.count(position) == 2
    assert as_topology(graph) == Graph(graph)


def test_graphs_that_are_no_fields_say_what_to_do() -> None:
    twice = networkx.MultiGraph([(0, 1), (1, 0)])
    with pytest.raises(PositionError, match=r"given twice; .* give networkx\.Graph\(graph\)"):
        Position(twice, {})
    with pytest.raises(PositionError, match=r"self-loop; .* without its self-loops"):
        Position(networkx.Graph([(0, 0)]), {})
    with pytest.raises(PositionError, match=r"to_undirected\(\)"):
        Position(networkx.DiGraph([(0, 1)]), {})


@pytest.mark.parametrize("size", [20, 300])
def test_threads_share_fields_and_positions(size: int) -> None:
    """Lists that are made late are made once or twice, and are the same for all."""
    field, workers = Torus(size, size), 4
    position = Position(field, {(0, 0): 1}, mines=3)
    barrier = Barrier(workers)

    def work(_: int) -> object:
        barrier.wait()
        clues = Clues.from_position(position)
        return (
            field.adjacency.targets,
            field.neighbours((0, 0)),
            hash(position),
            position.covered[:3],
            clues.index[0, 1],
            clues.system.variables,
            next(field.too_large(memoryview(position.codes).cast("i")), None),
        )

    with ThreadPoolExecutor(workers) as pool:
        first, *others = pool.map(work, range(workers))
    assert all(other == first for other in others)


WRONG: list[Any] = [None, 1, 2.5, "x", b"1?", [], {}, object(), "9" * 5000, 10**5000, [1, [2]]]


@pytest.mark.parametrize("value", WRONG, ids=lambda value: quoted(value)[:20])
def test_wrong_values_get_a_sentence(value: Any) -> None:
    """A TypeError or an error of this package, with at most 60 characters of the value."""
    for call in (
        lambda: sapper.parse(value),
        lambda: sapper.parse("1?", topology=value),
        lambda: sapper.parse('{"labels": ["1?"]}', topology=value),
        lambda: sapper.parse("1?", mines=value),
        lambda: sapper.parse("1?", format=value),
        lambda: Position(value, {}),
        lambda: Position(Grid(1, 2), value),
        lambda: Position(Grid(1, 2), {(0, 0): value}),
        lambda: Position(Grid(1, 2), "1?", mines=value),
        lambda: Position(Grid(1, 2), "1?").label(value),
        lambda: Position(Grid(1, 2), "1?").with_label((0, 0), value),
        lambda: Position(Grid(1, 2), "1?").to(value),
        lambda: Position.from_array(value),
        lambda: Position.from_codes(Grid(1, 2), value),
        lambda: Grid(value, 3),
        lambda: Box(1, value, 3),
        lambda: Offsets(2, 2, value),
        lambda: Offsets(2, 2, wrap=value),
        lambda: Graph(value),
        lambda: Graph.from_edges(value),
        lambda: Graph.from_edges([value]),
        lambda: Graph.from_arrays(value, numpy.empty((0, 2), dtype=int)),
        lambda: Graph.from_arrays(3, value),
        lambda: topology_from_spec(value),
        lambda: topology_from_spec({"kind": value}),
        lambda: Clue(value, "ab"),
        lambda: Clue(1, value),
        lambda: Clue(1, "ab", weights=value),
        lambda: Clues(value),
        lambda: Clues([value]),
        lambda: Clues([], value),
        lambda: Clues([], mines=value),
        lambda: sapper.Limits(seconds=value),
    ):
        try:
            call()
        except (SapperError, TypeError) as error:
            message = str(error)
        else:
            continue
        assert "\n" not in message
        assert "9" * 61 not in message
        assert len(message) < 250


@pytest.mark.parametrize(
    ("field", "most"), [(Box(60, 60, 60), 30 << 20), (Torus(400, 400), 10 << 20)], ids=str
)
def test_neighbour_lists_take_what_they_say(field: Topology, most: int) -> None:
    """Nothing of them is made in Python, where one list a cell took ten times as much."""
    assert field.adjacency_bytes < most
    tracemalloc.start()
    try:
        assert len(field.adjacency) == len(field)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_field_with_too_many_neighbours_is_refused_before_memory_is_taken() -> None:
    with pytest.raises(PositionError, match="too large: it has over 2,147,483,647 neighbours"):
        _ = Grid(30_000, 30_000).adjacency
