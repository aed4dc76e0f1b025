"""Inputs that are hard for some method or for all, made from a seed."""

from __future__ import annotations

from random import Random

from sapper.clues import Clue, Clues
from sapper.field import Grid, Position, Topology, Torus


def lattice(height: int, width: int, *, total: bool = True) -> Position:
    """Numbers on all odd/odd cells, and a coin for each cell elsewhere: hard for every method.

    Called ``LAT(height, width)`` in the list of faults.
    """
    field, random = Grid(height, width), Random(1)
    numbers = [(row, column) for row in range(1, height, 2) for column in range(1, width, 2)]
    mines = {cell for cell in field.cells if cell not in numbers and random.random() < 0.5}
    labels = {cell: len(mines.intersection(field.neighbours(cell))) for cell in numbers}
    return Position(field, labels, mines=len(mines) if total else None)


def sparse(field: Topology, *, seed: int = 1) -> Position:
    """A fifth of the cells mined, a fifth of the others visible, and the total: easy but large."""
    random = Random(seed)
    mines = {cell for cell in field.cells if random.random() < 0.2}
    shown = [cell for cell in field.cells if cell not in mines and random.random() < 0.2]
    labels = {cell: len(mines.intersection(field.neighbours(cell))) for cell in shown}
    return Position(field, labels, mines=len(mines))


def torus(size: int, *, seed: int = 1) -> Position:
    """A `sparse` torus."""
    return sparse(Torus(size, size), seed=seed)


def knapsacks(size: int, clues: int) -> Clues:
    """Clues with heavy weights that only a long search meets: it learns without end."""
    random = Random(1)
    planted = [random.random() < 0.5 for _ in range(size)]
    made = []
    for _ in range(clues):
        weights = [random.randint(1, 10**6) for _ in range(size)]
        count = sum(weight for weight, mined in zip(weights, planted, strict=True) if mined)
        made.append(Clue(count, range(size), weights=weights))
    return Clues(made)
