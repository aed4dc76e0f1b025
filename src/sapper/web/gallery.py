"""Boards to choose from: those that everybody knows, and some graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sapper.field import Graph
from sapper.game import BOARDS

if TYPE_CHECKING:
    from sapper.web.replies import BoardReply, BoardsReply

__all__ = ["boards"]

# Name, title, networkx's function with its arguments, mines.
_GRAPHS: Final[tuple[tuple[str, str, str, tuple[Any, ...], int], ...]] = (
    ("petersen", "Petersen graph", "petersen_graph", (), 2),
    ("icosahedron", "Icosahedron", "icosahedral_graph", (), 2),
    ("tesseract", "Tesseract", "hypercube_graph", (4,), 3),
    ("dodecahedron", "Dodecahedron", "dodecahedral_graph", (), 4),
    ("cuboid", "Truncated cube", "truncated_cube_graph", (), 5),
    ("club", "Karate club", "karate_club_graph", (), 6),
    ("triangles", "Triangular lattice", "triangular_lattice_graph", (7, 12), 9),
    ("honeycomb", "Honeycomb corners", "hexagonal_lattice_graph", (4, 5), 10),
)


def boards() -> BoardsReply:
    """Return the document of the boards to choose from.

    Examples
    --------
    >>> [board["name"] for board in boards()["presets"]]
    ['beginner', 'intermediate', 'expert']
    """
    import networkx

    def row(name: str, title: str, topology: Any, mines: int) -> BoardReply:
        return {"name": name, "title": title, "topology": topology.spec(), "mines": mines}

    return {
        "presets": [
            row(name, name.capitalize(), board.topology, board.mines)
            for name, board in BOARDS.items()
        ],
        "gallery": [
            row(name, title, Graph(_plain(getattr(networkx, make)(*arguments))), mines)
            for name, title, make, arguments, mines in _GRAPHS
        ],
    }


def _plain(graph: Any) -> Any:
    """Return a graph without what its nodes and edges carry."""
    import networkx

    made = networkx.Graph()
    made.add_nodes_from(graph.nodes)
    made.add_edges_from(graph.edges)
    return made
