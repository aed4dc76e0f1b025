"""Trees of every shape, and puzzles without cycles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, Final

import numpy
from hypothesis import strategies as st

from sapper.clues import Clue, Clues, Puzzle
from sapper.field import Graph, Position, Topology
from sapper.game import Layout
from tests.support.strategies import positions

SHAPES: Final = ("path", "star", "caterpillar", "binary", "spider", "random")


def tree_edges(shape: str, size: int, seed: int = 1) -> Any:
    """Return the edges of a tree as an array; vertex 0 is the middle of a star or spider."""
    child = numpy.arange(1, size)
    match shape:
        case "path":
            parent = child - 1
        case "star":
            parent = child * 0
        case "caterpillar":
            parent = numpy.where(child < size // 2, child - 1, child - size // 2)
        case "binary":
            parent = (child - 1) // 2
        case "spider":
            parent = numpy.where(child % 3 == 1, 0, child - 1)
        case _:
            generator = numpy.random.default_rng(seed)
            parent = (generator.random(size - 1) * child).astype(numpy.int64)
    return numpy.column_stack([child, numpy.maximum(parent, 0)])


def tree_position(shape: str, size: int, seed: int = 1, *, mines: float = 0.3) -> Position:
    """Return a tree of which about a third is numbered, vertex 0 among them."""
    edges = tree_edges(shape, size, seed)
    generator = numpy.random.default_rng(seed)
    mined = generator.random(size) < mines
    mined[0] = False
    hidden = mined | (generator.random(size) < 0.5)
    hidden[0] = False
    layout = Layout.from_bytes(Graph.from_arrays(size, edges), mined.tobytes())
    return layout.position(numpy.flatnonzero(~hidden).tolist(), total=False)


def labelled_trees(size: int) -> Iterator[Graph]:
    """Yield every labelled tree, by its Prüfer code."""
    if size <= 2:
        yield Graph.from_edges([(0, 1)] if size == 2 else [], nodes=range(size))
        return
    for code in product(range(size), repeat=size - 2):
        degree = [1 + code.count(vertex) for vertex in range(size)]
        edges = []
        for vertex in code:
            leaf = degree.index(1)
            edges.append((leaf, vertex))
            degree[leaf] -= 1
            degree[vertex] -= 1
        one, two = (vertex for vertex in range(size) if degree[vertex] == 1)
        yield Graph.from_edges([*edges, (one, two)], nodes=range(size))


def random_labels(field: Graph, random: Random) -> Position:
    """Return any labels and any total, or a part of what a real minefield shows."""
    cells = field.cells
    total = random.choice([None, None, random.randint(0, len(cells))])
    if random.random() < 0.3:
        labels = {c: random.choice(["?", "?", "*", "_", random.randint(0, 3)]) for c in cells}
        return Position(field, labels, mines=total)
    layout = Layout(field, [cell for cell in cells if random.random() < 0.4])
    shown = {}
    for cell, label in layout.position().items():
        known, visible = ("*", "?") if label == "*" else ("_", label)
        shown[cell] = random.choices(["?", visible, known], [5, 5, 1])[0]
    return Position(field, shown, mines=total if total is None else layout.board.mines)


@st.composite
def forests(draw: st.DrawFn, max_cells: int = 12) -> Topology:
    """Draw a graph without cycles."""
    size = draw(st.integers(0, max_cells))
    edges = []
    for vertex in range(1, size):
        parent = draw(st.none() | st.integers(0, vertex - 1))
        if parent is not None:
            edges.append((parent, vertex))
    return Graph.from_edges(edges, nodes=range(size))


@st.composite
def forest_clues(draw: st.DrawFn, max_cells: int = 12) -> Clues:
    """Draw a clue system whose graph of cells and clues has no cycle."""
    size = draw(st.integers(0, max_cells))
    part = list(range(size))
    clues = []
    for _ in range(draw(st.integers(0, 6))):
        members: list[int] = []
        chosen = draw(st.lists(st.integers(0, size - 1), unique=True, max_size=6)) if size else []
        for cell in chosen:
            if part[cell] not in {part[other] for other in members}:
                members.append(cell)
        for cell in members[1:]:
            old = part[cell]
            part = [part[members[0]] if p == old else p for p in part]
        clues.append(Clue(draw(st.integers(-1, len(members) + 1)), members))
    mines = draw(st.none() | st.integers(0, size + 1))
    return Clues(clues, cells=range(size), mines=mines, known_mines=draw(st.integers(0, 2)))


def forest_puzzles() -> st.SearchStrategy[Puzzle]:
    """Draw positions on forests and clue systems without cycles."""
    return st.one_of(positions(forests()), forest_clues())
