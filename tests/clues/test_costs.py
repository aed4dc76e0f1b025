"""Costs: what is refused, and how they are added."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from sapper.clues import checked_costs, total_cost
from sapper.errors import CostError, UnknownCellError


@pytest.mark.parametrize(
    "bad", [float("nan"), float("inf"), float("-inf"), "1", None, True, 1j, Decimal(1)]
)
def test_bad_costs_are_refused(bad: Any) -> None:
    with pytest.raises(CostError, match="the cost of 'a' is"):
        checked_costs({"a": bad}, "ab")


def test_a_cost_of_no_cell_is_refused() -> None:
    with pytest.raises(UnknownCellError, match="'z'"):
        checked_costs({"z": 1}, "ab")


def test_sums_are_as_exact_as_their_terms() -> None:
    costs = checked_costs(
        {"a": 10**40, "b": Fraction(1, 3), "c": 0.1, "d": Fraction(4, 2)}, "abcde"
    )
    assert type(costs["d"]) is int
    assert total_cost(costs, "ad") == 10**40 + 2
    assert total_cost(costs, "bd") == Fraction(7, 3)
    assert total_cost(costs, "") == 0
    assert total_cost(costs, "e") == 0
    assert total_cost({"a": 1e16, "b": 1.0, "c": -1e16}, "abc") == 1.0


def test_numpy_numbers_are_numbers() -> None:
    import numpy

    numbers: dict[str, Any] = {"a": numpy.int32(3), "b": numpy.float32(0.5)}
    costs = checked_costs(numbers, "ab")
    assert [type(cost) for cost in costs.values()] == [int, float]


def test_a_sum_beyond_floats_is_refused() -> None:
    with pytest.raises(CostError, match="more than a float can hold"):
        total_cost({"a": 1.7e308, "b": 1.7e308}, "ab")
