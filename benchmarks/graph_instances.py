"""Seeded trees and partial k-trees with numbers, as arrays; both are deterministic."""

from __future__ import annotations

import random
from typing import Any, TypedDict

import numpy

from sapper.field import Graph
from sapper.game import Layout

SHAPES = ("random", "path", "star", "caterpillar", "binary")


class GraphRecord(TypedDict):
    """A labelled graph: the label of each vertex is its number, or -1 if it is covered."""

    edges: Any
    labels: Any


def tree(shape: str, size: int, *, seed: int = 1) -> GraphRecord:
    """Return a tree of which three vertices in ten are mines and half of the others covered.

    ``random`` hangs each vertex from any earlier one. The middle of the star shows its number.

    >>> tree("path", 4)["edges"].tolist()
    [[1, 0], [2, 1], [3, 2]]
    """
    child = numpy.arange(1, size)
    generator = numpy.random.default_rng(seed)
    parents = {
        "path": child - 1,
        "star": numpy.zeros_like(child),
        "caterpillar": numpy.where(child < size // 2, child - 1, child - size // 2),
        "binary": (child - 1) // 2,
        "random": (generator.random(size - 1) * child).astype(numpy.int64),
    }
    edges = numpy.column_stack([child, parents[shape]])
    return {"edges": edges, "labels": _labels(size, edges, generator)}


def _labels(size: int, edges: Any, generator: Any) -> Any:
    mined = generator.random(size) < 0.3
    hidden = generator.random(size) < 0.5
    mined[0] = hidden[0] = False
    return numpy.where(mined | hidden, -1, _full_board(edges, mined))


def _full_board(edges: Any, mined: Any) -> Any:
    layout = Layout.from_bytes(Graph.from_arrays(len(mined), edges), mined.tobytes())
    return numpy.frombuffer(layout.codes, dtype=numpy.int32)


def partial_k_tree(size: int, k: int, *, seed: int, hubs: bool = False) -> GraphRecord:
    """Return a partial k-tree with half of its vertices numbered.

    A new vertex joins one of the last 20 cliques, or any of all with `hubs`; edges are kept with
    probability 0.7, three vertices in ten are mines, and the numbered vertices are drawn from the
    others.

    >>> record = partial_k_tree(100, 3, seed=1)
    >>> int((record["labels"] >= 0).sum())
    50
    """
    rng = random.Random(f"{size} {k} {seed} {hubs}")
    joined = [(a, b) for a in range(k + 1) for b in range(a)]
    cliques = [[v for v in range(k + 1) if v != gone] for gone in range(k + 1)]
    for vertex in range(k + 1, size):
        clique = rng.choice(cliques if hubs else cliques[-20:])
        joined += [(vertex, other) for other in clique]
        cliques += [[vertex, *(v for v in clique if v != gone)] for gone in clique]
    kept = [edge for edge in joined if rng.random() < 0.7]
    mines = {vertex for vertex in range(size) if rng.random() < 0.3}
    free = [vertex for vertex in range(size) if vertex not in mines]
    shown = rng.sample(free, min(size // 2, len(free)))
    edges, labels = numpy.array(kept), numpy.full(size, -1)
    labels[shown] = _full_board(edges, numpy.isin(numpy.arange(size), list(mines)))[shown]
    return {"edges": edges, "labels": labels}


def largest_degree(record: GraphRecord) -> int:
    """Return the largest number of edges at a vertex."""
    return int(numpy.bincount(record["edges"].ravel()).max())


def clues(record: GraphRecord) -> list[tuple[int, list[int]]]:
    """Return the count of each number with the covered vertices around it."""
    labels = record["labels"].tolist()
    rows: dict[int, list[int]] = {v: [] for v, label in enumerate(labels) if label >= 0}
    for one, two in record["edges"].tolist():
        for number, other in ((one, two), (two, one)):
            if number in rows and labels[other] < 0:
                rows[number].append(other)
    return [(labels[number], cells) for number, cells in rows.items() if cells]
