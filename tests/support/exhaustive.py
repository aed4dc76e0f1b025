"""Every position of tiny fields."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sapper.field import Label, Position, Topology


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
    cells = topology.cells
    mine_labels, free_labels = ("?*", "?_n") if marks else ("?", "?n")
    seen: set[tuple[Label, ...]] = set()
    for bits in product((False, True), repeat=len(cells)):
        mined = {cell for cell, mine in zip(cells, bits, strict=True) if mine}
        numbers = [sum(other in mined for other in topology.neighbours(cell)) for cell in cells]
        choices: list[list[Label]] = [
            [
                number if shown == "n" else _mark(shown)
                for shown in (mine_labels if mine else free_labels)
            ]
            for mine, number in zip(bits, numbers, strict=True)
        ]
        for labels in product(*choices):
            if labels not in seen:
                seen.add(labels)
                yield Position(topology, labels)


def _mark(character: str) -> Label:
    return "*" if character == "*" else "_" if character == "_" else "?"
