"""Fields, labels and positions; nothing here knows about solving.

Examples
--------
>>> from sapper.field import Position, Torus
>>> Position(Torus(3, 3), {(0, 0): 2}).covered[:3]
((0, 1), (0, 2), (1, 0))
"""

from sapper.field.cells import whole
from sapper.field.graph import Graph
from sapper.field.labels import (
    COVERED,
    FREE,
    MINE,
    Label,
    LabelError,
    code_of,
    column_of_cell,
    encode_plain,
    encode_row,
    format_row,
)
from sapper.field.lattice import KNIGHT, Box, Grid, Hex, Lattice, Offsets, Torus
from sapper.field.position import Position, checked_mines, codes_of_stack
from sapper.field.rows import Rows
from sapper.field.shown import Shown
from sapper.field.specs import Path, cell_from_json, cell_to_json
from sapper.field.status import Problem, neighbourhood, total_mismatch
from sapper.field.table import (
    TOPOLOGIES,
    Kind,
    as_topology,
    kind_of,
    topology_from_spec,
    topology_names,
    topology_of_shape,
)
from sapper.field.topology import Cell, Geometry, Topology

__all__ = [
    "COVERED",
    "FREE",
    "KNIGHT",
    "MINE",
    "TOPOLOGIES",
    "Box",
    "Cell",
    "Geometry",
    "Graph",
    "Grid",
    "Hex",
    "Kind",
    "Label",
    "LabelError",
    "Lattice",
    "Offsets",
    "Path",
    "Position",
    "Problem",
    "Rows",
    "Shown",
    "Topology",
    "Torus",
    "as_topology",
    "cell_from_json",
    "cell_to_json",
    "checked_mines",
    "code_of",
    "codes_of_stack",
    "column_of_cell",
    "encode_plain",
    "encode_row",
    "format_row",
    "kind_of",
    "neighbourhood",
    "topology_from_spec",
    "topology_names",
    "topology_of_shape",
    "total_mismatch",
    "whole",
]
