"""Fields and cells as JSON has them, both ways."""

from __future__ import annotations

from typing import Any

from sapper.errors import PositionError
from sapper.field.box import Box
from sapper.field.graph import Graph
from sapper.field.lattice import KNIGHT, Lattice, Offsets
from sapper.field.named import by_name
from sapper.field.topology import Cell, Topology

__all__ = ["cell_document", "cell_from", "topology_document", "topology_from"]


def cell_document(cell: Cell) -> Any:
    """Return a cell as JSON has it: a string, a number, or a list for a tuple.

    Raises
    ------
    PositionError
        If it is something else.

    Examples
    --------
    >>> cell_document((0, "a"))
    [0, 'a']
    """
    if isinstance(cell, tuple):
        return [cell_document(part) for part in cell]
    if isinstance(cell, bool) or not isinstance(cell, int | str):
        raise PositionError(
            f"JSON cannot name the cell {cell!r:.60}: cells must be strings, whole numbers or"
            " tuples"
        )
    return cell


def cell_from(value: Any) -> Cell:
    """Return the cell that `cell_document` wrote."""
    if isinstance(value, list | tuple):
        return tuple([cell_from(part) for part in value])
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise PositionError(f"{value!r:.60} names no cell: use a string, a whole number or a list")
    return value


def topology_document(topology: Topology) -> dict[str, Any]:
    """Return a field as JSON has it: its kind, and what else it takes to make it again.

    Raises
    ------
    PositionError
        If its cells have names that JSON cannot hold.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> topology_document(Torus(3, 4))
    {'kind': 'torus', 'width': 4, 'height': 3}
    """
    spec: dict[str, Any] = {"kind": topology.kind}
    match topology:
        case Graph():
            spec["nodes"] = [cell_document(cell) for cell in topology.nodes]
            spec["edges"] = [[cell_document(cell) for cell in edge] for edge in topology.edges]
        case Box():
            spec |= {"width": topology.width, "height": topology.height, "depth": topology.depth}
        case Lattice():
            spec |= {"width": topology.width, "height": topology.height}
            if isinstance(topology, Offsets):
                spec |= {"offsets": [list(step) for step in topology.offsets]}
                spec |= {"wrap": topology.wrap}
        case _:
            raise PositionError(f"JSON has no form for {topology}")
    return spec


def topology_from(document: Any) -> Topology:
    """Return the field that a document describes.

    Raises
    ------
    PositionError
        If it describes none.

    Examples
    --------
    >>> topology_from({"kind": "graph", "edges": [["a", "b"]]}).cells
    ('a', 'b')
    """
    if not isinstance(document, dict):
        raise PositionError(f"a topology is an object with a 'kind', not {document!r:.60}")
    match document.get("kind"):
        case "graph":
            edges: list[Any] = [cell_from(edge) for edge in _list(document, "edges")]
            nodes = [cell_from(node) for node in _list(document, "nodes")]
            return Graph.from_edges(edges, nodes=nodes)
        case "box":
            return Box(*[document.get(side, 0) for side in ("depth", "height", "width")])
        case "offsets" | "knight":
            steps = _list(document, "offsets") or KNIGHT
            height, width = document.get("height", 0), document.get("width", 0)
            return Offsets(height, width, steps, wrap=document.get("wrap", False))
        case str() as kind:
            return by_name(kind, document.get("height", 0), document.get("width", 0))
        case kind:
            raise PositionError(f"a topology is an object with a 'kind', not {kind!r:.60}")


def _list(document: dict[str, Any], key: str) -> list[Any]:
    value = document.get(key, [])
    if not isinstance(value, list):
        raise PositionError(f"{key!r} must be a list, not {value!r:.60}")
    return value
