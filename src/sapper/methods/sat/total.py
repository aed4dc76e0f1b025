"""The mine total over components that were solved without it.

A component matters to the others only by how many mines it has. If the free cells can make up for
any difference that the models at hand show, these models stay witnesses under the total and nothing
more is asked. Otherwise the numbers of mines of each component are found out, as a set, and what is
unwitnessed is asked again with those numbers as assumptions.
"""

from __future__ import annotations

from collections.abc import Sequence

from sapper.methods.sat.part import Part

__all__ = ["settle_under_total"]

Seen = tuple[int, int]


def settle_under_total(
    parts: Sequence[Part], seen: Sequence[Seen], mines: int, free: int
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

    Returns
    -------
    tuple or None
        Masks as in `seen`, and whether a free cell can be a mine and can be free; None if no
        assignment fits the total.
    """
    base = _balanced(parts, mines, free)
    left = mines - sum(base)
    if 0 <= left <= free:
        witnessed, lefts = [], {left}
        for part, count in zip(parts, base, strict=True):
            fitting = [m for m in part.models if 0 <= left + count - m.bit_count() <= free]
            lefts.update(left + count - m.bit_count() for m in fitting)
            witnessed.append(_union(part, fitting))
        if witnessed == list(seen) and (not free or (max(lefts) > 0 and min(lefts) < free)):
            return witnessed, (True, True)
    return _exactly(parts, seen, mines, free)


def _balanced(parts: Sequence[Part], mines: int, free: int) -> list[int]:
    """Choose a number of mines for each part so that about half the free cells are mines."""
    counts = [sorted({mask.bit_count() for mask in part.models}) for part in parts]
    chosen = [known[0] for known in counts]
    wanted = mines - free // 2
    for place, known in enumerate(counts):
        others = sum(chosen) - chosen[place]
        chosen[place] = min(known, key=lambda count: abs(others + count - wanted))
    return chosen


def _union(part: Part, models: Sequence[int]) -> Seen:
    mined = freed = 0
    for mask in models:
        mined |= mask
        freed |= part.all & ~mask
    return mined, freed


def _exactly(
    parts: Sequence[Part], seen: Sequence[Seen], mines: int, free: int
) -> tuple[list[Seen], tuple[bool, bool]] | None:
    if mines < 0:
        return None
    # Sets of numbers are masks, and the sums of two sets a convolution of them.
    counts = [part.counts() for part in parts]
    most = mines + 1
    before = [(1 << free + 1) - 1]
    for known in counts:
        before.append(_sums(before[-1], known, most))
    if not before[-1] >> mines & 1:
        return None
    after = [1]
    for known in reversed(counts):
        after.append(_sums(after[-1], known, most))
    after.reverse()
    settled = []
    for place, part in enumerate(parts):
        others = _sums(before[place], after[place + 1], most)
        allowed = [
            count
            for count in range(min(len(part.cells), mines) + 1)
            if counts[place] >> count & 1 and others >> (mines - count) & 1
        ]
        settled.append(_settle(part, seen[place], counts[place], allowed))
    lefts = [left for left in range(min(free, mines) + 1) if after[0] >> (mines - left) & 1]
    return settled, (max(lefts) > 0, min(lefts) < free)


def _sums(first: int, second: int, most: int) -> int:
    """Return the set of sums, up to `most`, of one number from each set."""
    total = 0
    mask = (1 << most + 1) - 1
    place = 0
    while second:
        if second & 1:
            total |= first << place
        second >>= 1
        place += 1
    return total & mask


def _settle(part: Part, possible: Seen, counts: int, allowed: Sequence[int]) -> Seen:
    """Return what can be a mine and what can be free with an allowed number of mines."""
    fits = frozenset(allowed)
    mined, freed = _union(part, [m for m in part.models if m.bit_count() in fits])
    spans = _spans(counts, fits)
    for place in range(len(part.cells)):
        bit = 1 << place
        for literal in (place + 1, -place - 1):
            can, has = (possible[0], mined) if literal > 0 else (possible[1], freed)
            if has & bit or not can & bit:
                continue
            for least, most in spans:
                mask = part.with_mines(least, most, [literal])
                if mask is not None:
                    mined, freed = mined | mask, freed | part.all & ~mask
                    break
    return mined, freed


def _spans(counts: int, allowed: frozenset[int]) -> list[tuple[int, int]]:
    """Return intervals whose possible counts are exactly the allowed ones."""
    spans: list[tuple[int, int]] = []
    open_at: int | None = None
    last = 0
    for count in range(counts.bit_length()):
        if not counts >> count & 1:
            continue
        if count in allowed:
            open_at = count if open_at is None else open_at
            last = count
        elif open_at is not None:
            spans.append((open_at, last))
            open_at = None
    if open_at is not None:
        spans.append((open_at, last))
    return spans
