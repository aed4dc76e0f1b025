"""Fields, labels and positions; nothing here knows about solving.

Examples
--------
>>> from sapper.field import Position, Torus
>>> Position(Torus(3, 3), {(0, 0): 2}).covered[:3]
((0, 1), (0, 2), (1, 0))
"""

from sapper.field.box import Box
from sapper.field.documents import (
    cell_document,
    cell_from,
    topology_document,
    topology_from,
)
from sapper.field.graph import Graph
from sapper.field.labels import COVERED, FREE, MINE, Label
from sapper.field.lattice import KNIGHT, Grid, Hex, Lattice, Offsets, Torus
from sapper.field.position import Position
from sapper.field.status import Problem
from sapper.field.topology import Cell, Topology

__all__ = [
    "COVERED",
    "FREE",
    "KNIGHT",
    "MINE",
    "Box",
    "Cell",
    "Graph",
    "Grid",
    "Hex",
    "Label",
    "Lattice",
    "Offsets",
    "Position",
    "Problem",
    "Topology",
    "Torus",
    "cell_document",
    "cell_from",
    "topology_document",
    "topology_from",
]
