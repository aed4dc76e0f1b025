"""Tree decompositions of graphs: made, checked, exchanged and drawn.

A tree decomposition covers a graph with *bags* of vertices, arranged in a tree. Its width is the
size of the largest bag less 1, and the treewidth of a graph is the least width there is. Problems
that are hard on graphs are often easy where the treewidth is small; minefields are among them
(`sapper.methods.treewidth`).
"""

from sapper.decomposition.elimination import (
    Heuristic,
    decompose,
    from_order,
    min_degree,
    min_fill,
)
from sapper.decomposition.exact import best_order, lower_bound, treewidth
from sapper.decomposition.nice import NiceDecomposition, NiceNode
from sapper.decomposition.pace import (
    format_gr,
    format_td,
    parse_gr,
    parse_td,
    read_gr,
    read_td,
    write_gr,
    write_td,
)
from sapper.decomposition.tree_decomposition import TreeDecomposition, Violation

__all__ = [
    "Heuristic",
    "NiceDecomposition",
    "NiceNode",
    "TreeDecomposition",
    "Violation",
    "best_order",
    "decompose",
    "format_gr",
    "format_td",
    "from_order",
    "lower_bound",
    "min_degree",
    "min_fill",
    "parse_gr",
    "parse_td",
    "read_gr",
    "read_td",
    "treewidth",
    "write_gr",
    "write_td",
]
