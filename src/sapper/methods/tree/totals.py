"""Sets of mine totals, as an algebra: which totals are possible, not in how many ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

Pair = tuple["Totals", "Totals"]


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
    """

    bits: int

    def __add__(self, other: Totals) -> Totals:
        return Totals(self.bits | other.bits)

    def __mul__(self, other: Totals) -> Totals:
        few, many = self.bits, other.bits
        if not few or not many:
            return NONE
        if _runs(few) > _runs(many):
            few, many = many, few
        made, place = 0, 0
        # For each run of ones the other set is smeared over its length, doubling step by step.
        while few:
            gap = (few & -few).bit_length() - 1
            few >>= gap
            place += gap
            length = (~few & (few + 1)).bit_length() - 1
            smeared, covered = many, 1
            while covered < length:
                step = min(covered, length - covered)
                smeared |= smeared << step
                covered += step
            made |= smeared << place
            few >>= length
            place += length
        return Totals(made)

    def __bool__(self) -> bool:
        return bool(self.bits)

    def __contains__(self, total: int) -> bool:
        return total >= 0 and bool(self.bits >> total & 1)

    def __iter__(self) -> Iterator[int]:
        return (place for place in range(self.bits.bit_length()) if self.bits >> place & 1)


NONE: Final = Totals(0)
NOTHING: Final = Totals(1)
"""Exactly no mine."""
ONE: Final = Totals(2)
"""Exactly one mine."""


def _runs(bits: int) -> int:
    return (bits & ~(bits << 1)).bit_count()


def middle_totals(pairs: Sequence[Pair], wanted: int) -> tuple[Totals, Totals, Totals]:
    """Return the totals of all ways to mine w, w−1 and w−2 of the children.

    As `sapper.methods.tree.hub.middle`, for sets.
    """
    kinds = Counter(pairs)
    if any(not free and not mined for free, mined in kinds):
        return NONE, NONE, NONE
    rows: list[dict[int, Totals]] = []
    single = len(kinds) == 1
    for (free, mined), count in kinds.items():
        low = 0 if free else count
        high = min(count if mined else 0, wanted)
        if single:
            low = max(low, wanted - 2)
        rows.append(
            {t: _multiple(free, count - t) * _multiple(mined, t) for t in range(low, high + 1)}
        )
    made = {0: NOTHING}
    for row in rows:
        merged: dict[int, Totals] = {}
        for t, totals in made.items():
            for more, others in row.items():
                if t + more <= wanted:
                    merged[t + more] = merged.get(t + more, NONE) + totals * others
        made = merged
    return made.get(wanted, NONE), made.get(wanted - 1, NONE), made.get(wanted - 2, NONE)


def _multiple(totals: Totals, times: int) -> Totals:
    """Return the sum of `times` copies of a set."""
    made = NOTHING
    while times:
        if times & 1:
            made = made * totals
        times >>= 1
        if times:
            totals = totals * totals
    return made
