"""What a tree decomposition is, and what can be wrong with one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from sapper.errors import DecompositionError, quoted
from sapper.field import Cell, Position, Topology, as_topology
from sapper.limits import Budget, Limits

if TYPE_CHECKING:
    from sapper.decomposition.nice import NiceDecomposition

Condition = Literal["tree", "vertices", "edges", "connected"]

# Of `simplified`, for each node: its neighbours as a set, and the lists it stands in.
_BYTES_PER_NODE: Final = 300


@dataclass(frozen=True)
class Violation:
    """One way in which bags are no tree decomposition of a graph.

    Frozen: threads can share one.

    Attributes
    ----------
    condition : str
        ``"tree"``: the nodes do not form a tree. ``"vertices"``: a vertex is in no bag, or a bag
        holds something that is no vertex (condition 1). ``"edges"``: no bag holds both ends of an
        edge (condition 2). ``"connected"``: the bags of a vertex do not hang together
        (condition 3).
    message : str
        What is wrong, with names.
    """

    condition: Condition
    message: str

    def __str__(self) -> str:
        return f"{self.condition}: {self.message}"


@dataclass(frozen=True, repr=False, init=False)
class TreeDecomposition:
    """Bags of vertices on the nodes ``0, 1, …`` of a tree.

    Frozen: threads can share one.

    Making one checks nothing but that edges join nodes that exist: what the PACE format or another
    program gives can be represented and then asked for its `violations`.

    Parameters
    ----------
    bags : iterable of iterables of cells
        The vertices of each node.
    edges : iterable of pairs of int
        The edges of the tree, by the numbers of its nodes.

    Raises
    ------
    DecompositionError
        If an edge is no pair of different nodes, or a bag holds what cannot be hashed.

    Notes
    -----
    Golan, *Minesweeper on graphs*, Section 5, conditions (1) to (3); Kloks, *Treewidth*, 1994.

    Examples
    --------
    >>> from sapper.field import Graph
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> decomposition = TreeDecomposition([{"a", "b"}, {"b", "c"}], [(0, 1)])
    >>> decomposition.width, decomposition.violations(path)
    (1, [])
    >>> for violation in TreeDecomposition([{"a", "b"}, {"c"}], [(0, 1)]).violations(path):
    ...     print(violation)
    edges: no bag holds both ends of the edge 'b' – 'c'
    """

    bags: tuple[frozenset[Cell], ...]
    edges: tuple[tuple[int, int], ...]

    def __init__(
        self, bags: Iterable[Iterable[Cell]], edges: Iterable[tuple[int, int]] = ()
    ) -> None:
        try:
            kept = tuple(frozenset(bag) for bag in bags)
        except TypeError as error:
            raise DecompositionError(f"a bag is no set of vertices: {error}") from None
        pairs = []
        nodes = range(len(kept))
        for edge in edges:
            match edge:
                case (int(one), int(two)) if one != two and one in nodes and two in nodes:
                    pairs.append((min(one, two), max(one, two)))
                case _:
                    raise DecompositionError(
                        f"{quoted(edge)} joins no two of the nodes 0 … {len(kept) - 1}"
                    )
        object.__setattr__(self, "bags", kept)
        object.__setattr__(self, "edges", tuple(sorted(pairs)))

    @property
    def width(self) -> int:
        """The size of the largest bag less 1; -1 if there is no vertex."""
        return max(map(len, self.bags), default=0) - 1

    def __len__(self) -> int:
        return len(self.bags)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The nodes next to each node, ascending."""
        made: list[list[int]] = [[] for _ in self.bags]
        for one, two in self.edges:
            made[one].append(two)
            made[two].append(one)
        return tuple(tuple(sorted(row)) for row in made)

    def violations(self, graph: Any) -> list[Violation]:
        """List everything that keeps this from being a tree decomposition of `graph`.

        Takes time linear in the bags and the edges.

        Parameters
        ----------
        graph
            A field, a position or a networkx graph.
        """
        field = topology_of(graph)
        found = self._tree_violations()
        homes: dict[Cell, set[int]] = defaultdict(set)
        for node, bag in enumerate(self.bags):
            for cell in bag:
                homes[cell].add(node)
        strangers = [cell for cell in homes if cell not in field]
        found += [
            Violation("vertices", f"node {min(homes[cell])} holds {cell!r}, which is no vertex")
            for cell in strangers
        ]
        found += [
            Violation("vertices", f"the vertex {cell!r} is in no bag")
            for cell in field.cells
            if cell not in homes
        ]
        for place, cell in enumerate(field.cells):
            for other in field.neighbours_at(place):
                far = field.cells[other]
                if place < other and homes[cell].isdisjoint(homes[far]):
                    found.append(
                        Violation("edges", f"no bag holds both ends of the edge {cell!r} – {far!r}")
                    )
        found += self._scattered(homes)
        return found

    def _tree_violations(self) -> list[Violation]:
        if not self.bags:
            return []
        found = []
        reached, pending = {0}, [0]
        while pending:
            for node in self.neighbours[pending.pop()]:
                if node not in reached:
                    reached.add(node)
                    pending.append(node)
        if len(reached) < len(self.bags):
            far = min(set(range(len(self.bags))) - reached)
            found.append(Violation("tree", f"no path leads from node 0 to node {far}"))
        if len(self.edges) > len(self.bags) - 1 or len(set(self.edges)) < len(self.edges):
            found.append(
                Violation("tree", f"{len(self.edges)} edges on {len(self.bags)} nodes make a cycle")
            )
        return found

    def _scattered(self, homes: dict[Cell, set[int]]) -> list[Violation]:
        found = []
        for cell, nodes in homes.items():
            if not nodes:
                continue
            start = min(nodes)
            reached, pending = {start}, [start]
            while pending:
                for node in self.neighbours[pending.pop()]:
                    if node in nodes and node not in reached:
                        reached.add(node)
                        pending.append(node)
            if reached != nodes:
                far = min(nodes - reached)
                found.append(
                    Violation(
                        "connected",
                        f"nodes {start} and {far} hold {cell!r}, and a node between them does not",
                    )
                )
        return found

    def check(self, graph: Any) -> None:
        """Raise unless this is a tree decomposition of `graph`.

        Raises
        ------
        DecompositionError
            Naming the violated conditions.
        """
        found = self.violations(graph)
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            raise DecompositionError(
                f"no tree decomposition of {graph_name(graph)}: {found[0]}{more}"
            )

    def restricted(self, cells: Iterable[Cell]) -> TreeDecomposition:
        """Return the same tree with all but `cells` taken out of the bags."""
        kept = frozenset(cells)
        return TreeDecomposition((bag & kept for bag in self.bags), self.edges)

    def simplified(self, *, limits: Limits | None = None) -> TreeDecomposition:
        """Return a decomposition without bags that lie inside a neighbouring bag."""
        budget, done = Budget(limits), 0
        budget.spend(held=_BYTES_PER_NODE * len(self.bags))
        bags: list[frozenset[Cell] | None] = list(self.bags)
        around: list[set[int]] = [set() for _ in budget.watched(bags)]
        for one, two in budget.watched(self.edges):
            around[one].add(two)
            around[two].add(one)
        pending = list(range(len(bags)))
        while pending:
            done += 1
            if done % 256 == 0:
                budget.look(nodes=256)
            node = pending.pop()
            bag = bags[node]
            larger = None if bag is None else _inside(bag, around[node], bags)
            if larger is None:
                continue
            for other in around[node] - {larger}:
                around[other].remove(node)
                around[other].add(larger)
                around[larger].add(other)
                pending.append(other)
            around[larger].discard(node)
            around[node] = set()
            bags[node] = None
            pending.append(larger)
        kept = [node for node, bag in enumerate(bags) if bag is not None]
        place = {node: number for number, node in enumerate(kept)}
        edges = [(place[a], place[b]) for a in budget.watched(kept) for b in around[a] if a < b]
        return TreeDecomposition((self.bags[node] for node in budget.watched(kept)), edges)

    def nice(
        self, *, root: int = 0, keep: Iterable[Cell] = (), limits: Limits | None = None
    ) -> NiceDecomposition:
        """Return a nice decomposition: see `sapper.decomposition.NiceDecomposition.of`."""
        from sapper.decomposition.nice import NiceDecomposition

        return NiceDecomposition.of(self, root=root, keep=keep, limits=limits)

    def to_svg(self, *, highlight: Cell | None = None) -> str:
        """Return a picture: the tree with its bags, those that hold `highlight` shaded."""
        from sapper.decomposition.picture import decomposition_svg

        return decomposition_svg(self, highlight=highlight)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        bags = ", ".join(
            "{" + ", ".join(map(repr, sorted_cells(bag))) + "}" if bag else "()"
            for bag in self.bags
        )
        return f"TreeDecomposition([{bags}], {list(self.edges)!r})"


def _inside(
    bag: frozenset[Cell], around: set[int], bags: list[frozenset[Cell] | None]
) -> int | None:
    for node in around:
        other = bags[node]
        if other is not None and bag <= other:
            return node
    return None


def sorted_cells(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells in an order that does not depend on hashes."""
    cells = list(cells)
    try:
        return sorted(cells)  # type: ignore[type-var]  # the TypeError is the test
    except TypeError:
        return sorted(cells, key=repr)


def topology_of(graph: Any) -> Topology:
    """Return the field of a field, a position or a networkx graph."""
    return graph.topology if isinstance(graph, Position) else as_topology(graph)


def graph_name(graph: Any) -> str:
    """Return what to call a graph in a message."""
    return str(topology_of(graph))
