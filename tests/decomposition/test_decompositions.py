"""Making, checking and exchanging tree decompositions."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.generators.atlas import graph_atlas_g

from sapper.decomposition import (
    NiceDecomposition,
    NiceNode,
    TreeDecomposition,
    decompose,
    format_gr,
    format_td,
    from_order,
    lower_bound,
    min_fill,
    parse_gr,
    parse_td,
    read_gr,
    read_td,
    treewidth,
    write_gr,
    write_td,
)
from sapper.errors import DecompositionError, FormatError, LimitExceeded
from sapper.field import Graph, Grid, Position, Torus
from sapper.limits import Limits
from tests.support.strategies import graphs

HEURISTICS = ("min-fill", "min-degree", "exact")
CYCLE = Graph(networkx.cycle_graph(4))
GOOD = TreeDecomposition([{0, 1, 2}, {0, 2, 3}], [(0, 1)])


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_every_graph_of_up_to_six_vertices(heuristic: Any) -> None:
    for graph in graph_atlas_g()[:209]:
        field = Graph(graph)
        made = decompose(field, heuristic=heuristic)
        assert made.violations(field) == []
        nice = made.nice()
        assert nice.violations(field) == []
        assert nice.width == max(made.width, -1)
        assert nice.root.bag == frozenset()
        for node, origin in enumerate(nice.origins):
            assert nice.nodes[origin].bag == made.bags[node]


def test_exact_width_is_the_best_order_of_all() -> None:
    for graph in graph_atlas_g()[1:53]:
        field = Graph(graph)
        best = min(from_order(field, order).width for order in permutations(field.cells))
        assert treewidth(field) == best, graph.edges
        assert lower_bound(field) <= best


@pytest.mark.parametrize(
    ("graph", "width"),
    [
        (networkx.empty_graph(0), -1),
        (networkx.empty_graph(3), 0),
        (networkx.balanced_tree(2, 4), 1),
        (networkx.cycle_graph(9), 2),
        (networkx.complete_graph(7), 6),
        (networkx.complete_bipartite_graph(3, 5), 3),
        (networkx.petersen_graph(), 4),
        (networkx.grid_2d_graph(4, 5), 4),
        (networkx.hypercube_graph(3), 3),
        (networkx.hypercube_graph(4), 6),
        (networkx.icosahedral_graph(), 6),
        (networkx.disjoint_union(networkx.complete_graph(4), networkx.path_graph(3)), 3),
    ],
)
def test_known_widths(graph: Any, width: int) -> None:
    assert treewidth(graph) == width
    assert lower_bound(graph) <= width
    assert decompose(graph, heuristic="exact").violations(graph) == []


@given(field=graphs(14))
@settings(max_examples=100, deadline=None)
def test_heuristics_stay_above_the_truth(field: Graph) -> None:
    exact = treewidth(field)
    for heuristic in ("min-fill", "min-degree"):
        made = decompose(field, heuristic=heuristic)
        assert made.violations(field) == []
        assert made.width >= exact >= lower_bound(field)
        assert made.nice().violations(field) == []
        assert parse_td(format_td(made, field), field) == made


def test_any_field_can_be_decomposed() -> None:
    field = Grid(3, 6)
    assert decompose(field).violations(field) == []
    position = Position(field, ["1?????"] * 3)
    assert decompose(position).violations(position) == []
    assert decompose(networkx.path_graph(5)).width == 1


def test_a_hard_search_can_be_bounded() -> None:
    graph = networkx.random_regular_graph(5, 40, seed=1)
    with pytest.raises(LimitExceeded):
        treewidth(graph, limits=Limits(nodes=50))
    with pytest.raises(LimitExceeded):
        treewidth(graph, limits=Limits(seconds=0.01))


def test_wrong_arguments() -> None:
    with pytest.raises(DecompositionError, match="no heuristic 'best'"):
        decompose(CYCLE, heuristic="best")  # type: ignore[arg-type]
    with pytest.raises(DecompositionError, match="names each vertex"):
        from_order(CYCLE, [0, 1, 2])
    for edge in [(0, 0), (0, 5), (-1, 0), (0, 1, 2), "ab"]:
        with pytest.raises(DecompositionError, match="joins no two"):
            TreeDecomposition([{0}, {1}], [edge])  # type: ignore[list-item]
    with pytest.raises(DecompositionError, match="no set of vertices"):
        TreeDecomposition([[[]]])  # type: ignore[list-item]


# --- the verifier and decompositions that are broken on purpose ------------------------------


@pytest.mark.parametrize(
    ("broken", "condition", "message"),
    [
        (TreeDecomposition([{0, 1, 2}, {0, 2}], [(0, 1)]), "vertices", "vertex 3 is in no bag"),
        (
            TreeDecomposition([{0, 1, 2}, {0, 2, 3, 9}], [(0, 1)]),
            "vertices",
            "node 1 holds 9, which is no vertex",
        ),
        (TreeDecomposition([{0, 1, 2}, {2, 3}], [(0, 1)]), "edges", "both ends of the edge 0 – 3"),
        (
            TreeDecomposition([{0, 1, 2}, {2}, {0, 2, 3}], [(0, 1), (1, 2)]),
            "connected",
            "nodes 0 and 2 hold 0, and a node between them does not",
        ),
        (TreeDecomposition([{0, 1, 2}, {0, 2, 3}]), "tree", "no path leads from node 0 to node 1"),
        (
            TreeDecomposition([{0, 1, 2}, {0, 2, 3}, {0, 2}], [(0, 1), (1, 2), (0, 2)]),
            "tree",
            "make a cycle",
        ),
        (TreeDecomposition([{0, 1, 2}, {0, 2, 3}], [(0, 1), (1, 0)]), "tree", "make a cycle"),
        (TreeDecomposition([]), "vertices", "vertex 0 is in no bag"),
    ],
)
def test_the_violated_condition_is_named(
    broken: TreeDecomposition, condition: str, message: str
) -> None:
    found = broken.violations(CYCLE)
    assert any(v.condition == condition and message in v.message for v in found), found
    with pytest.raises(DecompositionError, match=f"no tree decomposition of .*{condition}|more"):
        broken.check(CYCLE)


def test_one_mistake_is_one_violation() -> None:
    assert GOOD.violations(CYCLE) == []
    GOOD.check(CYCLE)
    conditions = [v.condition for v in TreeDecomposition([{0, 1}, {2, 3}]).violations(CYCLE)]
    assert conditions == ["tree", "edges", "edges"]


@given(field=graphs(10), data=st.data())
@settings(max_examples=100, deadline=None)
def test_taking_a_vertex_out_of_a_bag_is_noticed(field: Graph, data: st.DataObject) -> None:
    """From a decomposition without superfluous vertices, as elimination orders give."""
    made = decompose(field, heuristic="min-fill")
    if not any(made.bags):
        return
    node = data.draw(st.sampled_from([n for n, bag in enumerate(made.bags) if bag]))
    cell = data.draw(st.sampled_from(sorted(made.bags[node], key=repr)))
    bags = [bag - {cell} if n == node else bag for n, bag in enumerate(made.bags)]
    broken = TreeDecomposition(bags, made.edges)
    expected = _is_decomposition(broken, field)
    assert (broken.violations(field) == []) is expected


def _is_decomposition(made: TreeDecomposition, field: Graph) -> bool:
    """Follow the definition with networkx."""
    tree = networkx.Graph()
    tree.add_nodes_from(range(len(made.bags)))
    tree.add_edges_from(made.edges)
    covers = set().union(*made.bags) == set(field.cells)
    edges = all(any({a, b} <= bag for bag in made.bags) for a, b in field.edges)
    subtrees = all(
        networkx.is_connected(tree.subgraph([n for n, bag in enumerate(made.bags) if cell in bag]))
        for cell in set().union(*made.bags)
    )
    return bool(networkx.is_tree(tree)) and covers and edges and subtrees


@pytest.mark.parametrize(
    "nodes",
    [
        (NiceNode("leaf", frozenset({0})), NiceNode("forget", frozenset(), 1, (0,))),
        (NiceNode("leaf", frozenset({0})), NiceNode("introduce", frozenset({0, 1}), 0, (0,))),
        (NiceNode("leaf", frozenset({0})), NiceNode("join", frozenset({0}), None, (0,))),
        (NiceNode("leaf", frozenset({0})), NiceNode("leaf", frozenset({0}), None, (0,))),
        (NiceNode("forget", frozenset(), 0, (1,)), NiceNode("leaf", frozenset({0}))),
    ],
)
def test_nodes_that_are_not_nice_are_noticed(nodes: tuple[NiceNode, ...]) -> None:
    field = Graph.from_edges([], nodes=[0, 1])
    found = NiceDecomposition(nodes).violations(field)
    assert any(v.condition == "tree" and "node" in v.message for v in found), found


def test_nice_refuses_what_is_no_tree() -> None:
    with pytest.raises(DecompositionError, match="no path leads"):
        TreeDecomposition([{0}, {1}]).nice()
    with pytest.raises(DecompositionError, match="there is no node 5"):
        GOOD.nice(root=5)
    with pytest.raises(DecompositionError, match="does not hold all"):
        GOOD.nice(keep=[3])
    assert GOOD.nice(root=1, keep=[3]).root.bag == frozenset({3})


# --- PACE files ------------------------------------------------------------------------------


def test_files_round_trip(tmp_path: Path) -> None:
    field = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")], nodes=["z"])
    made = decompose(field)
    write_gr(field, tmp_path / "a.gr")
    write_td(made, field, tmp_path / "a.td")
    numbered = read_gr(tmp_path / "a.gr")
    assert [tuple(1 + field.index(cell) for cell in edge) for edge in field.edges] == list(
        numbered.edges
    )
    assert read_td(tmp_path / "a.td", field) == made
    assert read_td(tmp_path / "a.td", numbered).violations(numbered) == []


def test_a_file_of_another_program_is_read() -> None:
    """The example of the PACE format description, with comments and blank lines."""
    graph = parse_gr("c a comment\np tw 5 4\n1 2\n2 3\nc between\n\n3 4\n4 5\n")
    text = "c width 2\ns td 4 3 5\nb 1 1 2 3\nb 2 2 3 4\nb 3 3 4 5\nb 4\n1 2\n2 3\n2 4\n"
    assert parse_td(text, graph).violations(graph) == []
    assert parse_td(text, graph).width == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty"),
        ("p td 3 2\n", "line 1, column 1: the first line is 'p tw'"),
        ("p tw 3\n", "line 1, column 1"),
        ("p tw 3 x\n", "line 1, column 8: 'x' is no number"),
        ("p tw 3 1\n1 4\n", "line 2, column 3: 4 is not one of the vertices 1 … 3"),
        ("p tw 3 1\n1 0\n", "line 2, column 3: 0 is not one"),
        ("p tw 3 1\n1\n", "line 2, column 1: an edge is two vertices"),
        ("p tw 3 1\n  2   2\n", "line 2, column 3: 2 2 is a self-loop"),
        ("p tw 3 2\n1 2\n2 1\n", "line 3, column 1: the edge 2 1 is given twice"),
        ("p tw 3 2\n1 2\n", "promises 2 edges, and there are 1"),
    ],
)
def test_bad_graphs(text: str, message: str) -> None:
    with pytest.raises(FormatError) as raised:
        parse_gr(text, source="bad.gr")
    assert message in str(raised.value)
    assert "bad.gr" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty"),
        ("s tw 1 1 4\n", "the first line is 's td'"),
        ("s td 1 1 3\nb 1 1\n", "about 3 vertices, and the graph has 4"),
        ("s td 1 1 4\nb\n", "line 2, column 1: a bag needs its number"),
        ("s td 1 1 4\nb 2 1\n", "line 2, column 3: 2 is not one of the bags 1 … 1"),
        ("s td 1 1 4\nb 1 5\n", "line 2, column 5: 5 is not one of the vertices"),
        ("s td 1 1 4\nb 1 1\nb 1 2\n", "line 3, column 3: bag 1 is given twice"),
        ("s td 2 1 4\nb 1 1\n", "bag 2 is missing"),
        ("s td 1 2 4\nb 1 1\n", "largest bag has 2 vertices, and it has 1"),
        ("s td 1 1 4\nb 1 1\n1 1\n", "line 3, column 1: 1 1 joins a bag with itself"),
        ("s td 1 1 4\nb 1 1\n1 2 3\n", "line 3, column 1"),
    ],
)
def test_bad_decompositions(text: str, message: str) -> None:
    with pytest.raises(FormatError) as raised:
        parse_td(text, CYCLE)
    assert message in str(raised.value)


def test_a_stranger_cannot_be_written() -> None:
    with pytest.raises(DecompositionError, match="'x', which is no vertex"):
        format_td(TreeDecomposition([{"x"}]), CYCLE)
    assert format_gr(Graph.from_edges([])) == "p tw 0 0\n"


# --- pictures and text -----------------------------------------------------------------------


def test_pictures_are_svg_with_every_bag() -> None:
    from xml.etree import ElementTree

    svg = GOOD.to_svg(highlight=3)
    root = ElementTree.fromstring(svg)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "0, 1, 2" in texts
    assert svg.count("#fde68a") == 1
    ElementTree.fromstring(GOOD.nice()._repr_svg_())
    ElementTree.fromstring(TreeDecomposition([]).to_svg())
    assert "&lt;a&gt;" in TreeDecomposition([{"<a>"}]).to_svg()


def test_the_pictures_in_the_documentation_are_ours() -> None:
    from sapper.decomposition.picture import decomposition_svg
    from sapper.puzzles import golan_example

    position, decomposition = golan_example()
    assets = Path(__file__).resolve().parents[2] / "docs" / "assets"
    graph = (assets / "golan-graph.svg").read_text(encoding="utf-8")
    tree = (assets / "golan-decomposition.svg").read_text(encoding="utf-8")
    # Places come from linear algebra, whose last digits are another processor's own.
    place = re.compile(r' (?:x|y|d|width|height|viewBox)="([^"]*)"')
    drawn, kept = str(position._repr_svg_()), graph
    assert place.sub("", drawn) == place.sub("", kept)
    ours, theirs = (re.findall(r"[\d.]+", " ".join(place.findall(svg))) for svg in (drawn, kept))
    assert len(theirs) > 50
    assert list(map(float, ours)) == pytest.approx(list(map(float, theirs)), abs=2)
    assert decomposition_svg(decomposition, root=6, highlight="v1") == tree


def test_representations() -> None:
    assert repr(GOOD) == "TreeDecomposition([{0, 1, 2}, {0, 2, 3}], [(0, 1)])"
    assert eval(repr(GOOD)) == GOOD
    assert hash(GOOD) == hash(eval(repr(GOOD)))
    assert len(GOOD) == 2
    nested = TreeDecomposition([{0, 1}, {1}, {1, 2}], [(0, 1), (1, 2)])
    assert set(nested.simplified().bags) == {frozenset({0, 1}), frozenset({1, 2})}
    assert min_fill(CYCLE) == (0, 1, 2, 3)


@pytest.mark.parametrize("heuristic", ["auto", "min-fill", "min-degree", "exact"])
def test_f13_every_heuristic_keeps_to_limits(heuristic: Any) -> None:
    field = Torus(30, 30)
    with pytest.raises(LimitExceeded) as caught:
        decompose(field, heuristic=heuristic, limits=Limits(seconds=0.01))
    assert caught.value.allowed == 0.01
    with pytest.raises(LimitExceeded, match="bytes"):
        decompose(Torus(200, 200), heuristic=heuristic, limits=Limits(bytes=1_000_000))
    small = Torus(3, 4)
    assert decompose(small, heuristic=heuristic, limits=Limits(seconds=60)).violations(small) == []


def test_f7_a_graph_that_promises_more_vertices_than_its_text_can_hold() -> None:
    with pytest.raises(FormatError, match="promises 20,000,000 vertices"):
        parse_gr("p tw 20000000 0\n")
    assert len(parse_gr("p tw 1000 1\n3 900\n")) == 1000
    with pytest.raises(FormatError) as caught:
        parse_gr(f"p tw {'9' * 5000} 0\n")
    assert len(str(caught.value)) < 120
