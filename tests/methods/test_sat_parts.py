"""Small parts of the method ``sat`` by themselves."""

from __future__ import annotations

import tracemalloc
from random import Random

from sapper.methods.sat.part import _mask


def test_masks_of_literals() -> None:
    random = Random(7)
    assert _mask([]) == 0
    for size in (1, 7, 8, 9, 64, 300):
        cells = random.sample(range(1, size + 1), random.randint(1, size))
        literals = [random.choice((cell, -cell)) for cell in cells]
        assert _mask(literals) == sum(1 << (cell - 1) for cell in cells)


def test_a_mask_takes_memory_by_cells() -> None:
    """One long integer for each literal took 54 MB here."""
    literals = list(range(2, 40_001, 2))
    tracemalloc.start()
    try:
        mask = _mask(literals)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    assert mask.bit_count() == len(literals)
