"""Changes to a puzzle that must not change what is true of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from sapper.clues import Clue, Clues
from sapper.field import Cell, Lattice, Position


def shuffled(clues: Clues, seed: int) -> Clues:
    """Return the system with cells, clues and the cells of each clue in another order."""
    random = Random(seed)

    def mixed(clue: Clue) -> Clue:
        terms = random.sample(list(clue.terms), len(clue.cells))
        return Clue(
            clue.count,
            [cell for cell, _ in terms],
            weights=[weight for _, weight in terms],
            cell=clue.cell,
        )

    return Clues(
        [mixed(clue) for clue in random.sample(clues.clues, len(clues.clues))],
        random.sample(clues.cells, len(clues.cells)),
        clues.mines,
        known_mines=clues.known_mines,
    )


def renamed(clues: Clues, name: Callable[[Cell], Cell]) -> Clues:
    """Return the system with other names for its cells."""
    return Clues(
        [
            Clue(clue.count, map(name, clue.cells), weights=clue.weights, cell=clue.cell)
            for clue in clues.clues
        ],
        map(name, clues.cells),
        clues.mines,
        known_mines=clues.known_mines,
    )


def complemented(clues: Clues) -> Clues:
    """Return the system whose solutions are the complements of those of `clues`.

    The total is left out. Clues get the sum of their weights less their count.
    """
    return Clues(
        [
            Clue(
                sum(weight for _, weight in clue.terms) - clue.count,
                clue.cells,
                weights=clue.weights,
            )
            for clue in clues.clues
        ],
        clues.cells,
    )


def symmetries(position: Position) -> Iterator[tuple[Position, Callable[[Cell], Cell]]]:
    """Yield the flips and turns of a grid or torus, each with the map from old to new cells."""
    topology = position.topology
    assert isinstance(topology, Lattice)
    for transpose in (False, True):
        for flip_rows in (False, True):
            for flip_columns in (False, True):
                yield _moved(position, topology, transpose, flip_rows, flip_columns)


def _moved(
    position: Position, topology: Lattice, transpose: bool, flip_rows: bool, flip_columns: bool
) -> tuple[Position, Callable[[Cell], Cell]]:
    height, width = topology.height, topology.width

    def move(cell: Cell) -> Cell:
        assert isinstance(cell, tuple)
        row, column = cell
        row = height - 1 - row if flip_rows else row
        column = width - 1 - column if flip_columns else column
        return (column, row) if transpose else (row, column)

    kind: Callable[[int, int], Lattice] = type(topology)
    moved = kind(width, height) if transpose else kind(height, width)
    labels = {move(cell): label for cell, label in position.items()}
    return Position(moved, labels, mines=position.mines), move
