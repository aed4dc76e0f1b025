"""Random boards, each a function of its seed and of nothing else."""

from __future__ import annotations

from random import Random
from typing import Literal, TypeAlias

from sapper.clues import Clues
from sapper.field import Graph, Grid, Position, Topology
from sapper.game import Layout

Table: TypeAlias = Literal["grid", "graph"]
"""The two kinds of instance of Suzuki, Hao and Minato, section 5."""

GRID_SIDE = 30
VERTICES = 300
EDGES = 900


def generation_position(
    table: Table, *, mines: int, visible: int, seed: str, side: int = GRID_SIDE
) -> Position:
    """Return a board of tables 1 and 2.

    Parameters
    ----------
    table : str
        ``"grid"``: side × side; ``"graph"``: 300 vertices and 900 edges, drawn uniformly.
    mines : int
        Per cent of all cells that are mines, rounded down.
    visible : int
        Per cent of the free cells that show their number, rounded down.
    seed : str
        Decides everything random, the graph too.

    Examples
    --------
    >>> position = generation_position("grid", mines=10, visible=20, seed="1")
    >>> len(position.numbers), len(position.covered)
    (162, 738)
    """
    random = Random(f"{table} {mines} {visible} {seed}")
    topology: Topology = Grid(side, side) if table == "grid" else random_graph(random)
    cells = list(topology.cells)
    layout = Layout(topology, random.sample(cells, len(cells) * mines // 100))
    free = list(layout.numbers)
    shown = random.sample(free, len(free) * visible // 100)
    return layout.position(shown, total=False)


def generation_clues(
    table: Table, *, mines: int, visible: int, seed: str, side: int = GRID_SIDE
) -> Clues:
    """Return the clue system of such a board; cells next to no number are left out."""
    clues = Clues.from_position(
        generation_position(table, mines=mines, visible=visible, seed=seed, side=side)
    )
    return Clues(clues.clues, clues.touched)


def random_graph(random: Random, vertices: int = VERTICES, edges: int = EDGES) -> Graph:
    """Return a uniformly random simple graph with so many vertices and edges."""
    pairs = [(a, b) for b in range(vertices) for a in range(b)]
    return Graph.from_edges(random.sample(pairs, edges), nodes=range(vertices))
