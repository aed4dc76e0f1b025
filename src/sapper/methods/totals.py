"""Sets of mine totals, as an algebra: which totals are possible, not in how many ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Totals:
    """A set of numbers of mines, one bit each; ``+`` is union, ``*`` adds every two.

    Examples
    --------
    >>> one_or_three, two = Totals(0b1010), Totals(0b100)
    >>> sorted(one_or_three * two)
    [3, 5]
    >>> sorted(one_or_three + two)
    [1, 2, 3]
    >>> list(Totals.between(2, 4).runs())
    [(2, 4)]
    """

    bits: int

    @classmethod
    def between(cls, least: int, most: int) -> Totals:
        """Return all numbers from `least` to `most`; none if that is less."""
        return cls((1 << most + 1) - (1 << least)) if least <= most else NONE

    def __add__(self, other: Totals) -> Totals:
        return Totals(self.bits | other.bits)

    def __mul__(self, other: Totals) -> Totals:
        few, many = sorted((self, other), key=lambda totals: _runs(totals.bits))
        made = 0
        # For each run of ones the other set is smeared over its length, doubling step by step.
        for first, last in few.runs():
            smeared, covered, length = many.bits, 1, last - first + 1
            while covered < length:
                step = min(covered, length - covered)
                smeared |= smeared << step
                covered += step
            made |= smeared << first
        return Totals(made)

    def missing(self, whole: int) -> Totals:
        """Return what is missing from each of these numbers to `whole`.

        Examples
        --------
        >>> sorted(Totals.between(3, 9).missing(5))
        [0, 1, 2]
        """
        kept = self.bits & (1 << whole + 1) - 1
        return Totals(int(f"{kept:0{whole + 1}b}"[::-1], 2))

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield the runs of consecutive numbers: the first and the last of each."""
        bits, place = self.bits, 0
        while bits:
            gap = (bits & -bits).bit_length() - 1
            bits >>= gap
            place += gap
            length = (~bits & (bits + 1)).bit_length() - 1
            yield place, place + length - 1
            bits >>= length
            place += length

    def __bool__(self) -> bool:
        return bool(self.bits)

    def __contains__(self, total: int) -> bool:
        return total >= 0 and bool(self.bits >> total & 1)

    def __iter__(self) -> Iterator[int]:
        return (place for first, last in self.runs() for place in range(first, last + 1))


NONE: Final = Totals(0)
NOTHING: Final = Totals(1)
"""Exactly no mine."""
ONE: Final = Totals(2)
"""Exactly one mine."""


def _runs(bits: int) -> int:
    return (bits & ~(bits << 1)).bit_count()
