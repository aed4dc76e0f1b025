"""Equal moments: weighted clues, two halves and plain enumeration agree."""

from __future__ import annotations

from itertools import combinations

import pytest

from sapper.errors import LimitExceeded, PositionError
from sapper.limits import Limits
from sapper.puzzles import Division, equal_moments, shortest_length
from sapper.puzzles.rows import primitive_rows

CHOSEN_144 = 0x9A4EB0B5B3A06AF156
"""A bit for each of the distances 1, 3, …, 143."""


def by_definition(n: int, k: int) -> set[frozenset[int]]:
    """Return every set with n in it whose sums of powers are half of all."""
    everything = frozenset(range(1, n + 1))
    found = set()
    for size in range(n):
        for rest in combinations(range(1, n), size):
            first = frozenset(rest) | {n}
            second = everything - first
            if all(
                sum(i**power for i in first) == sum(i**power for i in second)
                for power in range(k + 1)
            ):
                found.add(first)
    return found


@pytest.mark.parametrize("k", [0, 1, 2, 3])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 11, 12])
def test_small_cases_by_definition(n: int, k: int) -> None:
    expected = by_definition(n, k)
    divisions = equal_moments(n, k)
    for method in ("engine", "brute", "halves", "quarters"):
        assert divisions.count(method=method) == len(expected), method
        listed = list(divisions.divisions(method=method))
        assert {division.first for division in listed} == expected, method
        assert len(listed) == len(expected)
    assert bool(divisions) is bool(expected)


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 12])
def test_symmetric_cases_by_definition(n: int, k: int) -> None:
    def is_symmetric(first: frozenset[int]) -> bool:
        kept = first if k % 2 else set(range(1, n + 1)) - first
        return {n + 1 - number for number in first} == kept

    expected = set(filter(is_symmetric, by_definition(n, k)))
    for method in ("engine", "brute", "halves", "quarters"):
        divisions = equal_moments(n, k, symmetric=True)
        assert divisions.count(method=method) == len(expected), method
        assert {found.first for found in divisions.divisions(method=method)} == expected, method


@pytest.mark.parametrize(("n", "k"), [(16, 2), (16, 3), (18, 1), (20, 2)])
def test_larger_cases_by_two_ways(n: int, k: int) -> None:
    divisions = equal_moments(n, k)
    ways = ("engine", "halves", "quarters")
    assert len({divisions.count(method=method) for method in ways}) == 1


@pytest.mark.parametrize(("n", "k"), [(48, 5), (56, 4), (64, 5)])
def test_symmetric_ones_by_halves_and_by_quarters(n: int, k: int) -> None:
    divisions = equal_moments(n, k, symmetric=True)
    by_halves = set(divisions.divisions(method="halves"))
    assert set(divisions.divisions(method="quarters")) == by_halves
    assert by_halves


def test_rows_without_a_common_divisor_exclude_what_powers_do_not() -> None:
    """A zero of order 8 asks for a multiple of 16; powers of odd numbers show only that of 4."""
    possible = [
        n
        for n in range(2, 146, 2)
        if all(sum(row) % 2 == 0 for row in primitive_rows(range(1, n, 2), (0, 2, 4, 6)))
    ]
    assert possible == list(range(16, 146, 16))
    for n in range(2, 31, 2):
        odd = any(sum(row) % 2 for row in primitive_rows(range(1, n, 2), (0, 2)))
        assert not (odd and equal_moments(n, 3, symmetric=True).count(method="halves"))


def test_sums_modulo_three_exclude_nothing_that_is_there() -> None:
    for n in range(2, 33, 2):
        for k in range(5):
            if equal_moments(n, k).count(method="halves"):
                found = equal_moments(n, k).divisions(method="quarters")
                assert next(found, None) is not None, (n, k)


def test_a_division_of_length_144_with_a_zero_of_order_eight() -> None:
    """One of those that `sapper puzzles shortest 8 --symmetric` finds."""
    distances = [d for d in range(1, 144, 2) if CHOSEN_144 >> d // 2 & 1]
    first = {(145 + sign * d) // 2 for d in distances for sign in (1, -1)}
    for power in range(8):
        assert 2 * sum(i**power for i in first) == sum(i**power for i in range(1, 145))


def test_every_division_is_one() -> None:
    for division in equal_moments(24, 3):
        assert isinstance(division, Division)
        assert 24 in division.first
        assert division.first | division.second == set(range(1, 25))
        assert not division.first & division.second
        for power in range(4):
            assert sum(i**power for i in division.first) == sum(i**power for i in division.second)


def test_published_shortest_lengths() -> None:
    """N(1), …, N(5); the one of length 2ᵐ comes from Prouhet, Thue and Morse."""
    assert [shortest_length(order) for order in range(1, 6)] == [2, 4, 8, 16, 32]
    (only,) = equal_moments(32, 4)
    thue_morse = {i for i in range(1, 33) if (i - 1).bit_count() % 2 == (31).bit_count() % 2}
    assert only.first == thue_morse


def test_wrong_arguments() -> None:
    for n, k in [(0, 1), (4, -1), (True, 1), (4, 1.5)]:
        with pytest.raises(PositionError):
            equal_moments(n, k)  # type: ignore[arg-type]
    with pytest.raises(PositionError):
        shortest_length(0)


def test_limits_hold() -> None:
    with pytest.raises(LimitExceeded):
        equal_moments(48, 5).count(method="halves", limits=Limits(bytes=10**6))
    with pytest.raises(LimitExceeded):
        equal_moments(144, 7, symmetric=True).count(limits=Limits(bytes=10**7))
    with pytest.raises(LimitExceeded):
        equal_moments(144, 7, symmetric=True).count(limits=Limits(seconds=0.1))
    with pytest.raises(LimitExceeded):
        equal_moments(24, 3).count(limits=Limits(seconds=1e-9))


def test_orders_beyond_all_reach() -> None:
    assert equal_moments(10, 10**9).count() == 0
    assert list(equal_moments(20, 10**30, symmetric=True)) == []
    with pytest.raises(LimitExceeded, match="seconds"):
        shortest_length(10**30, limits=Limits(seconds=0.1))
    for method in ("engine", "quarters"):
        with pytest.raises(LimitExceeded):
            equal_moments(3000, 2900).count(
                method=method, limits=Limits(seconds=0.5, bytes=50 << 20)
            )
