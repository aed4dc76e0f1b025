"""The hard step on a tree for sets of totals: a number with many covered children."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sapper.methods.totals import NONE, NOTHING, Totals

Pair = tuple[Totals, Totals]


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
