"""Minefields of any size, made from a seed."""

from __future__ import annotations

from random import Random

import networkx
import numpy as np

from sapper.clues import Clue, Clues
from sapper.field import Graph, Position, Topology
from sapper.game import Layout


def minefield(
    topology: Topology, *, mines: float, visible: float, seed: int, total: bool = False
) -> Position:
    """Return what a random minefield shows: each free cell its number with a given chance."""
    random = Random(seed)
    layout = Layout(topology, [cell for cell in topology if random.random() < mines])
    shown = [cell for cell in layout.numbers if random.random() < visible]
    return layout.position(shown, total=total)


def random_graph(vertices: int, edges: int, *, seed: int, total: bool = False) -> Position:
    """Return a position on a random graph, with half of the free vertices shown."""
    graph = networkx.gnm_random_graph(vertices, edges, seed=seed)
    return minefield(Graph(graph), mines=0.3, visible=0.5, seed=seed, total=total)


def random_tree(vertices: int, *, seed: int) -> Position:
    """Return a position on a random recursive tree, with a third of the free vertices shown."""
    random = Random(seed)
    edges = np.array([(random.randrange(v), v) for v in range(1, vertices)])
    return minefield(Graph.from_arrays(vertices, edges), mines=0.3, visible=0.3, seed=seed)


def chain(pairs: int) -> Clues:
    """Return clues aᵢ + bᵢ + aᵢ₊₁ = 1, whose count grows by a constant factor with every clue."""
    return Clues([Clue(1, [("a", i), ("b", i), ("a", i + 1)]) for i in range(pairs)])


def star(leaves: int, *, mines: int) -> Position:
    """Return a covered hub with leaves, one of which shows that the hub is no mine or is."""
    graph = networkx.star_graph(leaves)
    return Position(Graph(graph), {1: 0}, mines=mines)
