"""Four quarters of the numbers, joined in pairs, residue by residue (Schroeppel and Shamir 1981).

Two halves need the memory of all subsets of a half. Here a half is made of two quarters, and only
those of its subsets whose sums have one residue are at hand; the other half then has the residue
that is missing. All residues in turn find every set: the time of two halves with the memory of
quarters, and the first set comes long before the last.

All sums of a subset are hashed to one 64-bit word that adds up, so that sets whose words fit are
few; they are checked with whole integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy

from sapper.limits import Budget, Limits
from sapper.puzzles.rows import primitive_rows

_BYTES_PER_SUBSET: Final = 160
_WORD: Final = (1 << 64) - 1
_SPARSE: Final = 3


def quartered_sets(
    numbers: Sequence[int], powers: Sequence[int], limits: Limits | None = None
) -> Iterator[frozenset[int]]:
    """Yield the sets that hold the last number and half of every sum of powers."""
    budget = Budget(limits)
    rows = primitive_rows(numbers, powers, budget)
    if not numbers or any(sum(row) % 2 for row in rows):
        return
    parts = [range(len(numbers) - 1)[first::4] for first in range(4)]
    bits = max(map(len, parts))
    budget.spend(held=_BYTES_PER_SUBSET << bits)
    values, target = _hashed(rows, len(numbers))
    quarters = [_subset_sums([values[place] for place in part]) for part in parts]
    left, right = _Pairs(quarters[0], quarters[1], bits), _Pairs(quarters[2], quarters[3], bits)
    for residue in range(1 << bits):
        budget.spend()
        for masks in _matches(left, right, residue, target):
            chosen = {
                numbers[part[place]]
                for part, mask in zip(parts, masks, strict=True)
                for place in range(len(part))
                if mask >> place & 1
            } | {numbers[-1]}
            if all(
                2 * sum(number**power for number in chosen)
                == sum(number**power for number in numbers)
                for power in powers
            ):
                yield frozenset(chosen)


def _hashed(rows: list[list[int]], size: int) -> tuple[list[int], int]:
    """Return a word for each number, and what those of the sought set but its last add up to."""
    random = numpy.random.default_rng(1)
    factors = [int(factor) | 1 for factor in random.integers(1 << 62, size=len(rows))]
    values = [
        sum(factor * row[place] for factor, row in zip(factors, rows, strict=True)) & _WORD
        for place in range(size)
    ]
    half = sum(factor * (sum(row) // 2) for factor, row in zip(factors, rows, strict=True))
    return values, (half - values[-1]) & _WORD


def _subset_sums(values: list[int]) -> Any:
    made = numpy.zeros(1, dtype=numpy.uint64)
    for value in values:
        made = numpy.concatenate([made, made + numpy.uint64(value)])
    return made


class _Pairs:
    """Subsets of two quarters whose words together have a given residue modulo 2^bits."""

    def __init__(self, one: Any, two: Any, bits: int) -> None:
        self.one, self.bits = one, bits
        self.low = numpy.uint64((1 << bits) - 1)
        order = numpy.argsort(two & self.low, kind="stable").astype(numpy.uint32)
        self.order, self.two = order, two[order]
        sizes = numpy.bincount((two & self.low).astype(numpy.int64), minlength=1 << bits)
        self.sizes = sizes.astype(numpy.int64)
        self.starts = numpy.cumsum(self.sizes) - self.sizes

    def of(self, residue: int) -> tuple[Any, Any, Any]:
        """Return the words, and which subset of either quarter each is made of."""
        wanted = ((numpy.uint64(residue) - self.one) & self.low).astype(numpy.int64)
        sizes = self.sizes[wanted]
        first = numpy.repeat(numpy.arange(len(self.one), dtype=numpy.uint32), sizes)
        shift = self.starts[wanted] - (numpy.cumsum(sizes) - sizes)
        second = numpy.arange(len(first)) + numpy.repeat(shift, sizes)
        return self.one[first] + self.two[second], first, second


def _matches(
    left: _Pairs, right: _Pairs, residue: int, target: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the masks of the four quarters whose words add up to the target."""
    words, *left_parts = left.of(residue)
    others, *right_parts = right.of((target - residue) & int(left.low))
    others = numpy.uint64(target) - others
    # Most words have no partner: a sparse table of some of their bits tells so.
    above = numpy.uint64((1 << (left.bits + _SPARSE)) - 1)
    places = ((words >> numpy.uint64(left.bits)) & above).astype(numpy.int64)
    other_places = ((others >> numpy.uint64(left.bits)) & above).astype(numpy.int64)
    table = numpy.zeros(int(above) + 1, dtype=bool)
    table[places] = True
    kept_right = numpy.flatnonzero(table[other_places])
    table[places] = False
    table[other_places[kept_right]] = True
    kept_left = numpy.flatnonzero(table[places])
    common = numpy.intersect1d(words[kept_left], others[kept_right])
    for word in common:
        for i in kept_left[words[kept_left] == word]:
            for j in kept_right[others[kept_right] == word]:
                yield (
                    int(left_parts[0][i]),
                    int(left.order[left_parts[1][i]]),
                    int(right_parts[0][j]),
                    int(right.order[right_parts[1][j]]),
                )
