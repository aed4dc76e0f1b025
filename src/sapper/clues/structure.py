"""The shape of a clue system: which cells are alike, and which have nothing to do with others."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sapper.field import Cell

if TYPE_CHECKING:
    from sapper.clues.clue import Clue
    from sapper.clues.clues import Clues


def groups(system: Clues) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells in groups of interchangeable ones; see `Clues.groups`."""
    uses: dict[Cell, list[tuple[int, int]]] = {cell: [] for cell in system.cells}
    for number, clue in enumerate(system.clues):
        for cell, weight in clue.terms:
            if weight:
                uses[cell].append((number, weight))
    alike: defaultdict[tuple[tuple[int, int], ...], list[Cell]] = defaultdict(list)
    for cell, used in uses.items():
        alike[tuple(used)].append(cell)
    return tuple(map(tuple, alike.values()))


def components(system: Clues) -> tuple[tuple[tuple[Clue, ...], tuple[Cell, ...]], ...]:
    """Return clues and cells of each independent component; see `Clues.components`."""
    leader: dict[Cell, Cell] = {cell: cell for cell in system.touched}

    def find(cell: Cell) -> Cell:
        while leader[cell] != cell:
            leader[cell] = leader[leader[cell]]
            cell = leader[cell]
        return cell

    for clue in system.clues:
        for cell in clue.cells[1:]:
            leader[find(cell)] = find(clue.cells[0])

    cells: defaultdict[Cell, list[Cell]] = defaultdict(list)
    for cell in system.touched:
        cells[find(cell)].append(cell)
    clues: defaultdict[Cell, list[Clue]] = defaultdict(list)
    bare: list[Clue] = []
    for clue in system.clues:
        (clues[find(clue.cells[0])] if clue.cells else bare).append(clue)
    parts = [(tuple(clues[root]), tuple(members)) for root, members in cells.items()]
    # Clues over no cell at all hold or not whatever the cells do: a component of their own.
    return (*parts, (tuple(bare), ())) if bare else tuple(parts)
