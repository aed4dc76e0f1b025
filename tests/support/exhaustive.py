"""Every position of tiny fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from networkx import Graph
from networkx.algorithms.isomorphism import GraphMatcher

from sapper.field import Label, Position, Topology
from sapper.game import Layout


def all_positions(topology: Topology) -> Iterator[Position]:
    """Yield a field with every label on every cell, right or wrong, with no total."""
    choices: list[list[Label]] = [
        ["?", "*", "_", *range(topology.degree(cell) + 1)] for cell in topology.cells
    ]
    for labels in product(*choices):
        yield Position(topology, labels)


def all_truthful_positions(topology: Topology, *, marks: bool = False) -> Iterator[Position]:
    """Yield all that can be visible of any minefield on a field, each once and with no total.

    Cells are covered or show their number; with `marks`, known mines and known free cells too.
    """
    seen: set[tuple[Label, ...]] = set()
    for mined in product((0, 1), repeat=len(topology)):
        layout = Layout.from_bytes(topology, bytes(mined))
        shown = [label for _, label in layout.position().items()]
        choices: list[list[Label]]
        if marks:
            choices = [["?", "*"] if label == "*" else ["?", "_", label] for label in shown]
        else:
            choices = [["?"] if label == "*" else ["?", label] for label in shown]
        for labels in product(*choices):
            if labels not in seen:
                seen.add(labels)
                yield Position(topology, labels)


def distinct(positions: Iterable[Position]) -> Iterator[Position]:
    """Yield at least one of all positions of a field that its symmetries turn into each other.

    That no answer depends on how a board lies is tested by itself. A position is left out if a
    symmetry makes a smaller one of it; of fields with very many symmetries the first serve.
    """
    turns: list[list[int]] = []
    for position in positions:
        if not turns:
            cells = {cell: number for number, cell in enumerate(position.topology.cells)}
            graph = Graph({cell: list(position.topology.neighbours(cell)) for cell in cells})
            found = GraphMatcher(graph, graph).isomorphisms_iter()
            turns = [[cells[turn[cell]] for cell in cells] for turn in islice(found, 200)]
        labels = [str(label) for _, label in position.items()]
        if all([labels[number] for number in turn] >= labels for turn in turns):
            yield position
