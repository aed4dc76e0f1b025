"""Nice tree decompositions: four kinds of nodes, one small step each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from sys import getsizeof
from typing import TYPE_CHECKING, Literal

from sapper.decomposition.tree_decomposition import TreeDecomposition, sorted_cells
from sapper.errors import DecompositionError, quoted
from sapper.field import Cell
from sapper.limits import Budget, Limits

if TYPE_CHECKING:
    from sapper.decomposition.tree_decomposition import Violation

Kind = Literal["leaf", "forget", "introduce", "join"]

_BYTES_PER_NODE = 200  # besides its bag


@dataclass(frozen=True)
class NiceNode:
    """One node of a nice decomposition.

    Frozen: threads can share one.

    Attributes
    ----------
    kind : str
        ``"leaf"``: no child. ``"forget"``: one child, whose bag also has `vertex`.
        ``"introduce"``: one child, whose bag lacks `vertex`. ``"join"``: two children with the
        same bag.
    bag : frozenset of cells
        The vertices of the node.
    vertex : cell or None
        What is forgotten or introduced.
    children : tuple of int
        The places of the children.
    """

    kind: Kind
    bag: frozenset[Cell]
    vertex: Cell | None = None
    children: tuple[int, ...] = ()


@dataclass(frozen=True)
class NiceDecomposition:
    """A rooted tree decomposition in which neighbouring bags differ by one vertex or not at all.

    Frozen: threads can share one.

    Attributes
    ----------
    nodes : tuple of NiceNode
        Children stand before their parent; the root is last.
    origins : tuple of int
        For each node of the decomposition this was made from, the node here that stands for it:
        it has the same bag and the same vertices below it.

    Notes
    -----
    The four kinds are those of Golan, Section 5: a leaf may have any bag.
    """

    nodes: tuple[NiceNode, ...]
    origins: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        decomposition: TreeDecomposition,
        *,
        root: int = 0,
        keep: Iterable[Cell] = (),
        limits: Limits | None = None,
    ) -> NiceDecomposition:
        """Make a tree decomposition nice; the width stays the same.

        Parameters
        ----------
        decomposition
            What to start from. Its nodes must form a tree.
        root
            The node that becomes the top.
        keep
            Vertices of the root's bag that stay in it; all others are forgotten one by one above
            it, so that by default the last bag is empty.
        limits
            What it may cost.

        Raises
        ------
        LimitExceeded
            If a limit is hit.
        DecompositionError
            If the nodes form no tree, there is no such root, or it does not hold `keep`.

        Examples
        --------
        >>> nice = NiceDecomposition.of(TreeDecomposition([{"a", "b"}, {"b", "c"}], [(0, 1)]))
        >>> [(node.kind, node.vertex) for node in nice.nodes]
        [('leaf', None), ('forget', 'c'), ('introduce', 'a'), ('forget', 'a'), ('forget', 'b')]
        """
        kept, budget = frozenset(keep), Budget(limits)
        bags = decomposition.bags
        if not bags:
            return cls((NiceNode("leaf", frozenset()),))
        wrong = decomposition._tree_violations()
        if wrong:
            raise DecompositionError(f"no tree decomposition of anything: {wrong[0]}")
        if root not in range(len(bags)):
            raise DecompositionError(
                f"there is no node {quoted(root)}; nodes are 0 … {len(bags) - 1}"
            )
        if not kept <= bags[root]:
            raise DecompositionError(
                f"node {root} does not hold all of {quoted(sorted_cells(kept))}"
            )
        nodes: list[NiceNode] = []
        origins = [0] * len(bags)
        order, children = _rooted(decomposition, root)
        held, counted = 0, 0
        for node in reversed(order):
            held += sum(map(_bytes_of, nodes[counted:]))
            budget.spend(nodes=len(nodes) - counted, held=held)
            counted = len(nodes)
            parts = [_walk(nodes, origins[child], bags[node]) for child in children[node]]
            if not parts:
                nodes.append(NiceNode("leaf", bags[node]))
                parts = [len(nodes) - 1]
            # Joins are balanced, so that the tree does not grow deep at a node of many children.
            while len(parts) > 1:
                joined = []
                for one, two in zip(parts[::2], parts[1::2], strict=False):
                    nodes.append(NiceNode("join", bags[node], children=(one, two)))
                    joined.append(len(nodes) - 1)
                parts = joined + parts[len(parts) - len(parts) % 2 :]
            origins[node] = parts[0]
        _walk(nodes, origins[root], kept)
        return cls(tuple(nodes), tuple(origins))

    @property
    def size_in_bytes(self) -> int:
        """About what it takes in memory."""
        return sum(map(_bytes_of, self.nodes))

    @property
    def root(self) -> NiceNode:
        """The last node."""
        return self.nodes[-1]

    @property
    def width(self) -> int:
        """The size of the largest bag less 1."""
        return max(len(node.bag) for node in self.nodes) - 1

    @cached_property
    def as_tree_decomposition(self) -> TreeDecomposition:
        """The same tree and bags, without the kinds."""
        edges = [(child, place) for place, node in enumerate(self.nodes) for child in node.children]
        return TreeDecomposition([node.bag for node in self.nodes], edges)

    def violations(self, graph: object) -> list[Violation]:
        """List what keeps this from being a nice tree decomposition of `graph`."""
        from sapper.decomposition.tree_decomposition import Violation

        found = [
            Violation("tree", f"node {place} is no {node.kind} node")
            for place, node in enumerate(self.nodes)
            if not self._is_kind(place, node)
        ]
        return found + self.as_tree_decomposition.violations(graph)

    def _is_kind(self, place: int, node: NiceNode) -> bool:
        if any(child >= place for child in node.children):
            return False
        bags = [self.nodes[child].bag for child in node.children]
        match node.kind, bags:
            case "leaf", []:
                return node.vertex is None
            case "forget", [below]:
                return node.vertex not in node.bag and below == node.bag | {node.vertex}
            case "introduce", [below]:
                return node.vertex in node.bag and below == node.bag - {node.vertex}
            case "join", [one, two]:
                return one == two == node.bag
            case _:
                return False

    def _repr_svg_(self) -> str:
        from sapper.decomposition.picture import decomposition_svg

        kinds = [f"{node.kind}" for node in self.nodes]
        return decomposition_svg(
            self.as_tree_decomposition, root=len(self.nodes) - 1, captions=kinds
        )


def _rooted(decomposition: TreeDecomposition, root: int) -> tuple[list[int], list[list[int]]]:
    """Return the nodes from the root down, and the children of each, ascending."""
    children: list[list[int]] = [[] for _ in decomposition.bags]
    order, seen = [root], {root}
    for node in order:
        for other in decomposition.neighbours[node]:
            if other not in seen:
                seen.add(other)
                children[node].append(other)
                order.append(other)
    return order, children


def _walk(nodes: list[NiceNode], place: int, target: frozenset[Cell]) -> int:
    """Forget and introduce one by one until the bag is `target`; return the last node."""
    bag = nodes[place].bag
    for vertex in sorted_cells(bag - target):
        bag = bag - {vertex}
        nodes.append(NiceNode("forget", bag, vertex, (place,)))
        place = len(nodes) - 1
    for vertex in sorted_cells(target - bag):
        bag = bag | {vertex}
        nodes.append(NiceNode("introduce", bag, vertex, (place,)))
        place = len(nodes) - 1
    return place


def _bytes_of(node: NiceNode) -> int:
    return _BYTES_PER_NODE + getsizeof(node.bag)
