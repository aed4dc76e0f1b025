"""Golan, *Minesweeper on graphs*: Table 1, and Example 5.1 (Figures 4 and 5) behind Table 2."""

from __future__ import annotations

from typing import NamedTuple

from sapper.analysis import count_by_mines
from sapper.clues import Clue, Clues
from sapper.decomposition import TreeDecomposition
from sapper.field import Graph, Position


def example(numbers: tuple[int, int, int] = (2, 2, 2)) -> tuple[Position, TreeDecomposition]:
    """Return the graph of Figure 4 and the decomposition of Figure 5.

    Three numbers v1, v2, v3 and three covered cells, each next to two of them: a cycle of six
    vertices, of treewidth 2. The table pins all this down but for what the numbers show, which it
    does not depend on.

    Parameters
    ----------
    numbers : tuple of int
        What v1, v2 and v3 show.

    Examples
    --------
    >>> from sapper.methods.treewidth import table
    >>> position, decomposition = example()
    >>> for row in table(position, decomposition):
    ...     print(row)
    1 | v4 → □ | 1
    1 | v4 → * | x₁x₂
    2 | v5 → □ | 1
    2 | v5 → * | x₂x₃
    3 | v6 → □ | 1
    3 | v6 → * | x₁x₃
    4 | ∅ | 1 + x₁x₂
    5 | ∅ | 1 + x₂x₃
    6 | ∅ | 1 + x₁x₃
    7 | ∅ | 1 + x₁x₂ + x₂x₃ + x₁x₃ + x₁²x₂x₃ + x₁x₂²x₃ + x₁x₂x₃² + x₁²x₂²x₃²
    """
    names = ["v1", "v2", "v3", "v4", "v5", "v6"]
    edges = [("v4", "v1"), ("v4", "v2"), ("v5", "v2"), ("v5", "v3"), ("v6", "v1"), ("v6", "v3")]
    position = Position(
        Graph.from_edges(edges, nodes=names), dict(zip(names, numbers, strict=False))
    )
    bags = [
        {"v1", "v2", "v4"},
        {"v2", "v3", "v5"},
        {"v1", "v3", "v6"},
        {"v1", "v2"},
        {"v2", "v3"},
        {"v1", "v3"},
        {"v1", "v2", "v3"},
    ]
    tree = [(0, 3), (1, 4), (2, 5), (3, 6), (4, 6), (5, 6)]
    return position, TreeDecomposition(bags, tree)


class Leaf(NamedTuple):
    """A row of Table 1: the polynomials of a leaf, each mine a factor x.

    Frozen: threads can share one.

    Legal assignments of the leaf alone if its parent is free (`parent_free`) or mined
    (`parent_mined`), and if the leaf itself is free or mined, with its parent free.
    """

    label: str
    parent_free: str
    parent_mined: str
    free: str
    mined: str


def leaf_table() -> list[Leaf]:
    """Return Table 1, each entry counted by the method ``"tree"``.

    Examples
    --------
    >>> for leaf in leaf_table():
    ...     print(*leaf, sep=" | ")
    □ | 1 | 1 | 1 | 0
    * | x | x | 0 | x
    ? | 1 + x | 1 + x | 1 | x
    0 | 1 | 0 | 1 | 0
    1 | 0 | 1 | 0 | 0
    2 | 0 | 0 | 0 | 0
    """

    def counted(clues: list[Clue], parent: int) -> str:
        """Return the polynomial of the leaf, beside a parent with so many mines."""
        both = Clues([*clues, Clue(parent, "p")], cells=["p", "leaf"])
        found = count_by_mines(both, method="tree").items()
        terms = ("1" if mines == parent else "x" for mines, _ in found)
        return " + ".join(terms) or "0"

    free, mined = Clue(0, ["leaf"]), Clue(1, ["leaf"])
    labels = {"□": [free], "*": [mined], "?": []}
    # A number is no cell that could be mined: it counts its parent.
    labels |= {str(number): [free, Clue(number, "p")] for number in range(3)}
    return [
        Leaf(
            label,
            counted(clues, 0),
            counted(clues, 1),
            counted([*clues, free], 0),
            counted([*clues, mined], 0),
        )
        for label, clues in labels.items()
    ]
