"""Meeting in the middle: subset sums of two halves, joined where they add up.

All sums of powers of a subset are packed into a few 64-bit words, one digit for each power. No
digit overflows, since no subset exceeds the sum over all numbers, so equal words mean equal sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import mul
from time import monotonic
from typing import Any, Final

import numpy

from sapper.errors import LimitExceeded
from sapper.limits import Limits

_BYTES_PER_SUBSET: Final = 40
_LIMIT: Final = 1 << 63


def joined_count(
    numbers: Sequence[int], powers: Sequence[int], limits: Limits | None = None
) -> int:
    """Return the number of sets that hold the last number and half of every sum of powers."""
    found = _joined(numbers, powers, limits)
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


def joined_sets(
    numbers: Sequence[int], powers: Sequence[int], limits: Limits | None = None
) -> Iterator[frozenset[int]]:
    """Yield the sets that hold the last number and half of every sum of powers."""
    found = _joined(numbers, powers, limits)
    if found is None:
        return
    left, right, left_masks, right_masks = found
    by_key: dict[bytes, list[int]] = {}
    for key, mask in zip(right, right_masks, strict=True):
        by_key.setdefault(bytes(key), []).append(int(mask))
    low, high = _halves(numbers)
    for key, mask in zip(left, left_masks, strict=True):
        for other in by_key.get(bytes(key), ()):
            yield frozenset({numbers[-1], *_members(low, int(mask)), *_members(high, other)})


def _halves(numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """Split all but the last into odd and even places: both halves have sums of the same size."""
    rest = list(numbers[:-1])
    return rest[::2], rest[1::2]


def _members(numbers: list[int], mask: int) -> list[int]:
    return [number for place, number in enumerate(numbers) if mask >> place & 1]


def _joined(
    numbers: Sequence[int], powers: Sequence[int], limits: Limits | None
) -> tuple[Any, Any, Any, Any] | None:
    """Return the rows of words and the masks of both halves that can be joined at all.

    The words of the right half are taken from what is missing, so that rows match where equal.
    """
    sums = {power: sum(number**power for number in numbers) for power in powers}
    if not numbers or any(total % 2 for total in sums.values()):
        return None
    limits, start = limits or Limits(), monotonic()
    low, high = _halves(numbers)
    needed = _BYTES_PER_SUBSET << max(len(low), len(high))
    if limits.bytes is not None and needed > limits.bytes:
        raise LimitExceeded("bytes", allowed=limits.bytes, spent=needed)
    masks: list[Any] = [numpy.arange(1 << len(half), dtype=numpy.uint32) for half in (low, high)]
    words: list[tuple[Any, Any]] = []
    for group in _words(sums) or [[]]:
        if limits.seconds is not None and monotonic() - start > limits.seconds:
            raise LimitExceeded("seconds", allowed=limits.seconds, spent=monotonic() - start)
        value = {number: _packed(number, group, sums) for number in numbers}
        target = sum(_radix(group, sums)[j] * (sums[p] // 2) for j, p in enumerate(group))
        left = _subset_sums([value[number] for number in low])[masks[0]]
        missing = target - value[numbers[-1]]
        right = missing - _subset_sums([value[number] for number in high])[masks[1]]
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


def _words(sums: Mapping[int, int]) -> list[list[int]]:
    """Group powers so that the digits of a group fit into 63 bits."""
    groups: list[list[int]] = []
    room = 0
    for power, total in reversed(list(sums.items())):
        if total >= _LIMIT:
            raise LimitExceeded("bytes", allowed=8, spent=total.bit_length() // 8 + 1)
        if not groups or room * (total + 1) >= _LIMIT:
            groups.append([])
            room = 1
        groups[-1].append(power)
        room *= total + 1
    return groups


def _radix(powers: list[int], sums: Mapping[int, int]) -> list[int]:
    digits = (sums[power] + 1 for power in powers[:-1])
    return list(accumulate(digits, mul, initial=1))[: len(powers)]


def _packed(number: int, powers: list[int], sums: Mapping[int, int]) -> int:
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
