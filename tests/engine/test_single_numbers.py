"""What single numbers decide is left out of the clues: nothing else may change."""

from __future__ import annotations

import random

import pytest

from sapper import Box, Grid, Hex, Offsets, Torus
from sapper._native import NO_LIMITS, Options, System, compile_system
from sapper.field import Position, Topology

FIELDS = [
    Grid(16, 30),
    Grid(1, 70),
    Grid(9, 64),
    Grid(3, 3),
    Torus(12, 11),
    Torus(2, 3),
    Torus(3, 64),
    Hex(10, 13),
    Offsets(9, 9),
    Offsets(8, 65, [(0, 1), (0, -1), (7, 3), (-7, -3)], wrap=True),
    Box(4, 5, 6),
]


def position_on(field: Topology, rng: random.Random, *, wrong: bool) -> Position:
    """Return a random position; where it is `wrong` some numbers are."""
    mined = {cell for cell in field.cells if rng.random() < 0.2}
    labels: dict[object, int | str] = {}
    shown = rng.choice([0.3, 0.6, 0.9])
    for cell in field.cells:
        if cell in mined:
            labels[cell] = "*" if rng.random() < 0.1 else "?"
        elif rng.random() < shown:
            labels[cell] = len(mined.intersection(field.neighbours(cell)))
            if wrong and rng.random() < 0.02:
                labels[cell] = rng.choice([0, 1, 7, 20, 62, 63, 64, 300])
        else:
            labels[cell] = "_" if rng.random() < 0.1 else "?"
    return Position(field, labels, len(mined))


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_the_rest_is_the_same(field: Topology, wrong: bool) -> None:
    rng = random.Random(f"{field} {wrong}")
    left_out = 0
    for _ in range(25):
        position = position_on(field, rng, wrong=wrong)
        systems = [
            System.from_labels(field.adjacency, position.codes, position.mines, settle=settle)
            for settle in (False, True)
        ]
        full, settled = (compile_system(each, Options(), NO_LIMITS, None) for each in systems)
        assert full.consistent == settled.consistent
        if full.consistent:
            assert full.values == settled.values
            assert list(full.free) == list(settled.free)
            assert full.forced_mines == settled.forced_mines
            assert full.nodes == settled.nodes
            assert full.probabilities(NO_LIMITS) == settled.probabilities(NO_LIMITS)
            assert full.verdicts(NO_LIMITS) == settled.verdicts(NO_LIMITS)
        left_out += systems[0].clues - systems[1].clues
    assert left_out > 0
