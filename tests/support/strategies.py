"""Hypothesis strategies for fields, positions and clue systems.

Two kinds of position are drawn. *Truthful* ones show a part of a real minefield, so they are
consistent; *arbitrary* ones carry any labels at all, so most of them are not.
"""

from __future__ import annotations

from typing import Any

import networkx
from hypothesis import strategies as st

from sapper.clues import Clue, Clues, Puzzle
from sapper.field import KNIGHT, Box, Cell, Graph, Grid, Hex, Offsets, Position, Topology, Torus
from sapper.game import Layout

MAX_CELLS = 12


def lattices(max_cells: int = MAX_CELLS) -> st.SearchStrategy[Topology]:
    """Draw grids, tori, hexes, knight's fields and boxes."""
    sides = [
        (height, width)
        for height in range(1, 5)
        for width in range(1, max_cells + 1)
        if height * width <= max_cells
    ]
    flat = st.sampled_from(sides)
    solid = st.sampled_from([s for s in [(2, 2, 2), (2, 2, 3), (1, 2, 3)] if _size(s) <= max_cells])
    return st.one_of(
        flat.map(lambda side: Grid(*side)),
        flat.map(lambda side: Torus(*side)),
        flat.map(lambda side: Hex(*side)),
        flat.map(lambda side: Offsets(*side, KNIGHT)),
        solid.map(lambda side: Box(*side)),
    )


def boards(max_cells: int = MAX_CELLS) -> st.SearchStrategy[Topology]:
    """Draw the fields that can be flipped and turned."""
    return lattices(max_cells).filter(lambda field: isinstance(field, Grid | Torus))


def _size(sides: tuple[int, ...]) -> int:
    product = 1
    for side in sides:
        product *= side
    return product


@st.composite
def graphs(draw: st.DrawFn, max_cells: int = MAX_CELLS, *, forest: bool = False) -> Graph:
    """Draw simple graphs with named vertices, isolated ones among them."""
    size = draw(st.integers(1, max_cells))
    names: list[Any] = [f"v{number}" for number in range(size)]
    graph = networkx.Graph()
    graph.add_nodes_from(draw(st.permutations(names)))
    if forest:
        for number in range(1, size):
            parent = draw(st.none() | st.integers(0, number - 1))
            if parent is not None:
                graph.add_edge(names[parent], names[number])
    elif size > 1:
        pairs = [(a, b) for place, a in enumerate(names) for b in names[:place]]
        graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * size)))
    return Graph(graph)


def topologies(max_cells: int = MAX_CELLS) -> st.SearchStrategy[Topology]:
    """Draw any kind of field."""
    return st.one_of(lattices(max_cells), graphs(max_cells))


@st.composite
def truthful_positions(
    draw: st.DrawFn,
    fields: st.SearchStrategy[Topology] | None = None,
    *,
    total: bool | None = None,
) -> Position:
    """Draw a part of what a real minefield shows; with the true total, or any if not said."""
    topology = draw(topologies() if fields is None else fields)
    layout = Layout(topology, [cell for cell in topology if draw(st.integers(0, 9)) < 4])
    labels: dict[Cell, int | str] = {}
    for cell, label in layout.position().items():
        shown = draw(st.sampled_from("????nnnnk"))
        if shown == "k":
            labels[cell] = "*" if label == "*" else "_"
        elif shown == "n" and label != "*":
            labels[cell] = label
    with_total = draw(st.booleans()) if total is None else total
    return Position(topology, labels, mines=layout.board.mines if with_total else None)


@st.composite
def arbitrary_positions(
    draw: st.DrawFn, fields: st.SearchStrategy[Topology] | None = None
) -> Position:
    """Draw any labels and any total: mostly inconsistent, always representable."""
    topology = draw(topologies() if fields is None else fields)
    labels: dict[Cell, int | str] = {
        cell: draw(st.sampled_from("?????*_") | st.integers(0, topology.degree(cell) + 1))
        for cell in topology.cells
    }
    return Position(topology, labels, mines=draw(st.none() | st.integers(0, len(topology) + 1)))


def positions(fields: st.SearchStrategy[Topology] | None = None) -> st.SearchStrategy[Position]:
    """Draw positions, truthful and arbitrary."""
    return st.one_of(truthful_positions(fields), arbitrary_positions(fields))


@st.composite
def clue_systems(
    draw: st.DrawFn, max_cells: int = MAX_CELLS, *, weighted: bool | None = None
) -> Clues:
    """Draw bare clue systems; about half hold for a hidden assignment."""
    cells = [f"c{number}" for number in range(draw(st.integers(0, max_cells)))]
    mines = {cell for cell in cells if draw(st.booleans())}
    is_weighted = draw(st.booleans()) if weighted is None else weighted
    is_truthful = draw(st.booleans())
    clues = []
    for _ in range(draw(st.integers(0, 6))):
        members = draw(st.lists(st.sampled_from(cells), unique=True, max_size=8)) if cells else []
        weights = (
            draw(st.lists(weight_values(), min_size=len(members), max_size=len(members)))
            if is_weighted
            else [1] * len(members)
        )
        terms = zip(members, weights, strict=True)
        count = sum(weight for cell, weight in terms if cell in mines)
        if not is_truthful:
            count += draw(st.sampled_from([-1, 0, 0, 0, 1]))
        clues.append(Clue(count, members, weights=weights))
    known = draw(st.integers(0, 2))
    total = draw(st.sampled_from([None, None, len(mines) + known, len(mines) + known + 1]))
    return Clues(clues, cells, total, known_mines=known)


def weight_values() -> st.SearchStrategy[int]:
    """Draw weights: small ones often, zero and large ones of both signs sometimes."""
    return st.integers(-4, 4) | st.sampled_from([-(10**12), 10**12, 10**12 + 1, 3**30])


def puzzles() -> st.SearchStrategy[Puzzle]:
    """Draw anything that a question can be asked of."""
    return st.one_of(positions(), clue_systems())
