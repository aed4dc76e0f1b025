"""The mine total over components that were solved without it.

A component matters to the others only by how many mines it has. If the free cells can make up for
any difference that the models at hand show, these models stay witnesses under the total and nothing
more is asked. Otherwise the numbers of mines of each component are found out, as a set, and what is
unwitnessed is asked again with those numbers as assumptions.
"""

from __future__ import annotations

from collections.abc import Sequence

from sapper.methods.sat.part import Part, Seen
from sapper.methods.totals import NOTHING, Totals
from sapper.questions import Budget

__all__ = ["is_met", "settle_under_total"]


def is_met(parts: Sequence[Part], mines: int, free: int, budget: Budget) -> bool:
    """Tell whether there can be `mines` mines in all parts and `free` more cells together.

    Every part must have a model.
    """
    if _balanced(parts, mines, free) is not None:
        return True
    *small, largest = sorted(parts, key=lambda part: len(part.cells))
    others = Totals.between(0, free)
    for part in small:
        budget.look()
        others = others * part.counts()
    return largest.has(others.missing(mines))


def settle_under_total(
    parts: Sequence[Part], seen: Sequence[Seen], mines: int, free: int, budget: Budget
) -> tuple[list[Seen], tuple[bool, bool]] | None:
    """Return what can be a mine and what can be free under a total.

    Parameters
    ----------
    parts
        The components, settled without the total.
    seen
        For each, the masks of the cells that can be mines and that can be free without the total.
    mines
        How many mines there are in the components and on the free cells together.
    free
        How many cells no clue constrains.
    budget
        Limits.

    Returns
    -------
    tuple or None
        Masks as in `seen`, and whether a free cell can be a mine and can be free; None if no
        assignment fits the total.
    """
    if not parts:
        return [], (mines > 0, mines < free)
    base = _balanced(parts, mines, free)
    if base is not None:
        left = mines - sum(base)
        witnessed, lefts = [], {left}
        for part, count, possible in zip(parts, base, seen, strict=True):
            # While the other parts stay as they are.
            least, most = left + count - free, left + count
            if part.is_large:
                part.witness(possible, least, most)
            fitting = [m for m in part.models if least <= m.bit_count() <= most]
            lefts.update(most - m.bit_count() for m in fitting)
            witnessed.append(part.seen(fitting))
        if witnessed == list(seen) and (not free or (max(lefts) > 0 and min(lefts) < free)):
            return witnessed, (True, True)
    return _exactly(parts, seen, mines, free, budget)


def _balanced(parts: Sequence[Part], mines: int, free: int) -> list[int] | None:
    """Choose a number of mines for each part so that the free cells make up for the rest.

    If there is a choice, about half the free cells are mines. None if the models at hand, and some
    more with other numbers of mines, do not suffice.
    """
    counts = [sorted({mask.bit_count() for mask in part.models}) for part in parts]
    chosen = [known[0] for known in counts]
    wanted = mines - free // 2
    total = sum(chosen)
    for place, known in enumerate(counts):
        others = total - chosen[place]
        chosen[place] = min(known, key=lambda count: abs(others + count - wanted))
        total = others + chosen[place]
    for place in sorted(range(len(parts)), key=lambda place: -len(parts[place].cells)):
        if 0 <= mines - total <= free:
            return chosen
        others = total - chosen[place]
        parts[place].aim(mines - free - others, mines - others)
        known = [mask.bit_count() for mask in parts[place].models]
        chosen[place] = min(known, key=lambda count: abs(others + count - wanted))
        total = others + chosen[place]
    return chosen if 0 <= mines - total <= free else None


def _exactly(
    parts: Sequence[Part], seen: Sequence[Seen], mines: int, free: int, budget: Budget
) -> tuple[list[Seen], tuple[bool, bool]] | None:
    """Find the numbers of mines of all parts but the largest, and ask that one for the rest."""
    *small, last = sorted(range(len(parts)), key=lambda place: len(parts[place].cells))
    counts = [parts[place].counts() for place in small]
    before = [NOTHING]
    for known in budget.watched(counts, every=16):
        before.append(before[-1] * known)

    def wanted(others: Totals, least: int = 0, most: int = free) -> Totals:
        """Return what the largest part may have, given the others and the mined free cells."""
        return (others * Totals.between(least, most)).missing(mines)

    largest = parts[last]
    if not largest.has(wanted(before[-1])):
        return None
    settled = list(seen)
    settled[last] = _settle(largest, seen[last], wanted(before[-1]))
    after = NOTHING
    for number in budget.watched(reversed(range(len(small))), every=16):
        place, others = small[number], before[number] * after
        fits = [n for n in counts[number] if largest.has(wanted(others * Totals(1 << n)))]
        settled[place] = _settle(parts[place], seen[place], Totals(sum(1 << n for n in fits)))
        after = after * counts[number]
    can_be_mine = bool(free) and largest.has(wanted(before[-1], 1, free))
    can_be_free = bool(free) and largest.has(wanted(before[-1], 0, free - 1))
    return settled, (can_be_mine, can_be_free)


def _settle(part: Part, possible: Seen, allowed: Totals) -> Seen:
    """Return what can be a mine and what can be free with an allowed number of mines."""
    mined, freed = part.seen([m for m in part.models if m.bit_count() in allowed])
    for place in range(len(part.cells)):
        bit = 1 << place
        for literal in (place + 1, -place - 1):
            can, has = (possible[0], mined) if literal > 0 else (possible[1], freed)
            if has & bit or not can & bit:
                continue
            for least, most in allowed.runs():
                mask = part.with_mines(least, most, [literal])
                if mask is not None:
                    mined, freed = mined | mask, freed | part.all & ~mask
                    break
    return mined, freed
