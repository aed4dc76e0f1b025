"""Every position of tiny fields."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

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
