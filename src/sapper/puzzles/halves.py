"""Meeting in the middle: subset sums of two halves, joined where they add up.

All sums of powers of a subset are packed into a few 64-bit words, one digit for each power. No
digit overflows, since no subset exceeds the sum over all numbers, so equal words mean equal sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, Final

import numpy

from sapper.errors import LimitExceeded
from sapper.limits import Limits

_BYTES_PER_SUBSET: Final = 40
_LIMIT: Final = 1 << 63


def joined_count(n: int, k: int, limits: Limits | None = None) -> int:
    """Return the number of sets that hold n and half of every sum of powers."""
    found = _joined(n, k, limits)
    if found is None:
        return 0
    left, right, _, _ = found
    keys, left_counts = _counted(left)
    others, right_counts = _counted(right)
    by_key = dict(zip(map(bytes, others), right_counts, strict=True))
    return sum(
        int(times) * int(by_key.get(bytes(key), 0))
        for key, times in zip(keys, left_counts, strict=True)
    )


def joined_sets(n: int, k: int, limits: Limits | None = None) -> Iterator[frozenset[int]]:
    """Yield the sets that hold n and half of every sum of powers."""
    found = _joined(n, k, limits)
    if found is None:
        return
    left, right, left_masks, right_masks = found
    by_key: dict[bytes, list[int]] = {}
    for key, mask in zip(right, right_masks, strict=True):
        by_key.setdefault(bytes(key), []).append(int(mask))
    low, high = _halves(n)
    for key, mask in zip(left, left_masks, strict=True):
        for other in by_key.get(bytes(key), ()):
            yield frozenset({n, *_members(low, int(mask)), *_members(high, other)})


def _halves(n: int) -> tuple[list[int], list[int]]:
    """Split 1 … n-1 into odd and even places, so that both halves have sums of the same size."""
    rest = list(range(1, n))
    return rest[::2], rest[1::2]


def _members(numbers: list[int], mask: int) -> list[int]:
    return [number for place, number in enumerate(numbers) if mask >> place & 1]


def _joined(n: int, k: int, limits: Limits | None) -> tuple[Any, Any, Any, Any] | None:
    """Return the rows of words and the masks of both halves that can be joined at all.

    The words of the right half are taken from what is missing, so that rows match where equal.
    """
    sums = [sum(number**power for number in range(1, n + 1)) for power in range(k + 1)]
    if any(total % 2 for total in sums):
        return None
    limits, start = limits or Limits(), monotonic()
    low, high = _halves(n)
    needed = _BYTES_PER_SUBSET << max(len(low), len(high))
    if limits.bytes is not None and needed > limits.bytes:
        raise LimitExceeded("bytes", allowed=limits.bytes, spent=needed)
    masks: list[Any] = [numpy.arange(1 << len(half), dtype=numpy.uint32) for half in (low, high)]
    words: list[tuple[Any, Any]] = []
    for powers in _words(sums):
        if limits.seconds is not None and monotonic() - start > limits.seconds:
            raise LimitExceeded("seconds", allowed=limits.seconds, spent=monotonic() - start)
        value = {number: _packed(number, powers, sums) for number in range(1, n + 1)}
        target = sum(_radix(powers, sums)[j] * (sums[p] // 2) for j, p in enumerate(powers))
        left = _subset_sums([value[number] for number in low])[masks[0]]
        right = target - value[n] - _subset_sums([value[number] for number in high])[masks[1]]
        # Rows that match in no word cannot match in all; after the first word few are left.
        kept_left, kept_right = _present(left, right), _present(right, left)
        masks = [masks[0][kept_left], masks[1][kept_right]]
        words = [(one[kept_left], two[kept_right]) for one, two in [*words, (left, right)]]
    return (
        numpy.column_stack([one for one, _ in words]),
        numpy.column_stack([two for _, two in words]),
        masks[0],
        masks[1],
    )


def _words(sums: list[int]) -> list[list[int]]:
    """Group powers so that the digits of a group fit into 63 bits."""
    groups: list[list[int]] = []
    room = 0
    for power, total in reversed(list(enumerate(sums))):
        if total >= _LIMIT:
            raise LimitExceeded("bytes", allowed=8, spent=total.bit_length() // 8 + 1)
        if not groups or room * (total + 1) >= _LIMIT:
            groups.append([])
            room = 1
        groups[-1].append(power)
        room *= total + 1
    return groups


def _radix(powers: list[int], sums: list[int]) -> list[int]:
    made = [1]
    for power in powers[:-1]:
        made.append(made[-1] * (sums[power] + 1))
    return made


def _packed(number: int, powers: list[int], sums: list[int]) -> int:
    radix = _radix(powers, sums)
    return sum(unit * number**power for unit, power in zip(radix, powers, strict=True))


def _subset_sums(values: list[int]) -> Any:
    """Return the sum over every subset, in the order of the masks."""
    made = numpy.zeros(1, dtype=numpy.int64)
    for value in values:
        made = numpy.concatenate([made, made + value])
    return made


def _present(some: Any, others: Any) -> Any:
    """Tell which of `some` are among `others`."""
    if not len(others):
        return numpy.zeros(len(some), dtype=bool)
    ordered = numpy.sort(others)
    places = numpy.minimum(numpy.searchsorted(ordered, some), len(ordered) - 1)
    return ordered[places] == some


def _counted(rows: Any) -> tuple[Any, Any]:
    return numpy.unique(rows, axis=0, return_counts=True)
