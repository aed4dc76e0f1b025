"""Hypothesis strategies for any field and any labelling, consistent or not."""

from __future__ import annotations

import networkx
from hypothesis import strategies as st

from sapper.field import KNIGHT, Box, Graph, Grid, Hex, Offsets, Position, Topology, Torus

Names = st.one_of(
    st.integers(),
    st.text(max_size=3),
    st.tuples(st.integers(0, 3), st.text(max_size=2)),
)


def sides(most: int = 5) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(1, most), st.integers(1, most))


@st.composite
def offset_fields(draw: st.DrawFn) -> Offsets:
    steps = st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(lambda step: step != (0, 0))
    half = draw(st.sets(steps, min_size=1, max_size=8))
    whole = half | {(-down, -right) for down, right in half}
    return Offsets(*draw(sides()), draw(st.permutations(sorted(whole))), wrap=draw(st.booleans()))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    nodes = draw(st.lists(Names, max_size=7, unique=True))
    pairs = [(one, other) for i, one in enumerate(nodes) for other in nodes[:i]]
    graph = networkx.Graph()
    graph.add_nodes_from(nodes)
    if pairs:
        graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), unique=True)))
    return Graph(graph)


def rowed_fields() -> st.SearchStrategy[Topology]:
    return st.one_of(
        sides().map(lambda side: Grid(*side)),
        sides().map(lambda side: Torus(*side)),
        sides().map(lambda side: Hex(*side)),
        sides().map(lambda side: Offsets(*side, KNIGHT)),
        offset_fields(),
        st.tuples(*[st.integers(1, 4)] * 3).map(lambda side: Box(*side)),
    )


def fields() -> st.SearchStrategy[Topology]:
    return st.one_of(rowed_fields(), graphs())


@st.composite
def positions(
    draw: st.DrawFn, fields: st.SearchStrategy[Topology], *, sound: bool = True
) -> Position:
    """Draw a position; a sound one has numbers that fit and a total that is possible."""
    field = draw(fields)
    labels = {}
    for cell in field.cells:
        top = field.degree(cell) if sound else 40
        labels[cell] = draw(st.sampled_from(["?", "?", "*", "_"]) | st.integers(0, top))
    values = list(labels.values())
    known, covered = values.count("*"), values.count("?")
    totals = st.integers(known, known + covered) if sound else st.integers(0, 99)
    return Position(field, labels, mines=draw(st.none() | totals))
